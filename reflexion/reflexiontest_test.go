package reflexion

import (
	"fmt"
	"strings"
	"time"

	"pgregory.net/rapid"

	"episodes/internal/snapshot"
)

// failed is a record of a failed iteration with a usable reflection.
func failed(loop string, iteration int, text string) *Record {
	return &Record{LoopID: loop, Iteration: iteration, Timestamp: time.Unix(1700000000+int64(iteration), 0).UTC().Format(time.RFC3339),
		Task:      "mend the cache",
		Actor:     ActorOutput{Actions: []Action{{Type: "code_modification", Description: "changed cache.go"}}, Rationale: "it looked stale"},
		Evaluator: EvaluatorOutput{Type: UnitTests, Reward: new(0.3), Errors: []Problem{{Type: TestFailure, Message: fmt.Sprintf("want %d", iteration), File: "cache_test.go", Line: 7}}},
		Reflection: SelfReflection{Text: text, Credit: &CreditAssignment{FailingActions: []int{0}, RootCause: "no expiry", Category: EdgeCaseMiss},
			Insights: []string{"check expiry at cache.go:23"}, Lessons: []string{"test the empty case"}, Confidence: new(0.6)},
		Memory: MemoryMetadata{Omega: 3, Size: 0},
	}
}

// whole is a record with every field of the schema.
func whole() *Record {
	r := failed("ralph-a", 2, "I broke it")
	r.Actor.Actions[0].Timestamp, r.Actor.Actions[0].Changes = "2026-01-01T00:00:00Z", &Changes{Additions: 4, Deletions: 1, Diff: "d"}
	r.Actor.Actions[0].FilePath, r.Actor.Actions[0].Command = "cache.go", "go test"
	r.Actor.Strategy, r.Actor.FilesModified, r.Actor.TotalChanges = "look first", []string{"cache.go"}, &TotalChanges{FilesChanged: 1, LinesAdded: 4, LinesDeleted: 1}
	r.Evaluator.Results = []Result{{Tool: "go test", Status: Fail, ExitCode: new(1), Stdout: "o", Stderr: "e", DurationMS: new(12)}}
	p := &r.Evaluator.Errors[0]
	p.Column, p.StackTrace, p.Severity, p.Rule = 2, "trace", "error", "TestCache"
	r.Evaluator.Metrics = &Metrics{TestsPassed: new(3), TestsFailed: new(2), TestsTotal: new(5), Coverage: new(62.5), LintErrors: new(0), LintWarnings: new(1), TypeErrors: new(0)}
	r.Reflection.Causal, r.Reflection.Related = "because", []int{0}
	r.Memory = MemoryMetadata{Omega: 3, Size: 1, InContext: []int{2}, Policy: FIFO, Total: new(3)}
	r.Injected, r.Used = true, []int{1}
	r.Performance = &Performance{RewardChange: 0.1, ErrorCountChange: -2, IsImprovement: true}
	r.Notes = "n"
	r.Actor.Blocked = "no key"
	r.Actor.Changed = &snapshot.Changes{Files: []snapshot.FileChange{{Path: "b/cache.go", Kind: snapshot.Renamed, From: "cache.go", Additions: 1, Deletions: 1, Lineless: true}}, Left: 1, Additions: 1, Deletions: 1,
		Patch: "--- cache.go\n+++ cache.go\n@@ -1 +1 @@\n-a\n+\tb\n", Cut: true, Unseen: 1}
	r.Advised = []Advised{{About: "test_failure:0123456789ab", Episodes: []string{"episode-a"}, Followed: true}}
	baseline := r.Evaluator
	baseline.Metrics = &Metrics{TestsPassed: new(3), TestsFailed: new(2), TestsTotal: new(5), TestsSkipped: new(1), TestsPartial: true}
	r.Baseline = &baseline
	return r
}

