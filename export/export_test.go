package export_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"episodes/episode"
	"episodes/export"
	"episodes/graph"
	"episodes/infer"
	"episodes/internal/testing/graphtest"
	"episodes/patterns"
)

// graphOf makes a graph of some episodes.
func graphOf(t *testing.T, eps ...*episode.Episode) *graph.Graph {
	t.Helper()
	url := "mem:" + t.Name()
	if _, err := graph.Rebuild(context.Background(), url, graphtest.NewSet(eps...), graph.Options{}); err != nil {
		t.Fatal(err)
	}
	g, err := graph.Open(context.Background(), url, graph.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { g.Close() })
	return g
}

// exported is a graph in a format, with some statistical edges.
func exported(t *testing.T, g export.Graph, format string, edges ...infer.Edge) string {
	t.Helper()
	var b bytes.Buffer
	if err := export.Write(&b, g, format, export.Findings{Edges: edges}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// fact is an event with a node.
func fact(node string) infer.Fact {
	return infer.Fact{Event: infer.Name{Key: "event"}, Node: node}
}

// twoEpisodes share an error and a decision, and come to different ends.
func twoEpisodes() []*episode.Episode {
	from := func(log, sum string) episode.Provenance {
		return episode.Provenance{Source: episode.Source{Path: log, SHA256: sum, Format: "markdown"}}
	}
	a := &episode.Episode{ID: "episode-a", Session: "a", Timestamp: "2026-03-01T10:00:00+02:00", Outcome: episode.Success, OutcomeSource: episode.Measured, Provenance: from("a.md", "00"),
		Decisions: []episode.Decision{{ID: "d001", Context: "How to stop the timeouts?", Options: []string{"retry", "raise the limit"}, Chosen: "retry", Outcome: episode.Success}},
		Events: []episode.Event{
			{ID: "e001", Type: episode.Error, Content: "TimeoutError: upstream gone"},
			{ID: "e002", Type: episode.Milestone, Content: "say \"done\" \\ and\x1b[31m red \u202egnp.exe"},
		},
		Links: []episode.Link{
			{Source: "e001", Target: "d001", Type: episode.Causes, Explicit: true},
			{Source: "d001", Target: episode.OutcomeRef, Type: episode.Enables},
			{Source: "d001", Target: "e002", Type: episode.Causes, Explicit: true},
		}}
	b := &episode.Episode{ID: "episode-b", Session: "b", Timestamp: "2026-03-01T09:00:00Z", Outcome: episode.Failure, OutcomeSource: episode.Stated, Provenance: from("b.md", "11"),
		Decisions: []episode.Decision{{ID: "d001", Context: "How to stop the timeouts?", Options: []string{"retry", "raise the limit"}, Chosen: "retry", Outcome: episode.Failure}},
		Events:    []episode.Event{{ID: "e001", Type: episode.Error, Content: "TimeoutError: upstream gone"}},
		Links:     []episode.Link{{Source: "e001", Target: "d001", Type: episode.Causes}}}
	return []*episode.Episode{a, b}
}

const wantJSON = `{"version":"1.0",
"updated":"2026-03-01T09:00:00Z",
"nodes":[
`

// Rows A9 A10 A11 A12.
func TestJSON(t *testing.T) {
	g := graphOf(t, twoEpisodes()...)
	found := []patterns.Pattern{
		{ID: "p2", Name: "b", Trigger: "x", Action: "y", SuccessRate: 2. / 3, Occurrences: 3, Episodes: []string{"episode-b", "episode-a"}},
		{ID: "p1", Name: "a"},
	}
	var b bytes.Buffer
	if err := export.Write(&b, g, "json", export.Findings{Patterns: found}); err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(b.String(), wantJSON) {
		t.Errorf("begins with %.80q", b.String())
	}
	var out struct {
		Version, Updated string
		Nodes            []struct {
			ID, Type, Label string
			Episodes        []string
			Frequency       int
			SuccessRate     *float64 `json:"success_rate"`
		}
		Edges []struct {
			Source, Target, Type string
			Weight               float64
			EvidenceCount        int `json:"evidence_count"`
			Episodes             []string
		}
		Patterns []struct {
			ID, Name, Description, Trigger, Action string
			SuccessRate                            float64 `json:"success_rate"`
			Occurrences                            int
		}
	}
	dec := json.NewDecoder(&b)
	if err := dec.Decode(&out); err != nil {
		t.Fatal(err)
	}
	if out.Version != "1.0" || len(out.Nodes) != 5+2 || len(out.Edges) != 3 || len(out.Patterns) != 2 || out.Patterns[0].ID != "p1" {
		t.Fatalf("%+v", out)
	}
	if !slices.IsSortedFunc(out.Nodes, func(a, b struct {
		ID, Type, Label string
		Episodes        []string
		Frequency       int
		SuccessRate     *float64 `json:"success_rate"`
	}) int {
		return strings.Compare(a.ID, b.ID)
	}) {
		t.Error("nodes are not sorted")
	}
	kinds := map[string]int{}
	for _, n := range out.Nodes {
		kinds[n.Type]++
		if n.Label == "How to stop the timeouts?: retry" && (n.Frequency != 2 || n.SuccessRate == nil || *n.SuccessRate != 0.5 || len(n.Episodes) != 2) {
			t.Errorf("%+v", n)
		}
		if n.Type == "pattern" && n.Label == "b" && (n.Frequency != 3 || *n.SuccessRate != 0.666667 || n.Episodes[0] != "episode-a") {
			t.Errorf("%+v", n)
		}
	}
	if kinds["decision"] != 1 || kinds["event"] != 2 || kinds["outcome"] != 2 || kinds["pattern"] != 2 {
		t.Errorf("%v", kinds)
	}
	for _, e := range out.Edges {
		// one says it and one implies it, of two with the source: (1 + 1/2 + 1/2) / (2 + 1)
		if len(e.Episodes) == 2 && (e.Type != "causes" || e.EvidenceCount != 2 || e.Weight != 0.666667) {
			t.Errorf("%+v", e)
		}
	}
}

func TestOfNothing(t *testing.T) {
	g := graphOf(t)
	for format, want := range map[string]string{
		"json":   "{\"version\":\"1.0\",\n\"updated\":\"\",\n\"nodes\":[\n],\n\"edges\":[\n],\n\"patterns\":[\n],\n\"statistical_edges\":[\n]}\n",
		"nquads": "",
	} {
		var b bytes.Buffer
		if err := export.Write(&b, g, format, export.Findings{}); err != nil || b.String() != want {
			t.Errorf("%s: %v %q", format, err, b.String())
		}
	}
	if err := export.Write(&bytes.Buffer{}, g, "svg", export.Findings{}); !errors.Is(err, export.ErrFormat) {
		t.Errorf("%v", err)
	}
}

func TestDOTIsSafe(t *testing.T) {
	g := graphOf(t, twoEpisodes()...)
	var b bytes.Buffer
	if err := export.Write(&b, g, "dot", export.Findings{}); err != nil {
		t.Fatal(err)
	}
	dot := b.String()
	if !strings.Contains(dot, `[label="say \"done\" \\ and red gnp.exe",`) {
		t.Errorf("the label is not made safe:\n%s", dot)
	}
	if strings.ContainsAny(dot, "\x1b\u202e") || strings.Contains(dot, "outcome: failure") {
		t.Errorf("a control character, or a node that no edge touches:\n%s", dot)
	}
	if path, err := exec.LookPath("dot"); err == nil {
		cmd := exec.Command(path, "-Tsvg")
		cmd.Stdin = &b
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("graphviz: %v\n%s", err, out)
		}
	}
}

func TestQuads(t *testing.T) {
	g := graphOf(t, twoEpisodes()...)
	var b bytes.Buffer
	if err := export.Write(&b, g, "nquads", export.Findings{}); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(b.String()), "\n")
	if len(lines) != 4+3+3+1 || !slices.IsSorted(lines) { // mentions and links of a, and of b
		t.Fatalf("%d lines:\n%s", len(lines), b.String())
	}
	byB := slices.DeleteFunc(slices.Clone(lines), func(l string) bool { return !strings.HasSuffix(l, " <urn:episodes:episode-b> .") })
	if len(byB) != 4 || !slices.ContainsFunc(byB, func(l string) bool { return strings.Contains(l, "<urn:episodes:causes:implied>") }) {
		t.Errorf("of episode b: %q", byB)
	}
	if !strings.Contains(b.String(), `<urn:episodes:mentioned:success> "d001" <urn:episodes:episode-a> .`) {
		t.Errorf("no mention:\n%s", b.String())
	}
}
