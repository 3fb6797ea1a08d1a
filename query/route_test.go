package query_test

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"episodes/causal"
	"episodes/episode"
	"episodes/internal/testing/querytest"
	"episodes/query"
)

// place is the id of the i-th node of a drawn graph.
func place(i int) string { return causal.NodeID(causal.EventNode, placeKey(i)) }

func placeKey(i int) string { return fmt.Sprintf("place %c", 'a'+i) }

// link is one statement between two drawn nodes.
type link struct {
	from, to int
	typ      episode.LinkType
	explicit bool
}

// graphOf makes a graph from the links that each episode states. Every episode
// mentions all nodes up to its reach, so that weights differ.
func graphOf(nodes int, episodes [][]link, reach []int) *querytest.Graph {
	var cs []causal.Contribution
	for e, links := range episodes {
		c := causal.Contribution{Episode: fmt.Sprintf("episode-%02d", e), Outcome: episode.Unknown}
		seen := map[int]bool{}
		mention := func(i int) {
			if !seen[i] {
				seen[i] = true
				c.Mentions = append(c.Mentions, causal.Mention{Episode: c.Episode, Record: episode.EventID(i + 1), Node: place(i), Type: causal.EventNode, Key: placeKey(i), Label: placeKey(i), Outcome: episode.Unknown})
			}
		}
		for i := range min(reach[e], nodes) {
			mention(i)
		}
		stated := map[link]bool{}
		for _, l := range links {
			mention(l.from)
			mention(l.to)
			key := link{l.from, l.to, l.typ, false}
			if l.from != l.to && !stated[key] {
				stated[key] = true
				c.Statements = append(c.Statements, causal.Statement{Episode: c.Episode, Source: place(l.from), Target: place(l.to), Type: l.typ, Explicit: l.explicit, Link: episode.LinkID(episode.EventID(l.from+1), episode.EventID(l.to+1))})
			}
		}
		cs = append(cs, c)
	}
	// The ends must exist even when nothing mentions them.
	last := causal.Contribution{Episode: "episode-last", Outcome: episode.Unknown}
	for i := range nodes {
		last.Mentions = append(last.Mentions, causal.Mention{Episode: last.Episode, Record: episode.EventID(i + 1), Node: place(i), Type: causal.EventNode, Key: placeKey(i), Label: placeKey(i), Outcome: episode.Unknown})
	}
	return querytest.FromContributions(append(cs, last)...)
}

func drawGraph(t *rapid.T) (*querytest.Graph, int) {
	nodes := rapid.IntRange(2, 7).Draw(t, "nodes")
	oneLink := rapid.Custom(func(t *rapid.T) link {
		return link{rapid.IntRange(0, nodes-1).Draw(t, "from"), rapid.IntRange(0, nodes-1).Draw(t, "to"),
			rapid.SampledFrom(episode.LinkTypes()).Draw(t, "type"), rapid.Bool().Draw(t, "explicit")}
	})
	episodes := rapid.SliceOfN(rapid.SliceOfN(oneLink, 0, 8), 1, 5).Draw(t, "episodes")
	reach := rapid.SliceOfN(rapid.IntRange(0, nodes), len(episodes), len(episodes)).Draw(t, "reach")
	return graphOf(nodes, episodes, reach), nodes
}

// way is a path found by trying everything.
type way struct {
	nodes   []string
	lowers  []bool
	weights []float64
}

func (w way) key() string { return fmt.Sprint(w.nodes, w.lowers) }

func (w way) weight() float64 {
	p := 1.0
	for _, x := range w.weights {
		p *= x
	}
	return p
}

// allWays lists every loopless path of at most hops edges, the strongest edge
// standing for all of one direction between two nodes.
func allWays(t require, g query.Reader, from, to string, hops int, types []episode.LinkType, least float64) []way {
	var out []way
	var walk func(at string, w way)
	walk = func(at string, w way) {
		if at == to {
			out = append(out, way{slices.Clone(w.nodes), slices.Clone(w.lowers), slices.Clone(w.weights)})
			return
		}
		if len(w.nodes) == hops {
			return
		}
		type next struct {
			to    string
			lower bool
		}
		best := map[next]float64{}
		edges, err := g.Out(at)
		check(t, err)
		in, err := g.In(at)
		check(t, err)
		for _, e := range in {
			if e.Type == episode.Correlates {
				e.Source, e.Target = e.Target, e.Source
				edges = append(edges, e)
			}
		}
		for _, e := range edges {
			if slices.Contains(types, e.Type) && e.Weight() >= least {
				k := next{e.Target, e.Type == episode.Prevents}
				best[k] = max(best[k], e.Weight())
			}
		}
		for k, weight := range best {
			if k.to != from && !slices.Contains(w.nodes, k.to) {
				walk(k.to, way{append(slices.Clone(w.nodes), k.to), append(slices.Clone(w.lowers), k.lower), append(slices.Clone(w.weights), weight)})
			}
		}
	}
	walk(from, way{})
	slices.SortFunc(out, func(a, b way) int {
		return cmp.Or(cmp.Compare(b.weight(), a.weight()), strings.Compare(a.key(), b.key()))
	})
	return out
}

type require interface {
	Helper()
	Fatal(...any)
}

