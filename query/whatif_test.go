package query_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"episodes/episode"
	"episodes/internal/testing/querytest"
	"episodes/query"
	"episodes/stats"
)

const cacheQuestion = "Which cache eviction policy?"

// sessions returns n episodes that each took one option at one question.
func sessions(prefix, question, option string, outcome episode.Outcome, n int, rejected ...string) (out []*episode.Episode) {
	for i := range n {
		out = append(out, querytest.Build(fmt.Sprintf("%s-%03d", prefix, i), outcome).Decide(question, option, outcome, rejected...).Done())
	}
	return out
}

func graphFrom(lists ...[]*episode.Episode) *querytest.Graph {
	var all []*episode.Episode
	for _, l := range lists {
		all = append(all, l...)
	}
	return querytest.New(all...)
}

func TestWhatIf(t *testing.T) {
	lru := func(s, f, u int) []*episode.Episode {
		return append(append(sessions("lru-s", cacheQuestion, "Evict the least recently used", episode.Success, s), sessions("lru-f", cacheQuestion, "Evict the least recently used", episode.Failure, f)...),
			sessions("lru-u", cacheQuestion, "Evict the least recently used", episode.Unknown, u)...)
	}
	fifo := func(s, f, u int) []*episode.Episode {
		return append(append(sessions("fifo-s", cacheQuestion, "Evict in arrival order", episode.Success, s), sessions("fifo-f", cacheQuestion, "Evict in arrival order", episode.Failure, f)...),
			sessions("fifo-u", cacheQuestion, "Evict in arrival order", episode.Unknown, u)...)
	}
	type want struct {
		Alternative, Actual string
		Verdict             query.Verdict
		Effect              bool
		Note                string
	}
	// Decisions without a question are one choice only where they name each other.
	unasked := graphFrom(sessions("a", "", "Squash the commits", episode.Success, 3, "Keep the commits"), sessions("b", "", "Keep the commits", episode.Failure, 3), sessions("c", "", "Pin the linter", episode.Success, 9))
	for _, c := range []struct {
		name string
		g    *querytest.Graph
		q    query.WhatIfQuery
		want want
	}{
		{"without a question", unasked, query.WhatIfQuery{Option: "keep all the commits"}, want{"Keep the commits", "Squash the commits", query.Worse, true, ""}},
		{"hyphenated words without a question", unasked, query.WhatIfQuery{Option: "keep-the-commits"}, want{"Keep the commits", "Squash the commits", query.Worse, true, ""}},
		{"without a question, and named by no other", unasked, query.WhatIfQuery{Option: "pin the linter"}, want{"Pin the linter", "", query.NotEnoughEvidence, false, ""}},
		{"better", graphFrom(lru(9, 1, 0), fifo(2, 9, 0)), query.WhatIfQuery{Option: "least recently used"},
			want{"Evict the least recently used", "Evict in arrival order", query.Better, true, ""}},
		{"worse", graphFrom(lru(9, 1, 0), fifo(2, 9, 0)), query.WhatIfQuery{Option: "evict in arrival order"},
			want{"Evict in arrival order", "Evict the least recently used", query.Worse, true, ""}},
		{"no difference needs many", graphFrom(lru(200, 100, 0), fifo(200, 100, 0)), query.WhatIfQuery{Option: "arrival order"},
			want{"Evict in arrival order", "Evict the least recently used", query.NoDifference, true, ""}},
		{"two known outcomes of a side are too few", graphFrom(lru(9, 0, 0), fifo(0, 2, 3)), query.WhatIfQuery{Option: "arrival order"},
			want{"Evict in arrival order", "Evict the least recently used", query.NotEnoughEvidence, false, ""}},
		{"three are enough", graphFrom(lru(9, 0, 0), fifo(0, 3, 3)), query.WhatIfQuery{Option: "arrival order"},
			want{"Evict in arrival order", "Evict the least recently used", query.Worse, true, ""}},
		{"the context fits nothing", graphFrom(lru(9, 1, 0), fifo(2, 9, 0)), query.WhatIfQuery{Option: "arrival order", Context: "zzz"},
			want{"Evict in arrival order", "Evict the least recently used", query.Worse, true, `the context "zzz" matches no question here and is left aside`}},
		{"neither the context nor the option fits", graphFrom(lru(1, 0, 0)), query.WhatIfQuery{Option: "a bloom filter", Context: "zzz"},
			want{"a bloom filter", "", query.NotEnoughEvidence, false, `the context "zzz" matches no question here and is left aside; no decision names it as an option or a question`}},
		{"rejected but never tried", graphFrom(sessions("lru", cacheQuestion, "Evict the least recently used", episode.Success, 5, "Evict at random")), query.WhatIfQuery{Option: "evict at random"},
			want{"Evict at random", "Evict the least recently used", query.NotEnoughEvidence, false, ""}},
		{"never named, but the context fits", graphFrom(lru(5, 0, 0)), query.WhatIfQuery{Option: "a bloom filter", Context: "cache eviction policy"},
			want{"a bloom filter", "Evict the least recently used", query.NotEnoughEvidence, false, ""}},
		{"never named", graphFrom(lru(5, 0, 0)), query.WhatIfQuery{Option: "a bloom filter"},
			want{"a bloom filter", "", query.NotEnoughEvidence, false, `no decision names it as an option or a question`}},
		{"never named, by an episode", graphFrom(lru(1, 0, 0)), query.WhatIfQuery{Option: "a bloom filter", Episode: "lru-s-000"},
			want{"a bloom filter", "", query.NotEnoughEvidence, false, `no decision names it; the episode decided d001 "Evict the least recently used"`}},
		{"an episode that is not there", graphFrom(lru(1, 0, 0)), query.WhatIfQuery{Option: "a bloom filter", Episode: "x"},
			want{"a bloom filter", "", query.NotEnoughEvidence, false, `no decision names it, and no decision of "x" is in the graph`}},
		{"only one option was ever named", graphFrom(lru(5, 0, 0)), query.WhatIfQuery{Option: "least recently used"},
			want{"Evict the least recently used", "", query.NotEnoughEvidence, false, ""}},
		{"the actual choice is the episode's", graphFrom(lru(9, 1, 0), fifo(2, 9, 0), sessions("odd", cacheQuestion, "Evict at random", episode.Failure, 1)), query.WhatIfQuery{Option: "least recently used", Episode: "odd-000"},
			want{"Evict the least recently used", "Evict at random", query.NotEnoughEvidence, false, ""}},
		{"the words name what the episode chose", graphFrom(lru(9, 1, 0), fifo(2, 9, 0)), query.WhatIfQuery{Option: "least recently used", Episode: "lru-s-001"},
			want{"Evict in arrival order", "Evict the least recently used", query.Worse, true, `the episode chose "Evict the least recently used"; the most used other option is the alternative`}},
		{"the words name the question", graphFrom(lru(9, 1, 0), fifo(2, 8, 0)), query.WhatIfQuery{Option: "cache eviction policy", Episode: "fifo-s-000"},
			want{"Evict the least recently used", "Evict in arrival order", query.Better, true, `the episode chose "Evict in arrival order"; the most used other option is the alternative`}},
		{"the episode's question before another's option", graphFrom(lru(9, 1, 0), fifo(2, 8, 0), sessions("b", "Which book?", "One on cache eviction policy", episode.Success, 1)), query.WhatIfQuery{Option: "cache eviction policy", Episode: "fifo-s-000"},
			want{"Evict the least recently used", "Evict in arrival order", query.Better, true, `the episode chose "Evict in arrival order"; the most used other option is the alternative`}},
		{"the words name the question of no episode", graphFrom(lru(9, 2, 0), fifo(2, 8, 0)), query.WhatIfQuery{Option: "cache eviction policy"},
			want{"Evict in arrival order", "Evict the least recently used", query.Worse, true, "the words name the question, so its two most used options are compared"}},
		{"a decision by its id", graphFrom(lru(9, 1, 0), fifo(2, 9, 0)), query.WhatIfQuery{Option: "episode-fifo-s-000#d001"},
			want{"Evict the least recently used", "Evict in arrival order", query.Better, true, `the episode chose "Evict in arrival order"; the most used other option is the alternative`}},
		{"the episode decided something else", graphFrom(lru(9, 1, 0), fifo(2, 9, 0), sessions("else", "Which queue?", "A ring buffer", episode.Success, 1)), query.WhatIfQuery{Option: "least recently used", Episode: "else-000"},
			want{"Evict the least recently used", "Evict in arrival order", query.Better, true, "else-000 has no decision at this point, so the most used other option stands for what was done"}},
		{"the question beside the option, as a label has it", graphFrom(lru(9, 1, 0), fifo(2, 9, 0)), query.WhatIfQuery{Option: cacheQuestion + ": Evict in arrival order"},
			want{"Evict in arrival order", "Evict the least recently used", query.Worse, true, ""}},
	} {
		t.Run(c.name, func(t *testing.T) {
			res, err := query.WhatIf(c.g, c.q)
			check(t, err)
			got := want{res.Alternative.Option, res.Actual.Option, res.Verdict, res.Effect != nil, res.Note}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Error(d)
			}
		})
	}
}

