package infer

import (
	"cmp"
	"container/heap"
	"math"
	"slices"

	"episodes/episode"
	"episodes/stats"
)

// Limits of paths.
const (
	maxHops   = 6
	minWeight = .05
)

// Path is a loopless path along statistical edges.
type Path struct {
	Edges []Edge
	// P is the product of the weights: the probability that the start causes the end
	// along this path alone or, for a path that lowers it, prevents it.
	P        float64
	Interval stats.Interval // at Level
	Weakest  int            // index of the edge of least weight
	Blocked  []Edge         // edges that prevent a fact on the path
}

// Paths are the best paths from one fact to another.
type Paths struct {
	Raises, Lowers []Path // best first
}

// Paths returns the k best paths by which the source raises the target, and the k
// best by which it lowers it: the search runs over facts with a sign, which a prevents
// edge flips. Edges weaker than minWeight, and those that only correlate, are not
// followed. Paths of equal weight come in the order of their facts.
func (s *Study) Paths(from, to Fact, k int) Paths {
	a, ok := s.find(from)
	b, ok2 := s.find(to)
	if !ok || !ok2 || a == b {
		return Paths{}
	}
	edges := s.Edges()
	w := newEdgeIndex(edges)
	var out Paths
	for _, r := range w.best(signedFact{a, true}, signedFact{b, true}, k) {
		out.Raises = append(out.Raises, w.path(edges, r, true))
	}
	for _, r := range w.best(signedFact{a, true}, signedFact{b, false}, k) {
		out.Lowers = append(out.Lowers, w.path(edges, r, false))
	}
	return out
}

// find returns the node of a fact.
func (s *Study) find(f Fact) (int, bool) {
	if f.IsOutcome() {
		return outcome, true
	}
	if f.Option.Key != "" {
		return s.optionNode(f.Point.Key, f.Option.Key)
	}
	n, ok := s.nodeOf[nodeKey{key: f.Event.Key}]
	return n, ok
}

// signedFact is a fact made more or less probable.
type signedFact struct {
	node   int
	raised bool
}

// edgeIndex holds the edges to follow by source, as indices.
type edgeIndex struct {
	edges []Edge
	out   map[int][]int
}

func newEdgeIndex(edges []Edge) *edgeIndex {
	w := &edgeIndex{edges, map[int][]int{}}
	for i, e := range edges {
		if e.Type != episode.Correlates && e.Weight >= minWeight {
			w.out[e.source] = append(w.out[e.source], i)
		}
	}
	return w
}

// partialPath is a path from the start, as indices of edges.
type partialPath struct {
	at    signedFact
	cost  float64 // -ln of the product of weights
	bound float64 // cost plus the least cost of the rest
	edges []int
}

// compare orders by bound, then length, then edges. Equal products can differ in their
// last bits, by the order of the factors.
func (a partialPath) compare(b partialPath) int {
	if d := a.bound - b.bound; math.Abs(d) > 1e-12 {
		return cmp.Compare(d, 0)
	}
	return cmp.Or(len(a.edges)-len(b.edges), slices.Compare(a.edges, b.edges))
}

type queue []partialPath

func (q queue) Len() int           { return len(q) }
func (q queue) Less(i, j int) bool { return q[i].compare(q[j]) < 0 }
func (q queue) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }
func (q *queue) Push(x any)        { *q = append(*q, x.(partialPath)) }
func (q *queue) Pop() any {
	x := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return x
}

// maxExpanded bounds the search in a very dense graph; it returns what it has found by
// then.
const maxExpanded = 200_000

