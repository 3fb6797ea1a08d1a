package analyze

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/stat/combin"
	"pgregory.net/rapid"

	"episodes/reflexion"
	"episodes/reflexion/evaluate"
)

func published(t *testing.T, name string) Arm {
	t.Helper()
	f, err := os.Open(filepath.Join("..", "..", "..", "shared", "bench", "reflexion", name+".jsonl"))
	if err != nil {
		t.Skip("the published runs stand beside the project and are not there")
	}
	defer f.Close()
	rs, bad, doubts, err := Read(name, f)
	if err != nil || len(bad)+len(doubts) > 0 {
		t.Fatal(err, bad, doubts)
	}
	return Arm{Name: name, Records: rs}
}

// The published AlfWorld runs give the published figures (Shinn et al. 2023,
// figure 3, from the logs of their repository).
func TestPublished(t *testing.T) {
	a := Analyze([]Arm{published(t, "alfworld-reflexion"), published(t, "alfworld-base")}, Options{Through: -1})
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
}

// The exact p-value is the sum over whole numbers.
func TestSignTest(t *testing.T) {
	for n := range 25 {
		for low := range n/2 + 1 {
			var tail float64
			for k := range low + 1 {
				tail += float64(combin.Binomial(n, k))
			}
			want := math.Min(1, 2*tail/math.Pow(2, float64(n)))
			for _, got := range []float64{SignTest(low, n-low), SignTest(n-low, low)} {
				if math.Abs(got-want) > 1e-12 {
					t.Errorf("SignTest(%d, %d) = %g, want %g", low, n-low, got, want)
				}
			}
		}
	}
}

// The interval holds the true difference about as often as it says.
func TestPairedDifferenceCoverage(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 6))
	for _, tt := range []struct{ pa, pb float64 }{{0.1, 0.1}, {0.3, 0.1}, {0.02, 0.2}} {
		held, rounds, n := 0, 4000, 60
		for range rounds {
			var a, b int
			for range n {
				switch u := rng.Float64(); {
				case u < tt.pa:
					a++
				case u < tt.pa+tt.pb:
					b++
				}
			}
			if PairedDifference(a, b, n).Contains(tt.pa - tt.pb) {
				held++
			}
		}
		if c := float64(held) / float64(rounds); c < 0.935 || c > 0.985 {
			t.Errorf("%v: coverage %.3f, want about 0.95", tt, c)
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
					r.Reflection.Confidence = reflexion.Ptr(rapid.Float64Range(0, 1).Draw(t, "confidence"))
					arm.Records = append(arm.Records, r)
				}
			}
			arms = append(arms, arm)
		}
		a := Analyze(arms, Options{Through: -1, Loops: true})
		for i := range arms {
			arms[i].Records = rapid.Permutation(arms[i].Records).Draw(t, "order")
		}
		if diff := cmp.Diff(a, Analyze(arms, Options{Through: -1, Loops: true})); diff != "" {
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
		if err := xml.Unmarshal([]byte(SVG(a)), new(any)); err != nil && err != io.EOF {
			t.Fatal(err)
		}
	})
}

// The learning rate divides by n and not by n−1, and is 0 for one reward or none
// (row G26).
func TestLearningRate(t *testing.T) {
	for _, tt := range []struct {
		rewards []float64
		want    float64
	}{{nil, 0}, {[]float64{0.4}, 0}, {[]float64{0, 1}, 0.5}, {[]float64{0.2, 0.9, 0.8}, 0.2}, {[]float64{1, 0}, -0.5}} {
		if got := LearningRate(tt.rewards); math.Abs(got-tt.want) > 1e-12 {
			t.Errorf("LearningRate(%v) = %v, want %v", tt.rewards, got, tt.want)
		}
	}
}

// Little evidence gives figures that are absent, not wrong (row G35).
func TestSilence(t *testing.T) {
	a := Analyze([]Arm{{Name: "none"}, {Name: "few", Records: []*reflexion.Record{record("a", 0, false, 0), record("a", 1, true, 1)}}}, Options{Through: -1})
	empty := a.Arms[0]
	if empty.SuccessRate != nil || empty.LearningRate != nil || empty.AvgIterations != nil || empty.ToSuccess != nil || empty.Reuse.Rate != nil {
		t.Errorf("an empty arm claims %+v", empty)
	}
	few := a.Arms[1]
	if few.LearningLow != nil || few.Confidence.Correlation != nil || few.FalsePass != nil || few.Repeats != nil {
		t.Errorf("two records claim %+v", few)
	}
	b := Analyze([]Arm{{Name: "x", Records: solvedBy(5, true)}, {Name: "y", Records: solvedBy(5, false)}}, Options{Through: -1})
	if p := b.Paired[0]; p.OnlyA != 5 || p.Verdict != VerdictTooFew || p.Difference != nil {
		t.Errorf("five pairs claim %+v", p)
	}
	b = Analyze([]Arm{{Name: "x", Records: solvedBy(6, false)}, {Name: "y", Records: solvedBy(6, true)}}, Options{Through: -1})
	if p := b.Paired[0]; p.OnlyB != 6 || p.Verdict != VerdictB || *p.High >= 0 {
		t.Errorf("six pairs: %+v", p)
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
		first.TaskType, first.Timestamp = "crud", fmt.Sprintf("2026-01-%02dT00:00:00Z", i+1)
		first.Reflection = reflexion.SelfReflection{Text: "I failed", Confidence: reflexion.Ptr(float64(i%2) * 0.8), Lessons: []string{"check 3 inputs", fmt.Sprint("only ", string(rune('a'+i)), "bc")},
			Credit: &reflexion.CreditAssignment{Category: reflexion.EdgeCaseMiss}}
		second := record(fmt.Sprint("t", i), 1, i%2 == 1, 0.2+0.8*float64(i%2))
		second.Injected, second.Used = true, []int{0}
		second.Performance = &reflexion.Performance{IsImprovement: i%2 == 1}
		second.Evaluator.Results = []reflexion.Result{{Tool: "go test", Status: reflexion.Pass}, {Tool: evaluate.ReviewTool, Status: []reflexion.Status{reflexion.Fail, reflexion.Pass}[i%2]}}
		rs = append(rs, first, second)
	}
	r := Analyze([]Arm{{Name: "x", Records: rs}}, Options{Through: -1, Loops: true}).Arms[0]
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
	if r.Repeats != nil { // the first loop of the type was never solved
		t.Errorf("repeats %+v", r.Repeats)
	}
	if l := r.Loops[0]; l.LoopID != "ralph-t0" || l.Iterations != 2 || l.FinalSuccess || l.Lessons != 2 || l.LearningRate != 0 {
		t.Errorf("loop %+v", l)
	}
}

// Lines that are no record are named by file and line, and the rest is read.
func TestRead(t *testing.T) {
	good, err := json.Marshal(record("a", 0, true, 1))
	if err != nil {
		t.Fatal(err)
	}
	text := string(good) + "\n\nnonsense\n" + strings.Replace(string(good), "ralph-a", "A", 1) + "\n" + string(good)
	rs, bad, _, err := Read("f.jsonl", strings.NewReader(strings.ReplaceAll(text, `"actions":null`, `"actions":[]`)))
	if err != nil || len(rs) != 2 || len(bad) != 2 {
		t.Fatalf("%d records, %v, %v", len(rs), bad, err)
	}
	for i, want := range []string{"f.jsonl:3: ", "f.jsonl:4: "} {
		if !strings.HasPrefix(bad[i].Error(), want) {
			t.Errorf("%v, want %q", bad[i], want)
		}
	}
}
