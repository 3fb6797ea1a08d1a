package analyze

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"episodes/reflexion"
	"episodes/reflexion/evaluate"
)

// loopsOf are n loops of so many attempts each, of which the last one passes or does not.
// With a budget the records say what each loop was allowed.
func loopsOf(arm string, n, attempts int, passed bool, budget int) Arm {
	a := Arm{Name: arm}
	for i := range n {
		for trial := range attempts {
			r := record(fmt.Sprint(arm, i), trial, passed && trial == attempts-1, 0.5)
			r.Task = fmt.Sprint("task ", i)
			if budget > 0 {
				r.Rule = &reflexion.Rule{MaxIterations: budget}
			}
			a.Records = append(a.Records, r)
		}
	}
	return a
}

// A loop that ended keeps its state to the end of the budget, however it ended. Where nothing
// says what was allowed, what one arm alone had time for does not count.
func TestArmsThatEndEarly(t *testing.T) {
	type is struct {
		onlyA, onlyB int
		last, area   string
	}
	for _, tt := range []struct {
		name string
		a, b Arm
		want is
	}{
		{"stopped as stuck, against solved later", loopsOf("last", 6, 4, false, 0), loopsOf("none", 6, 6, true, 0), is{0, 0, VerdictTooFew, VerdictTooFew}},
		{"the other way round", loopsOf("none", 6, 6, true, 0), loopsOf("last", 6, 4, false, 0), is{0, 0, VerdictTooFew, VerdictTooFew}},
		{"solved at once, against never", loopsOf("all", 6, 1, true, 0), loopsOf("none", 6, 5, false, 0), is{6, 0, VerdictA, VerdictA}},
		{"both solved, one of them later", loopsOf("all", 8, 1, true, 5), loopsOf("none", 8, 5, true, 5), is{0, 0, VerdictTooFew, VerdictA}},
		{"given up at once, against given up late", loopsOf("all", 6, 1, false, 0), loopsOf("none", 6, 9, false, 0), is{0, 0, VerdictTooFew, VerdictTooFew}},
		{"five tasks are too few", loopsOf("last", 5, 4, false, 6), loopsOf("none", 5, 6, true, 6), is{0, 5, VerdictTooFew, VerdictTooFew}},
		{"an equal budget, as stated", loopsOf("last", 6, 4, false, 10), loopsOf("none", 6, 6, true, 10), is{0, 6, VerdictB, VerdictNone}},
		{"solved beyond the smaller budget", loopsOf("last", 6, 4, false, 5), loopsOf("none", 6, 6, true, 10), is{0, 0, VerdictTooFew, VerdictTooFew}},
	} {
		a := Analyze([]Arm{tt.a, tt.b})
		c := a.Compared[0]
		if got := (is{c.Last.OnlyA, c.Last.OnlyB, c.Last.Verdict, c.Area.Verdict}); got != tt.want {
			t.Errorf("%s: %+v, want %+v\n%s", tt.name, got, tt.want, Text(a))
		}
	}
}

// The area is the share of the budget after a task was solved; with three arms each claim
// is corrected for all looks.
func TestAreaAndLooks(t *testing.T) {
	a := Analyze([]Arm{loopsOf("x", 7, 1, true, 4), loopsOf("y", 7, 3, true, 4), loopsOf("z", 7, 4, false, 4)})
	if c := a.Compared[0]; c.Area.A != 1 || c.Area.B != 0.5 || c.Attempts != 4 || !c.Stated || c.Area.Verdict != VerdictA {
		t.Errorf("%+v", c)
	}
	for _, c := range a.Compared {
		for _, m := range []Measure{c.Last, c.Area} {
			if m.QValue < m.PValue {
				t.Errorf("%s against %s: q = %v below p = %v", c.A, c.B, m.QValue, m.PValue)
			}
		}
	}
	// What one look would claim, many looks do not.
	var arms []Arm
	for i := range 8 {
		n := 3 // the seven others do not differ from each other
		if i == 0 {
			n = 1
		}
		arms = append(arms, loopsOf(fmt.Sprint("arm", i), 6, n, true, 4))
	}
	a = Analyze(arms)
	if m := a.Compared[0].Area; m.PValue >= alpha || m.QValue < alpha || m.Verdict != VerdictNone {
		t.Errorf("one of 56 looks: %+v", m)
	}
}

