package patterns_test

import (
	"fmt"
	"slices"
	"testing"

	"episodes/episode"
	"episodes/infer"
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

func study(eps []*episode.Episode) *infer.Study {
	var records []infer.Record
	for _, ep := range eps {
		records = append(records, infer.FromEpisode(ep))
	}
	return infer.New(records)
}

func TestLikeConditionsTurnTheParadox(t *testing.T) {
	eps := paradox()
	o := patterns.Loosest()
	o.Study = study(eps)
	res := mine(t, o, eps)
	i := slices.IndexFunc(res.Patterns, func(p patterns.Pattern) bool { return p.Action == "Busy timeout" && p.Task == "" })
	if i < 0 {
		t.Fatalf("not found among %v", told(res))
	}
	p := res.Patterns[i]
	if p.Kind != query.GoodPattern || p.SuccessRate > p.Baseline || p.Adjusted == nil || p.Adjusted.Difference < .2 || p.Adjusted.Low <= 0 || p.QValue > .1 || len(p.Episodes) != 100 || len(p.Uses) != 100 {
		t.Errorf("%+v of %+v", p.Adjusted, p)
	}
	bare := mine(t, patterns.Loosest(), eps)
	if slices.ContainsFunc(bare.Patterns, func(p patterns.Pattern) bool {
		return p.Action == "Busy timeout" && p.Kind == query.GoodPattern
	}) {
		t.Error("the example is no paradox")
	}
	// Thresholds only narrow what was mined.
	for _, p := range res.Within(patterns.Defaults()).Patterns {
		if p.Kind == query.GoodPattern && p.SuccessRate < patterns.Defaults().MinSuccess {
			t.Errorf("%+v", p)
		}
	}
}

func TestTooFewSessionsTellNothing(t *testing.T) {
	eps := slices.Concat(took("a", question, "Busy timeout", episode.Success, 9), took("b", question, "Retry loop", episode.Failure, 9))
	o := patterns.Defaults()
	o.Study = study(eps)
	if res := mine(t, o, eps); len(eps) >= infer.LeastSessions || len(res.Patterns) != 0 {
		t.Errorf("%d sessions, %v", len(eps), told(res))
	}
}
