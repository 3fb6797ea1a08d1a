package export_test

import (
	"encoding/xml"
	"regexp"
	"strings"
	"testing"

	"episodes/causal"
	"episodes/episode"
)

// hostile is an episode whose labels try to leave their strings.
func hostile() *episode.Episode {
	return &episode.Episode{ID: "episode-h", Session: "h", Outcome: episode.Success, OutcomeSource: episode.Measured,
		Events: []episode.Event{
			{ID: "e001", Type: episode.Error, Content: "x\"]; click n1 callback; n2[\"`md` <script>alert(1)</script> #quot; & \x1b[31mred\u202e \\\""},
			{ID: "e002", Type: episode.Milestone, Content: "]]></data><node id=\"evil\"/> \x00 \ufffe end"},
		},
		Links: []episode.Link{{Source: "e001", Target: "e002", Type: episode.Prevents, Explicit: true}, {Source: "e002", Target: episode.OutcomeRef, Type: episode.Enables}}}
}

var mermaidLine = regexp.MustCompile("^  n[0-9a-f]{12}(?:[\\[({]+\"[^\"`<>\\\\]*\"[\\])}]+| (?:-->|-\\.->|--x|-\\.-) ?\\|\"[a-z]+ [01]\\.\\d\\d\"\\| n[0-9a-f]{12})$")

// Every line of the chart is one node or one edge, whatever the labels say.
//
// Rows A26.
func TestMermaidIsSafe(t *testing.T) {
	g := graphOf(t, append(twoEpisodes(), hostile())...)
	chart := exported(t, g, "mermaid")
	lines := strings.Split(strings.TrimSuffix(chart, "\n"), "\n")
	if lines[0] != "flowchart LR" || len(lines) != 1+6+5 {
		t.Fatalf("%d lines:\n%s", len(lines), chart)
	}
	for _, l := range lines[1:] {
		if !mermaidLine.MatchString(l) {
			t.Errorf("neither a node nor an edge: %q", l)
		}
	}
	for _, want := range []string{`say #34;done#34; #92; and red gnp.exe`, `#60;script#62;`, `#35;quot;`, " --x|\"prevents ", " -.->|\"enables "} {
		if !strings.Contains(chart, want) {
			t.Errorf("no %q in\n%s", want, chart)
		}
	}
}

func TestGraphML(t *testing.T) {
	g := graphOf(t, append(twoEpisodes(), hostile())...)
	type data struct {
		Key  string `xml:"key,attr"`
		Text string `xml:",chardata"`
	}
	var doc struct {
		XMLName xml.Name `xml:"http://graphml.graphdrawing.org/xmlns graphml"`
		Keys    []struct {
			ID string `xml:"id,attr"`
		} `xml:"key"`
		Graph struct {
			Default string `xml:"edgedefault,attr"`
			Nodes   []struct {
				ID   string `xml:"id,attr"`
				Data []data `xml:"data"`
			} `xml:"node"`
			Edges []struct {
				Source string `xml:"source,attr"`
				Target string `xml:"target,attr"`
				Data   []data `xml:"data"`
			} `xml:"edge"`
		} `xml:"graph"`
	}
	text := exported(t, g, "graphml")
	if err := xml.Unmarshal([]byte(text), &doc); err != nil {
		t.Fatalf("%v:\n%s", err, text)
	}
	declared := map[string]bool{}
	for _, k := range doc.Keys {
		declared[k.ID] = true
	}
	get := func(of []data, key string) string {
		for _, d := range of {
			if !declared[d.Key] {
				t.Errorf("key %q is not declared", d.Key)
			}
			if d.Key == key {
				return d.Text
			}
		}
		return ""
	}
	ids := map[string]bool{}
	nodes := 0
	err := g.Nodes(func(n causal.Node) error {
		x := doc.Graph.Nodes[nodes]
		if nodes++; x.ID != n.ID || get(x.Data, "t") != string(n.Type) || get(x.Data, "f") == "" {
			t.Errorf("node %+v is %+v", n, x)
		}
		ids[x.ID] = true
		return nil
	})
	if err != nil || nodes != len(doc.Graph.Nodes) || doc.Graph.Default != "directed" {
		t.Fatalf("%v: %d of %d nodes", err, nodes, len(doc.Graph.Nodes))
	}
	shared := 0
	for _, e := range doc.Graph.Edges {
		if !ids[e.Source] || !ids[e.Target] {
			t.Errorf("%+v has an end that is no node", e)
		}
		if get(e.Data, "e") == "episode-a episode-b" && get(e.Data, "w") == "0.666667" && get(e.Data, "c") == "2" && get(e.Data, "k") == "causes" {
			shared++
		}
	}
	if len(doc.Graph.Edges) != 5 || shared != 1 {
		t.Errorf("%d edges, %d of both episodes:\n%s", len(doc.Graph.Edges), shared, text)
	}
	if strings.ContainsAny(text, "\x00\x1b\u202e\ufffe") {
		t.Error("a character that XML or a terminal does not take")
	}
}