// A difference after an early trial is claimed only where it lasts.
func TestLooksAtTrials(t *testing.T) {
	a := Analyze([]Arm{loopsOf("x", 8, 1, true, 3), loopsOf("y", 8, 3, true, 3)})
	for trial, p := range a.Paired {
		if p.Verdict != VerdictTooFew && p.Verdict != VerdictNone {
			t.Errorf("trial %d: %+v", trial, p)
		}
	}
	rng := rand.New(rand.NewPCG(20, 6))
	rounds, claims := 2000, 0
	for range rounds { // arms that do not differ
		var arms []Arm
		for _, name := range []string{"x", "y"} {
			arm := Arm{Name: name}
			for i := range 20 {
				for trial := range 10 {
					passed := rng.Float64() < 0.15
					r := record(fmt.Sprint(name, i), trial, passed, 0)
					r.Task = fmt.Sprint(i)
					if arm.Records = append(arm.Records, r); passed {
						break
					}
				}
			}
			arms = append(arms, arm)
		}
		for _, p := range Analyze(arms).Paired {
			if p.Verdict == VerdictA || p.Verdict == VerdictB {
				claims++
				break
			}
		}
	}
	if share := float64(claims) / float64(rounds); share > alpha+0.015 {
		t.Errorf("false claims in %.3f of analyses", share)
	}
}

// What makes arms differ by other things than their names is told.
func TestUnlikeArms(t *testing.T) {
	x, y := loopsOf("x", 6, 2, true, 4), loopsOf("y", 6, 3, true, 4)
	told := func(what string) bool {
		return strings.Contains(strings.Join(Analyze([]Arm{x, y}).Compared[0].Warnings, "\n"), what)
	}
	if told("same rules") || told("working tree") {
		t.Error("warns of nothing")
	}
	for _, r := range y.Records {
		r.Rule = &reflexion.Rule{MaxIterations: 4, Stuck: 3}
	}
	if !told("same rules") {
		t.Error("one arm stops when it is stuck")
	}
	for _, r := range append(x.Records, y.Records...) {
		r.Arm = "x"
	}
	if !told("working tree") {
		t.Error("the arms could see each other's work")
	}
	for _, r := range append(x.Records, y.Records...) {
		r.Rule = &reflexion.Rule{MaxIterations: 4, Isolated: true}
	}
	if told("working tree") || told("same rules") {
		t.Error("isolated loops could not")
	}
}

// What verifiers said wrongly is counted both ways, and told where it is frequent, or where
// nobody looked.
func TestReviews(t *testing.T) {
	reviewed := func(automatic, review reflexion.Status) *reflexion.Record {
		r := record(fmt.Sprint(automatic, review), 0, automatic == reflexion.Pass && review != reflexion.Fail, 0)
		r.Evaluator.Results = []reflexion.Result{{Tool: "go test", Status: automatic}}
		if review != "" {
			r.Evaluator.Results = append(r.Evaluator.Results, reflexion.Result{Tool: evaluate.ReviewTool, Status: review})
		}
		return r
	}
	of := func(rs ...*reflexion.Record) ArmReport {
		for i, r := range rs {
			r.LoopID = fmt.Sprint("ralph-", i)
		}
		return Analyze([]Arm{{Name: "x", Records: rs}}).Arms[0]
	}
	r := of(reviewed(reflexion.Pass, reflexion.Pass), reviewed(reflexion.Pass, reflexion.Fail), reviewed(reflexion.Fail, reflexion.Pass), reviewed(reflexion.Fail, reflexion.Fail), reviewed(reflexion.Errored, reflexion.Pass))
	if f := r.FalsePass; f == nil || f.Reviewed != 2 || f.Refused != 1 {
		t.Errorf("false passes %+v", f)
	}
	if f := r.FalseFail; f == nil || f.Reviewed != 3 || f.Accepted != 2 || math.Abs(f.Rate-2.0/3) > 1e-12 {
		t.Errorf("false failures %+v", f)
	}
	if len(r.Warnings) != 2 || !strings.Contains(r.Warnings[0], "pass what is wrong") || !strings.Contains(r.Warnings[1], "fail what is right") {
		t.Errorf("%q", r.Warnings)
	}
	if r := of(reviewed(reflexion.Pass, "")); r.FalsePass != nil || len(r.Warnings) != 1 || !strings.Contains(r.Warnings[0], "nobody reviewed") {
		t.Errorf("%q", r.Warnings)
	}
	if r := of(reviewed(reflexion.Pass, reflexion.Pass), reviewed(reflexion.Fail, "")); len(r.Warnings) != 0 {
		t.Errorf("%q", r.Warnings)
	}
}
