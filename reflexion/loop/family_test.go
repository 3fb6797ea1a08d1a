package loop

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"episodes/episode"
	"episodes/internal/testing/querytest"
	"episodes/reflexion"
	"episodes/reflexion/advice"
	"episodes/reflexion/analyze"
)

// A family of tasks: four that are like each other come one after another. Each has one
// trap, and the way through it is the same in all four; or, where the memory is wrong,
// another one in the last two.
const (
	families    = 120
	familyTasks = 4
	familyTries = 12
)

// family returns after how many attempts each task of a family was solved (familyTries + 1:
// not at all), and the records of its loops.
func family(t *testing.T, seed uint64, arm string, wrong bool) (iterations [familyTasks]float64, records [familyTasks][]*reflexion.Record) {
	t.Helper()
	world, trap := &simWorld{}, int(seed)%simSymptom
	rng := rand.New(rand.NewPCG(20, seed))
	world.right[trap] = rng.IntN(simWays)
	var episodes []*episode.Episode
	for n := range familyTasks {
		if wrong && n == familyTasks/2 {
			world.right[trap] = (world.right[trap] + 1) % simWays
		}
		c := &Config{LoopID: fmt.Sprintf("ralph-family-%d-%d-%s", seed, n, arm), Task: fmt.Sprintf("task %d of family %d", n, seed), Created: "2026-01-01T00:00:00Z", Max: familyTries, Arm: arm, Stuck: DefaultStuck * familyTries}
		now, graph := time.Unix(1700000000, 0), querytest.New(episodes...)
		r := &Runner{Config: c, Store: &memoryStore{}, Steps: &simSteps{world: world, rng: rng, traps: []int{trap}}, Now: func() time.Time { now = now.Add(time.Second); return now },
			Advise: func(errors []reflexion.Problem, tried map[string]bool) []reflexion.Known {
				found, err := advice.About(graph, nil, errors, "", tried)
				if err != nil {
					t.Fatal(err)
				}
				return found
			}}
		end, history, err := r.Run(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if iterations[n] = float64(end.Iterations); !end.Success {
			iterations[n] = familyTries + 1
		}
		records[n] = history
		ep, _ := Episode(c, end, history, "log.md")
		episodes = append(episodes, ep)
	}
	return iterations, records
}

// interval is the mean of some numbers, with its 95 % interval by the normal distribution.
func interval(xs []float64) (mean, low, high float64) {
	sum, squares := 0.0, 0.0
	for _, x := range xs {
		sum += x
	}
	mean = sum / float64(len(xs))
	for _, x := range xs {
		squares += (x - mean) * (x - mean)
	}
	half := 1.96 * math.Sqrt(squares/float64(len(xs)-1)/float64(len(xs)))
	return mean, mean - half, mean + half
}

// Without a model, memory pays from task to task, and without memory nothing changes. A
// memory that is wrong costs about the one attempt that follows it, and the next task is
// told what was right.
func TestMemoryPays(t *testing.T) {
	t.Parallel()
	run := func(arm string, wrong bool) (out [familyTasks][]float64) {
		for seed := range uint64(families) {
			iterations, _ := family(t, seed, arm, wrong)
			for i, n := range iterations {
				out[i] = append(out[i], n)
			}
		}
		return out
	}
	minus := func(a, b []float64) (out []float64) {
		for i := range a {
			out = append(out, a[i]-b[i])
		}
		return out
	}
	const last, turned = familyTasks - 1, familyTasks / 2
	all, none, wrong, wrongNone := run("all", false), run("none", false), run("all", true), run("none", true)
	for name, c := range map[string]struct {
		xs        []float64
		low, high float64 // where the interval must lie, or what it must hold
		holds     bool
	}{
		"with memory, from the first task to the last": {minus(all[last], all[0]), -math.MaxFloat64, -0.5, false},
		"without memory":               {minus(none[last], none[0]), 0, 0, true},
		"a wrong memory, against none": {minus(wrong[turned], wrongNone[turned]), -1, 2.5, false},
		"the task after it":            {minus(wrong[last], wrongNone[last]), -math.MaxFloat64, 0, false},
	} {
		mean, low, high := interval(c.xs)
		if c.holds && (low > c.low || high < c.high) || !c.holds && (low < c.low || high > c.high) {
			t.Errorf("%s: the iterations change by %.2f (%.2f to %.2f)", name, mean, low, high)
		}
		t.Logf("%s: %.2f (%.2f to %.2f)", name, mean, low, high)
	}
}

// That a wrong memory costs something is shown by what compares arms: the area under the curve
// of the tasks that it misleads is smaller, while as many are solved in the end.
func TestWrongMemoryIsShown(t *testing.T) {
	t.Parallel()
	var arms []analyze.Arm
	for _, name := range []string{"none", "all"} {
		arm := analyze.Arm{Name: name}
		for seed := range uint64(families) {
			_, records := family(t, seed, name, true)
			arm.Records = append(arm.Records, records[familyTasks/2]...)
		}
		arms = append(arms, arm)
	}
	a := analyze.Analyze(arms)
	if len(a.Compared) != 1 {
		t.Fatalf("%+v", a.Compared)
	}
	c := a.Compared[0]
	t.Logf("solved in the end %.2f and %.2f (%.2f, %.2f to %.2f); area %.2f and %.2f (%.2f, %.2f to %.2f): %s", c.Last.A, c.Last.B, c.Last.Difference, c.Last.Low, c.Last.High, c.Area.A, c.Area.B, c.Area.Difference, c.Area.Low, c.Area.High, c.Area.Verdict)
	if c.A != "none" || c.Area.Low <= 0 || c.Area.High > 0.25 || c.Last.Low > 0.05 {
		t.Errorf("%+v", c)
	}
}
