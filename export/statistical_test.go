package export_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"episodes/causal"
	"episodes/episode"
	"episodes/infer"
)

// Statistical edges are marked in every format that has them,
// come in one order, and never lead to a node that is not there.
func TestStatisticalEdgesAreMarked(t *testing.T) {
	g := graphOf(t, twoEpisodes()...)
	var ids []string
	err := g.Nodes(func(n causal.Node) error {
		ids = append(ids, n.ID)
		return nil
	})
	if err != nil || len(ids) < 4 {
		t.Fatalf("%v: %d nodes", err, len(ids))
	}
	edges := []infer.Edge{
		{Source: fact(ids[1]), Target: fact(ids[2]), Type: episode.Prevents, Weight: .5, With: .2, Without: .4, N: 30, OtherN: 40, P: .001, Q: .0123456789},
		{Source: fact(ids[0]), Target: fact(ids[3]), Type: episode.Correlates, Weight: .25, N: 7, OtherN: 9},
		{Source: fact(ids[0]), Target: fact(ids[1]), Type: episode.Enables, Weight: 1. / 3, N: 5, OtherN: 6},
		{Source: fact("n000000000000"), Target: fact(ids[1]), Type: episode.Causes},
		{Source: fact(""), Target: fact(ids[1]), Type: episode.Causes},
	}
	backwards := slices.Clone(edges)
	slices.Reverse(backwards)
	for format, want := range map[string][]string{
		"dot":     {ids[1] + " -> " + ids[2] + ` [label="0.50, n 30", tooltip="prevents, statistical: 30 sessions with it, 40 without, q 0.0123", style=solid, arrowhead=tee, color="firebrick:invis:firebrick"];`},
		"mermaid": {ids[1] + ` ==x|"statistical: prevents 0.50, n 30"| ` + ids[2], ids[0] + ` ===|"statistical: correlates 0.25, n 7"| ` + ids[3]},
		"graphml": {`<data key="v">statistical</data><data key="n">30</data><data key="o">40</data><data key="q">0.012346</data>`, `<data key="v">stated</data>`},
		"json":    nil,
		"nquads":  nil,
	} {
		text := exported(t, g, format, edges...)
		for _, w := range want {
			if !strings.Contains(text, w) {
				t.Errorf("%s: no %s in\n%s", format, w, text)
			}
		}
		if again := exported(t, g, format, backwards...); again != text {
			t.Errorf("%s depends on the order", format)
		}
		if strings.Contains(text, "n000000000000") {
			t.Errorf("%s: an edge leads nowhere", format)
		}
	}
	if exported(t, g, "nquads", edges...) != exported(t, g, "nquads") {
		t.Error("nquads says what no episode says")
	}
	var plain, with struct {
		Edges       []json.RawMessage
		Statistical []struct {
			Source, Target, Type, Evidence string
			Weight, With, Without          float64
			N                              int
			OtherN                         int     `json:"other_n"`
			P                              float64 `json:"p_value"`
			Q                              float64 `json:"q_value"`
		} `json:"statistical_edges"`
	}
	for text, into := range map[string]any{exported(t, g, "json"): &plain, exported(t, g, "json", edges...): &with} {
		if err := json.Unmarshal([]byte(text), into); err != nil {
			t.Fatal(err)
		}
	}
	if len(with.Edges) != len(plain.Edges) || len(with.Statistical) != 3 || plain.Statistical == nil || len(plain.Statistical) != 0 {
		t.Fatalf("%+v and %+v", plain, with)
	}
	e := with.Statistical[2]
	if e.Source != ids[1] || e.Target != ids[2] || e.Type != "prevents" || e.Evidence != "statistical" || e.Weight != .5 || e.With != .2 || e.Without != .4 || e.N != 30 || e.OtherN != 40 || e.P != .001 || e.Q != .012346 {
		t.Errorf("%+v", e)
	}
}
