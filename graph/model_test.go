package graph

import (
	"cmp"
	"maps"
	"slices"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"episodes/causal"
	"episodes/episode"
	"episodes/internal/testing/querytest"
	"episodes/keys"
	"episodes/query"
)

var _ query.Reader = (*Graph)(nil)

// model is the graph as its definition says it, counted from scratch and slowly.
type model struct{ contributions []causal.Contribution }

func modelOf(eps []*episode.Episode) *model {
	m := &model{}
	for _, ep := range voters(eps) {
		m.contributions = append(m.contributions, causal.Contribute(ep))
	}
	slices.SortFunc(m.contributions, func(a, b causal.Contribution) int { return cmp.Compare(a.Episode, b.Episode) })
	return m
}

// voters leaves the episodes that count: one of each session.
func voters(eps []*episode.Episode) (out []*episode.Episode) {
	prints := map[string]causal.Print{}
	for _, ep := range eps {
		prints[ep.ID] = causal.PrintOf(ep)
	}
	votes := causal.Votes(prints)
	for _, ep := range eps {
		if votes[ep.ID] == ep.ID {
			out = append(out, ep)
		}
	}
	return out
}

func (m *model) nodes() map[string]causal.Node {
	out := map[string]causal.Node{}
	labels := map[string]map[string]int{}
	for _, c := range m.contributions {
		byNode := map[string][]causal.Mention{}
		for _, x := range c.Mentions {
			byNode[x.Node] = append(byNode[x.Node], x)
		}
		for id, ms := range byNode {
			n := out[id]
			n.ID, n.Type, n.Key = id, ms[0].Type, ms[0].Key
			n.Frequency++
			known, used := map[episode.Outcome]bool{}, map[string]bool{}
			for _, x := range ms {
				if x.Outcome.Known() {
					known[x.Outcome] = true
				}
				used[x.Label] = true
			}
			switch len(known) {
			case 0:
				n.Tally.Add(episode.Unknown, 1)
			case 1:
				n.Tally.Add(slices.Collect(maps.Keys(known))[0], 1)
			default:
				n.Tally.Add(episode.Partial, 1)
			}
			if labels[id] == nil {
				labels[id] = map[string]int{}
			}
			for l := range used {
				labels[id][l]++
			}
			out[id] = n
		}
	}
	for id, n := range out {
		n.Label = slices.MinFunc(slices.Collect(maps.Keys(labels[id])), func(a, b string) int {
			return cmp.Or(cmp.Compare(labels[id][b], labels[id][a]), cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
		})
		out[id] = n
	}
	return out
}

func (m *model) edges() []causal.Edge {
	nodes := m.nodes()
	type key struct {
		s, t string
		typ  episode.LinkType
	}
	sup := map[key]causal.Support{}
	for _, c := range m.contributions {
		for _, st := range c.Statements {
			k := key{st.Source, st.Target, st.Type}
			s := sup[k]
			if st.Explicit {
				s.Explicit++
			} else {
				s.Implied++
			}
			sup[k] = s
		}
	}
	var out []causal.Edge
	for k, s := range sup {
		out = append(out, causal.Edge{Source: k.s, Target: k.t, Type: k.typ, Support: s, SourceCount: nodes[k.s].Frequency})
	}
	slices.SortFunc(out, func(a, b causal.Edge) int {
		return cmp.Or(cmp.Compare(a.Source, b.Source), cmp.Compare(a.Target, b.Target), cmp.Compare(a.Type, b.Type))
	})
	return out
}

func (m *model) uses() []causal.Use {
	var out []causal.Use
	for _, c := range m.contributions {
		out = append(out, c.Uses...)
	}
	slices.SortStableFunc(out, func(a, b causal.Use) int {
		return cmp.Or(cmp.Compare(a.Point, b.Point), cmp.Compare(a.Episode, b.Episode), cmp.Compare(a.Record, b.Record))
	})
	return out
}

// checkAgainst asks the graph everything and compares the answers with the model's.
func checkAgainst(t rapid.TB, g *Graph, eps []*episode.Episode) {
	t.Helper()
	same := func(what string, got, want any) {
		t.Helper()
		if d := gocmp.Diff(want, got, cmpopts.EquateEmpty()); d != "" {
			t.Fatalf("%s differs from the model (-want +got):\n%s", what, d)
		}
	}
	ok := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	if d, err := querytest.Diff(querytest.New(voters(eps)...), g); err != nil || d != "" {
		t.Fatalf("differs from the graph of package querytest: %v %s", err, d)
	}
	m := modelOf(eps)
	nodes, edges, uses := m.nodes(), m.edges(), m.uses()

	var gotNodes []causal.Node
	ok(g.Nodes(func(n causal.Node) error { gotNodes = append(gotNodes, n); return nil }))
	wantNodes := slices.SortedFunc(maps.Values(nodes), func(a, b causal.Node) int { return cmp.Compare(a.ID, b.ID) })
	same("Nodes", gotNodes, wantNodes)

	tt := causal.Totals{Episodes: len(eps), Copies: len(eps) - len(m.contributions), Nodes: map[causal.NodeType]int{}, Edges: map[episode.LinkType]int{}, Decisions: len(uses)}
	touched := map[string]bool{}
	words := map[string][]string{}
	for _, e := range edges {
		tt.Edges[e.Type]++
		tt.Evidence += e.Support.Count()
		touched[e.Source], touched[e.Target] = true, true
	}
	for _, c := range m.contributions {
		tt.Outcomes.Add(c.Outcome, 1)
	}
	for id, n := range nodes {
		tt.Nodes[n.Type]++
		if !touched[id] {
			tt.Isolated++
		}
		if n.Frequency > 1 {
			tt.Shared++
		}
		got, found, err := g.Node(id)
		ok(err)
		same("Node "+id, got, n)
		if !found {
			t.Fatalf("Node %s: not found", id)
		}
		for _, w := range keys.Words(n.Label) {
			words[w] = append(words[w], id)
		}
		var out, in []causal.Edge
		for _, e := range edges {
			if e.Source == id {
				out = append(out, e)
			}
			if e.Target == id {
				in = append(in, e)
			}
		}
		slices.SortFunc(in, func(a, b causal.Edge) int {
			return cmp.Or(cmp.Compare(a.Source, b.Source), cmp.Compare(a.Type, b.Type))
		})
		gotOut, err := g.Out(id)
		ok(err)
		same("Out "+id, gotOut, out)
		gotIn, err := g.In(id)
		ok(err)
		same("In "+id, gotIn, in)
		var mentions []causal.Mention
		for _, c := range m.contributions {
			for _, x := range c.Mentions {
				if x.Node == id {
					mentions = append(mentions, x)
				}
			}
		}
		gotMentions, err := g.Mentions(id)
		ok(err)
		same("Mentions "+id, gotMentions, mentions)
	}
	got, err := g.Totals()
	ok(err)
	same("Totals", got, tt)

	for _, e := range edges {
		var want []causal.Statement
		for _, c := range m.contributions {
			for _, st := range c.Statements {
				if st.Source == e.Source && st.Target == e.Target && st.Type == e.Type {
					want = append(want, st)
				}
			}
		}
		got, err := g.Statements(e.Source, e.Target, e.Type)
		ok(err)
		same("Statements", got, want)
	}
	for w, ids := range words {
		slices.Sort(ids)
		got, err := g.WithWord(w)
		ok(err)
		same("WithWord "+w, got, slices.Compact(ids))
	}

	var gotUses []causal.Use
	ok(g.Uses(func(u causal.Use) error { gotUses = append(gotUses, u); return nil }))
	same("Uses", gotUses, uses)
	for _, id := range []string{"", "n", "n00", "nffffffffffff", "N123456789abc", "nABCDEFABCDEF", "episode-x", "ngggggggggggg"} {
		_, found, err := g.Node(id)
		ok(err)
		out, err := g.Out(id)
		ok(err)
		in, err := g.In(id)
		ok(err)
		ms, err := g.Mentions(id)
		ok(err)
		if found || len(out)+len(in)+len(ms) > 0 {
			t.Fatalf("%q is known", id)
		}
	}
	for _, word := range []string{"", "nosuchword", "a\x00b"} {
		ids, err := g.WithWord(word)
		ok(err)
		if len(ids) > 0 {
			t.Fatalf("%q is known", word)
		}
	}
}