func check(t require, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestPathsAgainstBruteForce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g, nodes := drawGraph(t)
		from, to := place(0), place(nodes-1)
		o := query.PathOptions{K: rapid.IntRange(1, 6).Draw(t, "k"), MaxHops: rapid.IntRange(1, 6).Draw(t, "hops"), MinWeight: rapid.SampledFrom([]float64{0, .3}).Draw(t, "least")}
		types := []episode.LinkType{episode.Causes, episode.Enables, episode.Prevents}
		if rapid.Bool().Draw(t, "other types") {
			types = rapid.SliceOfNDistinct(rapid.SampledFrom(episode.LinkTypes()), 1, 4, rapid.ID).Draw(t, "types")
			o.Types = types
		}
		want := allWays(t, g, from, to, o.MaxHops, types, o.MinWeight)
		res, err := query.Paths(g, from, to, o)
		check(t, err)
		if len(res.Paths) != min(len(want), o.K) {
			t.Fatalf("%d paths, want %d of %d", len(res.Paths), o.K, len(want))
		}
		known := map[string]float64{}
		for _, w := range want {
			known[w.key()] = w.weight()
		}
		seen := map[string]bool{}
		for i, p := range res.Paths {
			w := way{}
			for _, h := range p.Hops {
				w.nodes = append(w.nodes, h.Target.ID)
				w.lowers = append(w.lowers, h.Type == episode.Prevents)
			}
			if weight, ok := known[w.key()]; !ok || seen[w.key()] || math.Abs(weight-p.Weight) > 1e-9 {
				t.Fatalf("path %d %v of weight %v is none, or told twice", i, w, p.Weight)
			}
			seen[w.key()] = true
			// The k best: at each rank the weight is that of the brute force.
			if math.Abs(want[i].weight()-p.Weight) > 1e-9 {
				t.Fatalf("path %d has weight %v, want %v", i, p.Weight, want[i].weight())
			}
			checkPath(t, g, p)
		}
		again, err := query.Paths(g, from, to, o)
		check(t, err)
		if fmt.Sprint(again) == "" || fmt.Sprintf("%+v", again.Paths) != fmt.Sprintf("%+v", res.Paths) {
			t.Fatal("asked twice, answered differently")
		}
	})
}

// checkPath checks the fields of a path against each other.
func checkPath(t *rapid.T, g query.Reader, p query.Path) {
	least, lowers, together, at := 2.0, 0, false, p.Hops[0].Source.ID
	for _, h := range p.Hops {
		if h.Source.ID != at {
			t.Fatal("hops do not join")
		}
		at = h.Target.ID
		if h.EvidenceCount != len(h.Episodes) || h.EvidenceCount == 0 || h.Explicit > h.EvidenceCount {
			t.Fatalf("%d episodes for evidence of %d", len(h.Episodes), h.EvidenceCount)
		}
		least = min(least, h.Weight)
		together = together || h.Type == episode.Correlates
		if h.Type == episode.Prevents {
			lowers++
		}
	}
	if p.Hops[p.Weakest].Weight != least {
		t.Fatal("the weakest hop is not the weakest")
	}
	if (p.Effect == query.Correlated) != together || !together && (p.Effect == query.WorksAgainst) != (lowers%2 == 1) {
		t.Fatalf("%d prevents edges, but %s", lowers, p.Effect)
	}
}

// Equal weights in another order are equal to the bit, and then shorter paths
// come first and then the ids decide.
func TestTiesGoByLengthThenIDs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g, nodes := drawGraph(t)
		res, err := query.Paths(g, place(0), place(nodes-1), query.PathOptions{K: 9})
		check(t, err)
		for i := 1; i < len(res.Paths); i++ {
			a, b := res.Paths[i-1], res.Paths[i]
			if a.Weight != b.Weight || !slices.Equal(factors(a), factors(b)) {
				continue // not the same factors: weights tie only by chance
			}
			if c := cmp.Or(len(a.Hops)-len(b.Hops), strings.Compare(idsOf(a), idsOf(b))); c > 0 {
				t.Fatalf("tied paths in the wrong order: %s before %s", idsOf(a), idsOf(b))
			}
		}
	})
}

func factors(p query.Path) (out []float64) {
	for _, h := range p.Hops {
		out = append(out, h.Weight)
	}
	slices.Sort(out)
	return out
}

func idsOf(p query.Path) (s string) {
	for _, h := range p.Hops {
		lower := 0
		if h.Type == episode.Prevents {
			lower = 1
		}
		s += fmt.Sprint(h.Target.ID, lower)
	}
	return s
}

// counting counts the nodes whose edges are read.
type counting struct {
	query.Reader
	out map[string]int
}

func (c counting) Out(id string) ([]causal.Edge, error) {
	c.out[id]++
	return c.Reader.Out(id)
}

// A search reads what it comes past, each once, and nothing beyond its goal.
func TestPathsReadLazily(t *testing.T) {
	var ls []link
	for i := range 20 {
		ls = append(ls, link{i, i + 1, episode.Causes, true})
	}
	c := counting{graphOf(21, [][]link{ls}, []int{0}), map[string]int{}}
	res, err := query.Paths(c, place(0), place(3), query.PathOptions{})
	check(t, err)
	if len(res.Paths) != 1 || len(c.out) > 3 {
		t.Errorf("%d paths, edges of %d nodes read", len(res.Paths), len(c.out))
	}
	for id, n := range c.out {
		if n > 1 {
			t.Errorf("edges of %s read %d times", id, n)
		}
	}
}
