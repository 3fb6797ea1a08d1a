package export_test

import (
	"bytes"
	"context"
	"errors"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"episodes/causal"
	"episodes/episode"
	"episodes/export"
	"episodes/graph"
	"episodes/internal/testing/golden"
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

// hostile is an episode whose labels try to leave their strings.
func hostile() *episode.Episode {
	return &episode.Episode{ID: "episode-h", Session: "h", Outcome: episode.Success, OutcomeSource: episode.Measured,
		Events: []episode.Event{
			{ID: "e001", Type: episode.Error, Content: "x\"]; click n1 callback; n2[\"`md` <script>alert(1)</script> #quot; & \x1b[31mred\u202e \\\""},
			{ID: "e002", Type: episode.Milestone, Content: "]]></data><node id=\"evil\"/> \x00 \ufffe end"},
		},
		Links: []episode.Link{{Source: "e001", Target: "e002", Type: episode.Prevents, Explicit: true}, {Source: "e002", Target: episode.OutcomeRef, Type: episode.Enables}}}
}

// A small graph with labels that try to leave their strings, whole in every format.
func TestGraphGolden(t *testing.T) {
	g := graphOf(t, append(twoEpisodes(), hostile())...)
	var ids []string
	err := g.Nodes(func(n causal.Node) error {
		ids = append(ids, n.ID)
		return nil
	})
	if err != nil || len(ids) < 4 {
		t.Fatalf("%v: %d nodes", err, len(ids))
	}
	found := []patterns.Pattern{
		{ID: "p2", Name: "b", Trigger: "x", Action: "y", SuccessRate: 2. / 3, Occurrences: 3, Episodes: []string{"episode-b", "episode-a"}},
		{ID: "p1", Name: "a"},
	}
	for _, format := range export.Formats() {
		var b, again bytes.Buffer
		if err := export.Write(&b, g, format, found); err != nil {
			t.Fatal(err)
		}
		golden.Is(t, "testdata/small."+format, b.String())
		if strings.ContainsAny(b.String(), "\x00\x1b\u202e\ufffe") {
			t.Errorf("%s: a control character", format)
		}
		backwards := slices.Clone(found)
		slices.Reverse(backwards)
		if err := export.Write(&again, g, format, backwards); err != nil || again.String() != b.String() {
			t.Errorf("%s depends on the order: %v", format, err)
		}
		if check := readers[format]; check != nil {
			if err := check(b.String()); err != nil {
				t.Errorf("%s: %v", format, err)
			}
		}
	}
}

var mermaidLine = regexp.MustCompile("^  n[0-9a-f]{12}(?:[\\[({]+\"[^\"`<>\\\\]*\"[\\])}]+| (?:-->|-\\.->|--x|-\\.-) ?\\|\"[a-z0-9. ]+\"\\| n[0-9a-f]{12})$")

// readers read a format as the programs do that it is for, whatever the labels say.
var readers = map[string]func(text string) error{
	"mermaid": func(text string) error { // every line is one node or one edge
		for i, l := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
			if i > 0 && !mermaidLine.MatchString(l) {
				return errors.New("neither a node nor an edge: " + l)
			}
		}
		return nil
	},
	"dot": func(text string) error {
		path, err := exec.LookPath("dot")
		if err != nil {
			return nil
		}
		cmd := exec.Command(path, "-Tsvg")
		cmd.Stdin = strings.NewReader(text)
		return cmd.Run()
	},
	"nquads": func(text string) error {
		if lines := strings.Split(text, "\n"); !slices.IsSorted(lines[:len(lines)-1]) {
			return errors.New("not sorted")
		}
		return nil
	},
}

func TestOfNothing(t *testing.T) {
	g := graphOf(t)
	for format, want := range map[string]string{
		"json":   "{\"version\":\"1.0\",\n\"updated\":\"\",\n\"nodes\":[\n],\n\"edges\":[\n],\n\"patterns\":[\n]}\n",
		"nquads": "",
	} {
		var b bytes.Buffer
		if err := export.Write(&b, g, format, nil); err != nil || b.String() != want {
			t.Errorf("%s: %v %q", format, err, b.String())
		}
	}
	if err := export.Write(&bytes.Buffer{}, g, "svg", nil); !errors.Is(err, export.ErrFormat) {
		t.Errorf("%v", err)
	}
}
