package loop

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"episodes/episode"
	"episodes/internal/snapshot"
	"episodes/internal/testing/few"
	"episodes/internal/testing/golden"
	"episodes/internal/testing/querytest"
	"episodes/reflexion"
	"episodes/reflexion/advice"
	"episodes/reflexion/analyze"
	"episodes/reflexion/evaluate"
)

// The simulated world: tasks with traps, each of which has one right way among several.
// The actor chooses at random unless its prompt says which way is right or wrong.
const (
	simTasks   = 200 // of each class
	simTrials  = 6
	simTraps   = 3
	simWays    = 4
	simSymptom = 40 // different traps in the world
)

// simClass is a class of tasks. Nothing can be learned in the last one.
type simClass struct {
	name string
	// clear: the verifier's message names the way that was wrong, so that a reflection
	// can exclude it. Else it only says that something is wrong.
	clear bool
	// noise: the probability that the verifier fails a right attempt, as if it were a
	// trap.
	noise float64
	// shift: the right way changes with every attempt.
	shift bool
	// inHeavy: simulated in heavy runs alone, and for -update.
	inHeavy bool
}

var simClasses = []simClass{
	{name: "clear errors", clear: true},
	{name: "vague errors", inHeavy: true},
	{name: "flaky verifier", clear: true, noise: 0.3, inHeavy: true},
	{name: "no lasting cause", clear: true, shift: true},
}

// simWorld has the right way at each trap, which is the same in all tasks.
type simWorld struct {
	right [simSymptom]int
}

// simSteps is one loop in that world.
type simSteps struct {
	world  *simWorld
	class  simClass
	rng    *rand.Rand
	traps  []int
	chosen map[int]int
}

func way(trap, w int) string { return fmt.Sprintf("take way%c%c at trap_%02d", 'A'+w, 'z', trap) }

func (s *simSteps) Prompt(_ int, c *reflexion.Context) (Prompted, error) {
	return prompted(c, 0), nil
}

// Act chooses a way at each trap: the one that the prompt says ended well, else any that
// it does not exclude.
func (s *simSteps) Act(_ context.Context, _ int, prompt string) (*Acted, error) {
	out := reflexion.ActorOutput{Rationale: "simulated", Actions: []reflexion.Action{}}
	before, after := &snapshot.Tree{Files: s.files()}, &snapshot.Tree{}
	s.chosen = map[int]int{}
	for _, trap := range s.traps {
		var open []int
		best := -1
		for w := range simWays {
			text := way(trap, w)
			if endedWell(prompt, text) {
				best = w
			}
			if !strings.Contains(prompt, "not: "+text) {
				open = append(open, w)
			}
		}
		if len(open) == 0 {
			open = []int{0, 1, 2, 3}
		}
		if best < 0 {
			best = open[s.rng.IntN(len(open))]
		}
		s.chosen[trap] = best
	}
	after.Files = s.files()
	out.Changed = snapshot.Compare(before, after)
	return &Acted{Output: out}, nil
}

// files is what the actor has written: the way at each trap, in a file of its own.
func (s *simSteps) files() map[string]snapshot.File {
	out := map[string]snapshot.File{}
	for _, trap := range s.traps {
		text := "nothing yet"
		if w, ok := s.chosen[trap]; ok {
			text = way(trap, w)
		}
		out[fmt.Sprintf("trap_%02d.go", trap)] = snapshot.File{Size: int64(len(text)), ID: text, Text: []byte(text + "\n"), Kept: true}
	}
	return out
}

// endedWell reports whether a prompt says that a change to a text ended well.
func endedWell(prompt, text string) bool {
	for line := range strings.Lines(prompt) {
		_, rest, ok := strings.Cut(line, "to '"+text+"'")
		said, _, _ := strings.Cut(rest, ";") // about this option
		if ok && strings.Contains(said, " ended well in ") {
			return true
		}
	}
	return false
}

