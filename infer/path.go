package infer

import (
	"cmp"
	"container/heap"
	"math"
	"slices"

	"episodes/episode"
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
	P float64
}

// Paths are the best paths from one fact to another.
type Paths struct {
	Raises, Lowers []Path // best first
}

// FindPaths returns the k best paths by which the source raises the target, and the k
// best by which it lowers it: the search runs over facts with a sign, which a prevents
// edge flips. Edges weaker than minWeight are not followed. Paths of equal weight come in the
// order of their edges.
func FindPaths(edges []Edge, from, to Fact, k int) Paths {
	if from == to {
		return Paths{}
	}
	w := edgeIndex{out: map[Fact][]int{}}
	for _, e := range edges {
		if e.Weight >= minWeight {
			w.out[e.Source] = append(w.out[e.Source], len(w.edges))
			w.edges = append(w.edges, e)
		}
	}
	start := signedFact{from, true}
	return Paths{w.best(start, signedFact{to, true}, k), w.best(start, signedFact{to, false}, k)}
}

// signedFact is a fact made more or less probable.
type signedFact struct {
	fact   Fact
	raised bool
}

// edgeIndex holds the edges to follow, and by source their indices.
type edgeIndex struct {
	edges []Edge
	out   map[Fact][]int
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
func (w *edgeIndex) best(from, to signedFact, k int) (out []Path) {
	left := w.distances(to.fact)
	if _, ok := left[from.fact]; !ok || k <= 0 {
		return nil
	}
	q := &queue{{at: from, bound: left[from.fact]}}
	for n := 0; q.Len() > 0 && len(out) < k && n < maxExpanded; n++ {
		t := heap.Pop(q).(partialPath)
		if t.at.fact == to.fact {
			if t.at == to {
				out = append(out, w.path(t.edges))
			}
			continue
		}
		if len(t.edges) == maxHops {
			continue
		}
		for _, i := range w.out[t.at.fact] {
			e := &w.edges[i]
			rest, ok := left[e.Target]
			if !ok || e.Target == from.fact ||
				slices.ContainsFunc(t.edges, func(j int) bool { return w.edges[j].Target == e.Target }) {
				continue
			}
			cost := t.cost - math.Log(e.Weight)
			heap.Push(q,
				partialPath{signedFact{e.Target, t.at.raised != (e.Type == episode.Prevents)}, cost, cost + rest,
					append(slices.Clone(t.edges), i)})
		}
	}
	return out
}

// distances returns the cost of the cheapest path from every fact to the target,
// ignoring signs (Bellman–Ford; the graphs are small).
func (w *edgeIndex) distances(to Fact) map[Fact]float64 {
	left := map[Fact]float64{to: 0}
	for changed := true; changed; {
		changed = false
		for i := range w.edges {
			e := &w.edges[i]
			rest, ok := left[e.Target]
			if !ok {
				continue
			}
			c := rest - math.Log(e.Weight)
			if old, known := left[e.Source]; !known || c < old {
				left[e.Source], changed = c, true
			}
		}
	}
	return left
}

func (w *edgeIndex) path(edges []int) Path {
	p := Path{P: 1}
	for _, i := range edges {
		p.Edges = append(p.Edges, w.edges[i])
		p.P *= w.edges[i].Weight
	}
	return p
}
