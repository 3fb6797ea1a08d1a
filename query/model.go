package query

import (
	"episodes/causal"
	"episodes/episode"
	"episodes/infer"
)

// Learned are the paths from one node to another along edges that counts over many sessions show.
// They are never mixed with what logs state.
type Learned struct {
	From   string        `json:"from"`
	To     string        `json:"to"`
	Raises []LearnedPath `json:"raises"`
	Lowers []LearnedPath `json:"lowers"`
}

// Any reports whether there is a path.
func (l *Learned) Any() bool { return l != nil && len(l.Raises)+len(l.Lowers) > 0 }

// LearnedPath is one such path.
type LearnedPath struct {
	P    float64      `json:"p"` // product of the weights of its hops
	Hops []LearnedHop `json:"hops"`
}

// LearnedHop is one statistical edge.
type LearnedHop struct {
	Source  string           `json:"source"`
	Target  string           `json:"target"`
	Type    episode.LinkType `json:"type"`
	Weight  float64          `json:"weight"` // causal power
	With    float64          `json:"with"`   // rates of the target with and without the source
	Without float64          `json:"without"`
	N       int              `json:"n"` // sessions with the source
	OtherN  int              `json:"other_n"`
}

// Learn finds the k best statistical paths from one fact to another.
func Learn(edges []infer.Edge, from, to infer.Fact, k int) *Learned {
	p := infer.FindPaths(edges, from, to, k)
	return &Learned{From: factLabel(from), To: factLabel(to), Raises: learnedPaths(p.Raises), Lowers: learnedPaths(p.Lowers)}
}

func learnedPaths(list []infer.Path) []LearnedPath {
	out := []LearnedPath{}
	for _, p := range list {
		l := LearnedPath{P: p.P, Hops: []LearnedHop{}}
		for _, e := range p.Edges {
			l.Hops = append(l.Hops, LearnedHop{Source: factLabel(e.Source), Target: factLabel(e.Target), Type: e.Type,
				Weight: e.Weight, With: e.With, Without: e.Without, N: e.N, OtherN: e.OtherN})
		}
		out = append(out, l)
	}
	return out
}

// factLabel names a fact in words.
func factLabel(f infer.Fact) string {
	switch {
	case f.IsOutcome():
		return "outcome: success"
	case f.Option.Key != "":
		return f.Point.Label + ": " + f.Option.Label
	}
	return f.Event.Label
}

// learnedBetween finds the statistical paths between two nodes; nil when no edge touches one
// of them. What raises failure is what lowers success.
func learnedBetween(edges []infer.Edge, from, to Node, k int) *Learned {
	a, ok := factAt(edges, from)
	b, known := factAt(edges, to)
	if !ok || !known {
		return nil
	}
	l := Learn(edges, a, b, k)
	if to.Type == causal.OutcomeNode && to.Label != outcomeLabel(episode.Success) {
		l.To = to.Label
		l.Raises, l.Lowers = l.Lowers, l.Raises
	}
	return l
}

// factAt is the fact of a node that statistical edges touch. Success and failure are one fact, and a
// partial outcome is none.
func factAt(edges []infer.Edge, n Node) (infer.Fact, bool) {
	if n.Type == causal.OutcomeNode {
		return infer.Fact{}, n.Label != outcomeLabel(episode.Partial)
	}
	for _, e := range edges {
		for _, f := range []infer.Fact{e.Source, e.Target} {
			if f.Node == n.ID {
				return f, true
			}
		}
	}
	return infer.Fact{}, false
}

func outcomeLabel(o episode.Outcome) string { return "outcome: " + string(o) }
