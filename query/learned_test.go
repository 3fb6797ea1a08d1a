package query_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"episodes/episode"
	"episodes/infer"
	"episodes/internal/testing/querytest"
	"episodes/query"
	"episodes/query/text"
)

// habit is a world in which the option taken for hard tasks is the better one.
func habit() (eps []*episode.Episode) {
	for i, c := range []struct {
		task, option string
		n, good      int
	}{
		{"easy upload", "retry loop", 60, 48}, {"easy upload", "busy timeout", 20, 19},
		{"hard migration", "retry loop", 20, 4}, {"hard migration", "busy timeout", 60, 30},
	} {
		for j := range c.n {
			out := episode.Failure
			if j < c.good {
				out = episode.Success
			}
			ep := querytest.Build(fmt.Sprintf("s%d-%02d", i, j), out).Decide("how to wait for the lock", c.option, episode.Unknown).Done()
			ep.Task = c.task
			eps = append(eps, ep)
		}
	}
	return eps
}

func studyOf(eps []*episode.Episode) *infer.Study {
	var records []infer.Record
	for _, ep := range eps {
		records = append(records, infer.FromEpisode(ep))
	}
	return infer.New(records)
}

func TestWhatIfUnderLikeConditions(t *testing.T) {
	eps := habit()
	g, s := querytest.New(eps...), studyOf(eps)
	q := query.WhatIfQuery{Option: "busy timeout", Context: "how to wait for the lock"}
	bare, err := query.WhatIf(g, q)
	if err != nil || bare.Verdict == query.Better || bare.Judged() {
		t.Fatalf("%+v, %v", bare, err)
	}
	q.Study = s
	r, err := query.WhatIf(g, q)
	if err != nil || !r.Judged() || r.Verdict != query.Better || r.Effect == nil || r.Effect.Low <= 0 {
		t.Fatalf("%+v, %v", r, err)
	}
	if math.Abs(r.Effect.Difference-(*r.Alternative.Expected-*r.Actual.Expected)) > 1e-12 {
		t.Errorf("%+v of %+v and %+v", r.Effect, r.Alternative, r.Actual)
	}
	if o := r.Options; o[0].Expected == nil || *o[0].Expected < *o[1].Expected || bare.Options[0].Expected != nil {
		t.Errorf("the options are not sorted by their expected success: %+v", o)
	}
	for _, want := range []string{"better; under like conditions", "a difference of +"} {
		if out := text.WhatIf(r, 0); !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	// For a hard one, where both ways work less often.
	all := *r.Alternative.Expected
	q.Episode = "s2-10"
	r, err = query.WhatIf(g, q)
	if err != nil || !r.Judged() || *r.Alternative.Expected >= all {
		t.Fatalf("%+v, %v", r.Alternative, err)
	}
}

func TestLearnedPaths(t *testing.T) {
	eps := habit()
	g, s := querytest.New(eps...), studyOf(eps)
	for _, end := range []string{"outcome: success", "outcome: failure"} {
		r, err := query.Paths(g, "retry loop", end, query.PathOptions{Edges: s.Edges()})
		if err != nil {
			t.Fatal(err)
		}
		l := r.Learned
		if !l.Any() {
			t.Fatalf("nothing learned: %+v", r)
		}
		// The retry loop is the worse one: it lowers success and raises failure.
		if up := len(l.Raises) > 0; up != (end == "outcome: failure") {
			t.Errorf("%s: %+v", end, l)
		}
		if out := text.Path(r, 0); !strings.Contains(out, "across sessions") || len(out) >= 4*text.PathTokens {
			t.Errorf("%s", out)
		}
	}
	if r, err := query.Paths(g, "retry loop", "busy timeout", query.PathOptions{Edges: s.Edges()}); err != nil || r.Learned.Any() {
		t.Errorf("one option leads to another: %+v, %v", r.Learned, err)
	}
}
