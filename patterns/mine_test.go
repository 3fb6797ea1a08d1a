package patterns_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"episodes/causal"
	"episodes/episode"
	"episodes/infer"
	"episodes/internal/testing/querytest"
	"episodes/patterns"
	"episodes/query"
	"episodes/stats"
)

const question = "What to do about flaky upload tests?"

func check(t rapid.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// took returns n episodes that took an option with an outcome.
func took(prefix, question, option string, outcome episode.Outcome, n int) (out []*episode.Episode) {
	for i := range n {
		out = append(out, querytest.Build(fmt.Sprintf("%s-%03d", prefix, i), outcome).Decide(question, option, outcome).Done())
	}
	return out
}

func study(eps []*episode.Episode) *infer.Study {
	var records []infer.Record
	for _, ep := range eps {
		records = append(records, infer.FromEpisode(ep))
	}
	return infer.New(records)
}

func mine(t rapid.TB, lists ...[]*episode.Episode) patterns.Result {
	t.Helper()
	eps := slices.Concat(lists...)
	res, err := patterns.Mine(querytest.New(eps...), study(eps), nil)
	check(t, err)
	return res
}

// told lists the claims, "+ action" or "- action".
func told(res patterns.Result) []string {
	out := []string{}
	for _, p := range res.Patterns {
		out = append(out, map[query.PatternKind]string{query.GoodPattern: "+ ", query.AntiPattern: "- "}[p.Kind]+p.Action)
	}
	slices.Sort(out)
	return out
}

func TestMine(t *testing.T) {
	d := patterns.Defaults()
	with := func(f func(*patterns.Options)) patterns.Options { o := d; f(&o); return o }
	good := took("good", question, "Busy timeout", episode.Success, 12)
	bad := took("bad", question, "Retry loop", episode.Failure, 12)
	both := []string{"+ Busy timeout", "- Retry loop"}
	for _, c := range []struct {
		name       string
		o          patterns.Options
		eps        [][]*episode.Episode
		want       []string
		considered int
	}{
		{"a clear difference", d, [][]*episode.Episode{good, bad}, both, 2},
		{"nothing decided", d, nil, []string{}, 0},
		{"too few to show anything", d, [][]*episode.Episode{good[:9], bad[:9]}, []string{}, 2},
		{"nothing to compare with", d, [][]*episode.Episode{good, good}, []string{}, 0},
		{"no variance", d, [][]*episode.Episode{good, took("also", question, "Retry loop", episode.Success, 12)}, []string{}, 2},
		{"unknown outcomes are no evidence", d, [][]*episode.Episode{good, took("u", question, "Retry loop", episode.Unknown, 30)}, []string{}, 0},
		{"partial is not success", d, [][]*episode.Episode{took("p", question, "Busy timeout", episode.Partial, 12), bad}, []string{}, 2},
		{"partial counts against", d, [][]*episode.Episode{good, took("p", question, "Retry loop", episode.Partial, 12)}, both, 2},
		{"more occurrences asked for", with(func(o *patterns.Options) { o.MinOccurrences = 13 }), [][]*episode.Episode{good, bad}, []string{}, 2},
		{"just as many asked for", with(func(o *patterns.Options) { o.MinOccurrences = 12 }), [][]*episode.Episode{good, bad}, both, 2},
		{"no false claim allowed", with(func(o *patterns.Options) { o.Q = 0 }), [][]*episode.Episode{good, bad}, []string{}, 2},
		{"a rate in the middle is neither", d, [][]*episode.Episode{append(took("a", question, "Busy timeout", episode.Success, 20), took("b", question, "Busy timeout", episode.Failure, 20)...), took("c", question, "Retry loop", episode.Failure, 40)},
			[]string{"- Retry loop"}, 2},
		{"other questions are nothing to compare with", d, [][]*episode.Episode{good, took("x", "Which queue?", "Ring buffer", episode.Failure, 12), took("y", "Which cache?", "LRU", episode.Failure, 12)},
			[]string{}, 0},
		{"without a question there is nothing to compare", d, [][]*episode.Episode{took("a", "", "Busy timeout", episode.Success, 12), took("b", "", "Retry loop", episode.Failure, 12)}, []string{}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			res := mine(t, c.eps...).Within(c.o)
			if d := cmp.Diff(c.want, told(res)); d != "" {
				t.Error(d)
			}
			if res.Considered != c.considered {
				t.Errorf("%d considered, want %d", res.Considered, c.considered)
			}
		})
	}
}

