package reflexion

import (
	"fmt"
	"strings"
	"testing"

	"episodes/internal/snapshot"
)

// found is an evaluation of some tests, of which those that are named failed.
func found(total int, failed ...string) EvaluatorOutput {
	e := EvaluatorOutput{Type: UnitTests, Passed: len(failed) == 0, Metrics: &Metrics{TestsTotal: new(total), TestsFailed: new(len(failed)), TestsPassed: new(total - len(failed))},
		Results: []Result{{Tool: "test", Status: Fail}}}
	if e.Passed {
		e.Results[0].Status = Pass
	}
	e.Reward = new(0.5 * float64(total-len(failed)) / float64(max(total, 1)))
	for _, name := range failed {
		e.Errors = append(e.Errors, Problem{Type: TestFailure, Rule: name, Message: "not right in " + name})
	}
	return e
}

// attempts are the records of a loop that found these things, the first before it began.
func attempts(all ...EvaluatorOutput) (out []*Record) {
	for i, e := range all[1:] {
		r := &Record{LoopID: "ralph-t", Iteration: i, Task: "t", Timestamp: "2026-01-01T00:00:00Z", Evaluator: e, Memory: MemoryMetadata{Omega: 1},
			Actor: ActorOutput{Changed: &snapshot.Changes{Files: []snapshot.FileChange{{Path: "a.go", Kind: snapshot.Changed}}, Patch: fmt.Sprintf("--- a.go\n+++ a.go\n@@ -1 +1 @@\n-%d\n+%d\n", i, i+1)}}}
		if i == 0 {
			r.Baseline = &all[0]
		}
		out = append(out, r)
	}
	return out
}

func edited(e EvaluatorOutput, edit func(*EvaluatorOutput)) EvaluatorOutput {
	edit(&e)
	return e
}

// An attempt that changed what verifies, and did not pass, mended nothing: other checks ran.
func TestChangedVerifier(t *testing.T) {
	other := edited(found(0), func(e *EvaluatorOutput) {
		e.Passed, e.Metrics, e.Errors = false, nil, []Problem{{Type: LintError, Message: "unreachable code", File: "a.go"}}
	})
	before := edited(found(1, "TestA"), func(e *EvaluatorOutput) { m := *e.Metrics; m.TestsPartial = true; e.Metrics = &m })
	for class, gone := range map[string]int{"": 1, "verifier": 0} {
		records := attempts(before, other)
		records[0].Actor.Changed.Files[0].Class = class
		turn := Turns(records)[0]
		if len(turn.Gone) != gone || (turn.Shortfall == "") != (gone == 1) {
			t.Errorf("class %q: gone %v, shortfall %q", class, turn.Gone, turn.Shortfall)
		}
	}
}