// Verify stops at the first trap that is not passed, as a compiler or a test run
// often does.
func (s *simSteps) Verify(_ context.Context, i int) (*evaluate.Evaluation, error) {
	r := &evaluate.Report{Format: evaluate.PlainExit}
	passed := 0
	for _, trap := range s.traps {
		right := s.world.right[trap]
		if s.class.shift {
			right = s.rng.IntN(simWays)
		}
		if w, chose := s.chosen[trap]; chose && w == right && !(s.class.noise > 0 && s.rng.Float64() < s.class.noise/simTraps) {
			passed++
			continue
		}
		message := "something is wrong"
		if s.class.clear && i != baseline {
			message = fmt.Sprintf("not: %s", way(trap, s.chosen[trap]))
		}
		p := reflexion.Problem{Type: reflexion.TestFailure, Rule: fmt.Sprintf("Trap%02d", trap), Message: message, File: fmt.Sprintf("trap_%02d.go", trap), Line: 1, Severity: "error"}
		p.Signature = reflexion.SignatureOf(p)
		r.Problems = append(r.Problems, p)
		break
	}
	failed := len(s.traps) - passed
	r.Passed, r.Failed = &passed, &failed
	status := reflexion.Pass
	if failed > 0 {
		status = reflexion.Fail
	}
	return evaluate.Combine([]*evaluate.Report{r}, []reflexion.Result{{Tool: "simulated", Status: status}}, ""), nil
}

// Reflect has no model: the plain reflections are those of the program itself.
func (s *simSteps) Reflect(context.Context, int, int, string) ([]byte, error) { return nil, nil }

func (s *simSteps) Found(int) (*evaluate.Evaluation, error) { return nil, nil }

type memoryStore struct{ records []*reflexion.Record }

func (m *memoryStore) Loop(string) ([]*reflexion.Record, error) { return m.records, nil }

func (m *memoryStore) Own(*reflexion.Record) bool { return true }

func (m *memoryStore) Iterations() int { return len(m.records) }

func (m *memoryStore) Reopen() error { return nil }

func (m *memoryStore) Known(*reflexion.Record) bool { return true }

func (m *memoryStore) Save(r *reflexion.Record) error {
	m.records = append(m.records, r)
	return nil
}

// simulate runs all tasks of a class with one arm. The same seed gives every arm
// the same tasks and random numbers.
func simulate(t *testing.T, class simClass, arm string) []*reflexion.Record {
	t.Helper()
	worldRng := rand.New(rand.NewPCG(6, 1))
	world := &simWorld{}
	for i := range world.right {
		world.right[i] = worldRng.IntN(simWays)
	}
	var all []*reflexion.Record
	var episodes []*episode.Episode
	graph := querytest.New()
	for n := range simTasks {
		rng := rand.New(rand.NewPCG(6, uint64(1000+n)))
		traps := rng.Perm(simSymptom)[:simTraps]
		c := &Config{LoopID: fmt.Sprintf("ralph-sim-%03d", n), Task: fmt.Sprintf("task %03d", n), Created: "2026-01-01T00:00:00Z", Max: simTrials, Omega: 3, Arm: arm}
		store := &memoryStore{}
		now := time.Unix(1700000000, 0)
		r := &Runner{Config: c, Store: store, Steps: &simSteps{world: world, class: class, rng: rng, traps: traps}, Now: func() time.Time { now = now.Add(time.Second); return now },
			Advise: func(errors []reflexion.Problem, tried map[string]bool) []reflexion.Known {
				found, err := advice.About(graph, nil, errors, "", tried)
				must(t, err)
				return found
			}}
		end, history, err := r.Run(context.Background())
		must(t, err)
		all = append(all, history...)
		if show, _ := reflexion.ShowFor(arm); !show.Graph {
			continue
		}
		ep, _ := Episode(c, end, history, "log.md")
		if episodes = append(episodes, ep); n%40 == 39 { // the graph is updated now and then
			graph = querytest.New(episodes...)
		}
	}
	return all
}