// The figures of a pattern, by hand and by package stats.
func TestPatternFigures(t *testing.T) {
	res := mine(t,
		took("a", question, "Busy timeout", episode.Success, 8), took("b", question, "Busy timeout", episode.Partial, 1), took("c", question, "Busy timeout", episode.Unknown, 4),
		took("d", question, "Retry loop", episode.Failure, 10), took("e", question, "Skip them", episode.Success, 1))
	i := slices.IndexFunc(res.Patterns, func(p patterns.Pattern) bool { return p.Kind == query.GoodPattern })
	p := res.Patterns[i]
	w := stats.Wilson(8, 9, query.Level)
	rate, base := 8./9, 1./11
	lift := rate / base
	want := patterns.Pattern{
		ID: causal.PatternID("about flaki test upload => busi timeout"), Name: "about flaki test upload => busi timeout", Kind: query.GoodPattern, Trigger: question, Action: "Busy timeout",
		Description: `For the question "What to do about flaky upload tests?", "Busy timeout" ended well in 8 of 9 sessions (89 %); the other options there did in 1 of 11 (9 %); under like conditions the difference is +0.80.`,
		SuccessRate: 8. / 9, Low: w.Low, High: w.High, Baseline: base, BaselineN: 11, Lift: &lift, Adjusted: rate - base,
		PValue: stats.FisherMidP(stats.Table{Successes: 8, N: 9, OtherSuccesses: 1, OtherN: 11}), QValue: p.QValue, Occurrences: 9, Instances: 9,
		Episodes: p.Episodes, Uses: p.Uses,
		Spread: query.Spread{Sessions: 9, Days: 1, OneDay: true}, // no session has a date
	}
	if d := cmp.Diff(want, p, cmpopts.EquateApprox(0, 1e-12)); d != "" {
		t.Error(d)
	}
	if len(p.Episodes) != 9 || len(p.Uses) != 9 || !slices.IsSorted(p.Episodes) || !strings.HasPrefix(p.ID, "p") || len(p.ID) != 13 {
		t.Errorf("%d episodes, %d uses, id %q", len(p.Episodes), len(p.Uses), p.ID)
	}
	// The q-values are those of all that could have been claimed: what was taken once could not.
	q := stats.BenjaminiHochberg([]float64{p.PValue, stats.FisherMidP(stats.Table{Successes: 0, N: 10, OtherSuccesses: 9, OtherN: 10})})
	if q[0] != p.QValue || res.Considered != 2 {
		t.Errorf("q %v, want %v; %d considered", p.QValue, q[0], res.Considered)
	}
}

// A pattern hangs on a day that has more than half of the sessions of either side.
func TestOneDay(t *testing.T) {
	dated := func(day int, eps []*episode.Episode) []*episode.Episode {
		for i, ep := range eps {
			ep.Timestamp = fmt.Sprintf("2026-03-%02dT10:%02d:00Z", day, i)
		}
		return eps
	}
	for _, c := range []struct {
		second int // sessions of the other option on the second day, of 20
		want   bool
	}{{10, false}, {11, true}} {
		res := mine(t,
			dated(1, took("x", question, "Busy timeout", episode.Success, 10)), dated(2, took("y", question, "Busy timeout", episode.Success, 10)),
			dated(1, took("z", question, "Retry loop", episode.Failure, 20-c.second)), dated(2, took("w", question, "Retry loop", episode.Failure, c.second)))
		if len(res.Patterns) != 2 || res.Patterns[0].OneDay != c.want || res.Patterns[1].OneDay != c.want || res.Patterns[0].Days != 2 {
			t.Errorf("%d of 20 on a day: %+v", c.second, res.Patterns)
		}
	}
}

func TestLiftWithoutBaseline(t *testing.T) {
	res := mine(t, took("a", question, "Busy timeout", episode.Success, 12), took("b", question, "Retry loop", episode.Failure, 12))
	for _, p := range res.Patterns {
		if (p.Lift == nil) != (p.Baseline == 0) {
			t.Errorf("baseline %v, lift %v", p.Baseline, p.Lift)
		}
	}
	b, err := json.Marshal(res.Only(query.GoodPattern))
	check(t, err)
	if !strings.Contains(string(b), `"lift":null`) || strings.Contains(string(b), "anti_pattern") {
		t.Errorf("%s", b)
	}
	if b, _ := json.Marshal(res.Only("none")); !strings.Contains(string(b), `"patterns":[]`) || !strings.Contains(string(b), `"considered":2`) {
		t.Errorf("%s", b)
	}
}

// Where outcomes do not depend on the option, next to nothing is claimed; where
// they do, it is found.
func TestFalseAndTrueDiscoveries(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	things := []string{"cache", "queue", "index", "journal", "token", "schema"}
	places := []string{"in memory", "on disk", "in the database"}
	world := func(effect float64) []*episode.Episode {
		var eps []*episode.Episode
		for i := range 300 {
			q, option := r.IntN(6), r.IntN(3)
			rate := .6
			if q == 0 && option == 0 {
				rate += effect
			}
			out := episode.Failure
			if r.Float64() < rate {
				out = episode.Success
			}
			eps = append(eps, querytest.Build(fmt.Sprintf("s%03d", i), out).Decide("Where to keep the "+things[q]+"?", "Keep it "+places[option], out).Done())
		}
		return eps
	}
	wrong, found := 0, 0
	const worlds = 40
	for range worlds {
		if res := mine(t, world(0)).Within(patterns.Defaults()); len(res.Patterns) > 0 {
			wrong++
		}
		if slices.Contains(told(mine(t, world(-.55)).Within(patterns.Defaults())), "- Keep it in memory") {
			found++
		}
	}
	if wrong > worlds/8 || found < worlds/2 {
		t.Errorf("of %d worlds without an effect %d told one; of %d with one %d found it", worlds, wrong, worlds, found)
	}
}

