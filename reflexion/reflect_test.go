package reflexion

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"episodes/internal/plain"
	"episodes/internal/snapshot"
)

// The prompt has the guide's sections, in their order, and what the evaluator
// found (rows G11, G19).
func TestPrompt(t *testing.T) {
	r := failed("ralph-a", 1, "x")
	r.Actor.Actions[0].FilePath, r.Actor.Actions[0].Changes = "cache.go", &Changes{Additions: 4, Deletions: 1}
	r.Evaluator.Results = []Result{{Tool: "go test", Status: Fail, Stderr: "panic: boom"}}
	got := Prompt(PromptInput{Attempt: Attempt{Record: Record{Task: "mend the cache", Actor: r.Actor, Evaluator: r.Evaluator}}, Memory: history(1), Advice: []Known{{About: "boom", Text: "seen before"}}, Refused: []string{"no next step"}})
	at := 0
	for _, part := range []string{"You are the Self-Reflection component", "## Reflection Structure", "**Credit Assignment**", "**Causal Reasoning**", "**Actionable Insights**", "## Example Reflection",
		"## Previous Reflections", "### Iteration 0", "I failed in try 0 at cache.go:0", "> Lessons learned:\n> - test the empty case", "## Current Failure", "**Task**: mend the cache",
		"**Actions Taken**", "> 0. changed cache.go\n>    File: cache.go\n>    Changes: +4 -1", "**Verification Results**", "> - go test: fail\n>   Error: panic: boom",
		"**Errors**", "> - test_failure: want 1\n>   Location: cache_test.go:7", "seen before", "was not taken: no next step", "hallucination|inefficient_planning"} {
		i := strings.Index(got[at:], part)
		if i < 0 {
			t.Fatalf("%q is not there, or out of order:\n%s", part, got)
		}
		at += i
	}
}

const goodText = "I changed loadPrices in cache.go without the lock, so two workers wrote at once. In the next attempt I will take the lock at cache.go:23."

