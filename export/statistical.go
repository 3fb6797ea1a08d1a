package export

import (
	"cmp"
	"slices"
	"strings"

	"episodes/infer"
	"episodes/patterns"
	"episodes/query"
)

// findings are Findings in their order.
type findings struct {
	patterns    []patterns.Pattern
	statistical []statisticalEdge
}

// statisticalEdge is an edge between two nodes that depend on each other across
// sessions. No log says so, and no single episode is its evidence, so every format
// marks it.
type statisticalEdge struct {
	infer.Edge
	Source, Target string // ids of nodes
}

// The kinds of evidence of an edge.
const (
	stated      = "stated"
	statistical = "statistical"
)

// sortFindings sorts what was found, so that equal sets give equal bytes, and
// leaves out edges that the graph has no nodes for.
func sortFindings(g Graph, found Findings) (out findings, err error) {
	out.patterns = slices.SortedFunc(slices.Values(found.Patterns),
		func(a, b patterns.Pattern) int { return strings.Compare(a.ID, b.ID) })
	known := map[string]bool{}
	for _, e := range found.Edges {
		s := statisticalEdge{e, query.FactNode(e.Source), query.FactNode(e.Target)}
		for _, id := range []string{s.Source, s.Target} {
			if _, asked := known[id]; !asked {
				if _, known[id], err = g.Node(id); err != nil {
					return out, err
				}
			}
		}
		if known[s.Source] && known[s.Target] {
			out.statistical = append(out.statistical, s)
		}
	}
	slices.SortFunc(out.statistical, func(a, b statisticalEdge) int {
		return cmp.Or(strings.Compare(a.Source, b.Source), strings.Compare(a.Target, b.Target), cmp.Compare(a.Type, b.Type))
	})
	return out, nil
}

type jsonStatistical struct {
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

func (e statisticalEdge) json() jsonStatistical {
	return jsonStatistical{e.Source, e.Target, string(e.Type), round(e.Weight), round(e.With), round(e.Without),
		e.N, e.OtherN, round(e.P), round(e.Q), statistical}
}