func draw(t *rapid.T) []*episode.Episode {
	var out []*episode.Episode
	for i := range rapid.IntRange(0, 60).Draw(t, "episodes") {
		b := querytest.Build(fmt.Sprintf("s%02d", i), rapid.SampledFrom(episode.Outcomes()).Draw(t, "outcome"))
		b.Event(episode.Error, rapid.SampledFrom([]string{"disk full", "tests are red", "Way one"}).Draw(t, "event"))
		for j := range rapid.IntRange(0, 3).Draw(t, "decisions") {
			// Biased, so that something is there to find.
			option := rapid.SampledFrom([]string{"Way one", "Way two", "Way three"}).Draw(t, "option")
			result := rapid.SampledFrom([]episode.Outcome{episode.Failure, episode.Partial, episode.Unknown, episode.Failure}).Draw(t, "result")
			if option == "Way two" {
				result = episode.Success
			}
			b.Decide(rapid.SampledFrom([]string{"", "Which cache?", "Which queue?", "Way one"}).Draw(t, "question"), option, result)
			if rapid.Bool().Draw(t, "linked") {
				b.Link("e001", episode.DecisionID(j+1), episode.Causes)
			}
		}
		out = append(out, b.Done())
	}
	return out
}

func TestMineProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		eps := draw(t)
		o := patterns.Options{
			MinOccurrences: rapid.IntRange(0, 6).Draw(t, "occurrences"), MinSuccess: rapid.Float64Range(0, 1).Draw(t, "least"),
			MaxSuccess: rapid.Float64Range(0, 1).Draw(t, "most"), Q: rapid.Float64Range(0, 1).Draw(t, "q"),
		}
		all := mine(t, eps)
		again := mine(t, append(rapid.Permutation(eps).Draw(t, "order"), eps...))
		if d := cmp.Diff(all, again); d != "" {
			t.Fatalf("order or repetition shows:\n%s", d)
		}
		res := all.Within(o)
		ids := map[string]bool{}
		for i, p := range res.Patterns {
			if ids[p.ID] || p.ID != causal.PatternID(p.Name) {
				t.Fatalf("id %s of %q", p.ID, p.Name)
			}
			ids[p.ID] = true
			good := p.Kind == query.GoodPattern && p.SuccessRate >= o.MinSuccess && p.Adjusted > 0
			bad := p.Kind == query.AntiPattern && p.SuccessRate <= o.MaxSuccess && p.Adjusted <= 0
			if !good && !bad || p.QValue > o.Q || p.QValue < p.PValue || p.Occurrences < o.MinOccurrences || len(p.Episodes) == 0 {
				t.Fatalf("%+v under %+v", p, o)
			}
			if !(p.Low <= p.SuccessRate && p.SuccessRate <= p.High) || p.Trigger == p.Action {
				t.Fatalf("%+v", p)
			}
			if i > 0 && p.QValue < res.Patterns[i-1].QValue {
				t.Fatal("not the best evidence first")
			}
			for _, u := range p.Uses {
				if !slices.Contains(p.Episodes, u.Episode) {
					t.Fatalf("%+v is of none of its episodes", u)
				}
			}
		}
	})
}

// What repeats is counted, errors and choices, and what stands in one session is not.
func TestLedger(t *testing.T) {
	var eps []*episode.Episode
	for i, out := range []episode.Outcome{episode.Success, episode.Success, episode.Failure} {
		b := querytest.Build(fmt.Sprintf("s%d", i), out).Task("t", fmt.Sprintf("2026-03-0%d", i+1))
		b.Event(episode.Error, "SQLITE_BUSY: database is locked").Event(episode.Error, "high memory usage").Event(episode.Milestone, "all green")
		if i > 0 {
			b.Decide("Which cache?", "Arrival order", episode.Unknown, "Least recently used").Decide("", "ready for the release", episode.Unknown)
		}
		b.Event(episode.Error, "only here "+strings.Repeat("x", i+1))
		eps = append(eps, b.Done())
	}
	r := mine(t, eps)
	for i := range r.Ledger {
		r.Ledger[i].Node = ""
	}
	want := []query.LedgerEntry{
		{Kind: "choice", Text: "Which cache?: Arrival order", Sessions: 2, Outcomes: causal.Tally{Success: 1, Failure: 1}, Last: "episode-s2#d001", Date: "2026-03-03"},
		{Kind: "error", Text: "SQLITE_BUSY: database is locked", Sessions: 3, Outcomes: causal.Tally{Success: 2, Failure: 1}, Last: "episode-s2#e001", Date: "2026-03-03"},
	}
	if d := cmp.Diff(want, r.Ledger); d != "" {
		t.Error(d)
	}
}