// What an attempt came to: which errors went, stayed and are new, and whether it came
// further. Tests that are gone, skipped, or that cannot run, make nothing better.
func TestTurns(t *testing.T) {
	unbuilt := func(total int) EvaluatorOutput {
		return edited(found(total), func(e *EvaluatorOutput) {
			e.Passed, e.Errors = false, []Problem{{Type: SyntaxError, Message: "unexpected EOF", File: "a.go"}}
		})
	}
	partial := func(e EvaluatorOutput) EvaluatorOutput {
		return edited(e, func(e *EvaluatorOutput) { m := *e.Metrics; m.TestsPartial = true; e.Metrics = &m })
	}
	for _, tt := range []struct {
		name       string
		found      []EvaluatorOutput
		gone, new  string // of the last
		shortfall  string
		best       bool
		improvment bool
	}{
		{"one of two went", []EvaluatorOutput{found(5, "a", "b"), found(5, "b")}, "a", "", "", true, true},
		{"none went", []EvaluatorOutput{found(5, "a", "b"), found(5, "a", "b")}, "", "", "", false, false},
		{"one for another", []EvaluatorOutput{found(5, "a", "b"), found(5, "b", "c")}, "a", "c", "", false, false},
		{"tests gone", []EvaluatorOutput{found(5, "a", "b"), found(3, "b")}, "", "", "2 tests that were there are gone (5 before, 3 now)", false, false},
		{"one test gone, all pass", []EvaluatorOutput{found(5, "a"), found(4)}, "", "", "1 test that was there is gone (5 before, 4 now)", false, false},
		{"an error around a test went with it", []EvaluatorOutput{edited(found(5, "a", "a"), func(e *EvaluatorOutput) { e.Errors[1].Type = RuntimeError }), found(4)}, "a", "", "", true, true},
		{"skipped", []EvaluatorOutput{found(5, "a", "b"), edited(found(3), func(e *EvaluatorOutput) { e.Metrics.TestsSkipped = new(2) })}, "", "", "2 tests that ran before are skipped now (5 before, 3 now)", false, false},
		{"the build breaks", []EvaluatorOutput{found(5, "a", "b"), unbuilt(0)}, "", "", "the build is broken", false, false},
		{"the build breaks, and not all is counted", []EvaluatorOutput{partial(found(2, "a", "b")), partial(unbuilt(0))}, "", "", "the build is broken", false, false},
		{"fewer are counted where not all are", []EvaluatorOutput{partial(found(2, "a", "b")), partial(found(1))}, "a b", "", "", true, true},
		{"the build is mended", []EvaluatorOutput{unbuilt(0), found(5, "a", "b")}, "unexpected EOF", "", "", true, true},
		{"a test more", []EvaluatorOutput{found(5, "a"), found(6, "a")}, "", "", "", true, true},
		{"not every failure is named", []EvaluatorOutput{edited(found(5, "a", "b", "c"), func(e *EvaluatorOutput) { e.Errors = e.Errors[:1] }), edited(found(5, "a", "b", "c"), func(e *EvaluatorOutput) { e.Errors = e.Errors[1:2] })}, "", "", "", false, false},
		{"the best was before", []EvaluatorOutput{found(5, "a", "b", "c"), found(5, "a"), found(5, "a", "b"), found(5, "b")}, "a", "", "", false, true},
		{"after a broken build", []EvaluatorOutput{found(5, "a", "b"), unbuilt(0), found(5, "b")}, "unexpected EOF a", "", "", true, true},
		{"no test is counted", []EvaluatorOutput{found(5, "a"), {Type: Heuristic, Errors: []Problem{{Type: OtherError, Rule: "test", Message: "exit code 2"}}}}, "", "", "no test was counted (5 before)", false, false},
	} {
		rs := attempts(tt.found...)
		turns := Turns(rs)
		last := turns[len(turns)-1]
		names := func(list []Problem) string {
			var out []string
			for _, p := range list {
				out = append(out, map[bool]string{true: p.Message, false: p.Rule}[p.Rule == ""])
			}
			return strings.Join(out, " ")
		}
		if got := names(last.Gone); got != tt.gone {
			t.Errorf("%s: %q went, want %q", tt.name, got, tt.gone)
		}
		if got := names(last.Broken); tt.shortfall == "" && got != tt.new {
			t.Errorf("%s: %q is new, want %q", tt.name, got, tt.new)
		}
		if last.Shortfall != tt.shortfall || last.Best != tt.best {
			t.Errorf("%s: %q, best %v", tt.name, last.Shortfall, last.Best)
		}
		if p := last.delta(); p.IsImprovement != tt.improvment {
			t.Errorf("%s: %+v", tt.name, p)
		}
	}
}

// A prompt has at most 8 KB beside the task, and of them 2000 bytes are what memory knows, however
// much there is to say. It has a line for each attempt, and each error once.
func TestPromptSize(t *testing.T) {
	long := strings.Repeat("many words that say nothing new ", 40)
	rs := attempts(found(5, "a", "b", "c"), found(5, "a", "b"), found(5, "b"), found(5, "b", "c"))
	for _, r := range rs {
		r.Evaluator.Errors[0].Message += long
		r.Reflection = SelfReflection{Text: "I was wrong: " + long, Source: FromModel, Insights: []string{long, long}, Lessons: []string{long}}
		r.Actor.Actions = []Action{{Type: "other", Description: long}}
	}
	for _, task := range []string{"t", strings.Repeat("the task ", 1000)} {
		o := ContextOptions{Omega: 5, Show: Show{true, true, true}, Advice: []Known{{About: "a", Text: long[:500]}, {About: "b", Text: long[:500]}, {About: "c", Text: "short"}}}
		c := BuildContext("ralph-t", task, rs, o)
		c.Learned, c.Strategy = []Known{{Text: long}, {Text: long}}, "Go another way: "+long
		got := c.Text()
		if n := len(got) - len(task); n > 4*PromptTokens {
			t.Errorf("%d bytes beside the task:\n%s", n, got)
		}
		if _, known, _ := strings.Cut(got, "# What this repository's memory knows"); len(known)-len(known[strings.Index(known, "</memory"):]) > maxKnown {
			t.Errorf("the memory says\n%s", known)
		}
		for _, want := range []string{"# Errors that were there before it\n", "test_failure: not right in b", "# Broken by your last change\n", "test_failure: not right in c", "attempt 1: changed a.go:1 from \"0\" to \"1\"", "attempt 2: changed a.go:1 from \"1\" to \"2\"", "attempt 3: changed a.go:1 from \"2\" to \"3\"", "1 error stayed, 1 error new", "-2\n> +3\n", "The best so far is attempt 2, with 1 of 5 tests failed, reward 0.40."} {
			if strings.Count(got, want) != 1 {
				t.Errorf("%q is there %d times:\n%s", want, strings.Count(got, want), got)
			}
		}
	}
}