// simIntro is the beginning of testdata/simulation.md.
const simIntro = `# What reflections are worth: a simulation

For each class of tasks and each arm (docs/loop.md, "What a prompt contains"): how many of 200 tasks were solved by each trial, with the 95 %
interval of the final rate; then how many tasks only this arm solved and how many only the arm none, with the exact sign test.

The simulated actor chooses at random among four ways at each of three traps of a task, except where its prompt says which way is right
or wrong. So only the prompt can make an arm better. The right ways are the same in all tasks.

- clear errors: the verifier names the wrong way.
- vague errors: the verifier only says that something is wrong.
- flaky verifier: as clear errors, but a right attempt fails with probability 0.3.
- no lasting cause: as clear errors, but the right ways change with every attempt, so there is nothing to learn.

Written by "go test ./reflexion/loop -run Simulated -update".
`

// TestSimulated checks testdata/simulation.md: success by trial for each arm,
// with intervals, over 200 seeded tasks of each class, and the comparison of each arm
// with none. -update rewrites it. Two of the classes are simulated in heavy runs alone.
func TestSimulated(t *testing.T) {
	var b bytes.Buffer
	b.WriteString(simIntro)
	verdicts := map[string]string{}
	leftOut := map[string]bool{}
	for _, class := range simClasses {
		if leftOut[class.name] = class.inHeavy && !few.Heavy() && !*golden.Update; leftOut[class.name] {
			continue
		}
		arms := make([]analyze.Arm, len(reflexion.Arms()))
		t.Run(class.name, func(t *testing.T) {
			for i, name := range reflexion.Arms() {
				t.Run(name, func(t *testing.T) {
					t.Parallel()
					arms[i] = analyze.Arm{Name: name, Records: simulate(t, class, name)}
				})
			}
		})
		a := analyze.Analyze(arms)
		fmt.Fprintf(&b, "\n## %s\n\n| arm | trial 0 |", class.name)
		for i := 1; i < simTrials; i++ {
			fmt.Fprintf(&b, " %d |", i)
		}
		b.WriteString(" solved of " + fmt.Sprint(simTasks) + ", 95 % interval | against none: only it, only none | exact p |\n|---|" + strings.Repeat("---|", simTrials+3) + "\n")
		for i, r := range a.Arms {
			fmt.Fprintf(&b, "| %s |", r.Name)
			for trial := range simTrials {
				n := r.SolvedByTrial[min(trial, len(r.SolvedByTrial)-1)]
				fmt.Fprintf(&b, " %d |", n)
			}
			fmt.Fprintf(&b, " %.2f to %.2f |", r.SuccessLow, r.SuccessHigh)
			if i == 0 {
				b.WriteString(" | |\n")
				continue
			}
			p := against(a, "none", r.Name)
			fmt.Fprintf(&b, " %d, %d | %.2g |\n", p.OnlyB, p.OnlyA, p.PValue)
			verdicts[class.name+"/"+r.Name] = p.Verdict
		}
	}
	file := filepath.Join("testdata", "simulation.md")
	if *golden.Update {
		must(t, os.WriteFile(file, b.Bytes(), 0o644))
	}
	want, err := os.ReadFile(file)
	must(t, err)
	sections := strings.Split(string(want), "\n## ")
	sections = slices.DeleteFunc(sections, func(s string) bool { name, _, _ := strings.Cut(s, "\n"); return leftOut[name] })
	if diff := cmp.Diff(strings.Join(sections, "\n## "), b.String()); diff != "" {
		t.Errorf("the table is not what the simulation gives now (go test ./reflexion/loop -run Simulated -update):\n%s", diff)
	}
	// Independent of the table: reflections help where errors have lasting causes and are
	// clear, and do not where there is no lasting cause.
	for _, arm := range []string{"reflections", "all"} {
		if v := verdicts["clear errors/"+arm]; v != analyze.VerdictB {
			t.Errorf("%s does not help with clear errors: %s", arm, v)
		}
		if v := verdicts["no lasting cause/"+arm]; v == analyze.VerdictB {
			t.Errorf("%s helps where nothing can be learned", arm)
		}
	}
}

// against is the comparison of two arms after the last trial that both have.
func against(a *analyze.Analysis, x, y string) analyze.Pair {
	var last analyze.Pair
	for _, p := range a.Paired {
		if p.A == x && p.B == y {
			last = p
		}
	}
	return last
}

// must ends a test at an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