// A decision node asks about its option, at its own question.
func TestWhatIfByNode(t *testing.T) {
	g := graphFrom(
		sessions("a", cacheQuestion, "Least recently used", episode.Success, 4), sessions("b", cacheQuestion, "Arrival order", episode.Failure, 3),
		sessions("c", "", "Squash the commits", episode.Success, 3, "Keep the commits"), sessions("d", "", "Keep the commits", episode.Failure, 2),
	)
	for _, c := range []struct{ label, episode, actual string }{
		{cacheQuestion + ": Arrival order", "", "Least recently used"},
		{cacheQuestion + ": Least recently used", "b-000", "Arrival order"},
		{"Keep the commits", "", "Squash the commits"},
	} {
		n := labelled(t, g, c.label)
		res, err := query.WhatIf(g, query.WhatIfQuery{Option: n.ID, Episode: c.episode})
		check(t, err)
		if !strings.HasSuffix(c.label, res.Alternative.Option) || res.Actual.Option != c.actual || len(res.Options) != 2 {
			t.Errorf("%q: %q against %q", c.label, res.Alternative.Option, res.Actual.Option)
		}
	}
}

// The figures of one answer, against hand counts and the intervals of stats.
func TestWhatIfFigures(t *testing.T) {
	g := graphFrom(
		sessions("a", cacheQuestion, "Least recently used", episode.Success, 4, "Arrival order"),
		sessions("b", cacheQuestion, "Least recently used", episode.Partial, 1),
		sessions("c", cacheQuestion, "Arrival order", episode.Failure, 3),
		sessions("d", cacheQuestion, "Arrival order", episode.Unknown, 2),
		// Its outcome is the session's, and it took the option twice with one result.
		[]*episode.Episode{querytest.Build("e", episode.Success).Decide(cacheQuestion, "Arrival order", episode.Unknown).Decide(cacheQuestion, "Arrival order", episode.Unknown).Done()},
		// It took the option twice with two results: partial.
		[]*episode.Episode{querytest.Build("f", episode.Unknown).Decide(cacheQuestion, "Arrival order", episode.Failure).Decide(cacheQuestion, "Arrival order", episode.Success).Done()},
	)
	res, err := query.WhatIf(g, query.WhatIfQuery{Option: "arrival order"})
	check(t, err)
	mean, wilson := stats.WilsonCentre(1, 5, .9), stats.Wilson(1, 5, .9)
	if d := cmp.Diff(query.OptionStats{Option: "Arrival order", N: 7, Successes: 1, Partial: 1, Failures: 3, Unknown: 2, Days: 1, Estimate: &mean, Low: wilson.Low, High: wilson.High}, res.Alternative); d != "" {
		t.Error(d)
	}
	if res.Actual.N != 5 || res.Actual.Successes != 4 || res.Actual.Partial != 1 {
		t.Errorf("actual %+v", res.Actual)
	}
	i := stats.Newcombe(1, 5, 4, 5, .9)
	if d := cmp.Diff(&query.Effect{Difference: *res.Alternative.Estimate - *res.Actual.Estimate, Low: i.Low, High: i.High}, res.Effect); d != "" {
		t.Error(d)
	}
	if len(res.Matched) != 14 {
		t.Errorf("%d decisions matched, want 14", len(res.Matched))
	}
	if !strings.HasPrefix(res.Method, "counts of sessions, and Newcombe's") {
		t.Errorf("method %q", res.Method)
	}
}

