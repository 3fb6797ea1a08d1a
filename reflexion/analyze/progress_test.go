package analyze

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"episodes/internal/snapshot"
	"episodes/reflexion"
)

var since = time.Unix(1700000000, 0).UTC()

// learned are n loops of two iterations: one fails and learns, the other passes.
func learned(n int) (rs []*reflexion.Record) {
	for i := range n {
		id := fmt.Sprintf("ralph-l%d", i)
		at := func(s int) string { return since.Add(time.Duration(100*i+s) * time.Second).Format(time.RFC3339) }
		rs = append(rs, &reflexion.Record{LoopID: id, Timestamp: at(0), Task: fmt.Sprintf("mend cache number %d", i), TaskType: "cache",
			Evaluator: reflexion.EvaluatorOutput{Type: reflexion.UnitTests, Reward: new(0.1), Errors: []reflexion.Problem{{Type: reflexion.TestFailure, Message: "stale", File: "c.go", Line: i + 1}}},
			Reflection: reflexion.SelfReflection{Text: "I kept old entries", Lessons: []string{"expire entries first"}, Insights: []string{fmt.Sprintf("check the age at c.go:%d", i)},
				Credit: &reflexion.CreditAssignment{Category: reflexion.EdgeCaseMiss}}, Memory: reflexion.MemoryMetadata{Omega: 1}},
			&reflexion.Record{LoopID: id, Iteration: 1, Timestamp: at(9), Task: fmt.Sprintf("mend cache number %d", i), TaskType: "cache", Used: []int{0}, Injected: true,
				Evaluator:   reflexion.EvaluatorOutput{Type: reflexion.UnitTests, Passed: true, Reward: new(0.2 + 0.1*float64(i))},
				Performance: &reflexion.Performance{IsImprovement: true}, Memory: reflexion.MemoryMetadata{Omega: 1},
				Actor: reflexion.ActorOutput{Changed: &snapshot.Changes{Files: []snapshot.FileChange{{Path: "c.go", Kind: snapshot.Changed}}, Patch: fmt.Sprintf("--- c.go\n+++ c.go\n@@ -%d +%d @@\n-keep(e)\n+expire(e)\n", i+2, i+2)}}})
	}
	return rs
}

// The trend follows the rewards, from −1 to 1, and is absent below four loops; issues
// that last are the next focus, and gaps stay open until a loop passes (row M13).
func TestProgress(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rs := learned(rapid.IntRange(1, 9).Draw(t, "loops"))
		for _, r := range rs {
			*r.Evaluator.Reward = rapid.Float64Range(0, 1).Draw(t, "reward")
			r.Evaluator.Passed = rapid.Bool().Draw(t, "passed")
		}
		p := Progress(rs)[0]
		if (p.ImprovementTrend != nil) != (p.Loops >= minTrend) || p.SuccessRate < 0 || p.SuccessRate > 1 || p.AverageScore < 0 || p.AverageScore > 1 {
			t.Fatalf("%+v", p)
		}
		if p.ImprovementTrend != nil && !(*p.ImprovementTrend >= -1 && *p.ImprovementTrend <= 1) {
			t.Fatalf("trend %v", *p.ImprovementTrend)
		}
	})
	p := Progress(learned(4))[0]
	if p.TaskType != "cache" || p.TotalAttempts != 8 || p.Loops != 4 || p.SuccessRate != 1 || math.Abs(p.AverageScore-0.35) > 1e-12 || p.LastImprovement != since.Add(309*time.Second).Format(time.RFC3339) || *p.ImprovementTrend != 1 {
		t.Errorf("%+v", p)
	}
	if diff := cmp.Diff([][]string{{"check the age at c.go:0", "expire entries first"}, {"edge_case_miss in 4 of 4 loops"}, {"edge_case_miss"}, {}}, [][]string{p.KeyLessons, p.PersistentIssues, p.NextFocusAreas, p.KnowledgeGaps}); diff != "" {
		t.Error(diff)
	}
	open := learned(3)
	for i := range 3 { // the first passed in the end, so its gap is closed
		open[2*i].Reflection.Gaps = []string{fmt.Sprint("who owns entry ", i), "what is stale"}[:1+i/2]
		open[2*i+1].Evaluator.Passed = i == 0
	}
	if diff := cmp.Diff([]string{"who owns entry 2", "what is stale"}, Progress(open)[0].KnowledgeGaps); diff != "" { // numbers apart, the second says the same
		t.Error(diff)
	}
	flat := learned(6)
	for _, r := range flat {
		*r.Evaluator.Reward = 0.5
	}
	if p := Progress(flat)[0]; *p.ImprovementTrend != 0 || strings.Contains(p.Summary(), "trend") {
		t.Errorf("a trend where nothing changed: %v, %q", *p.ImprovementTrend, p.Summary())
	}
	*flat[len(flat)-1].Evaluator.Reward = 1
	if p := Progress(flat)[0]; math.Abs(*p.ImprovementTrend-1.0/3) > 1e-12 { // 5 of 15 pairs
		t.Errorf("one change: trend %v", *p.ImprovementTrend)
	}
}
