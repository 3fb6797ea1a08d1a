package query

import (
	"cmp"
	"container/heap"
	"math"
	"slices"
	"strings"

	"episodes/causal"
	"episodes/episode"
)

// step is one way to go on from a node.
type step struct {
	to    string
	edge  causal.Edge // as the graph holds it; a correlates edge may be walked backwards
	lower bool        // a prevents edge
	cost  int64
}

// costUnit is what one natural unit of -ln(weight) costs. Costs are whole
// numbers, so that a sum does not depend on the order of its terms and routes of
// equal weight are equal to the bit; weights that differ by less than one part in
// 10^12 count as equal.
const costUnit = 1e12

// cost turns the product of weights into a sum to be kept small, or reports
// that a weight is none.
func cost(w float64) (int64, bool) {
	if !(w > 0) || w > 1 {
		return 0, false
	}
	return int64(math.Round(-math.Log(w) * costUnit)), true
}

// routes searches the best ways between two nodes and reads only the nodes that
// it comes past. Routes are ordered by cost, then by the number of steps, then
// by the ids of their nodes, so that the answer is one and the same.
type routes struct {
	r       Reader
	types   []episode.LinkType
	least   float64 // edges of less weight are not walked
	maxHops int
	ways    map[string][]step // by node, as far as read
}

// route is a walk from a node over steps.
type route struct {
	steps []step
	cost  int64
}

func (a route) compare(b route) int {
	return cmp.Or(cmp.Compare(a.cost, b.cost), len(a.steps)-len(b.steps), compareSteps(a.steps, b.steps))
}

func compareSteps(a, b []step) int { return slices.CompareFunc(a, b, step.compare) }

func (a step) compare(b step) int {
	return cmp.Or(strings.Compare(a.to, b.to), truth(a.lower)-truth(b.lower))
}

// from returns the steps that leave a node. Several edges to one neighbour are
// one step, the strongest, since a route is told by its nodes; only an edge that
// prevents stays apart from those that further.
func (s *routes) from(id string) ([]step, error) {
	if ways, ok := s.ways[id]; ok {
		return ways, nil
	}
	edges, err := s.r.Out(id)
	if err != nil {
		return nil, err
	}
	if slices.Contains(s.types, episode.Correlates) { // it has no direction
		in, err := s.r.In(id)
		if err != nil {
			return nil, err
		}
		for _, e := range in {
			if e.Type == episode.Correlates {
				edges = append(edges, e)
			}
		}
	}
	var ways []step
	for _, e := range edges {
		c, ok := cost(e.Weight())
		if !ok || e.Weight() < s.least || !slices.Contains(s.types, e.Type) {
			continue
		}
		to := e.Target
		if to == id {
			to = e.Source
		}
		if to != id {
			ways = append(ways, step{to: to, edge: e, lower: e.Type == episode.Prevents, cost: c})
		}
	}
	slices.SortStableFunc(ways, func(a, b step) int {
		return cmp.Or(a.compare(b), cmp.Compare(a.cost, b.cost), typeOrder(a.edge.Type)-typeOrder(b.edge.Type))
	})
	ways = slices.CompactFunc(ways, func(a, b step) bool { return a.compare(b) == 0 })
	s.ways[id] = ways
	return ways, nil
}

func typeOrder(t episode.LinkType) int { return slices.Index(episode.LinkTypes(), t) }

// label is a node reached by the search.
type label struct {
	node string
	prev *label
	step step
	cost int64
	hops int
}

func (l *label) steps() []step {
	out := make([]step, l.hops)
	for ; l.prev != nil; l = l.prev {
		out[l.hops-1] = l.step
	}
	return out
}

// compareLabels orders two labels of equally many hops by the steps to them.
func compareLabels(a, b *label) int {
	if a == b || a.hops == 0 {
		return 0
	}
	if c := compareLabels(a.prev, b.prev); c != 0 {
		return c
	}
	return a.step.compare(b.step)
}

type frontier []*label

func (f frontier) Len() int { return len(f) }
func (f frontier) Less(i, j int) bool {
	a, b := f[i], f[j]
	if c := cmp.Or(cmp.Compare(a.cost, b.cost), a.hops-b.hops); c != 0 {
		return c < 0
	}
	return compareLabels(a, b) < 0
}
func (f frontier) Swap(i, j int) { f[i], f[j] = f[j], f[i] }
func (f *frontier) Push(x any)   { *f = append(*f, x.(*label)) }
func (f *frontier) Pop() any {
	old := *f
	x := old[len(old)-1]
	*f = old[:len(old)-1]
	return x
}

// shortest returns the best route from one node to another of at most hops steps
// that comes past none of the closed nodes and does not begin with a barred step.
//
// With a bound on the steps the best way to a node need not begin with the best
// way to its predecessor, which may take too many steps. So a node is settled
// anew by every way that takes fewer steps than all cheaper ones before it. No
// weight exceeds 1, so that a loop never pays and the route has none.
func (s *routes) shortest(from, to string, hops int, closed map[string]bool, barred []step) (route, bool, error) {
	fewest := map[string]int{}
	f := &frontier{{node: from}}
	for f.Len() > 0 {
		l := heap.Pop(f).(*label)
		if best, ok := fewest[l.node]; ok && best <= l.hops {
			continue
		}
		fewest[l.node] = l.hops
		if l.node == to {
			return route{l.steps(), l.cost}, true, nil
		}
		if l.hops == hops {
			continue
		}
		ways, err := s.from(l.node)
		if err != nil {
			return route{}, false, err
		}
		for _, w := range ways {
			if closed[w.to] || l.hops == 0 && slices.ContainsFunc(barred, func(b step) bool { return b.compare(w) == 0 }) {
				continue
			}
			if best, ok := fewest[w.to]; !ok || l.hops+1 < best {
				heap.Push(f, &label{node: w.to, prev: l, step: w, cost: l.cost + w.cost, hops: l.hops + 1})
			}
		}
	}
	return route{}, false, nil
}

// best returns the k best loopless routes of at most maxHops steps, best first.
//
// Source: Yen 1971, Management Science 17:712. Every route but the best leaves an
// earlier one at some node, its spur, over a step that no earlier route with the
// same beginning takes; so the next route is the best of the best spurs.
func (s *routes) best(from, to string, k int) ([]route, error) {
	first, ok, err := s.shortest(from, to, s.maxHops, nil, nil)
	if err != nil || !ok {
		return nil, err
	}
	found, open := []route{first}, []route(nil)
	for len(found) < k {
		last := found[len(found)-1]
		closed := map[string]bool{}
		spur, spent := from, int64(0)
		for i := range last.steps {
			var barred []step
			for _, r := range found {
				if len(r.steps) > i && compareSteps(r.steps[:i], last.steps[:i]) == 0 {
					barred = append(barred, r.steps[i])
				}
			}
			rest, ok, err := s.shortest(spur, to, s.maxHops-i, closed, barred)
			if err != nil {
				return nil, err
			}
			if ok {
				r := route{slices.Concat(last.steps[:i], rest.steps), spent + rest.cost}
				if !slices.ContainsFunc(open, func(o route) bool { return r.compare(o) == 0 }) {
					open = append(open, r)
				}
			}
			closed[spur] = true
			spur, spent = last.steps[i].to, spent+last.steps[i].cost
		}
		if len(open) == 0 {
			break
		}
		next := slices.IndexFunc(open, func(r route) bool {
			return !slices.ContainsFunc(open, func(o route) bool { return o.compare(r) < 0 })
		})
		found = append(found, open[next])
		open = slices.Delete(open, next, next+1)
	}
	return found, nil
}