// The same option at two questions: the context decides which is meant, and
// otherwise the other is named.
func TestWhatIfContextNarrows(t *testing.T) {
	g := graphFrom(
		sessions("a", "How to test the parser?", "Golden files", episode.Success, 6, "Table tests"),
		sessions("b", "How to test the renderer?", "Golden files", episode.Failure, 3, "Screenshots"),
	)
	for _, c := range []struct{ context, want string }{
		{"", "How to test the parser?"}, {"renderer", "How to test the renderer?"}, {"test the parser", "How to test the parser?"},
	} {
		res, err := query.WhatIf(g, query.WhatIfQuery{Option: "golden files", Context: c.context})
		check(t, err)
		if res.Decision.Context != c.want {
			t.Errorf("context %q leads to %q", c.context, res.Decision.Context)
		}
		if (c.context == "") != (len(res.AlsoAt) == 1) {
			t.Errorf("context %q: also at %v", c.context, res.AlsoAt)
		}
	}
}

// Options with keys of their own meet under them, whether taken or rejected.
func TestWhatIfFollowsOptionKeys(t *testing.T) {
	a := querytest.Build("a", episode.Success).Decide(cacheQuestion, "LRU, as always", episode.Success, "FIFO").Done()
	a.Decisions[0].OptionKeys = []string{"lru", "fifo"}
	b := querytest.Build("b", episode.Failure).Decide(cacheQuestion, "First in, first out", episode.Failure, "LRU, as always").Done()
	b.Decisions[0].OptionKeys = []string{"fifo", "lru"}
	res, err := query.WhatIf(querytest.New(a, b), query.WhatIfQuery{Option: "LRU, as always"})
	check(t, err)
	if res.Alternative.N != 1 || res.Alternative.Successes != 1 {
		t.Errorf("%+v", res.Options)
	}
}

