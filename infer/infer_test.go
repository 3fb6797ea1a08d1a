package infer

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"episodes/episode"
	"episodes/internal/testing/few"
	"episodes/stats"
)

var plain = cmpopts.EquateEmpty()

// told renders all answers of a study.
func told(s *Study) any {
	var answers []Answer
	for _, p := range s.points {
		for _, o := range p.options {
			for _, t := range append([]string{""}, s.tasks...) {
				answers = append(answers, s.WhatIf(Question{Point: p.key, Option: s.nodes[o].key, Task: t, Seen: nil, Absent: []string{"e1"}}))
			}
		}
	}
	return []any{s.totals, s.Edges(), s.Claims(), answers}
}

// The laws: order, repeats, edits that are undone and removals leave no trace, bit
// for bit.
func TestAStudyIsAFunctionOfTheSet(t *testing.T) {
	few.Checks(t, 25)
	for i, world := range []func(*rand.Rand, int) []Record{confounded, chain, idle} {
		rapid.Check(t, func(t *rapid.T) {
			records := world(seeded(uint64(rapid.IntRange(1, 1000).Draw(t, "seed"))), 45)
			want := told(New(records))
			other := slices.Clone(rapid.Permutation(records).Draw(t, "order"))
			again := rapid.SliceOfN(rapid.SampledFrom(records), 0, 20).Draw(t, "again")
			// A record that is replaced later, as by an edit, counts as it is at last.
			edited := records[rapid.IntRange(0, len(records)-1).Draw(t, "edited")]
			edited.Outcome = Unmeasured
			list := slices.Concat([]Record{edited}, other, again)
			if d := cmp.Diff(want, told(New(list)), plain); d != "" {
				t.Fatalf("world %d:\n%s", i, d)
			}
			// Adding and then removing is as if nothing had been.
			extra := append(slices.Clone(list), session(99999, "new").choose("which way", "new").ends(true))
			extra = slices.DeleteFunc(extra, func(r Record) bool { return r.Episode == "episode-99999" })
			if d := cmp.Diff(want, told(New(extra)), plain); d != "" {
				t.Fatalf("world %d:\n%s", i, d)
			}
		})
	}
}

// Exact counts of a confounded model: the answer is the adjustment formula
// sum over tasks of P(task)·P(success | option, task), and not the rate seen,
// which points the other way.
func TestWhatIfIsTheAdjustmentFormula(t *testing.T) {
	var records []Record
	add := func(task, option string, n int, rate float64) {
		for i := range n {
			d := session(len(records), task).choose("which way", option)
			d.Day = 1 // all at once: what comes in blocks would look like a change
			records = append(records, d.ends(float64(i) < rate*float64(n)))
		}
	}
	add("easy", "usual", 800, .8)
	add("easy", "better", 200, .9)
	add("hard", "usual", 200, .3)
	add("hard", "better", 800, .4)
	s := New(records)
	seenUsual, seenBetter := (800*.8+200*.3)/1000, (200*.9+800*.4)/1000
	if seenUsual < seenBetter {
		t.Fatal("the example is no paradox")
	}
	for _, c := range []struct {
		option, task string
		want         float64
	}{
		{"usual", "", (.8 + .3) / 2}, {"better", "", (.9 + .4) / 2},
		{"usual", "easy", .8}, {"better", "hard", .4},
	} {
		a := s.WhatIf(Question{Point: "which way", Option: c.option, Task: c.task})
		if math.Abs(a.P-c.want) > .01 || !a.Interval.Contains(c.want) || !a.Supported {
			t.Errorf("%s, task %q: %.4f in %v, want %.2f", c.option, c.task, a.P, a.Interval, c.want)
		}
	}
	claims := s.Claims()
	i := slices.IndexFunc(claims, func(c Claim) bool { return c.Option.Key == "better" && c.Task == nil })
	if c := claims[i]; !c.Asserted || !c.TheseTasks || // two tasks do not tell how far tasks differ
		!c.Raises() || math.Abs(c.Difference-.1) > 1e-9 || math.Abs(c.Effect-.1) > .01 {
		t.Errorf("%+v", c)
	}
}

