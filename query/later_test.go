package query_test

import (
	"testing"

	"episodes/episode"
	"episodes/internal/testing/querytest"
	"episodes/query"
)

// What a later session reversed, or decided otherwise, is told by explain, what-if and path.
func TestLaterDecisions(t *testing.T) {
	const store, redis, retry = "Where to keep the sessions?", "Keep them in Redis", "Retry uploads twice on timeouts"
	g := querytest.New(
		querytest.Build("a", episode.Success).Task("shop", "2026-01-05").Decide(store, redis, episode.Success).Done(),
		querytest.Build("b", episode.Success).Task("shop", "2026-02-05").Decide(store, "Keep them in Postgres", episode.Success).Done(),
		querytest.Build("c", episode.Success).Task("shop", "2026-01-06").Decide("", retry, episode.Success).
			Event(episode.Milestone, "uploads finish").Link("d001", "e001", episode.Causes).Done(),
		querytest.Build("d", episode.Success).Task("shop", "2026-02-06").Decide("", "Reverted retry of uploads twice on timeouts", episode.Success).Done(),
		querytest.Build("e", episode.Success).Task("shop", "2026-02-07").Decide("", "Retry downloads twice", episode.Success).Done(),
	)
	for _, c := range []struct {
		option, later string
		reverses      bool
	}{
		{redis, "Keep them in Postgres", false},
		{"Keep them in Postgres", "", false},
		{retry, "Reverted retry of uploads twice on timeouts", true},
		{"Retry downloads twice", "", false},
	} {
		res, err := query.WhatIf(g, query.WhatIfQuery{Option: c.option})
		check(t, err)
		x, err := query.Explain(g, g, c.option, query.ExplainOptions{})
		check(t, err)
		for what, l := range map[string]*query.LaterDecision{"what-if": res.Later, "explain": x.Node.Account.Later} {
			switch {
			case l == nil && c.later != "", l != nil && (l.Chosen != c.later || l.Reverses != c.reverses || l.Date == ""):
				t.Errorf("%s of %q: %+v", what, c.option, l)
			}
		}
	}
	p, err := query.Paths(g, retry, "uploads finish", query.PathOptions{Episodes: g})
	check(t, err)
	if p.From.Superseded != "Reverted retry of uploads twice on timeouts" {
		t.Errorf("path from %+v", p.From)
	}
}
