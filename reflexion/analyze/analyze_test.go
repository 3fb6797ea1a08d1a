package analyze

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"episodes/reflexion"
	"episodes/reflexion/evaluate"
)

// solvedIn are the new solutions by trial of the 134 AlfWorld tasks of Shinn et al. 2023
// (figure 3, from the logs of their repository).
var solvedIn = map[string][]int{
	"alfworld-reflexion": {84, 19, 8, 2, 4, 1, 5, 3, 2, 1, 1, 0, 1, 2, 1},
	"alfworld-base":      {84, 10, 3, 1, 2, 1, 0},
}

// published returns records with the published results of an arm. order lists the tasks
// in the order in which the arm solves them.
func published(name string, order []int) Arm {
	a := Arm{Name: name}
	trials := len(solvedIn[name])
	next := 0
	for trial, n := range solvedIn[name] {
		for _, task := range order[next : next+n] {
			for i := range trial + 1 {
				a.Records = append(a.Records, attempt(name, task, i, i == trial))
			}
		}
		next += n
	}
	for _, task := range order[next:] {
		for i := range trials {
			a.Records = append(a.Records, attempt(name, task, i, false))
		}
	}
	return a
}

func attempt(arm string, task, iteration int, passed bool) *reflexion.Record {
	reward := 0.0
	if passed {
		reward = 1
	}
	r := record(fmt.Sprintf("%s-%d", arm, task), iteration, passed, reward)
	r.Task = fmt.Sprintf("task %d", task)
	return r
}

// publishedArms are both arms, with tasks paired so that after trial 1 reflexion alone has
// solved 13 tasks and base alone 4, and after trial 6 23 and 1.
func publishedArms() []Arm {
	var inOrder []int
	for i := range 134 {
		inOrder = append(inOrder, i)
	}
	base := append([]int{}, inOrder[:84]...)
	base = append(base, 84, 85, 86, 87, 88, 89) // reflexion solves 84 to 102 in trial 1
	base = append(base, 103, 104, 105, 125)     // 103 to 122 up to trial 6, 123 to 133 later
	base = append(base, 90, 91, 92, 106, 107, 108, 109)
	for _, i := range inOrder {
		if !slices.Contains(base, i) {
			base = append(base, i)
		}
	}
	return []Arm{published("alfworld-reflexion", inOrder), published("alfworld-base", base)}
}

// The analysis of the AlfWorld runs gives the published figures.
func TestPublished(t *testing.T) {
	a := Analyze(publishedArms())
	want := [][]int{{84, 103, 111, 113, 117, 118, 123, 126, 128, 129, 130, 130, 131, 133, 134}, {84, 94, 97, 98, 100, 101, 101}}
	for i, r := range a.Arms {
		if r.Tasks != 134 {
			t.Errorf("%s: %d tasks", r.Name, r.Tasks)
		}
		if diff := cmp.Diff(want[i], r.SolvedByTrial); diff != "" {
			t.Errorf("%s: %s", r.Name, diff)
		}
	}
	for i, want := range []Retries{{Succeeded: 39, Attempted: 158, Through: 6}, {Succeeded: 17, Attempted: 230, Through: 6}} {
		got := a.Arms[i].Retries
		got.Low, got.High = 0, 0
		if got != want {
			t.Errorf("retries %+v, want %+v", got, want)
		}
	}
	type split struct {
		a, b int
		p    string
	}
	got := map[int]split{}
	for _, p := range a.Paired {
		got[p.Trial] = split{p.OnlyA, p.OnlyB, fmt.Sprintf("%.2g", p.PValue)}
	}
	if len(a.Paired) != 7 || got[6] != (split{23, 1, "3e-06"}) || got[1] != (split{13, 4, "0.049"}) {
		t.Errorf("pairs %v", got)
	}
	if v := a.Paired[6].Verdict; v != VerdictA {
		t.Errorf("verdict %q", v)
	}
	for _, want := range []string{"at most 7 attempts each: solved only with alfworld-reflexion 23, only with alfworld-base 1\n",
		"compared at 7, the longest loop of alfworld-base; those of alfworld-reflexion go to 15\n",
		"exact sign test p = 3e-06, ", "\n  better: alfworld-reflexion, difference +0.16 (0.09 to 0.23)\n"} {
		if text := Text(a); !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
}

func record(loop string, iteration int, passed bool, reward float64) *reflexion.Record {
	return &reflexion.Record{LoopID: "ralph-" + loop, Iteration: iteration, Timestamp: "2026-01-01T00:00:00Z", Task: loop,
		Evaluator: reflexion.EvaluatorOutput{Passed: passed, Type: reflexion.UnitTests, Reward: &reward}, Memory: reflexion.MemoryMetadata{Omega: 3}}
}

// The order of records changes nothing, and no figure is NaN or outside its range.
func TestOrderDoesNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var arms []Arm
		for _, name := range []string{"x", "y"} {
			arm := Arm{Name: name}
			for i := range rapid.IntRange(0, 8).Draw(t, "tasks") {
				for trial := range rapid.IntRange(1, 5).Draw(t, "trials") {
					r := record(fmt.Sprint("t", i), trial, rapid.IntRange(0, 3).Draw(t, "passed") == 0, rapid.Float64Range(0, 1).Draw(t, "reward"))
					r.Reflection.Text = rapid.SampledFrom([]string{"", "I failed"}).Draw(t, "text")
					r.Reflection.Confidence = new(rapid.Float64Range(0, 1).Draw(t, "confidence"))
					arm.Records = append(arm.Records, r)
				}
			}
			arms = append(arms, arm)
		}
		a := Analyze(arms)
		for i := range arms {
			arms[i].Records = rapid.Permutation(arms[i].Records).Draw(t, "order")
		}
		if diff := cmp.Diff(a, Analyze(arms)); diff != "" {
			t.Fatal(diff)
		}
		if _, err := json.Marshal(a); err != nil { // NaN and infinity have no JSON
			t.Fatal(err)
		}
		for _, r := range a.Arms {
			for i, n := range r.SolvedByTrial {
				if n > r.Tasks || i > 0 && n < r.SolvedByTrial[i-1] {
					t.Fatalf("curve %v of %d", r.SolvedByTrial, r.Tasks)
				}
			}
		}
		Text(a)
	})
}

