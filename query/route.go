package query

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"

	"episodes/causal"
	"episodes/episode"
	"episodes/stats"
)

// step is one step from a node.
type step struct {
	to    string
	edge  *causal.Edge // of the graph; a correlates edge may be followed backwards
	lower bool         // a prevents edge
	cost  int64
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

// routes searches the best routes between two nodes and reads only the nodes that it
// visits. Routes are ordered by cost, then by the number of steps, then by the ids of
// their nodes, so that the answer is deterministic.
type routes struct {
	r        Reader
	types    []episode.LinkType
	least    float64 // edges of less weight are not followed
	maxHops  int
	leaving  map[string][]step    // that leave a node, as far as read
	entering map[string][]arrival // that enter it, likewise
}

// route is a sequence of steps from a node.
type route struct {
	steps []step
	cost  int64
}

func (a route) compare(b route) int {
	return cmp.Or(cmp.Compare(a.cost, b.cost), len(a.steps)-len(b.steps), compareSteps(a.steps, b.steps))
}

func compareSteps(a, b []step) int { return slices.CompareFunc(a, b, step.compare) }

func (a step) compare(b step) int {
	return cmp.Or(strings.Compare(a.to, b.to), stats.Indicator(a.lower)-stats.Indicator(b.lower))
}

// from returns the steps that leave a node. Several edges to one neighbour are one step,
// the strongest, since a route is identified by its nodes; but a prevents edge is a step
// of its own.
func (s *routes) from(id string) ([]step, error) {
	if ways, ok := s.leaving[id]; ok {
		return ways, nil
	}
	edges, err := s.edges(id, s.r.Out, s.r.In)
	if err != nil {
		return nil, err
	}
	ways := make([]step, 0, len(edges))
	for i := range edges {
		e := &edges[i]
		c, ok := s.cost(e)
		if !ok {
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
	s.leaving[id] = ways
	return ways, nil
}

// edges returns the edges of a node in a direction and, since they have none, all that correlate.
func (s *routes) edges(id string, ahead, back func(string) ([]causal.Edge, error)) ([]causal.Edge, error) {
	edges, err := ahead(id)
	if err != nil || !slices.Contains(s.types, episode.Correlates) {
		return edges, err
	}
	other, err := back(id)
	for _, e := range other {
		if e.Type == episode.Correlates {
			edges = append(edges, e)
		}
	}
	return edges, err
}

// cost is the cost of following an edge; false when it must not be followed.
func (s *routes) cost(e *causal.Edge) (int64, bool) {
	w := e.Weight()
	if w < s.least || !slices.Contains(s.types, e.Type) {
		return 0, false
	}
	return cost(w)
}

// arrival is a step seen from its end.
type arrival struct {
	from string
	cost int64
}

// into returns the steps of all nodes that enter a node, in any order.
func (s *routes) into(id string) ([]arrival, error) {
	if ways, ok := s.entering[id]; ok {
		return ways, nil
	}
	edges, err := s.edges(id, s.r.In, s.r.Out)
	if err != nil {
		return nil, err
	}
	ways := make([]arrival, 0, len(edges))
	for i := range edges {
		e := &edges[i]
		c, ok := s.cost(e)
		from := e.Source
		if from == id {
			from = e.Target
		}
		if ok && from != id {
			ways = append(ways, arrival{from, c})
		}
	}
	s.entering[id] = ways
	return ways, nil
}

func typeOrder(t episode.LinkType) int { return slices.Index(episode.LinkTypes(), t) }

// best returns the k best loopless routes of at most maxHops steps, best first.
//
// Sources: Yen 1971, Management Science 17:712: every route but the best leaves an
// earlier one at some node, its spur, over a step that no earlier route with the
// same beginning takes. Lawler 1972, Management Science 18:401: a spur before the
// one where a route itself left an earlier one yields no new route. The best route
// over a spur is searched only when its lower bound does not exceed the best candidate.
func (s *routes) best(from, to string, k int) ([]route, error) {
	full := s.search(from, to, s.maxHops, nil, nil)
	first, ok, err := full.shortest()
	if err != nil || !ok {
		return nil, err
	}
	found := []deviation{{route: first}}
	var open []deviation // routes, and spurs without one yet
	for len(found) < k {
		spurs, err := s.spurs(found, from, full)
		if err != nil {
			return nil, err
		}
		open = append(open, spurs...)
		for {
			if len(open) == 0 {
				return routesOf(found), nil
			}
			at := 0
			for i, o := range open {
				if o.before(open[at]) {
					at = i
				}
			}
			next := open[at]
			open = slices.Delete(open, at, at+1)
			if next.spur == nil {
				found = append(found, next)
				break
			}
			rest, ok, err := next.spur.shortest()
			if err != nil {
				return nil, err
			}
			if ok {
				open = append(open,
					deviation{route: route{slices.Concat(next.steps, rest.steps), next.spent + rest.cost}, at: next.at})
			}
		}
	}
	return routesOf(found), nil
}

// deviation is a route that leaves an earlier one after `at` steps; or, with a spur, the
// steps up to there, and a lower bound of the cost of a route over the spur.
type deviation struct {
	route
	at    int
	spur  *search
	spent int64 // cost of the steps up to the spur
}

// before reports whether a is visited before b: of equal costs spurs first, since the
// routes over them may come first in the order of routes.
func (a deviation) before(b deviation) bool {
	if a.cost != b.cost || a.spur == nil && b.spur == nil {
		return a.route.compare(b.route) < 0
	}
	return a.spur != nil && b.spur == nil
}

// spurs lists the deviations from the last route found. Their lower bounds come from the
// search for the best route.
func (s *routes) spurs(found []deviation, from string, full *search) ([]deviation, error) {
	last := found[len(found)-1]
	closed := map[string]bool{}
	spur, spent := from, int64(0)
	var out []deviation
	for i, st := range last.steps {
		if i >= last.at {
			var barred []step
			for _, r := range found {
				if len(r.steps) > i && compareSteps(r.steps[:i], last.steps[:i]) == 0 {
					barred = append(barred, r.steps[i])
				}
			}
			d := deviation{route: route{last.steps[:i:i], math.MaxInt64}, at: i, spent: spent}
			d.spur = s.search(spur, full.to, s.maxHops-i, maps.Clone(closed), barred)
			ways, err := s.from(spur)
			if err != nil {
				return nil, err
			}
			for _, w := range ways {
				if least := full.least(w.to); least < unreachable && d.spur.open(w, 0) {
					d.cost = min(d.cost, spent+w.cost+least)
				}
			}
			if d.cost < math.MaxInt64 {
				out = append(out, d)
			}
		}
		closed[spur] = true
		spur, spent = st.to, spent+st.cost
	}
	return out, nil
}

func routesOf(found []deviation) []route {
	out := make([]route, len(found))
	for i, d := range found {
		out[i] = d.route
	}
	return out
}
