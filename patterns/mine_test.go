package patterns_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
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

// after is took, but an error event led to the decision instead of a question.
func after(prefix, event, option string, outcome episode.Outcome, n int) (out []*episode.Episode) {
	for i := range n {
		out = append(out, querytest.Build(fmt.Sprintf("%s-%03d", prefix, i), outcome).Event(episode.Error, event).Decide("", option, outcome).Link("e001", "d001", episode.Causes).Done())
	}
	return out
}

func mine(t *testing.T, o patterns.Options, lists ...[]*episode.Episode) patterns.Result {
	t.Helper()
	res, err := patterns.Mine(querytest.New(slices.Concat(lists...)...), o)
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
	good := took("good", question, "Busy timeout", episode.Success, 9)
	bad := took("bad", question, "Retry loop", episode.Failure, 9)
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
		{"too few to show anything", d, [][]*episode.Episode{good[:2], bad[:2]}, []string{}, 2},
		{"nothing to compare with", d, [][]*episode.Episode{good}, []string{}, 1},
		{"no variance", d, [][]*episode.Episode{good, took("also", question, "Retry loop", episode.Success, 9)}, []string{}, 2},
		{"unknown outcomes are no evidence", d, [][]*episode.Episode{good, took("u", question, "Retry loop", episode.Unknown, 30)}, []string{}, 2},
		{"partial is not success", d, [][]*episode.Episode{took("p", question, "Busy timeout", episode.Partial, 9), bad}, []string{}, 2},
		{"partial counts against", d, [][]*episode.Episode{good, took("p", question, "Retry loop", episode.Partial, 9)}, both, 2},
		{"more occurrences asked for", with(func(o *patterns.Options) { o.MinOccurrences = 10 }), [][]*episode.Episode{good, bad}, []string{}, 2},
		{"just as many asked for", with(func(o *patterns.Options) { o.MinOccurrences = 9 }), [][]*episode.Episode{good, bad}, both, 2},
		{"no false claim allowed", with(func(o *patterns.Options) { o.Q = 0 }), [][]*episode.Episode{good, bad}, []string{}, 2},
		{"a rate in the middle is neither", d, [][]*episode.Episode{append(took("a", question, "Busy timeout", episode.Success, 20), took("b", question, "Busy timeout", episode.Failure, 20)...), took("c", question, "Retry loop", episode.Failure, 40)},
			[]string{"- Retry loop"}, 2},
		{"after an event", d, [][]*episode.Episode{after("a", "disk full", "Delete logs", episode.Success, 9), after("b", "disk full", "Buy a disk", episode.Failure, 9)},
			[]string{"+ Delete logs", "- Buy a disk"}, 2},
		{"held against everything else", d, [][]*episode.Episode{good, took("x", "Which queue?", "Ring buffer", episode.Failure, 12), took("y", "Which cache?", "LRU", episode.Failure, 12)},
			[]string{"+ Busy timeout", "- LRU", "- Ring buffer"}, 3},
		{"without question or event there is no trigger", d, [][]*episode.Episode{took("a", "", "Busy timeout", episode.Success, 9), took("b", "", "Retry loop", episode.Failure, 9)}, []string{}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			res := mine(t, c.o, c.eps...)
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
	res := mine(t, patterns.Defaults(),
		took("a", question, "Busy timeout", episode.Success, 8), took("b", question, "Busy timeout", episode.Partial, 1), took("c", question, "Busy timeout", episode.Unknown, 4),
		took("d", question, "Retry loop", episode.Failure, 9), took("e", question, "Skip them", episode.Success, 1))
	i := slices.IndexFunc(res.Patterns, func(p patterns.Pattern) bool { return p.Kind == query.GoodPattern })
	p := res.Patterns[i]
	w := stats.Wilson(8, 9, query.Level)
	rate, base := 8./9, .1
	lift := rate / base
	want := patterns.Pattern{
		ID: causal.PatternID("about flaki test upload => busi timeout"), Name: "about flaki test upload => busi timeout", Kind: query.GoodPattern, Trigger: question, Action: "Busy timeout",
		Description: `For the question "What to do about flaky upload tests?", "Busy timeout" ended well in 8 of 9 sessions (89 %), with 4 unknown left out; the other options there did in 1 of 10 (10 %).`,
		SuccessRate: 8. / 9, Low: w.Low, High: w.High, Baseline: .1, BaselineN: 10, Basis: query.OtherOptions, TriggerKind: "question", Lift: &lift,
		PValue: stats.FisherMidP(stats.Table{Successes: 8, N: 9, OtherSuccesses: 1, OtherN: 10}), QValue: p.QValue, Occurrences: 9, Unknown: 4, Instances: 9,
		Episodes: p.Episodes, Uses: p.Uses,
		Spread: query.Spread{Sessions: 9, Days: 1, OneDay: true}, // no session has a date
	}
	if d := cmp.Diff(want, p); d != "" {
		t.Error(d)
	}
	if len(p.Episodes) != 9 || len(p.Uses) != 13 || !slices.IsSorted(p.Episodes) || !strings.HasPrefix(p.ID, "p") || len(p.ID) != 13 {
		t.Errorf("%d episodes, %d uses, id %q", len(p.Episodes), len(p.Uses), p.ID)
	}
	// The q-values are those of all testable candidates.
	var ps []float64
	for _, tab := range []stats.Table{{Successes: 8, N: 9, OtherSuccesses: 1, OtherN: 10}, {Successes: 0, N: 9, OtherSuccesses: 9, OtherN: 10}, {Successes: 1, N: 1, OtherSuccesses: 8, OtherN: 18}} {
		if stats.SmallestMidP(tab.N, tab.OtherN, tab.Successes+tab.OtherSuccesses) <= .01 {
			ps = append(ps, stats.FisherMidP(tab))
		}
	}
	if q := stats.BenjaminiHochberg(ps); q[0] != p.QValue || res.Testable != len(ps) || len(ps) != 2 {
		t.Errorf("q %v, want %v; %d testable, want %d", p.QValue, q[0], res.Testable, len(ps))
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
		res := mine(t, patterns.Defaults(),
			dated(1, took("x", question, "Busy timeout", episode.Success, 10)), dated(2, took("y", question, "Busy timeout", episode.Success, 10)),
			dated(1, took("z", question, "Retry loop", episode.Failure, 20-c.second)), dated(2, took("w", question, "Retry loop", episode.Failure, c.second)))
		if len(res.Patterns) != 2 || res.Patterns[0].OneDay != c.want || res.Patterns[1].OneDay != c.want || res.Patterns[0].Days != 2 {
			t.Errorf("%d of 20 on a day: %+v", c.second, res.Patterns)
		}
	}
}

func TestLiftWithoutBaseline(t *testing.T) {
	res := mine(t, patterns.Defaults(), took("a", question, "Busy timeout", episode.Success, 9), took("b", question, "Retry loop", episode.Failure, 9))
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

// An episode counts once, with the combined outcome of its uses of the option.
func TestAnEpisodeCountsOnce(t *testing.T) {
	var often []*episode.Episode
	for i := range infer.LeastInstances {
		b := querytest.Build(fmt.Sprintf("often-%d", i), episode.Success)
		for range 20 {
			b.Decide(question, "Busy timeout", episode.Success)
		}
		often = append(often, b.Done())
	}
	// They are no more than the baseline of the others needs.
	few := mine(t, patterns.Defaults(), often, took("b", question, "Retry loop", episode.Failure, 9))
	if d := cmp.Diff([]string{"+ Busy timeout", "- Retry loop"}, told(few)); d != "" || few.Patterns[0].Occurrences+few.Patterns[0].BaselineN != 9+infer.LeastInstances {
		t.Errorf("five episodes were taken for a hundred: %+v", few.Patterns)
	}
	mixed := querytest.Build("mixed", episode.Unknown).Decide(question, "Busy timeout", episode.Success).Decide(question, "Busy timeout", episode.Failure).Done()
	res := mine(t, patterns.Defaults(), took("a", question, "Busy timeout", episode.Success, 9), took("b", question, "Retry loop", episode.Failure, 10), []*episode.Episode{mixed})
	for _, p := range res.Patterns {
		if p.Kind == query.GoodPattern && (p.Occurrences != 10 || p.SuccessRate != .9) {
			t.Errorf("%d occurrences, rate %v", p.Occurrences, p.SuccessRate)
		}
	}
}

// A trigger is a context: what was asked, or what happened before; never the action
// told once more, be it under a key of its own or in fewer words.
func TestTriggersAreContexts(t *testing.T) {
	for _, tt := range []struct {
		kind    episode.EventType
		key     string
		content string
		context bool
	}{
		{episode.Milestone, "milestone: own", "Set the busy timeout on connections", false},
		{episode.Milestone, "", "Set the busy timeout on connections", false},
		{episode.ToolCall, "", "Set the busy timeout", false},
		{episode.Error, "", "busy timeout", true},
		{episode.Milestone, "", "Busy timeout set in the other service", true},
		{episode.Error, "", "database is locked", true},
	} {
		var eps []*episode.Episode
		for i := range 40 {
			out, option := episode.Success, "Set the busy timeout on connections"
			if i%2 == 1 {
				out, option = episode.Failure, "Retry in a loop"
			}
			b := querytest.Build(fmt.Sprintf("s%02d", i), out)
			if i%2 == 0 || tt.context {
				b.Event(tt.kind, tt.content).Decide("", option, out).Link("e001", "d001", episode.Causes)
			} else {
				b.Decide("", option, out)
			}
			ep := b.Done()
			if len(ep.Events) > 0 {
				ep.Events[0].Key = tt.key
			}
			eps = append(eps, ep)
		}
		res := mine(t, patterns.Loosest(), eps)
		found := slices.ContainsFunc(res.Patterns, func(p patterns.Pattern) bool { return p.Action == "Set the busy timeout on connections" })
		if found != tt.context {
			t.Errorf("%s %q: found %v, %v", tt.kind, tt.content, found, told(res))
		}
	}
}

// The same action in the same episodes is one regularity, whether the question or
// the event is taken for its trigger.
func TestNoDuplicates(t *testing.T) {
	var eps []*episode.Episode
	for i := range 20 {
		out, option := episode.Success, "Busy timeout"
		if i%2 == 1 {
			out, option = episode.Failure, "Retry loop"
		}
		eps = append(eps, querytest.Build(fmt.Sprintf("s%02d", i), out).Event(episode.Error, "database locked").Decide(question, option, out).Link("e001", "d001", episode.Causes).Done())
	}
	res := mine(t, patterns.Defaults(), eps)
	if d := cmp.Diff([]string{"+ Busy timeout", "- Retry loop"}, told(res)); d != "" || res.Considered != 2 {
		t.Errorf("%d considered\n%s", res.Considered, d)
	}
	for _, p := range res.Patterns {
		if p.Trigger != question || p.TriggerNode != "" {
			t.Errorf("trigger %q", p.Trigger)
		}
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
		if res := mine(t, patterns.Defaults(), world(0)); len(res.Patterns) > 0 {
			wrong++
		}
		if slices.Contains(told(mine(t, patterns.Defaults(), world(-.55))), "- Keep it in memory") {
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
		g := querytest.New(eps...)
		res, err := patterns.Mine(g, o)
		check(t, err)
		again, err := patterns.Mine(querytest.New(append(rapid.Permutation(eps).Draw(t, "order"), eps...)...), o)
		check(t, err)
		if d := cmp.Diff(res, again); d != "" {
			t.Fatalf("order or repetition shows:\n%s", d)
		}
		if res.Testable > res.Considered || len(res.Patterns) > res.Testable {
			t.Fatalf("%d considered, %d testable, %d told", res.Considered, res.Testable, len(res.Patterns))
		}
		ids := map[string]bool{}
		for i, p := range res.Patterns {
			if ids[p.ID] || p.ID != causal.PatternID(p.Name) {
				t.Fatalf("id %s of %q", p.ID, p.Name)
			}
			ids[p.ID] = true
			good := p.Kind == query.GoodPattern && p.SuccessRate >= o.MinSuccess && p.SuccessRate > p.Baseline
			bad := p.Kind == query.AntiPattern && p.SuccessRate <= o.MaxSuccess && p.SuccessRate < p.Baseline
			if !good && !bad || p.QValue > o.Q || p.QValue < p.PValue || p.Occurrences < o.MinOccurrences || p.Occurrences != len(p.Episodes) || p.Occurrences == 0 {
				t.Fatalf("%+v under %+v", p, o)
			}
			if !(p.Low <= p.SuccessRate && p.SuccessRate <= p.High) || p.Trigger == p.Action {
				t.Fatalf("%+v", p)
			}
			if i > 0 && p.QValue < res.Patterns[i-1].QValue {
				t.Fatal("not the best evidence first")
			}
			if s, n := recount(eps, p); n != p.Occurrences || math.Abs(float64(s)/float64(n)-p.SuccessRate) > 1e-12 {
				t.Fatalf("%d of %d by hand, but %+v", s, n, p)
			}
		}
	})
}

// recount counts a pattern in the episodes themselves.
func recount(eps []*episode.Episode, p patterns.Pattern) (successes, n int) {
	for _, e := range eps {
		out := episode.Unknown
		for _, u := range causal.Contribute(e).Uses {
			if u.Chosen == p.Action && (p.TriggerNode == "" && u.Context == p.Trigger || p.TriggerNode != "" && slices.Contains(u.Triggers, p.TriggerNode)) {
				out = query.Combine(out, u.Outcome)
			}
		}
		if out.Known() {
			n++
		}
		if out == episode.Success {
			successes++
		}
	}
	return successes, n
}

// For one option of one question a pattern and a what-if show the same counts.
// (After an event a pattern counts only the decisions that it led to.)
func TestCountsAreThoseOfWhatIf(t *testing.T) {
	var eps []*episode.Episode
	r := rand.New(rand.NewPCG(7, 7))
	for i := range 120 {
		out := episode.Outcomes()[r.IntN(4)]
		b := querytest.Build(fmt.Sprintf("s%03d", i), out).Event(episode.Error, "the index is locked")
		for range 1 + r.IntN(3) { // some take an option twice, or two of them
			option := []string{"retry with backoff", "fail at once", "hold a lease"}[r.IntN(3)]
			if r.IntN(3) > 0 { // so that there is something to find
				out = map[string]episode.Outcome{"retry with backoff": episode.Success, "fail at once": episode.Failure, "hold a lease": out}[option]
			}
			b.Decide("how to wait for the index", option, out, "ask a person")
		}
		eps = append(eps, b.Link("e001", "d001", episode.Causes).Done())
	}
	g := querytest.New(eps...)
	res, err := patterns.Mine(g, patterns.Options{MinOccurrences: 1, MinSuccess: 0, MaxSuccess: 1, Q: 1})
	check(t, err)
	compared := 0
	for _, p := range res.Patterns {
		if p.TriggerNode != "" {
			continue
		}
		compared++
		w, err := query.WhatIf(g, query.WhatIfQuery{Option: p.Action, Context: p.Trigger})
		check(t, err)
		a := w.Alternative
		if a.Option != p.Action || a.Known() != p.Occurrences || a.Unknown != p.Unknown || a.Successes != int(math.Round(p.SuccessRate*float64(p.Occurrences))) || a.Low != p.Low || a.High != p.High {
			t.Errorf("pattern %q: %v of %d, %d unknown; what-if %q: %+v", p.Action, p.SuccessRate, p.Occurrences, p.Unknown, a.Option, a)
		}
		others := query.OptionStats{}
		for _, o := range w.Options {
			if o.Option != p.Action {
				others.N, others.Unknown, others.Successes = others.N+o.N, others.Unknown+o.Unknown, others.Successes+o.Successes
			}
		}
		if others.Known() != p.BaselineN || others.Unknown != p.BaselineUnknown || others.Successes != int(math.Round(p.Baseline*float64(p.BaselineN))) {
			t.Errorf("pattern %q: baseline %v of %d, %d unknown; what-if: %+v", p.Action, p.Baseline, p.BaselineN, p.BaselineUnknown, others)
		}
	}
	if compared < 2 {
		t.Errorf("%d patterns compared", compared)
	}
}

// A pattern names its trigger and how many unknown outcomes it leaves out.
func TestTriggerText(t *testing.T) {
	busy := "SQLITE_BUSY: database is locked"
	for _, c := range []struct {
		name, kind, want, end string
		lists                 [][]*episode.Episode
	}{
		{"error", "error", `After the error "SQLITE_BUSY: database is locked", "Busy timeout" ended well in 9 of 9 sessions (100 %), with 2 unknown left out; `, ", with 1 unknown left out. Counted are the decisions that the logs say it led to.", [][]*episode.Episode{
			after("a", busy, "Busy timeout", episode.Success, 9), after("b", busy, "Retry loop", episode.Failure, 9), after("c", busy, "Busy timeout", episode.Unknown, 2), after("d", busy, "Retry loop", episode.Unknown, 1)}},
		{"question", "question", `For the question "What to do about flaky upload tests?", "Busy timeout" ended well in 9 of 9 sessions (100 %), with 2 unknown left out; `, ", with 1 unknown left out.", [][]*episode.Episode{
			took("a", question, "Busy timeout", episode.Success, 9), took("b", question, "Retry loop", episode.Failure, 9), took("c", question, "Busy timeout", episode.Unknown, 2), took("d", question, "Retry loop", episode.Unknown, 1)}},
	} {
		t.Run(c.name, func(t *testing.T) {
			res := mine(t, patterns.Defaults(), c.lists...).Only(query.GoodPattern)
			if len(res.Patterns) != 1 {
				t.Fatalf("%d patterns", len(res.Patterns))
			}
			p := res.Patterns[0]
			if p.TriggerKind != c.kind || !strings.HasPrefix(p.Description, c.want) || !strings.HasSuffix(p.Description, c.end) || p.Unknown != 2 || p.BaselineUnknown != 1 {
				t.Errorf("%s: %s (%d and %d unknown)", p.TriggerKind, p.Description, p.Unknown, p.BaselineUnknown)
			}
		})
	}
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
	r, err := patterns.Mine(querytest.New(eps...), patterns.Defaults())
	if err != nil {
		t.Fatal(err)
	}
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