// Little evidence gives figures that are absent, not wrong (row G35).
func TestSilence(t *testing.T) {
	a := Analyze([]Arm{{Name: "none"}, {Name: "few", Records: []*reflexion.Record{record("a", 0, false, 0), record("a", 1, true, 1)}}})
	empty := a.Arms[0]
	if empty.SuccessRate != nil || empty.LearningRate != nil || empty.AvgIterations != nil || empty.ToSuccess != nil || empty.Reuse.Rate != nil {
		t.Errorf("an empty arm claims %+v", empty)
	}
	few := a.Arms[1]
	if few.LearningLow != nil || few.Confidence.Correlation != nil || few.FalsePass != nil || few.Repeats != nil {
		t.Errorf("two records claim %+v", few)
	}
	b := Analyze([]Arm{{Name: "x", Records: solvedBy(5, true)}, {Name: "y", Records: solvedBy(5, false)}})
	if p := b.Paired[0]; p.OnlyA != 5 || p.Verdict != VerdictTooFew || p.Difference != 1 || p.Low > 0.35 {
		t.Errorf("five pairs claim %+v", p)
	}
	b = Analyze([]Arm{{Name: "x", Records: solvedBy(6, false)}, {Name: "y", Records: solvedBy(6, true)}})
	if p := b.Paired[0]; p.OnlyB != 6 || p.Verdict != VerdictB || p.High >= 0 {
		t.Errorf("six pairs: %+v", p)
	}
	// Where nothing differs in many tasks, that is an answer.
	b = Analyze([]Arm{{Name: "x", Records: solvedBy(200, true)}, {Name: "y", Records: solvedBy(200, true)}})
	if p := b.Paired[0]; p.Verdict != VerdictSmall || !strings.Contains(Text(b), "any difference is below 5 points: +0.00 (-0.01 to 0.01)") {
		t.Errorf("two hundred pairs: %+v\n%s", p, Text(b))
	}
}

func solvedBy(n int, solved bool) (rs []*reflexion.Record) {
	for i := range n {
		rs = append(rs, record(fmt.Sprint("t", i), 0, solved, 0.5))
	}
	return rs
}

