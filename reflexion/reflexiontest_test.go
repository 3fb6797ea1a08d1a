package reflexion

import (
	"fmt"
	"strings"
	"time"

	"pgregory.net/rapid"
)

// failed is a record of a failed iteration with a usable reflection.
func failed(loop string, iteration int, text string) *Record {
	return &Record{LoopID: loop, Iteration: iteration, Timestamp: time.Unix(1700000000+int64(iteration), 0).UTC().Format(time.RFC3339),
		Task:      "mend the cache",
		Actor:     ActorOutput{Actions: []Action{{Type: "code_modification", Description: "changed cache.go"}}, Rationale: "it looked stale"},
		Evaluator: EvaluatorOutput{Type: UnitTests, Reward: Ptr(0.3), Errors: []Problem{{Type: TestFailure, Message: fmt.Sprintf("want %d", iteration), File: "cache_test.go", Line: 7}}},
		Reflection: SelfReflection{Text: text, Credit: &CreditAssignment{FailingActions: []int{0}, RootCause: "no expiry", Category: EdgeCaseMiss},
			Insights: []string{"check expiry at cache.go:23"}, Lessons: []string{"test the empty case"}, Confidence: Ptr(0.6)},
		Memory: MemoryMetadata{Omega: 3, Size: 0},
	}
}

var drawRecord = rapid.Custom(func(t *rapid.T) *Record {
	text := rapid.Map(rapid.String(), func(s string) string { return strings.ToValidUTF8(s, "?") })
	r := failed("ralph-"+rapid.StringMatching(`[a-z0-9-]{1,20}`).Draw(t, "loop"), rapid.IntRange(0, 1<<30).Draw(t, "iteration"), text.Draw(t, "text"))
	r.Evaluator.Reward = Ptr(rapid.Float64Range(0, 1).Draw(t, "reward"))
	r.Evaluator.Type = rapid.SampledFrom(VerificationTypes()).Draw(t, "type")
	r.Evaluator.Passed = rapid.Bool().Draw(t, "passed")
	r.Reflection.Credit.Category = rapid.SampledFrom(Categories()).Draw(t, "category")
	r.Reflection.Insights = rapid.SliceOf(text).Draw(t, "insights")
	r.Memory.Policy = rapid.SampledFrom(Policies()).Draw(t, "policy")
	r.Memory.Omega = rapid.IntRange(MinOmega, MaxOmega).Draw(t, "omega")
	r.Notes = text.Draw(t, "notes")
	return r
})