// Answers of models are read as JSON, in fences or bare, or as prose.
func TestParseAnswer(t *testing.T) {
	full := `{"reflection_text": "` + goodText + `", "credit_assignment": {"failing_action_indices": [0, 7], "root_cause": "no lock", "failure_category": "edge_case_miss"}, "causal_reasoning": "two at once", "actionable_insights": ["take the  lock"], "lessons_learned": ["lock first"], "confidence": 0.7, "related_reflections": [3]}`
	want := SelfReflection{Text: goodText, Source: FromModel, Causal: "two at once", Insights: []string{"take the lock"}, Lessons: []string{"lock first"}, Confidence: new(0.7),
		Credit: &CreditAssignment{FailingActions: []int{0}, RootCause: "no lock", Category: EdgeCaseMiss}}
	for name, answer := range map[string]string{"bare": full, "fence": "Here {it} is:\n```json\n" + full + "\n```\nDone."} {
		if diff := cmp.Diff(want, ParseAnswer([]byte(answer), 1)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	prose := "## Credit Assignment\nMy edit of cache.go.\n**Causal Reasoning**: two at once\n### Actionable Insights\n1. Take the lock\n   at line 23\n2. Add a test\nLessons learned:\n- lock first"
	got := ParseAnswer([]byte(prose), 1)
	want = SelfReflection{Text: prose, Source: FromModel, Credit: &CreditAssignment{RootCause: "My edit of cache.go."}, Causal: "two at once",
		Insights: []string{"Take the lock at line 23", "Add a test"}, Lessons: []string{"lock first"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("headings: %s", diff)
	}
	got = ParseAnswer([]byte(`"`+goodText+`"`), 0)
	if diff := cmp.Diff([]string{"In the next attempt I will take the lock at cache.go:23."}, got.Insights); diff != "" {
		t.Errorf("plain: %s", diff)
	}
	if got := ParseAnswer([]byte(`{"reflection_text":"`+goodText+`","confidence":"high","actionable_insights":["x"],"knowledge_gaps":["who  calls it"]}`), 0); got.Text != goodText || got.Confidence != nil || len(got.Insights) != 1 || got.Gaps[0] != "who calls it" {
		t.Errorf("a field of a wrong type: %+v", got)
	}
	if got := ParseAnswer([]byte("I was wrong.\n## Knowledge Gaps\n- who calls it"), 0); len(got.Gaps) != 1 || got.Gaps[0] != "who calls it" {
		t.Errorf("gaps: %+v", got)
	}
	wild := ParseAnswer([]byte(`{"reflection_text":"I \u001b[2J</reflection>", "confidence": 7, "credit_assignment":{"failure_category":"null_access","failing_action_indices":[-1,0]}}`), 0)
	if wild.Confidence != nil || wild.Credit.Category != "" || len(wild.Credit.FailingActions) != 0 || wild.Text != "I </reflection>" {
		t.Errorf("got %+v, %+v", wild, wild.Credit)
	}
}

// Only reflections that help are stored (rows G40 to G42).
func TestAccept(t *testing.T) {
	good := SelfReflection{Text: goodText, Insights: []string{"take the lock"}}
	earlier := []*Record{failed("ralph-a", 3, goodText+" ")}
	for _, tt := range []struct {
		name, want string
		edit       func(*SelfReflection)
		earlier    []*Record
	}{
		{"good", "", func(*SelfReflection) {}, nil},
		{"short", "9 characters, want at least 100; names no file", func(s *SelfReflection) { s.Text = "I failed." }, nil},
		{"generic", "names no file, line, function or error", func(s *SelfReflection) {
			s.Text = "I was not careful enough and should think more about what to do and how to do it, and I will take more care in the next try."
		}, nil},
		{"not first person", "not in the first person", func(s *SelfReflection) { s.Text = strings.ReplaceAll(goodText, "I ", "The agent ") }, nil},
		{"no step", "no next step", func(s *SelfReflection) { s.Insights = nil }, nil},
		{"repeat", "repeats the reflection of iteration 3", func(*SelfReflection) {}, earlier},
		{"sure of nothing", "claims a high confidence, but names no error and holds no action responsible", func(s *SelfReflection) { s.Confidence = new(0.9) }, nil},
		{"sure of an action", "", func(s *SelfReflection) {
			s.Confidence, s.Credit = new(0.9), &CreditAssignment{FailingActions: []int{0}}
		}, nil},
		{"sure of the error", "", func(s *SelfReflection) { s.Confidence = new(0.9); s.Text += " It is a deadlock." }, nil},
	} {
		s := good
		tt.edit(&s)
		err := Accept(&s, []Problem{{Type: RuntimeError, Message: "deadlock"}}, nil, tt.earlier)
		var refusal *Refusal
		if tt.want == "" && err != nil || tt.want != "" && (!errors.As(err, &refusal) || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
	}
	s := SelfReflection{Text: strings.Repeat("I saw that the totals were off by one in the list of every single price. ", 2), Insights: []string{"x"}}
	if err := Accept(&s, []Problem{{Message: "totals off by one"}}, nil, nil); err != nil {
		t.Errorf("it speaks of the error: %v", err)
	}
}

// A next step names a file, line, test or symbol of the errors or of the change.
func TestStepsNameSomething(t *testing.T) {
	errors := []Problem{{Type: TestFailure, Message: "Total(1, 2) = 4, want 3", File: "cart_test.go", Line: 8, Rule: "TestTotal/two"}}
	changed := &snapshot.Changes{Files: []snapshot.FileChange{{Path: "shop/cart.go"}}, Patch: "--- shop/cart.go\n+++ shop/cart.go\n@@ -1 +1 @@\n-sum := round(a)\n+sum := floorOf(a)\n"}
	for step, want := range map[string]bool{
		"be more careful":              false,
		"check the round of the total": false,
		"call round() again":           true,
		"put `sum` back":               true,
		"use floorOf for each":         true,
		"look at cart.go":              true,
		"see what TestTotal/two wants": true,
		"read line 8 of the test":      true,
		"read line 80 of the test":     false,
		"do not touch myfloorOfx":      false,
	} {
		s := SelfReflection{Text: goodText, Insights: []string{step}}
		if err := Accept(&s, errors, changed, nil); (err == nil) != want {
			t.Errorf("%q: %v", step, err)
		}
	}
}

// The guide's indicators, each at its bound, and its don'ts (rows G40, G41).
func TestLowQuality(t *testing.T) {
	about := goodText + " The test of cache_test.go wants 1."
	for _, tt := range []struct {
		name string
		edit func(*Record)
		want []string
	}{
		{"good", func(*Record) {}, nil},
		{"all four", func(r *Record) {
			r.Reflection, r.Performance, r.Evaluator.Errors = SelfReflection{Text: "short", Confidence: new(0.4)}, &Performance{}, nil
		}, []string{LowConfidence, NoInsights, ShortText, NoCredit}},
		{"99 characters", func(r *Record) { r.Reflection.Text = "cache_test.go" + strings.Repeat("é", 86) }, []string{ShortText}},
		{"100 characters", func(r *Record) { r.Reflection.Text = "cache_test.go" + strings.Repeat("é", 87) }, nil},
		{"unsure, but better", func(r *Record) { r.Reflection.Confidence, r.Performance = new(0.4), &Performance{IsImprovement: true} }, nil},
		{"half sure, no better", func(r *Record) { r.Reflection.Confidence, r.Performance = new(0.5), &Performance{} }, nil},
		{"another matter", func(r *Record) { r.Reflection.Text = goodText }, []string{IgnoresErrors}},
		{"too sure", func(r *Record) {
			r.Reflection.Text, r.Reflection.Confidence, r.Reflection.Credit.FailingActions = goodText, new(0.8), nil
		}, []string{IgnoresErrors, Overclaims}},
	} {
		r := failed("ralph-a", 1, about)
		tt.edit(r)
		if diff := cmp.Diff(tt.want, LowQuality(r)); diff != "" {
			t.Errorf("%s: %s", tt.name, diff)
		}
	}
}

// Knowledge gaps are the causes of recurring errors that nothing fixed, and the correct
// names for nonexistent ones, but not where the graph has an answer (row M4).
func TestGaps(t *testing.T) {
	stale, missing := Problem{Type: TestFailure, Message: "stale entry", File: "c.go", Line: 3}, Problem{Type: TypeError, Message: "undefined: evictAll"}
	before := failed("ralph-a", 0, "I tried")
	before.Evaluator.Errors = []Problem{stale}
	at := Attempt{Record: Record{LoopID: "ralph-a", Task: "t", Evaluator: EvaluatorOutput{Type: UnitTests, Errors: []Problem{stale, missing}}}, Now: time.Unix(0, 0)}
	for _, tt := range []struct {
		name    string
		history []*Record
		advice  []Known
		want    []string
	}{
		{"first time", nil, nil, []string{`which name is right in "type_error: undefined: evictAll"`}},
		{"came back", []*Record{before}, nil, []string{`what causes "test_failure: stale entry at c.go:3": it was there in iteration 0 too`,
			`which name is right in "type_error: undefined: evictAll"`}},
		{"tried elsewhere in vain", []*Record{before}, []Known{{About: Describe(stale), Text: "nothing helped"}}, []string{`what causes "test_failure: stale entry at c.go:3": it was there in iteration 0 too`,
			`which name is right in "type_error: undefined: evictAll"`}},
		{"known elsewhere", []*Record{before}, []Known{{About: Describe(stale), Step: `"expire" ended well in 1 of 1`}}, []string{`which name is right in "type_error: undefined: evictAll"`}},
	} {
		r := Compose(tt.history, at, FromRulesOnly(at, tt.history, tt.advice))
		if diff := cmp.Diff(tt.want, r.Reflection.Gaps); diff != "" {
			t.Errorf("%s: %s", tt.name, diff)
		}
	}
}

// Without a model a reflection contains what the evaluator found and what was changed, and
// nothing that memory said.
func TestRules(t *testing.T) {
	a := Attempt{Record: Record{LoopID: "ralph-a", Task: "t", Actor: ActorOutput{Actions: []Action{{Type: "test_execution", Description: "ran"}, {Type: "code_modification", Description: "changed the sum", FilePath: "pkg/cart.go"}},
		Changed: &snapshot.Changes{Files: []snapshot.FileChange{{Path: "pkg/cart.go", Kind: snapshot.Changed}}, Patch: "--- pkg/cart.go\n+++ pkg/cart.go\n@@ -8 +8 @@\n-\ts += x[i+1]\n+\ts += x[i]\n@@ -11,0 +12 @@\n+// done\n"}}, Evaluator: EvaluatorOutput{Type: UnitTests, Metrics: &Metrics{TestsFailed: new(1), TestsTotal: new(4)},
		Errors: []Problem{{Type: TestFailure, Message: "index out of range [3]", File: "cart.go", Line: 9, Rule: "TestTotal"}}}}, Now: time.Unix(0, 0)}
	s := FromRulesOnly(a, nil, []Known{{Text: `seen here; "check the length" ended well in 2 of 2`, Step: `"check the length" ended well in 2 of 2`}})
	want := SelfReflection{Source: FromRules, Confidence: new(0.7),
		Text:     `My attempt did not pass (unit tests): 1 of 4 tests failed, reward 0.00. The error was "test_failure: index out of range [3] [TestTotal] at cart.go:9". I changed pkg/cart.go:8 from "s += x[i+1]" to "s += x[i]"; added to pkg/cart.go:12 "// done". In my next attempt I will first find the cause of "test_failure: index out of range [3] [TestTotal] at cart.go:9".`,
		Causal:   `I changed pkg/cart.go:8 from "s += x[i+1]" to "s += x[i]"; added to pkg/cart.go:12 "// done".`,
		Insights: []string{`find the cause of "test_failure: index out of range [3] [TestTotal] at cart.go:9"`},
		Credit:   &CreditAssignment{FailingActions: []int{1}, RootCause: "index out of range [3]", Category: EdgeCaseMiss}}
	if diff := cmp.Diff(want, s, cmpopts.EquateApprox(0, 1e-9)); diff != "" {
		t.Error(diff)
	}
	if err := Compose(nil, a, s).Check(); err != nil {
		t.Error(err)
	}
}

func TestCategoryOf(t *testing.T) {
	for message, want := range map[string]Category{"connect ECONNREFUSED 127.0.0.1:5432": IntegrationError, "Cannot find module 'x'": ConfigurationError,
		"Cannot read properties of undefined": EdgeCaseMiss, "undefined: missing": Hallucination, "not implemented": IncompleteImplementation, "want 3, got 4": LogicErrorCategory} {
		if got := CategoryOf([]Problem{{Type: TestFailure, Message: message}}); got != want {
			t.Errorf("%q: %s, want %s", message, got, want)
		}
	}
	for typ, want := range map[ErrorType]Category{SyntaxError: IncompleteImplementation, TypeError: IncorrectAssumption, Timeout: InefficientPlanning, LintError: OtherCategory} {
		if got := CategoryOf([]Problem{{Type: typ, Message: "x"}}); got != want {
			t.Errorf("%s: %s, want %s", typ, got, want)
		}
	}
}

func FuzzParseAnswer(f *testing.F) {
	f.Add([]byte(`{"reflection_text":"I failed","confidence":1e9}`), 3)
	f.Add([]byte("# Lessons learned\n- a\n{"), 0)
	f.Fuzz(func(t *testing.T, answer []byte, actions int) {
		actions = min(max(actions, 0), 100)
		s := ParseAnswer(answer, actions)
		a := Attempt{Record: Record{LoopID: "ralph-f", Task: "t", Actor: ActorOutput{Actions: make([]Action, actions)}, Evaluator: EvaluatorOutput{Type: UnitTests}}, Now: time.Unix(0, 0)}
		for i := range a.Actor.Actions {
			a.Actor.Actions[i] = Action{Type: "other", Description: "x"}
		}
		r := Compose(nil, a, s)
		if _, err := Marshal(r); err != nil {
			t.Fatal(err)
		}
		if c := BuildContext("ralph-f", "", []*Record{r}, ContextOptions{Show: Show{Reflections: true}}); r.Reflected() && !strings.Contains(c.Text(), strings.TrimSuffix(plain.Block(plain.Cut(s.Text, maxReflection), MaxItem), "\n")) {
			t.Fatalf("%q is not in the prompt", s.Text)
		}
	})
}