func TestUntriedOption(t *testing.T) {
	s := New(confounded(seeded(1), 200))
	for _, q := range []Question{{Point: "which way", Option: "other"}, {Point: "elsewhere", Option: "usual"}, {}} {
		if a := s.WhatIf(q); a.Supported || a.N != 0 {
			t.Errorf("%+v: %+v", q, a)
		}
	}
	if _, ok := s.Compare(Question{Point: "which way", Option: "better"}, "other"); ok {
		t.Error("compared with what nobody tried")
	}
}

// What was not measured changes nothing.
func TestUnmeasuredIsNoEvidence(t *testing.T) {
	records := confounded(seeded(2), 150)
	q := Question{Point: "which way", Option: "better"}
	want := New(records).WhatIf(q)
	for i := range 100 {
		records = append(records, session(1000+i, "hard").choose("which way", "better").Record)
	}
	if got := New(records).WhatIf(q); math.Abs(got.P-want.P) > 1e-12 || got.N != want.N {
		t.Errorf("%+v, want %+v", got, want)
	}
}

func types(es []Edge) map[string]episode.LinkType {
	out := map[string]episode.LinkType{}
	for _, e := range es {
		to := "outcome"
		if !e.Target.IsOutcome() {
			to = e.Target.Event.Key
		}
		out[e.Source.Option.Key+e.Source.Event.Key+" > "+to] = e.Type
	}
	return out
}