var drawRecord = rapid.Custom(func(t *rapid.T) *Record {
	text := rapid.Map(rapid.String(), func(s string) string { return strings.ToValidUTF8(s, "?") })
	r := failed("ralph-"+rapid.StringMatching(`[a-z0-9-]{1,20}`).Draw(t, "loop"), rapid.IntRange(0, 1<<30).Draw(t, "iteration"), text.Draw(t, "text"))
	r.Evaluator.Reward = new(rapid.Float64Range(0, 1).Draw(t, "reward"))
	r.Evaluator.Type = rapid.SampledFrom(VerificationTypes()).Draw(t, "type")
	r.Evaluator.Passed = rapid.Bool().Draw(t, "passed")
	r.Reflection.Credit.Category = rapid.SampledFrom(Categories()).Draw(t, "category")
	r.Reflection.Insights = rapid.SliceOf(text).Draw(t, "insights")
	r.Memory.Policy = rapid.SampledFrom(Policies()).Draw(t, "policy")
	r.Memory.Omega = rapid.IntRange(MinOmega, MaxOmega).Draw(t, "omega")
	r.Notes = text.Draw(t, "notes")
	count := rapid.IntRange(0, 1<<20)
	r.TaskType, r.Arm = text.Draw(t, "type of task"), rapid.SampledFrom(append(Arms(), "")).Draw(t, "arm")
	r.Actor.Actions = rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Action {
		return Action{Type: rapid.SampledFrom(ActionTypes()).Draw(t, "action"), Description: text.Draw(t, "description"), FilePath: text.Draw(t, "path"), Command: text.Draw(t, "command"),
			Changes: &Changes{Additions: count.Draw(t, "added"), Deletions: count.Draw(t, "deleted"), Diff: text.Draw(t, "diff")}, Timestamp: r.Timestamp}
	}), 1, 4).Draw(t, "actions")
	r.Actor.Strategy, r.Actor.FilesModified = text.Draw(t, "strategy"), rapid.SliceOf(text).Draw(t, "files")
	r.Actor.TotalChanges = &TotalChanges{FilesChanged: count.Draw(t, "files changed"), LinesAdded: count.Draw(t, "lines added"), LinesDeleted: count.Draw(t, "lines deleted")}
	status := Pass
	if !r.Evaluator.Passed {
		status = rapid.SampledFrom([]Status{Pass, Fail, Errored, Skip}).Draw(t, "status")
	}
	r.Evaluator.Results = []Result{{Tool: text.Draw(t, "tool"), Status: status, ExitCode: new(count.Draw(t, "exit")), Stdout: text.Draw(t, "stdout"), Stderr: text.Draw(t, "stderr"), DurationMS: new(count.Draw(t, "ms"))}}
	r.Evaluator.Errors = rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Problem {
		return Problem{Type: rapid.SampledFrom([]ErrorType{SyntaxError, TypeError, TestFailure, LintError, RuntimeError, LogicError, Timeout, OtherError}).Draw(t, "error"), Message: text.Draw(t, "message"),
			File: text.Draw(t, "file"), Line: count.Draw(t, "line"), Column: count.Draw(t, "column"), StackTrace: text.Draw(t, "trace"), Severity: rapid.SampledFrom([]string{"error", "warning", "info"}).Draw(t, "severity"), Rule: text.Draw(t, "rule")}
	}), 0, 3).Draw(t, "errors")
	passed, failed := count.Draw(t, "tests passed"), count.Draw(t, "tests failed")
	r.Evaluator.Metrics = &Metrics{TestsPassed: &passed, TestsFailed: &failed, TestsTotal: new(passed + failed), Coverage: new(rapid.Float64Range(0, 100).Draw(t, "coverage")),
		LintErrors: new(count.Draw(t, "lint")), LintWarnings: new(count.Draw(t, "warnings")), TypeErrors: new(count.Draw(t, "types"))}
	r.Reflection.Causal, r.Reflection.Gaps = text.Draw(t, "causal"), rapid.SliceOf(text).Draw(t, "gaps")
	r.Actor.Changed = rapid.Custom(func(t *rapid.T) *snapshot.Changes {
		file := rapid.Custom(func(t *rapid.T) snapshot.FileChange {
			return snapshot.FileChange{Path: text.Draw(t, "path"), Kind: text.Draw(t, "kind"), From: text.Draw(t, "from"), Additions: count.Draw(t, "added")}
		})
		return &snapshot.Changes{Files: rapid.SliceOfN(file, 0, 3).Draw(t, "files"), Patch: text.Draw(t, "patch")}
	}).Draw(t, "changed")
	r.Reflection.Source = rapid.SampledFrom([]string{FromModel, FromRules}).Draw(t, "source")
	if r.Iteration > 0 {
		r.Reflection.Related, r.Used, r.Injected = []int{0}, []int{r.Iteration - 1}, true
		r.Performance = &Performance{RewardChange: rapid.Float64Range(-1, 1).Draw(t, "change"), ErrorCountChange: rapid.IntRange(-99, 99).Draw(t, "fewer"), IsImprovement: rapid.Bool().Draw(t, "improvement")}
	}
	r.Memory.InContext, r.Memory.Size, r.Memory.Total = []int{r.Iteration}, 1, new(1+count.Draw(t, "total"))
	return r
})