// best returns the k best paths of at most maxHops edges that visit no fact twice, best
// first.
//
// It is a best-first search over partial paths and not over facts: the best path to a
// fact with a sign may already contain a fact that the rest of the path needs, so no
// fact can be closed (and with signs the subpaths that Yen's algorithm builds upon need
// not exist). The bound on the rest ignores signs and repetition, so it never
// overestimates, and paths come out in order (A*: Hart, Nilsson and Raphael 1968, IEEE
// Trans. SSC 4:100).
func (w *edgeIndex) best(from, to signedFact, k int) (out []partialPath) {
	left := w.distances(to.node)
	if _, ok := left[from.node]; !ok || k <= 0 {
		return nil
	}
	q := &queue{{at: from, bound: left[from.node]}}
	for n := 0; q.Len() > 0 && len(out) < k && n < maxExpanded; n++ {
		t := heap.Pop(q).(partialPath)
		if t.at.node == to.node {
			if t.at == to {
				out = append(out, t)
			}
			continue
		}
		if len(t.edges) == maxHops {
			continue
		}
		for _, i := range w.out[t.at.node] {
			e := &w.edges[i]
			rest, ok := left[e.target]
			if !ok || e.target == from.node ||
				slices.ContainsFunc(t.edges, func(j int) bool { return w.edges[j].target == e.target }) {
				continue
			}
			cost := t.cost - math.Log(e.Weight)
			heap.Push(q,
				partialPath{signedFact{e.target, t.at.raised != (e.Type == episode.Prevents)}, cost, cost + rest,
					append(slices.Clone(t.edges), i)})
		}
	}
	return out
}

// distances returns the cost of the cheapest path from every fact to the target,
// ignoring signs (Bellman–Ford; the graphs are small).
func (w *edgeIndex) distances(to int) map[int]float64 {
	left := map[int]float64{to: 0}
	for changed := true; changed; {
		changed = false
		for i := range w.edges {
			e := &w.edges[i]
			rest, ok := left[e.target]
			if !ok || e.Type == episode.Correlates || e.Weight < minWeight {
				continue
			}
			c := rest - math.Log(e.Weight)
			if old, known := left[e.source]; !known || c < old {
				left[e.source], changed = c, true
			}
		}
	}
	return left
}

// path computes the figures of a path.
func (w *edgeIndex) path(edges []Edge, t partialPath, raises bool) Path {
	p := Path{P: 1}
	variance := 0.0
	on, decided := map[int]bool{}, map[string]bool{}
	for i, j := range t.edges {
		e := w.edges[j]
		p.Edges = append(p.Edges, e)
		p.P *= e.Weight
		if e.Weight < p.Edges[p.Weakest].Weight {
			p.Weakest = i
		}
		variance += e.logVariance()
		on[e.target] = true
		decided[e.Source.Point.Key] = true // a session that took this option took no other
	}
	half := z90 * math.Sqrt(variance)
	p.Interval = stats.Interval{Low: p.P * math.Exp(-half), High: math.Min(1, p.P*math.Exp(half))}
	for j, e := range edges {
		if e.Type == episode.Prevents && on[e.target] && !slices.Contains(t.edges, j) &&
			(e.Source.Point.Key == "" || !decided[e.Source.Point.Key]) {
			p.Blocked = append(p.Blocked, e)
		}
	}
	return p
}

// logVariance is the variance of the logarithm of an edge's weight by the delta
// method. With f1 and f0 the probabilities that the target does not come (or, for a
// prevents edge, that it comes) with and without the source, the weight is 1-f1/f0, and
// (f1/f0)² [ (1-f1)/(f1(n1+1)) + (1-f0)/(f0(n0+1)) ] / weight².
//
// Source: METHODS.md, section 3, which measured a coverage of .85 to .94 for
// products of one to five edges at 20 to 150 sessions; delta method of a ratio:
// Katz et al. 1978, Biometrics 34:469.
func (e *Edge) logVariance() float64 {
	f1, f0 := 1-e.With, 1-e.Without
	if e.Type == episode.Prevents {
		f1, f0 = e.With, e.Without
	}
	const tiny = 1e-6
	f1, f0 = math.Max(f1, tiny), math.Max(f0, tiny)
	r := f1 / f0
	return r * r * ((1-f1)/(f1*float64(e.N+1)) + (1-f0)/(f0*float64(e.OtherN+1))) / (e.Weight * e.Weight)
}