// a → b → outcome with c stopping b: the edges are found and typed, what follows
// only through b is pruned, the bystander has none.
func TestEdgesOfAChain(t *testing.T) {
	got := types(New(chain(seeded(3), 600)).Edges())
	want := map[string]episode.LinkType{"a > b": episode.Causes, "c > b": episode.Prevents, "b > outcome": episode.Causes}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// In a fixed order of independent events order shows everywhere and dependence
// nowhere: no edge.
func TestOrderAloneIsNoCause(t *testing.T) {
	r := seeded(4)
	var records []Record
	for i := range 600 {
		d := session(i, "one")
		for _, e := range []string{"plan", "code", "test", "push"} {
			if chance(r, .7) {
				d.event(e)
			}
		}
		records = append(records, d.ends(chance(r, .5)))
	}
	if es := New(records).Edges(); len(es) != 0 {
		t.Errorf("%v", types(es))
	}
}

// A hidden cause of two events in either order: nothing says which causes which, so no edge.
func TestHiddenCommonCause(t *testing.T) {
	r := seeded(5)
	var records []Record
	for i := range 500 {
		d := session(i, "one")
		if chance(r, .4) { // the hidden cause
			for _, e := range pick(r, []string{"x", "y"}, []string{"y", "x"}) {
				if chance(r, .8) {
					d.event(e)
				}
			}
		}
		records = append(records, d.ends(chance(r, .5)))
	}
	if es := New(records).Edges(); len(es) != 0 {
		t.Errorf("%v", types(es))
	}
}

// Two events of one project go together in a memory of several, and bear on each other
// nowhere: no edge. What holds in every project stays.
func TestEventsOfOneProject(t *testing.T) {
	r := seeded(6)
	var records []Record
	for i := range 400 {
		d := session(i, "one")
		d.Place = pick(r, "logs/a\x00codex", "logs/b\x00codex")
		if share := map[string]float64{"logs/a\x00codex": .9, "logs/b\x00codex": .05}[d.Place]; chance(r, share) {
			d.event("no such subcommand")
		}
		if share := map[string]float64{"logs/a\x00codex": .9, "logs/b\x00codex": .05}[d.Place]; chance(r, share) {
			d.event("all tests pass")
		}
		if chance(r, .5) {
			d.event("cache is cold")
			if chance(r, .7) {
				d.event("build is slow")
			}
		}
		records = append(records, d.ends(chance(r, .5)))
	}
	if d := cmp.Diff(map[string]episode.LinkType{"cache is cold > build is slow": episode.Causes}, types(New(records).Edges())); d != "" {
		t.Error(d)
	}
	for i := range records {
		records[i].Place = ""
	}
	if es := New(records).Edges(); len(es) != 2 {
		t.Errorf("without the places: %v", types(es))
	}
}

// Where nothing matters, next to nothing is claimed.
func TestSilenceWhereNothingMatters(t *testing.T) {
	worlds, edges, claims := 60, 0, 0
	for i := range worlds {
		s := New(idle(seeded(uint64(100+i)), 200))
		edges += stats.Indicator(len(s.Edges()) > 0)
		claims += stats.Indicator(slices.ContainsFunc(s.Claims(), func(c Claim) bool { return c.Asserted }))
	}
	// The level is one in ten for each family; twice that is beyond chance.
	if edges > worlds/5 || claims > worlds/5 {
		t.Errorf("of %d idle worlds %d have an edge and %d a claim", worlds, edges, claims)
	}
	few := New(confounded(seeded(6), LeastSessions-1))
	if slices.ContainsFunc(few.Claims(), func(c Claim) bool { return c.Asserted }) || len(few.Edges()) != 0 {
		t.Errorf("%d sessions are too few for a claim", LeastSessions-1)
	}
}

// Nine of ten intervals contain the truth, for one option and for a difference.
func TestCoverage(t *testing.T) {
	r := seeded(7)
	in, n := 0, 0
	for range 60 {
		// Rates as the model's priors expect them, with options confounded by task.
		var rate [3][3]float64
		for i := range rate {
			for j := range rate[i] {
				rate[i][j] = expit(.4 + r.NormFloat64()*.8)
			}
		}
		var records []Record
		for i := range 150 {
			task, option := r.IntN(3), r.IntN(3)
			if chance(r, .4) {
				option = task
			}
			records = append(records, session(i, string(rune('a'+task))).choose("which way", string(rune('x'+option))).ends(chance(r, rate[task][option])))
		}
		s := New(records)
		for task := range rate {
			for option := range rate[task] {
				a := s.WhatIf(Question{Point: "which way", Option: string(rune('x' + option)), Task: string(rune('a' + task))})
				n++
				in += stats.Indicator(a.Supported && a.Interval.Contains(rate[task][option]))
			}
		}
	}
	// Where choices follow the task and the task shows nothing, intervals hold more (hiddenShift).
	if c := float64(in) / float64(n); c < .85 || c > .98 {
		t.Errorf("%.3f of %d intervals hold the truth", c, n)
	}
}

// After a change only what came since counts.
func TestDrift(t *testing.T) {
	r := seeded(9)
	var records []Record
	for i := range 240 {
		p := map[string]float64{"old way": .8, "new way": .4}
		if i >= 120 {
			p = map[string]float64{"old way": .3, "new way": .8}
		}
		o := pick(r, "old way", "new way")
		records = append(records, session(i, "one").choose("which way", o).ends(chance(r, p[o])))
	}
	s := New(records)
	o, n := s.WhatIf(Question{Point: "which way", Option: "old way"}), s.WhatIf(Question{Point: "which way", Option: "new way"})
	if o.P > .45 || n.P < .65 || s.model(0).since == 0 {
		t.Errorf("old %+v, new %+v", o, n)
	}
	if day := New(confounded(seeded(9), 300)).model(0).since; day != 0 {
		t.Errorf("a change where there was none: %d", day)
	}
}

// A question that few sessions decided borrows from the others: two good endings make
// no certainty.
func TestFewTrialsOfAQuestionAreNoCertainty(t *testing.T) {
	records := confounded(seeded(31), 300)
	for i := range 2 {
		records = append(records, session(1000+i, "easy").choose("who", "they").ends(true), session(2000+i, "easy").choose("who", "we").ends(true))
	}
	s := New(records)
	base := s.base()
	a := s.WhatIf(Question{Point: "who", Option: "they"})
	if a.P <= base || a.P > .9 || a.Interval.Low > base || a.N != 2 {
		t.Errorf("%+v, of all sessions %.2f ended well", a, base)
	}
}

// Below the least number of measured sessions of both signs nothing is claimed, not
// even between events.
func TestNothingIsClaimedBelowTheMinimum(t *testing.T) {
	for name, change := range map[string]func(i int, r *Record){
		"all good":   func(_ int, r *Record) { r.Outcome = Succeeded },
		"unmeasured": func(_ int, r *Record) { r.Outcome = Unmeasured },
		"nineteen known": func(i int, r *Record) {
			r.Outcome = []Result{Unmeasured, r.Outcome}[stats.Indicator(i < LeastSessions-1)]
		},
	} {
		records := chain(seeded(32), 400)
		if len(New(records).Edges()) == 0 {
			t.Fatal("the chain has no edges")
		}
		for i := range records {
			change(i, &records[i])
		}
		s := New(records)
		claimed := slices.ContainsFunc(s.Claims(), func(c Claim) bool { return c.Asserted })
		if edges := s.Edges(); len(edges) > 0 || claimed || s.Enough() {
			t.Errorf("%s: %d edges, claimed %v", name, len(edges), claimed)
		}
	}
}

// Where enough choices were made at random the model is theirs alone, also for tasks
// in which only a few of them were made.
func TestRandomChoicesPool(t *testing.T) {
	tasks := []string{"one", "two", "three", "four", "five"}
	options := []string{"usual", "careful", "bold"}
	effect := []float64{0, .2, -.15}
	miss := map[bool]float64{}
	const worlds = 40
	for w := range uint64(worlds) {
		r := seeded(40 + w)
		var records []Record
		for i := range 1500 {
			task := r.IntN(len(tasks))
			hidden := chance(r, .5) // trouble, seen by the agent but not logged
			choice := stats.Indicator(hidden)
			explore := chance(r, .2)
			if explore {
				choice = r.IntN(len(options))
			}
			p := .35 + .06*float64(task) + effect[choice]
			if !hidden {
				p += .3
			}
			d := session(i, tasks[task]).choose("which way", options[choice])
			d.Day, d.Choices[0].Explore = 1, explore
			records = append(records, d.ends(chance(r, p)))
		}
		for _, marked := range []bool{true, false} {
			for i := range records {
				records[i].Choices[0].Explore = marked && records[i].Choices[0].Explore
			}
			s := New(records)
			for i, task := range tasks {
				for j, o := range options {
					truth := .35 + .06*float64(i) + effect[j] + .15
					a := s.WhatIf(Question{Point: "which way", Option: o, Task: task})
					miss[marked] += math.Abs(a.P-truth) / float64(worlds*len(tasks)*len(options))
				}
			}
		}
	}
	if miss[true] > .06 || miss[false] < 1.5*miss[true] {
		t.Errorf("mean error %.3f with choices marked as random, %.3f without", miss[true], miss[false])
	}
}

// A change is found soon after it came, and none where nothing changed.
func TestDriftIsFoundSoon(t *testing.T) {
	found, alarms := 0, 0
	const worlds = 40
	for w := range uint64(worlds) {
		for _, changes := range []bool{true, false} {
			r := seeded(60 + w)
			var records []Record
			for i := range 300 {
				option := pick(r, "left", "right")
				p := map[string]float64{"left": .8, "right": .4}[option]
				if changes && i >= 240 {
					p = 1.2 - p
				}
				records = append(records, session(i, "one").choose("which way", option).ends(chance(r, p)))
			}
			s := New(records)
			since := s.model(0).since
			switch {
			case changes && since > 1+225/3:
				found++
			case !changes && since > 0:
				alarms++
			}
		}
	}
	if found < worlds*3/4 || alarms > worlds/20 {
		t.Errorf("found %d of %d changes, and %d where there was none", found, worlds, alarms)
	}
}
