package query_test

import (
	"strings"
	"testing"

	"episodes/episode"
	"episodes/internal/testing/querytest"
	"episodes/query"
)

func TestQuestions(t *testing.T) {
	lru := func(o episode.Outcome, rejected ...string) []*episode.Episode {
		return sessions("lru", cacheQuestion, "Evict the least recently used", o, 1, rejected...)
	}
	fifo := sessions("fifo", cacheQuestion, "Evict in arrival order", episode.Success, 1)
	for _, c := range []struct {
		name string
		g    *querytest.Graph
		want string
	}{
		{"no way again, all went well", graphFrom(lru(episode.Success), fifo), ""},
		{"one did not", graphFrom(lru(episode.Failure), fifo), "Evict in arrival order 1, Evict the least recently used 1"},
		{"another was named", graphFrom(lru(episode.Success, "Keep all"), fifo), "Evict in arrival order 1, Evict the least recently used 1, Keep all 0"},
		{"what was named was taken", graphFrom(lru(episode.Failure, "Evict in strict arrival order"), fifo), "Evict in arrival order 1, Evict the least recently used 1"},
		{"what reviewers conclude is no way", graphFrom(sessions("pass", "Security", "Security: PASS", episode.Success, 2),
			sessions("revise", "Security", "NEEDS_REVISION", episode.Success, 1)), ""},
		{"nor beside ways", graphFrom(lru(episode.Failure), fifo, sessions("ok", cacheQuestion, "Approved with changes", episode.Success, 1)),
			"Evict in arrival order 1, Evict the least recently used 1"},
		{"a way that begins alike", graphFrom(sessions("ready", cacheQuestion, "Pass the policy as an argument", episode.Success, 2, "Keep all")), "Pass the policy as an argument 2, Keep all 0"},
		{"one way only", graphFrom(sessions("lru", cacheQuestion, "Evict the least recently used", episode.Failure, 2)), ""},
	} {
		questions, total, err := query.Questions(c.g, 1)
		if err != nil || total != len(questions) {
			t.Errorf("%s: %d of %d, %v", c.name, len(questions), total, err)
		}
		var got []string
		for _, q := range questions {
			for _, o := range q.Options {
				got = append(got, o.Option+" "+string(rune('0'+o.N)))
			}
		}
		if s := strings.Join(got, ", "); s != c.want {
			t.Errorf("%s: %q", c.name, s)
		}
	}
}