func drawEpisodes(t *rapid.T) []*episode.Episode {
	questions := []string{"", "Which cache?", "Which queue?", "How to retry?"}
	options := []string{"Least recently used", "Arrival order", "Ring buffer", "Exponential backoff", "No retry"}
	n := rapid.IntRange(1, 14).Draw(t, "episodes")
	var out []*episode.Episode
	for i := range n {
		b := querytest.Build(fmt.Sprintf("s%02d", i), rapid.SampledFrom(episode.Outcomes()).Draw(t, "outcome"))
		b.Event(episode.Error, "tests are red again")
		for j := range rapid.IntRange(0, 3).Draw(t, "decisions") {
			opts := rapid.SliceOfNDistinct(rapid.SampledFrom(options), 1, 3, rapid.ID).Draw(t, "options")
			b.Decide(rapid.SampledFrom(questions).Draw(t, "question"), opts[0], rapid.SampledFrom(episode.Outcomes()).Draw(t, "result"), opts[1:]...)
			if rapid.Bool().Draw(t, "linked") {
				b.Link("e001", episode.DecisionID(j+1), episode.Causes)
			}
		}
		out = append(out, b.Done())
	}
	return out
}

func TestWhatIfProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		eps := drawEpisodes(t)
		g := querytest.New(eps...)
		q := query.WhatIfQuery{
			Option:  rapid.SampledFrom([]string{"arrival order", "ring buffer", "backoff", "which cache", "redis", "retry", ""}).Draw(t, "option"),
			Episode: rapid.SampledFrom([]string{"", "s00", "episode-s01", "nowhere"}).Draw(t, "episode"),
			Context: rapid.SampledFrom([]string{"", "cache", "retry"}).Draw(t, "context"),
		}
		res, err := query.WhatIf(g, q)
		check(t, err)
		for _, s := range append([]query.OptionStats{res.Actual, res.Alternative}, res.Options...) {
			if s.N != s.Successes+s.Partial+s.Failures+s.Unknown || s.Unknown > s.N {
				t.Fatalf("counts of %+v do not add up", s)
			}
			if (s.Estimate == nil) != (s.Known() == 0) || s.Estimate != nil && !(s.Low <= *s.Estimate && *s.Estimate <= s.High) {
				t.Fatalf("estimate of %+v", s)
			}
			if s.N > len(eps) {
				t.Fatalf("%d episodes, but %q was taken in %d", len(eps), s.Option, s.N)
			}
		}
		if (res.Effect == nil) != (res.Verdict == query.NotEnoughEvidence) || res.Effect != nil && min(res.Actual.Known(), res.Alternative.Known()) < 3 {
			t.Fatalf("effect %v of %+v and %+v", res.Effect, res.Actual, res.Alternative)
		}
		if e := res.Effect; e != nil && !(e.Low <= e.Difference && e.Difference <= e.High && math.Abs(e.Low) <= 1 && math.Abs(e.High) <= 1) {
			t.Fatalf("effect %+v", e)
		}
		if res.Decision.Episode != "" && res.Decision.Chosen != "" && res.Actual.N == 0 {
			t.Fatal("the episode's own choice is not counted")
		}
		if res.Method == "" {
			t.Fatal("no method")
		}
		again, err := query.WhatIf(querytest.New(rapid.Permutation(eps).Draw(t, "order")...), q)
		check(t, err)
		if d := cmp.Diff(res, again); d != "" {
			t.Fatalf("the order of episodes shows:\n%s", d)
		}
	})
}

