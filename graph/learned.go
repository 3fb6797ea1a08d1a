package graph

import (
	"cmp"
	"slices"
	"strings"

	"episodes/episode"
)

// Derived is what is known of a set of episodes beside its graph and goes into an
// export with it.
type Derived struct {
	Patterns []PatternRecord
	Learned  []LearnedRecord
}

// LearnedRecord is a statistical edge as the exported graph shows it: two facts that
// depend on each other across sessions. No log says so, and no episode is its
// evidence alone, so it is told apart from the stated edges everywhere.
type LearnedRecord struct {
	Source, Target string // nodes
	Type           episode.LinkType
	Weight         float64
	With, Without  float64 // rates of the target with the source and without
	N, OtherN      int     // sessions with the source and without
	P, Q           float64
}

// The kinds of evidence of an edge.
const (
	stated      = "stated"
	statistical = "statistical"
)

// inOrder sorts what is derived, so that equal sets give equal bytes, and leaves out
// edges that the graph has no nodes for.
func (g *Graph) inOrder(d *Derived) (out Derived, err error) {
	if d == nil {
		return out, nil
	}
	out.Patterns = slices.SortedFunc(slices.Values(d.Patterns), func(a, b PatternRecord) int { return strings.Compare(a.ID, b.ID) })
	known := map[string]bool{}
	for _, e := range d.Learned {
		for _, id := range []string{e.Source, e.Target} {
			if _, asked := known[id]; !asked {
				if _, known[id], err = g.Node(id); err != nil {
					return out, err
				}
			}
		}
		if known[e.Source] && known[e.Target] {
			out.Learned = append(out.Learned, e)
		}
	}
	slices.SortFunc(out.Learned, func(a, b LearnedRecord) int {
		return cmp.Or(strings.Compare(a.Source, b.Source), strings.Compare(a.Target, b.Target), strings.Compare(string(a.Type), string(b.Type)))
	})
	return out, nil
}

type jsonLearned struct {
	Source   string  `json:"source"`
	Target   string  `json:"target"`
	Type     string  `json:"type"`
	Weight   float64 `json:"weight"`
	With     float64 `json:"with"`
	Without  float64 `json:"without"`
	N        int     `json:"n"`
	OtherN   int     `json:"other_n"`
	P        float64 `json:"p_value"`
	Q        float64 `json:"q_value"`
	Evidence string  `json:"evidence"`
}

func (e LearnedRecord) json() jsonLearned {
	return jsonLearned{e.Source, e.Target, string(e.Type), round(e.Weight), round(e.With), round(e.Without), e.N, e.OtherN, round(e.P), round(e.Q), statistical}
}
