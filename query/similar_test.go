package query_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"episodes/causal"
	"episodes/episode"
	"episodes/internal/testing/querytest"
	"episodes/query"
)

// taken are decisions about a cache and a queue; one of them was taken twice.
func taken() (all []query.SimilarDecision) {
	on := func(day int, out episode.Outcome, task, question, chosen, reason string, rejected ...string) {
		b := querytest.Build(fmt.Sprintf("s%02d", day), out).Task(task, fmt.Sprintf("2026-03-%02d", day)).Decide(question, chosen, episode.Unknown, rejected...)
		if reason != "" {
			b.Because(reason)
		}
		all = append(all, query.DecisionsOf(b.Done())...)
	}
	on(1, episode.Success, "speed up the search page", "Which cache eviction policy?", "Evict in arrival order", "it needs no clock", "Least recently used")
	on(2, episode.Failure, "speed up the search page", "Which cache eviction policy?", "Evict in arrival order", "")
	on(3, episode.Success, "tidy up", "Which cache eviction policy?", "Least recently used", "hot pages stay in the cache")
	on(4, episode.Partial, "drain the queue", "How to drain the queue?", "A second worker", "the first one waits for the disk")
	on(5, episode.Success, "drain the queue", "", "Pin the linter", "")
	return all
}

func TestSimilar(t *testing.T) {
	for _, c := range []struct {
		context string
		limit   int
		want    []string
		more    int
	}{
		{"cache eviction", 0, []string{"Least recently used", "Evict in arrival order"}, 0},
		{"cache eviction", 1, []string{"Evict in arrival order"}, 1},
		{"who waits for the disk", 0, []string{"A second worker"}, 0}, // by its reason
		{"the search page", 0, []string{"Evict in arrival order"}, 0}, // by its task
		{"kubernetes ingress", 0, nil, 0},
		{"kubernetes ingress of the cache", 0, nil, 0}, // one word of three
		{"", 0, nil, 0},
	} {
		found, more := query.Similar(taken(), 0, c.context, c.limit)
		var got []string
		for _, d := range found {
			got = append(got, d.Text)
		}
		if d := cmp.Diff(c.want, got); d != "" || more != c.more {
			t.Errorf("%q: %d more, %s", c.context, more, d)
		}
	}
}

// What several sessions decided alike is one decision: the last, with the outcomes of all
// and a reason where one of them gives it.
func TestSimilarCountsSessions(t *testing.T) {
	found, _ := query.Similar(taken(), 0, "evict in arrival order", 1)
	if len(found) != 1 || found[0].Episode != "episode-s02" || found[0].Outcomes != (causal.Tally{Success: 1, Failure: 1}) || found[0].Rationale != "it needs no clock" || found[0].Date != "2026-03-02" {
		t.Errorf("%+v", found)
	}
}
