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
	edgeQ          = .10 // false-discovery level over the directed hypotheses
	before         = .8  // share of co-occurrences in which the cause comes first
	separated      = .01 // p-value above which a set of other causes separates a pair
	shrunk         = .7  // and below this share of the effect, what is left of it
	minSeparating  = 4   // effective pairs a separating test needs
	minDifference  = .05 // smallest difference of rates that is an edge
	necessary      = .8  // necessity from which a weak cause only enables
	sufficient     = .5  // sufficiency from which it is a cause all the same
	minUnordered   = 5   // sessions with either fact, for a pair in no order: a few can be copies of one
	similarCosine  = .6  // cosine from which a pair in no order may be one event worded twice
	maxFacts       = 250 // facts among which edges are sought
	maxOtherCauses = 8   // strongest other causes that are tried as separating sets
)

// Edge is a statistical edge: two facts that depend on each other more than their
// recorded common causes explain.
type Edge struct {
	Source, Target Fact
	Type           episode.LinkType
	Weight         float64 // causal power (stats.CausalPower); |difference| for correlates
	With, Without  float64 // rates of the target with and without the source, standardised over tasks
	N, OtherN      int     // sessions with and without the source
	P, Q           float64 // exact stratified mid-p, and its q-value among all hypotheses
	First          float64 // share of co-occurrences in which the source comes first
	Bounds         stats.Causation

	source, target int // nodes; outcome is the target -1
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

// hypothesis is a pair of facts that may depend on each other.
type hypothesis struct {
	a, b     int
	tables   []stats.Table
	order    float64
	p        float64
	q        float64
	directed bool
}

// Edges returns the statistical edges, by source, then target.
//
//  1. For every pair in which a comes first in at least four of five sessions that
//     have both: the exact test over presence, stratified by task
//     (stats.StratifiedMidP), under false-discovery control (see control). Reversed
//     pairs are not hypotheses. Pairs in no clear order are tested once, and can only correlate.
//  2. An edge a→b is dropped when one or two other causes of b separate the pair: given
//     them the test is not significant and the effect has shrunk. The set of causes is
//     frozen per size, so that the order of deletions does not matter (PC-stable: Colombo
//     and Maathuis 2014, J. Mach. Learn. Res. 15:3741, section 4.1).
//  3. The type comes from necessity and sufficiency under exogeneity and
//     monotonicity (Tian and Pearl 2000), the weight is the causal power (Cheng 1997).
//
// Below LeastSessions measured sessions, or with outcomes of one kind only, there are
// no edges. An edge to the outcome uses measured sessions only.
func (s *Study) Edges() []Edge {
	s.ready()
	if !s.done {
		s.edge, s.done = s.findEdges(), true
	}
	return s.edge
}

func (s *Study) findEdges() []Edge {
	if !s.enough() {
		return nil
	}
	hyps := s.hypotheses()
	for i := range hyps {
		hyps[i].p = stats.StratifiedMidP(hyps[i].tables)
	}
	s.control(hyps)
	var kept, unclear []*hypothesis
	for i := range hyps {
		h := &hyps[i]
		if h.q > edgeQ {
			continue
		}
		if h.directed {
			kept = append(kept, h)
		} else {
			unclear = append(unclear, h)
		}
	}
	kept = s.prune(kept)
	var out []Edge
	linked := map[[2]int]bool{}
	for _, h := range kept {
		if e, ok := s.edgeOf(h); ok {
			out = append(out, e)
			linked[[2]int{h.a, h.b}] = true
		}
	}
	for _, h := range unclear {
		if e, ok := s.edgeOf(h); ok && !s.explained(h, linked) {
			e.Type, e.Weight, e.Bounds = episode.Correlates, math.Abs(e.With-e.Without), stats.Causation{}
			out = append(out, e)
		}
	}
	slices.SortFunc(out, func(x, y Edge) int {
		return cmp.Or(x.source-y.source, cmp.Compare(uint(x.target), uint(y.target)), cmp.Compare(x.Type, y.Type))
	})
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

// hypotheses returns the pairs to test, with their tables. The selection depends on how
// often facts occur and in which order, never on what follows them.
func (s *Study) hypotheses() []hypothesis {
	nodes := s.common()
	orders := s.orders(nodes)
	var out []hypothesis
	for _, b := range append(slices.Clone(nodes), outcome) {
		if b != outcome && s.nodes[b].option {
			continue // causes of a choice are not sought
		}
		for _, a := range nodes {
			if a == b {
				continue
			}
			order := orders.share(s, a, b)
			directed := order >= before
			if !directed && (order <= 1-before || s.nodes[a].option || a > b || min(s.nodes[a].n, s.nodes[b].n) < minUnordered || s.similarWords(a, b)) {
				continue
			}
			tables := s.tables(a, b, nil)
			if t := stats.Sum(tables); t.N < minFact || t.OtherN < minFact {
				continue
			}
			out = append(out, hypothesis{a: a, b: b, tables: tables, order: order, directed: directed})
		}
	}
	return out
}

// similarWords reports whether the words of two events are so similar that they may be
// one event worded twice: their co-occurrence in a log then shows nothing. On real logs
// 8 of 15 pairs at a cosine from .7 to .8 were the same event, and 4 of 15 from .6 to .7
// (see sameFactCosine).
func (s *Study) similarWords(a, b int) bool {
	x, y := split(s.nodes[a].key), split(s.nodes[b].key)
	return x.class == y.class && cosine(x.words, y.words, s.idf[eventKind]) >= similarCosine
}

// common returns the facts that are tested: those of at least minFact sessions, the
// commonest ones where there are many. Facts of a few sessions among thousands could
// not be distinguished from chance among all the pairs that they would add.
func (s *Study) common() (nodes []int) {
	for i := range s.nodes {
		if s.nodes[i].n >= minFact {
			nodes = append(nodes, i)
		}
	}
	slices.SortStableFunc(nodes, func(a, b int) int { return s.nodes[b].n - s.nodes[a].n })
	nodes = nodes[:min(len(nodes), maxFacts)]
	slices.Sort(nodes)
	return nodes
}

// orders counts the sessions in which one fact came before another. All options of a
// point count together, since it is the point that comes before or after.
type orders struct {
	first map[[2]int]int
	owner []int // by node: itself, or for an option its point, as -1-point
}

func (s *Study) orders(nodes []int) orders {
	o := orders{map[[2]int]int{}, make([]int, len(s.nodes))}
	frequent := make([]bool, len(s.nodes))
	for _, n := range nodes {
		frequent[n] = true
	}
	for i, n := range s.nodes {
		o.owner[i] = i
		if n.option {
			o.owner[i] = -1 - n.pointAt
		}
	}
	for i := range s.rows {
		facts := s.rows[i].facts
		for _, a := range facts {
			for _, b := range facts {
				if a.at > 0 && a.at < b.at && frequent[a.node] && frequent[b.node] && (!s.nodes[a.node].option || !s.nodes[b.node].option) {
					o.first[[2]int{o.owner[a.node], o.owner[b.node]}]++
				}
			}
		}
	}
	return o
}

// share returns the share of the sessions with both in which a came before b. The
// outcome always comes last; one half also stands for an unknown order.
func (o orders) share(s *Study, a, b int) float64 {
	if b == outcome {
		return 1
	}
	x, y := o.first[[2]int{o.owner[a], o.owner[b]}], o.first[[2]int{o.owner[b], o.owner[a]}]
	if x+y == 0 {
		return .5
	}
	return float64(x) / float64(x+y)
}

// tables returns the counts of the target b with and without a, by task and by
// which of the nodes given are present.
//
// For an event all sessions count; for the outcome only the measured ones. For an
// option only the sessions that decided its point count; and for its effect on the
// outcome only those that claims about it rest on (see ground), split by the evidence
// adjusted for.
func (s *Study) tables(a, b int, given []int) []stats.Table {
	in, target := s.all(), s.success
	if b != outcome {
		target = s.nodes[b].has
	} else {
		in = s.measured
	}
	var split []bits
	if n := &s.nodes[a]; n.option && b == outcome {
		g := s.ground(n.pointAt)
		in = in.and(g.rows)
		split = append(split, g.evidence...)
	} else if n.option {
		in = in.and(s.bitsOf(s.points[n.pointAt].decided))
	}
	for _, g := range given {
		split = append(split, s.nodes[g].has)
	}
	var out []stats.Table
	for _, st := range s.strata {
		for mask := range 1 << len(split) {
			var t stats.Table
			for w := st.begin; w < st.end; w++ {
				rows := in[w]
				for i := range split {
					if mask>>i&1 == 1 {
						rows &= split[i][w]
					} else {
						rows &^= split[i][w]
					}
				}
				if rows == 0 {
					continue
				}
				x, y := s.nodes[a].has[w], target[w]
				t.N += ones(rows & x)
				t.Successes += ones(rows & x & y)
				t.OtherN += ones(rows &^ x)
				t.OtherSuccesses += ones(rows &^ x & y)
			}
			if t.N+t.OtherN > 0 {
				out = append(out, t)
			}
		}
	}
	return out
}

// ground is what claims about the options of a point rest on.
type ground struct {
	rows     bits
	evidence []bits // rows that saw it before the decision
}

func (s *Study) ground(p int) *ground {
	if g := s.grounds[p]; g != nil {
		return g
	}
	m := s.model(p)
	g := &ground{rows: s.newBits()}
	for range m.likely {
		g.evidence = append(g.evidence, s.newBits())
	}
	randomOnly := m.randomOnly
	for _, t := range m.trials {
		if randomOnly && !t.explore {
			continue
		}
		g.rows.set(t.row)
		for i := range m.likely {
			if m.seen(t)>>i&1 == 1 {
				g.evidence[i].set(t.row)
			}
		}
	}
	s.grounds[p] = g
	return g
}

// prune drops the hypotheses that other causes of their target explain.
func (s *Study) prune(hyps []*hypothesis) []*hypothesis {
	alive := map[*hypothesis]bool{}
	into := map[int][]*hypothesis{}
	for _, h := range hyps {
		alive[h] = true
		into[h.b] = append(into[h.b], h)
	}
	for _, list := range into {
		slices.SortFunc(list, func(x, y *hypothesis) int { return cmp.Or(cmp.Compare(x.p, y.p), x.a-y.a) })
	}
	for size := 1; size <= 2; size++ {
		frozen := map[*hypothesis]bool{}
		for h := range alive {
			frozen[h] = true
		}
		for _, h := range hyps {
			if !alive[h] {
				continue
			}
			var others []int
			for _, o := range into[h.b] {
				if o != h && frozen[o] && !s.sameChoice(h.a, o.a) && len(others) < maxOtherCauses {
					others = append(others, o.a)
				}
			}
			if s.separates(h, others, size) {
				delete(alive, h)
			}
		}
	}
	return slices.DeleteFunc(hyps, func(h *hypothesis) bool { return !alive[h] })
}

// separates reports whether a set of the given size makes the pair independent.
func (s *Study) separates(h *hypothesis, others []int, size int) bool {
	for i, x := range others {
		if size == 1 {
			if s.separatedBy(h, []int{x}) {
				return true
			}
			continue
		}
		for _, y := range others[i+1:] {
			if s.separatedBy(h, []int{x, y}) {
				return true
			}
		}
	}
	return false
}

func (s *Study) separatedBy(h *hypothesis, set []int) bool {
	tables := s.tables(h.a, h.b, set)
	if _, _, size := stats.Standardised(tables); size < minSeparating {
		return false // too little evidence is left
	}
	if stats.StratifiedMidP(tables) <= separated {
		return false
	}
	whole, ok := stats.MantelHaenszel(h.tables)
	given, ok2 := stats.MantelHaenszel(tables)
	return !ok || !ok2 || math.Abs(given.Difference) < shrunk*math.Abs(whole.Difference)
}

// explained reports whether a linked common cause explains a pair.
func (s *Study) explained(h *hypothesis, linked map[[2]int]bool) bool {
	for z := range s.nodes {
		if linked[[2]int{z, h.a}] && linked[[2]int{z, h.b}] && !s.nodes[z].option && stats.StratifiedMidP(s.tables(h.a, h.b, []int{z})) > separated {
			return true
		}
	}
	return false
}

func (s *Study) sameChoice(a, b int) bool {
	return s.nodes[a].option && s.nodes[b].option && s.nodes[a].pointAt == s.nodes[b].pointAt
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
	e := Edge{
		Source: s.fact(h.a), Target: s.fact(h.b), Weight: stats.CausalPower(with, without), With: with, Without: without,
		N: t.N, OtherN: t.OtherN, P: h.p, Q: h.q, First: h.order, Bounds: stats.CausationBounds(with, without), source: h.a, target: h.b,
	}
	e.Type = edgeType(with, without)
	return e, true
}

// edgeType is the type of an edge with these rates of the effect.
func edgeType(with, without float64) episode.LinkType {
	if with < without {
		return episode.Prevents
	}
	b := stats.CausationBounds(with, without)
	if b.PN.Low >= necessary && b.PS.Low < sufficient {
		return episode.Enables
	}
	return episode.Causes
}

func (s *Study) fact(n int) Fact {
	if n == outcome {
		return Fact{}
	}
	d := s.nodes[n]
	if !d.option {
		return Fact{Event: Name{d.key, d.label}, Node: d.graph}
	}
	return Fact{Point: s.pointName(d.pointAt), Option: s.optionName(n), Node: d.graph}
}

func (s *Study) pointName(p int) Name {
	k := s.points[p].key
	return Name{k, cmp.Or(s.wordingOf(pointKind, k), k)}
}

func (s *Study) optionName(n int) Name {
	return Name{s.nodes[n].key, s.nodes[n].label}
}

func (s *Study) taskName(t int) Name {
	k := s.tasks[t]
	return Name{k, s.wordingOf(taskKind, k)}
}
