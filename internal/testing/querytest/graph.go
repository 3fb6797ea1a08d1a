// Package querytest provides an in-memory causal graph for tests. New builds it from
// episodes in the simplest way; Diff compares another Reader with it.
package querytest

import (
	"cmp"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"episodes/causal"
	"episodes/episode"
	"episodes/keys"
	"episodes/query"
)

// Graph is a query.Reader and a query.Episodes over a set of episodes.
type Graph struct {
	episodes   map[string]*episode.Episode
	nodes      map[string]causal.Node
	out, in    map[string][]causal.Edge
	mentions   map[string][]causal.Mention
	statements map[edgeID][]causal.Statement
	words      map[string][]string // label word → node ids
	uses       []causal.Use        // by point, episode, record
	outcomes   causal.Tally
}

var (
	_ query.Reader   = (*Graph)(nil)
	_ query.Episodes = (*Graph)(nil)
)

type edgeID struct {
	source, target string
	typ            episode.LinkType
}

// New returns the graph of a set of episodes. Their order does not matter, and
// of several episodes with one id the last counts. Exact copies count here like others.
func New(eps ...*episode.Episode) *Graph {
	set := map[string]*episode.Episode{}
	for _, e := range eps {
		set[e.ID] = e
	}
	var cs []causal.Contribution
	for _, id := range slices.Sorted(maps.Keys(set)) {
		cs = append(cs, causal.Contribute(set[id]))
	}
	g := FromContributions(cs...)
	g.episodes = set
	return g
}

// FromContributions returns the graph of contributions, without episodes to load. Of
// several contributions of one episode the last counts.
func FromContributions(cs ...causal.Contribution) *Graph {
	last := map[string]causal.Contribution{}
	for _, c := range cs {
		last[c.Episode] = c
	}
	g := &Graph{
		nodes: map[string]causal.Node{}, out: map[string][]causal.Edge{}, in: map[string][]causal.Edge{},
		mentions: map[string][]causal.Mention{}, statements: map[edgeID][]causal.Statement{},
	}
	for _, id := range slices.Sorted(maps.Keys(last)) {
		g.collect(last[id])
	}
	for id, ms := range g.mentions {
		slices.SortStableFunc(ms, func(a, b causal.Mention) int {
			return cmp.Or(strings.Compare(a.Episode, b.Episode), strings.Compare(a.Record, b.Record))
		})
		g.nodes[id] = node(id, ms)
	}
	g.connect()
	slices.SortStableFunc(g.uses, func(a, b causal.Use) int {
		return cmp.Or(strings.Compare(a.Point, b.Point), strings.Compare(a.Episode, b.Episode), strings.Compare(a.Record, b.Record))
	})
	g.index()
	return g
}

func (g *Graph) collect(c causal.Contribution) {
	g.outcomes.Add(c.Outcome, 1)
	for _, m := range c.Mentions {
		g.mentions[m.Node] = append(g.mentions[m.Node], m)
	}
	for _, s := range c.Statements {
		k := edgeID{s.Source, s.Target, s.Type}
		g.statements[k] = append(g.statements[k], s)
	}
	g.uses = append(g.uses, c.Uses...)
}

// node returns the sums of the mentions of one node, which are sorted by episode.
func node(id string, ms []causal.Mention) causal.Node {
	n := causal.Node{ID: id, Type: ms[0].Type, Key: ms[0].Key}
	results := map[string]episode.Outcome{}
	wordings := map[string]int{}
	type use struct{ episode, label string }
	counted := map[use]bool{} // an episode counts once for a wording
	for _, m := range ms {
		if k := (use{m.Episode, m.Label}); !counted[k] {
			counted[k] = true
			wordings[m.Label]++
		}
		if old, ok := results[m.Episode]; ok {
			results[m.Episode] = query.Combine(old, m.Outcome)
		} else {
			results[m.Episode] = m.Outcome
		}
	}
	for _, o := range results {
		n.Tally.Add(o, 1)
	}
	n.Frequency = len(results)
	n.Label = query.Commonest(wordings)
	return n
}

