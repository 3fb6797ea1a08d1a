package graph

import (
	"pgregory.net/rapid"

	"episodes/causal"
	"episodes/episode"
	"episodes/internal/testing/querytest"
	"episodes/query"
)

var _ query.Reader = (*Graph)(nil)

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

// checkAgainst asks the graph everything and compares the answers with those of the definition.
func checkAgainst(t rapid.TB, g *Graph, eps []*episode.Episode) {
	t.Helper()
	ok := func(err error) {
		t.Helper()
		check(t, err)
	}
	count := voters(eps)
	d, err := querytest.Diff(querytest.New(count...), g)
	if ok(err); d != "" {
		t.Fatalf("differs from the graph of package querytest: %s", d)
	}
	tt, err := g.Totals()
	if ok(err); tt.Episodes != len(eps) || tt.Copies != len(eps)-len(count) {
		t.Fatalf("%d episodes, %d copies; want %d, %d", tt.Episodes, tt.Copies, len(eps), len(eps)-len(count))
	}
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
