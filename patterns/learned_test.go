package patterns_test

import (
	"fmt"
	"slices"
	"testing"

	"episodes/episode"
	"episodes/infer"
	"episodes/internal/testing/querytest"
	"episodes/patterns"
	"episodes/query"
)

// paradox is Simpson's: hard tasks fail more often, and the better option is taken
// mostly for them, so that the bare rates point the wrong way.
func paradox() (eps []*episode.Episode) {
	add := func(task, option string, n, good int) {
		for i := range n {
			out := episode.Failure
			if i < good {
				out = episode.Success
			}
			ep := took(fmt.Sprintf("%s-%s-%03d", task[:4], option[:4], i), question, option, out, 1)[0]
			ep.Task = task
			eps = append(eps, ep)
		}
	}
	add("easy upload", "Retry loop", 80, 64)
	add("easy upload", "Busy timeout", 20, 20)
	add("hard migration", "Retry loop", 20, 2)
	add("hard migration", "Busy timeout", 80, 32)
	return eps
}

func TestLikeConditionsTurnTheParadox(t *testing.T) {
	res := mine(t, paradox())
	i := slices.IndexFunc(res.Patterns, func(p patterns.Pattern) bool { return p.Action == "Busy timeout" && p.Task == "" })
	if i < 0 {
		t.Fatalf("not found among %v", told(res))
	}
	p := res.Patterns[i]
	if p.Kind != query.GoodPattern || p.SuccessRate > p.Baseline || p.Adjusted < .2 || p.QValue > .1 || len(p.Episodes) != 100 || len(p.Uses) != 100 {
		t.Errorf("%+v", p)
	}
	// Thresholds only narrow what was mined.
	for _, p := range res.Within(patterns.Defaults()).Patterns {
		if p.Kind == query.GoodPattern && p.SuccessRate < patterns.Defaults().MinSuccess {
			t.Errorf("%+v", p)
		}
	}
}

// What was seen before the choice is a context, unless it is the choice itself told
// as a milestone.
func TestSeenIsNotTheActionAgain(t *testing.T) {
	for _, tt := range []struct {
		seen string
		want bool
	}{{"Database is locked", true}, {"Busy timeout", false}} {
		var eps []*episode.Episode
		for i := range 240 {
			seen, busy := i%2 == 0, i/2%2 == 0
			good := 8
			if seen == busy { // what helps depends on what was seen
				good = 2
			}
			out := episode.Success
			if i/4%10 < good {
				out = episode.Failure
			}
			b := querytest.Build(fmt.Sprintf("s%03d", i), out)
			if seen {
				b.Event(episode.Milestone, tt.seen)
			}
			option := "Retry loop"
			if busy {
				option = "Busy timeout everywhere"
			}
			ep := b.Decide(question, option, out).Done()
			for j := range ep.Events {
				ep.Events[j].Timestamp = "2026-01-01T09:00:00Z"
			}
			ep.Decisions[0].Timestamp = "2026-01-01T10:00:00Z"
			eps = append(eps, ep)
		}
		claims := study(eps).Claims()
		if !slices.ContainsFunc(claims, func(c infer.Claim) bool {
			return c.Asserted && c.Seen != nil && c.Option.Label == "Busy timeout everywhere"
		}) {
			t.Fatalf("%q: no claim to tell: %+v", tt.seen, claims)
		}
		res := mine(t, eps)
		found := slices.ContainsFunc(res.Patterns, func(p patterns.Pattern) bool { return p.Seen != "" && p.Action == "Busy timeout everywhere" })
		if found != tt.want {
			t.Errorf("%q: found %v among %v", tt.seen, found, told(res))
		}
	}
}
