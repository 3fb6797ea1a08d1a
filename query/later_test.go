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
		if l := res.Later; l == nil && c.later != "" || l != nil && (l.Chosen != c.later || l.Reverses != c.reverses || l.Date == "") {
			t.Errorf("what-if of %q: %+v", c.option, l)
		}
		x, err := query.Explain(g, g, c.option, query.ExplainOptions{})
		check(t, err)
		if l := x.Node.Node.Later; (l != nil) != c.reverses {
			t.Errorf("explain of %q: %+v", c.option, l)
		}
	}
	p, err := query.Paths(g, retry, "uploads finish", query.PathOptions{Episodes: g})
	check(t, err)
	if p.From.Superseded != "Reverted retry of uploads twice on timeouts" {
		t.Errorf("path from %+v", p.From)
	}
}

// On one day the time of day decides, then the number of the session, then the place in its log.
func TestLaterOnTheSameDay(t *testing.T) {
	const first, undone = "Retry uploads twice on timeouts", "Never retry uploads twice on timeouts"
	one := func(session, clock string, chosen ...string) *episode.Episode {
		b := querytest.Build(session, episode.Success).Task("shop", "2026-01-05")
		for _, c := range chosen {
			b.Decide("", c, episode.Success)
		}
		e := b.Done()
		e.Timestamp = "2026-01-05T" + clock
		return e
	}
	for name, c := range map[string]struct {
		sessions []*episode.Episode
		now      string
	}{
		"one session":           {[]*episode.Episode{one("a", "00:00:00Z", first, undone)}, undone},
		"one session, kept":     {[]*episode.Episode{one("a", "00:00:00Z", undone, first)}, ""},
		"numbered":              {[]*episode.Episode{one("day-01", "00:00:00Z", first), one("day-02", "00:00:00Z", undone)}, undone},
		"numbered, kept":        {[]*episode.Episode{one("day-02", "00:00:00Z", first), one("day-01", "00:00:00Z", undone)}, ""},
		"by the time":           {[]*episode.Episode{one("day-02", "08:00:00Z", first), one("day-01", "09:00:00Z", undone)}, undone},
		"by the time, in zones": {[]*episode.Episode{one("day-02", "08:00:00Z", first), one("day-01", "09:00:00+02:00", undone)}, ""},
		"order not known":       {[]*episode.Episode{one("a", "00:00:00Z", first), one("b", "00:00:00Z", undone)}, ""},
	} {
		g := querytest.New(c.sessions...)
		p, err := query.Paths(g, first, undone, query.PathOptions{Episodes: g})
		check(t, err)
		if p.From.Superseded != c.now || c.now != "" && (p.From.Later == nil || p.From.Later.Date != "2026-01-05") {
			t.Errorf("%s: %+v, %+v", name, p.From, p.From.Later)
		}
	}
}