// A question names its options: where the logs compare them, that is the answer; else it
// says what they know of each, never of another option.
func TestWhatIfAsksBetweenOptions(t *testing.T) {
	g := graphFrom(
		sessions("a", cacheQuestion, "Least recently used", episode.Success, 4, "Arrival order"),
		sessions("b", cacheQuestion, "Arrival order", episode.Failure, 3),
		sessions("c", "", "Nightly build on the big runner", episode.Success, 2),
		sessions("d", "", "Write the hooks in Python", episode.Failure, 1),
		sessions("e", "", "Replaced bash with Python in three hooks of the release", episode.Success, 1),
	)
	known := func(asked []query.AskedOption) (out []string) {
		for _, a := range asked {
			text := a.Asked
			if a.Option != nil {
				text += fmt.Sprintf(" = %s, %d of %d", a.Option.Option, a.Option.Successes, a.Option.N)
			}
			out = append(out, text)
		}
		return out
	}
	for question, want := range map[string][]string{
		"Should we use the nightly build or a merge queue for releases?": {"use the nightly build = Nightly build on the big runner, 2 of 2", "a merge queue"},
		"a nightly build or a merge queue?":                              {"a nightly build = Nightly build on the big runner, 2 of 2", "a merge queue"},
		"bash or python for the hooks?":                                  {"bash", "python = Write the hooks in Python, 0 of 1"},
		"jest or vitest":                                                 nil,
	} {
		res, err := query.WhatIf(g, query.WhatIfQuery{Option: question})
		check(t, err)
		if d := cmp.Diff(want, known(res.Asked)); d != "" || res.Verdict != query.NotEnoughEvidence || len(res.Matched) > 0 {
			t.Errorf("%q: %s", question, d)
		}
	}
	res, err := query.WhatIf(g, query.WhatIfQuery{Option: "arrival order or least recently used?"})
	check(t, err)
	if res.Alternative.Option != "Arrival order" || res.Actual.Option != "Least recently used" || res.Verdict != query.Worse {
		t.Errorf("compared %q with %q: %s", res.Alternative.Option, res.Actual.Option, res.Verdict)
	}
}