func (g *Graph) connect() {
	for k, sts := range g.statements {
		e := causal.Edge{Source: k.source, Target: k.target, Type: k.typ, SourceCount: g.nodes[k.source].Frequency}
		for _, s := range sts {
			if s.Explicit {
				e.Support.Explicit++
			} else {
				e.Support.Implied++
			}
		}
		g.out[k.source] = append(g.out[k.source], e)
		g.in[k.target] = append(g.in[k.target], e)
	}
	for _, es := range g.out {
		slices.SortFunc(es, func(a, b causal.Edge) int {
			return cmp.Or(strings.Compare(a.Target, b.Target), cmp.Compare(a.Type, b.Type))
		})
	}
	for _, es := range g.in {
		slices.SortFunc(es, func(a, b causal.Edge) int {
			return cmp.Or(strings.Compare(a.Source, b.Source), cmp.Compare(a.Type, b.Type))
		})
	}
}

func (g *Graph) index() {
	words := map[string]map[string]bool{}
	for id, n := range g.nodes {
		for _, w := range keys.Words(n.Label) {
			if words[w] == nil {
				words[w] = map[string]bool{}
			}
			words[w][id] = true
		}
	}
	g.words = make(map[string][]string, len(words))
	for w, ids := range words {
		g.words[w] = slices.Sorted(maps.Keys(ids))
	}
}

// Node implements query.Reader.
func (g *Graph) Node(id string) (causal.Node, bool, error) {
	n, ok := g.nodes[id]
	return n, ok, nil
}

// Nodes implements query.Reader.
func (g *Graph) Nodes(yield func(causal.Node) error) error {
	for _, id := range slices.Sorted(maps.Keys(g.nodes)) {
		if err := yield(g.nodes[id]); err != nil {
			return err
		}
	}
	return nil
}

// Out implements query.Reader.
func (g *Graph) Out(id string) ([]causal.Edge, error) { return slices.Clone(g.out[id]), nil }

// In implements query.Reader.
func (g *Graph) In(id string) ([]causal.Edge, error) { return slices.Clone(g.in[id]), nil }

// Mentions implements query.Reader.
func (g *Graph) Mentions(id string) ([]causal.Mention, error) {
	return slices.Clone(g.mentions[id]), nil
}

// Statements implements query.Reader.
func (g *Graph) Statements(source, target string, t episode.LinkType) ([]causal.Statement, error) {
	return slices.Clone(g.statements[edgeID{source, target, t}]), nil
}

// WithWord implements query.Reader.
func (g *Graph) WithWord(word string) ([]string, error) { return slices.Clone(g.words[word]), nil }

// Uses implements query.Reader.
func (g *Graph) Uses(yield func(causal.Use) error) error {
	for _, u := range g.uses {
		if err := yield(u); err != nil {
			return err
		}
	}
	return nil
}

// Totals implements query.Reader.
func (g *Graph) Totals() (causal.Totals, error) {
	t := causal.Totals{Nodes: map[causal.NodeType]int{}, Edges: map[episode.LinkType]int{}, Outcomes: g.outcomes, Episodes: g.outcomes.Total(), Decisions: len(g.uses)}
	for id, n := range g.nodes {
		t.Nodes[n.Type]++
		if len(g.out[id])+len(g.in[id]) == 0 {
			t.Isolated++
		}
		if n.Frequency > 1 {
			t.Shared++
		}
	}
	for k, sts := range g.statements {
		t.Edges[k.typ]++
		t.Evidence += len(sts)
	}
	return t, nil
}

// Load implements query.Episodes. It also knows an episode by its session.
func (g *Graph) Load(id string) (*episode.Episode, error) {
	if e, ok := g.episodes[id]; ok {
		return e, nil
	}
	if e, ok := g.episodes[episode.IDFromSession(id)]; ok {
		return e, nil
	}
	return nil, fmt.Errorf("load episode %q: %w", id, fs.ErrNotExist)
}
