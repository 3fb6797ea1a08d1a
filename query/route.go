package query

import (
	"cmp"
	"container/heap"
	"maps"
	"math"
	"slices"
	"strings"

	"episodes/causal"
	"episodes/episode"
	"episodes/infer"
	"episodes/stats"
)

// step is one step from a node.
type step struct {
	to      string
	edge    *causal.Edge // of the graph; a correlates edge may be followed backwards
	learned *infer.Edge  // instead: a statistical one
	lower   bool         // a prevents edge
	cost    int64
}

// costUnit is the cost of one unit of -ln(weight). Costs are integers, so that a sum
// does not depend on the order of its terms; weights that differ by less than one part
// in 10^12 count as equal.
const costUnit = 1e12

// cost returns the cost of a weight, which turns products into sums to minimize; false
// for a weight that is not in (0, 1].
func cost(w float64) (int64, bool) {
	if !(w > 0) || w > 1 {
		return 0, false
	}
	return int64(math.Round(-math.Log(w) * costUnit)), true
}

// routes are the ways to follow the links of a graph.
type routes struct {
	r       Reader
	types   []episode.LinkType
	least   float64 // edges of less weight are not followed
	maxHops int
}

// route is a sequence of steps from a node.
type route struct {
	steps []step
	cost  int64
	bound int64 // cost, and the least cost of the rest
}

// compare orders routes by their bounds, then by the number of steps, then by the ids of their
// nodes, so that the answer is deterministic.
func (a route) compare(b route) int {
	return cmp.Or(cmp.Compare(a.bound, b.bound), len(a.steps)-len(b.steps), slices.CompareFunc(a.steps, b.steps, step.compare))
}

func (a step) compare(b step) int {
	return cmp.Or(strings.Compare(a.to, b.to), stats.Indicator(a.lower)-stats.Indicator(b.lower))
}

// from returns the steps that leave a node. Several edges to one neighbour are one step,
// the strongest, since a route is identified by its nodes; but a prevents edge is a step
// of its own.
func (s *routes) from(id string) ([]step, error) {
	edges, err := s.r.Out(id)
	if err != nil {
		return nil, err
	}
	if slices.Contains(s.types, episode.Correlates) { // which have no direction
		in, err := s.r.In(id)
		if err != nil {
			return nil, err
		}
		edges = append(slices.Clip(edges), slices.DeleteFunc(slices.Clone(in), func(e causal.Edge) bool { return e.Type != episode.Correlates })...)
	}
	ways := make([]step, 0, len(edges))
	for i := range edges {
		e := &edges[i]
		w := e.Weight()
		c, ok := cost(w)
		to := e.Target
		if to == id {
			to = e.Source
		}
		if ok && to != id && w >= s.least && slices.Contains(s.types, e.Type) {
			ways = append(ways, step{to: to, edge: e, lower: e.Type == episode.Prevents, cost: c})
		}
	}
	slices.SortStableFunc(ways, func(a, b step) int {
		return cmp.Or(a.compare(b), cmp.Compare(a.cost, b.cost), typeOrder(a.edge.Type)-typeOrder(b.edge.Type))
	})
	return slices.CompactFunc(ways, func(a, b step) bool { return a.compare(b) == 0 }), nil
}

func typeOrder(t episode.LinkType) int { return slices.Index(episode.LinkTypes(), t) }

func (s *routes) best(from, to string, k int) ([]route, error) {
	return best(from, to, k, s.maxHops, s.from)
}

// maxExpanded bounds the search in a very dense graph; it returns what it has found by then.
const maxExpanded = 200_000

// best returns the k best loopless routes of at most so many steps, best first. It is a best-first
// search over routes and not over nodes, since the best route to a node may hold one that the rest
// needs. The bound on the rest is exact but for nodes that are visited already, so routes come out in
// order (A*: Hart, Nilsson and Raphael 1968, IEEE Trans. SSC 4:100).
func best(from, to string, k, hops int, leaving func(id string) ([]step, error)) (out []route, err error) {
	ways, err := within(from, to, hops, leaving)
	if err != nil {
		return nil, err
	}
	least := leastCosts(to, hops, ways)
	q := &frontier{}
	if _, ok := least[hops][from]; ok {
		q.Push(route{})
	}
	for n := 0; len(*q) > 0 && len(out) < k && n < maxExpanded; n++ {
		r, at := heap.Pop(q).(route), from
		if n := len(r.steps); n > 0 {
			at = r.steps[n-1].to
		}
		if at == to {
			out = append(out, r)
			continue
		}
		for _, s := range ways[at] {
			rest, ok := least[hops-len(r.steps)-1][s.to]
			if !ok || s.to == from || slices.ContainsFunc(r.steps, func(x step) bool { return x.to == s.to }) {
				continue
			}
			heap.Push(q, route{append(slices.Clone(r.steps), s), r.cost + s.cost, r.cost + s.cost + rest})
		}
	}
	return out, nil
}

// within returns the steps that leave each node within reach, but for the end.
func within(from, to string, hops int, leaving func(id string) ([]step, error)) (map[string][]step, error) {
	ways, level := map[string][]step{}, []string{from}
	for range hops {
		var next []string
		for _, id := range level {
			if _, known := ways[id]; known || id == to {
				continue
			}
			list, err := leaving(id)
			if err != nil {
				return nil, err
			}
			ways[id] = list
			for _, s := range list {
				next = append(next, s.to)
			}
		}
		level = next
	}
	return ways, nil
}

// leastCosts is the least cost from each node to the end, by the most steps that it may take.
func leastCosts(to string, hops int, ways map[string][]step) []map[string]int64 {
	least := []map[string]int64{{to: 0}}
	for h := range hops {
		next := maps.Clone(least[h])
		for id, list := range ways {
			for _, s := range list {
				rest, ok := least[h][s.to]
				if old, known := next[id]; ok && (!known || rest+s.cost < old) {
					next[id] = rest + s.cost
				}
			}
		}
		least = append(least, next)
	}
	return least
}

// frontier is a heap of routes, the best first.
type frontier []route

func (f frontier) Len() int           { return len(f) }
func (f frontier) Less(i, j int) bool { return f[i].compare(f[j]) < 0 }
func (f frontier) Swap(i, j int)      { f[i], f[j] = f[j], f[i] }
func (f *frontier) Push(x any)        { *f = append(*f, x.(route)) }
func (f *frontier) Pop() any {
	x := (*f)[len(*f)-1]
	*f = (*f)[:len(*f)-1]
	return x
}
