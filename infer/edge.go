package infer

import (
	"cmp"
	"math"
	"slices"

	"episodes/episode"
	"episodes/stats"
)

// Thresholds of edges, chosen on simulated worlds; bench/causal/METHODS.md, section
// 1.4, has what each is worth.
const (
	edgeQ          = .10 // false-discovery level over all hypotheses
	before         = .8  // share of co-occurrences in which the cause comes first
	separated      = .01 // p-value from which causes separate a pair
	shrunk         = .7  // and below this share of the effect, what is left of it
	minSeparating  = 4   // effective pairs a separating test needs
	minDifference  = .1  // smallest difference of rates that is an edge
	necessary      = .8  // necessity from which a weak cause only enables
	sufficient     = .5  // sufficiency from which it is a cause all the same
	maxFacts       = 250 // facts among which edges are sought
	maxOtherCauses = 8   // strongest other causes that are tried
)

// Edge is a statistical edge: a fact depends on an earlier one more than their recorded
// common causes explain.
type Edge struct {
	Source, Target Fact
	Type           episode.LinkType
	Weight         float64 // causal power (stats.CausalPower)
	With, Without  float64 // standardised rates, with and without the source
	N, OtherN      int     // sessions with and without the source
}

// Fact is an option taken at a point, an event, or, with no field set, the success of
// a session.
type Fact struct {
	Point, Option Name   // of an option taken
	Event         Name   // of an event
	Node          string // id in the causal graph; "" for the outcome
}

// IsOutcome reports whether the fact is the success of a session.
func (f Fact) IsOutcome() bool { return f.Option.Key == "" && f.Event.Key == "" }

const outcome = -1

// Edges returns the statistical edges, by source, then target.
//
//  1. For every pair in which a comes first in at least four of five sessions that
//     have both: the exact test over presence, stratified by task
//     (stats.StratifiedMidP), under false-discovery control (see control). Pairs in no clear order
//     are not hypotheses.
//  2. An edge a→b is dropped when another cause of b separates the pair: given
//     it the test is not significant and the effect has shrunk. The set of causes is
//     frozen, so that the order of deletions does not matter (PC-stable: Colombo
//     and Maathuis 2014, J. Mach. Learn. Res. 15:3741, section 4.1).
//  3. The type comes from necessity and sufficiency under exogeneity and
//     monotonicity (Tian and Pearl 2000), the weight is the causal power (Cheng 1997).
//
// Below LeastSessions measured sessions, or with outcomes of one kind only, there are
// no edges. An edge to the outcome uses measured sessions only.
func (s *Study) Edges() (out []Edge) {
	if !s.Enough() {
		return nil
	}
	hyps := s.hypotheses()
	for i := range hyps {
		hyps[i].p = stats.StratifiedMidP(hyps[i].tables)
		if h := &hyps[i]; h.p <= edgeQ && len(s.instances) > 0 { // else every session is an instance, or nothing is claimed
			sessions := s.clustersOf(h)
			h.p = sessions.deflate(h.p)
			if with, without := sessions.instances(); min(with, without) < LeastInstances {
				h.p = 1
			}
		}
	}
	s.control(hyps)
	var kept []*hypothesis
	for i := range hyps {
		if hyps[i].q <= edgeQ {
			kept = append(kept, &hyps[i])
		}
	}
	kept = s.prune(kept)
	slices.SortFunc(kept, func(x, y *hypothesis) int { return cmp.Or(x.a-y.a, cmp.Compare(uint(x.b), uint(y.b))) })
	for _, h := range kept {
		if e, ok := s.edgeOf(h); ok {
			out = append(out, e)
		}
	}
	return out
}

// control gives every hypothesis its q-value. Hypotheses about choices and the outcome
// are one family, those about events another. Each family gets half of the allowed
// false discoveries, by weights on the p-values that are 1 on average: otherwise the
// many pairs of unrelated events would drown the few choices. The overall
// false-discovery rate holds for any weights (Genovese, Roeder and Wasserman 2006,
// Biometrika 93:509).
func (s *Study) control(hyps []hypothesis) {
	ofChoice := func(h *hypothesis) bool { return h.b == outcome && s.nodes[h.a].option }
	size := map[bool]int{}
	for i := range hyps {
		size[ofChoice(&hyps[i])]++
	}
	ps := make([]float64, len(hyps))
	for i := range hyps {
		weight := float64(len(hyps)) / float64(len(size)*size[ofChoice(&hyps[i])])
		ps[i] = math.Min(1, hyps[i].p/weight)
	}
	for i, q := range stats.BenjaminiHochberg(ps) {
		hyps[i].q = q
	}
}

// Rates of an edge are shrunk by half a pair: towards an even rate with the source
// and towards a rare one without it.
const (
	priorPairs   = .5
	priorWith    = .5
	priorWithout = .1
)

// edgeOf computes the type and weight of a pair; ok is false when the effect is too
// small for an edge.
func (s *Study) edgeOf(h *hypothesis) (Edge, bool) {
	with, without, size := stats.Standardised(h.tables)
	if size == 0 {
		return Edge{}, false
	}
	with = (size*with + priorPairs*priorWith) / (size + priorPairs)
	without = (size*without + priorPairs*priorWithout) / (size + priorPairs)
	if math.Abs(with-without) < minDifference {
		return Edge{}, false
	}
	t := stats.Sum(h.tables)
	return Edge{Source: s.fact(h.a), Target: s.fact(h.b), Type: edgeType(with, without),
		Weight: stats.CausalPower(with, without), With: with, Without: without, N: t.N, OtherN: t.OtherN}, true
}

// edgeType is the type of an edge with these rates of the effect.
func edgeType(with, without float64) episode.LinkType {
	if with < without {
		return episode.Prevents
	}
	if 1-without/with >= necessary && stats.CausalPower(with, without) < sufficient {
		return episode.Enables
	}
	return episode.Causes
}