// A model is told what an actor is, and the reward.
func TestModelIsToldTheReward(t *testing.T) {
	rs := attempts(found(5, "a", "b"), found(5, "b"), found(5, "b", "c"))
	at := Attempt{Record: Record{LoopID: "ralph-t", Task: "t", Actor: rs[1].Actor, Evaluator: rs[1].Evaluator}}
	got := Prompt(at.PromptInput(rs[:1], []Known{{About: "b", Text: "seen before"}}))
	for _, want := range []string{"**Reward**: 0.30 of 1 (before it: 0.40).\nThe best so far is attempt 1, with 1 of 5 tests failed, reward 0.40.", "**Errors** that its change broke:", "not right in c", "> @@ -1 +1 @@\n> -1\n> +2\n", "attempt 1: changed a.go:1", "seen before"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
}

// What memory told, in whatever order, is no lesson of the attempt.
func TestForget(t *testing.T) {
	s := SelfReflection{Lessons: []string{"clear the build cache before the tests", "the cart needs a lock"}, Insights: []string{"clear the cache of the build", "take the lock in cart.go"}}
	s.Forget([]string{`seen here before (2 sessions); of what was done then, "clear the build cache before the tests" ended well in 2 of 2`})
	if fmt.Sprint(s.Lessons, s.Insights) != "[the cart needs a lock] [take the lock in cart.go]" {
		t.Errorf("%q %q", s.Lessons, s.Insights)
	}
}

// A file that a text names is touched; followed is only the line, value or command that it names.
func TestTouches(t *testing.T) {
	c := &snapshot.Changes{Files: []snapshot.FileChange{{Path: "src/cart.go", Kind: snapshot.Changed}}, Patch: "--- src/cart.go\n+++ src/cart.go\n@@ -1 +1,2 @@\n-return a - b\n+return a + b // sum\n+retries := maxRetries(5)\n"}
	a := &ActorOutput{Changed: c, Actions: []Action{{Type: "command_execution", Command: "go generate ./..."}}}
	for text, want := range map[string][2]bool{
		`"clear the build cache" ended well in 9 of 9`:              {false, false},
		`changed cart.go:3 from "x" to "y"`:                         {true, false},
		`changed cart.go:1 from "x" to "return a + b // sum"`:       {true, true},
		`changed cart.go:1 from "return a + b // sum" to "x"`:       {true, false},
		`removed from cart.go:1 "return a - b"`:                     {true, true},
		`added to cart.go:1 "return a - b"`:                         {true, false},
		"wrote 'return a + b // sum' there":                         {false, true},
		"make TestCart pass":                                        {false, false},
		"use `maxRetries` before the call":                          {false, true},
		"run `go generate` after a change of the schema":            {false, true},
		"look at cart.go once more, and be careful with the totals": {true, false},
	} {
		if got := [2]bool{Touches(c, text), Follows(a, text)}; got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
	if Touches(nil, "cart.go") || Follows(&ActorOutput{}, "cart.go") || Touches(&snapshot.Changes{}, "cart.go") {
		t.Error("nothing touches nothing")
	}
}

// A lesson earns by being followed when an error goes, and loses where the error goes without it
// or stays in spite of it, whoever was told it.
func TestEarned(t *testing.T) {
	const lesson = "write `4` into a.go"
	loop := func(id string, refs, followed []string, used []int, all ...EvaluatorOutput) []*Record {
		rs := attempts(all...)
		for _, r := range rs {
			r.LoopID, r.Recalled, r.Followed = id, refs, followed
		}
		if used != nil {
			rs[0].Reflection = SelfReflection{Text: "I was wrong", Source: FromModel, Lessons: []string{lesson}}
			rs[len(rs)-1].Used = used
		}
		return rs
	}
	ref := []string{"episode-x#l001"}
	for name, tt := range map[string]struct {
		records []*Record
		want    int
	}{
		"followed, and the error went": {loop("ralph-a", ref, ref, nil, found(2, "a"), found(2)), 1},
		"the error went without":       {loop("ralph-a", ref, nil, nil, found(2, "a"), found(2)), -1},
		"followed in vain":             {loop("ralph-a", ref, ref, nil, found(2, "a"), found(2, "a")), -1},
		"neither":                      {loop("ralph-a", ref, nil, nil, found(2, "a"), found(2, "a")), 0},
		"not told":                     {loop("ralph-a", nil, nil, nil, found(2, "a"), found(2)), 0},
		"in its own loop, and the error went without": {loop("ralph-a", nil, nil, []int{0}, found(2, "a"), found(2, "a"), found(2)), -1},
		"three loops": {append(append(loop("ralph-a", ref, nil, nil, found(2, "a"), found(2)), loop("ralph-b", ref, ref, nil, found(2, "a"), found(2))...),
			loop("ralph-c", ref, nil, nil, found(2, "a"), found(2))...), -1},
	} {
		if got := Earned(tt.records, ref[0], lesson); got != tt.want {
			t.Errorf("%s: %d, want %d", name, got, tt.want)
		}
	}
}
