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

// Limits of statistical paths.
const (
	learnedHops   = 6
	learnedWeight = .05 // edges of less are not followed
	learnedTried  = 20  // best paths among which those that raise and that lower the end are found
)

// Learn finds the k best statistical paths by which one fact raises another, and by which it lowers
// it: an edge that prevents turns the one into the other.
func Learn(edges []infer.Edge, from, to infer.Fact, k int) *Learned {
	out := &Learned{From: FactLabel(from), To: FactLabel(to), Raises: []LearnedPath{}, Lowers: []LearnedPath{}}
	if from == to {
		return out
	}
	id := func(f infer.Fact) string { return f.Point.Key + "\x00" + f.Option.Key + "\x00" + f.Event.Key }
	leaving := map[string][]step{}
	for i := range edges {
		e := &edges[i]
		if c, ok := cost(e.Weight); ok && e.Weight >= learnedWeight {
			leaving[id(e.Source)] = append(leaving[id(e.Source)],
				step{to: id(e.Target), learned: e, lower: e.Type == episode.Prevents, cost: c})
		}
	}
	found, _ := best(id(from), id(to), learnedTried, learnedHops, func(id string) ([]step, error) { return leaving[id], nil })
	for _, r := range found {
		l, lowers := LearnedPath{P: 1, Hops: []LearnedHop{}}, false
		for _, s := range r.steps {
			lowers = lowers != s.lower
			e := s.learned
			l.P *= e.Weight
			l.Hops = append(l.Hops, LearnedHop{Source: FactLabel(e.Source), Target: FactLabel(e.Target), Type: e.Type,
				Weight: e.Weight, With: e.With, Without: e.Without, N: e.N, OtherN: e.OtherN})
		}
		list := &out.Raises
		if lowers {
			list = &out.Lowers
		}
		if len(*list) < k {
			*list = append(*list, l)
		}
	}
	return out
}

// FactLabel names a fact in words.
func FactLabel(f infer.Fact) string {
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
