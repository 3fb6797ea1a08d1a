package graph

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"episodes/causal"
	"episodes/episode"
)

// Statistical edges are told apart from stated ones in every format that has them,
// come in one order, and never lead to a node that is not there.
func TestExportTellsStatisticalEdgesApart(t *testing.T) {
	onBoth(t, func(t *testing.T, url string) {
		mustUpdate(t, url, newSource(twoEpisodes()...))
		g := mustOpen(t, url)
		defer g.Close()
		var ids []string
		err := g.Nodes(func(n causal.Node) error {
			ids = append(ids, n.ID)
			return nil
		})
		if err != nil || len(ids) < 4 {
			t.Fatalf("%v: %d nodes", err, len(ids))
		}
		learned := []LearnedRecord{
			{Source: ids[1], Target: ids[2], Type: episode.Prevents, Weight: .5, With: .2, Without: .4, N: 30, OtherN: 40, P: .001, Q: .0123456789},
			{Source: ids[0], Target: ids[3], Type: episode.Correlates, Weight: .25, N: 7, OtherN: 9},
			{Source: ids[0], Target: ids[1], Type: episode.Enables, Weight: 1. / 3, N: 5, OtherN: 6},
			{Source: "n000000000000", Target: ids[1], Type: episode.Causes},
			{Source: "", Target: ids[1], Type: episode.Causes},
		}
		export := func(format string, d *Derived) string {
			var b bytes.Buffer
			if err := g.Export(&b, format, d); err != nil {
				t.Fatal(err)
			}
			return b.String()
		}
		backwards := slices.Clone(learned)
		slices.Reverse(backwards)
		for format, want := range map[string][]string{
			"dot":     {ids[1] + " -> " + ids[2] + ` [label="0.50, n 30", tooltip="prevents, statistical: 30 sessions with it, 40 without, q 0.0123", style=solid, arrowhead=tee, color="firebrick:invis:firebrick"];`},
			"mermaid": {ids[1] + ` ==x|"statistical: prevents 0.50, n 30"| ` + ids[2], ids[0] + ` ===|"statistical: correlates 0.25, n 7"| ` + ids[3]},
			"graphml": {`<data key="v">statistical</data><data key="n">30</data><data key="o">40</data><data key="q">0.012346</data>`, `<data key="v">stated</data>`},
			"json":    nil,
			"nquads":  nil,
		} {
			text := export(format, &Derived{Learned: learned})
			for _, w := range want {
				if !strings.Contains(text, w) {
					t.Errorf("%s: no %s in\n%s", format, w, text)
				}
			}
			if again := export(format, &Derived{Learned: backwards}); again != text {
				t.Errorf("%s depends on the order", format)
			}
			if strings.Contains(text, "n000000000000") {
				t.Errorf("%s: an edge leads nowhere", format)
			}
		}
		if export("nquads", &Derived{Learned: learned}) != export("nquads", nil) {
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
		for text, into := range map[string]any{export("json", nil): &plain, export("json", &Derived{Learned: learned}): &with} {
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
	})
}