// What the guide asks to be tracked: categories, lessons, breakthroughs, reuse,
// confidence, reviews, repeated task types (rows G27, G32 to G34).
func TestFigures(t *testing.T) {
	var rs []*reflexion.Record
	for i := range 12 {
		first := record(fmt.Sprint("t", i), 0, false, 0.2)
		first.Evaluator.Errors = []reflexion.Problem{{Type: reflexion.TestFailure, Message: "a"}, {Type: reflexion.TestFailure, Message: "b"}}
		first.TaskType, first.Timestamp = "crud", fmt.Sprintf("2026-01-%02dT00:00:00Z", i+1)
		first.Reflection = reflexion.SelfReflection{Text: "I failed", Confidence: new(float64(i%2) * 0.8), Lessons: []string{"check 3 inputs", fmt.Sprint("only ", string(rune('a'+i)), "bc")},
			Credit: &reflexion.CreditAssignment{Category: reflexion.EdgeCaseMiss}}
		second := record(fmt.Sprint("t", i), 1, i%2 == 1, 0.2+0.8*float64(i%2))
		if i%2 == 0 {
			second.Evaluator.Errors = first.Evaluator.Errors[:1]
		}
		second.Injected, second.Used = true, []int{0}
		second.Performance = &reflexion.Performance{IsImprovement: i%2 == 1}
		second.Evaluator.Results = []reflexion.Result{{Tool: "go test", Status: reflexion.Pass}, {Tool: evaluate.ReviewTool, Status: []reflexion.Status{reflexion.Fail, reflexion.Pass}[i%2]}}
		rs = append(rs, first, second)
	}
	r := Analyze([]Arm{{Name: "x", Records: rs}}).Arms[0]
	if diff := cmp.Diff([]Count{{"edge_case_miss", 12}}, r.Categories); diff != "" {
		t.Error(diff)
	}
	if r.Breakthroughs != 6 || r.Reuse.Injected != 12 || *r.Reuse.Rate != 1 || r.Reuse.Recurring != 1 || r.Reuse.Lessons != 13 || r.Reuse.SolvedMemory != 6 {
		t.Errorf("breakthroughs %d, reuse %+v", r.Breakthroughs, r.Reuse)
	}
	if c := r.Confidence; c.N != 12 || c.Improved != 6 || c.Correlation == nil || math.Abs(*c.Correlation-1) > 1e-9 {
		t.Errorf("confidence %+v", c)
	}
	if f := r.FalsePass; f == nil || f.Reviewed != 12 || f.Refused != 6 {
		t.Errorf("false passes %+v", f)
	}
	if c := r.Confidence; math.Abs(*c.Stated-0.4) > 1e-9 || math.Abs(*c.Bias+0.1) > 1e-9 || c.Verdict != Underconfident {
		t.Errorf("bias %+v, %v", c, *c.Bias)
	}
	if f := r.FalsePass; !(f.Low > 0.2 && f.Low < 0.5 && f.High > 0.5 && f.High < 0.8) {
		t.Errorf("false passes %+v", f)
	}
	if low, high := *r.LearningLow, *r.LearningHigh; math.Abs(low-0.0673) > 1e-4 || math.Abs(high-0.3327) > 1e-4 { // 0.2 ± 2.201 · 0.2089/√12
		t.Errorf("learning rate from %.4f to %.4f", low, high)
	}
	two := 2.0
	if diff := cmp.Diff(&RepeatedType{Types: 1, LaterIterations: &two, SolvedLater: 6, Later: 11, AfterFailure: 11, SolvedAfterFailure: 6}, r.Repeats); diff != "" { // the first loop of the type was never solved
		t.Error(diff)
	}
	if diff := cmp.Diff([]*float64{new(0.2), new(0.6)}, r.RewardByTrial, cmpopts.EquateApprox(0, 1e-12)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]*float64{new(2.0), new(0.5)}, r.ErrorsByTrial, cmpopts.EquateApprox(0, 1e-12)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(&Spread{N: 6, Mean: 2, Median: 2, Max: 2}, r.ToSuccess); diff != "" {
		t.Error(diff)
	}
	for _, want := range []string{"x: 12 tasks, 24 attempts", "solved 6 of 12 (50.0 %)", "trial  1 ████████████████████···················· 6", "mean reward by trial: 0.20 0.60\n", "mean errors by trial: 2.0 0.5\n",
		"iterations to success: median 2.0, mean 2.0, at most 2", "12 reflections, 12 of low quality: no actionable insights 12; shorter than 100 characters 12; speaks of none of the errors 12; high confidence without an error or an action to show for it 6", "attempts that improved on the one before: 6 of 12 (50.0 %)", "edge_case_miss             12", "retries that had reflections in their prompt: 12 of 12 (100.0 %); 1 of 13 lessons in two tasks or more",
		"correlation 1.00; stated 0.40, improved 0.50, underconfident (bias -0.10,", "verifier passes that a review refused: 6 of 12 (50.0 %)", "warning: the verifiers pass what is wrong: reviews refused 6 of 12 (50.0 %)", "1 task type tried more than once: solved at first 0 of 1, later 6 of 11, after a failure 6 of 11"} {
		if text := Text(Analyze([]Arm{{Name: "x", Records: rs}})); !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
	if l := r.Loops[0]; l.LoopID != "ralph-t0" || l.Iterations != 2 || l.FinalSuccess || l.Lessons != 2 || l.LearningRate != 0 {
		t.Errorf("loop %+v", l)
	}
}

// Where the first loop of a type was solved, its iterations are compared with those of the
// later ones (row G34).
func TestRepeatedTypes(t *testing.T) {
	var rs []*reflexion.Record
	for i, solvedAt := range []int{2, 0, -1, 0} { // iterations; -1: never
		for trial := range max(solvedAt, 1) + 1 {
			if solvedAt >= 0 && trial > solvedAt {
				break
			}
			r := record(fmt.Sprint("t", i), trial, trial == solvedAt, 0.5)
			r.TaskType, r.Timestamp = "crud", fmt.Sprintf("2026-01-%02dT00:00:00Z", i+1)
			rs = append(rs, r)
		}
	}
	want := &RepeatedType{Types: 1, FirstIterations: new(3.0), LaterIterations: new(1.0), SolvedFirst: 1, SolvedLater: 2, Later: 3, AfterFailure: 1, SolvedAfterFailure: 1}
	a := Analyze([]Arm{{Name: "x", Records: rs}})
	if diff := cmp.Diff(want, a.Arms[0].Repeats); diff != "" {
		t.Error(diff)
	}
	if text := Text(a); !strings.Contains(text, "iterations to success: at first 3.0, later 1.0") {
		t.Error(text)
	}
}
