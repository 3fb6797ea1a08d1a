//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"episodes/internal/testing/few"
	"episodes/reflexion"
)

// fakeActor is the folder of the loop's small programs.
func fakeActor(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs("../../reflexion/loop/testdata")
	must0(t, err)
	return dir
}

func loopArgs(scripts string) []string {
	return []string{"loop", "--memory", "m", "--root", ".", "--task", "answer", "--omega", "3", "--actor", scripts + "/actor.sh",
		"--verify", scripts + "/verify.sh", "--exec", scripts + "/model.sh"}
}

// Killed with kill -9 at any point, a loop goes on: the records are those of a
// loop that was never killed, no actor and no model ran twice, and its episode is
// in the graph.
func TestLoopKilled(t *testing.T) {
	long(t)
	t.Setenv("ACTOR_SLEEP", "0.05")
	begin := loopArgs(fakeActor(t))
	want := loopOutcome(t, func(dir string) { must(t, dir, begin...) })
	seed := rand.Uint64()
	rng := rand.New(rand.NewPCG(seed, 6))
	for range few.Of(1, 20) {
		kills := 0
		got := loopOutcome(t, func(dir string) {
			args := begin
			for {
				cmd := program(dir, args...)
				var errs bytes.Buffer
				cmd.Stderr = &errs
				must0(t, cmd.Start())
				done := make(chan error, 1)
				go func() { done <- cmd.Wait() }()
				select {
				case err := <-done:
					if err != nil {
						t.Fatalf("seed %d: %q after %d kills: %v: %s", seed, args, kills, err, &errs)
					}
					return
				case <-time.After(time.Duration((5+rng.IntN(160))*(4+kills)/4) * time.Millisecond): // ever longer, so that a busy machine comes to an end
					_ = cmd.Process.Kill()
					<-done
					kills++
				}
				if begun, _ := filepath.Glob(filepath.Join(os.Getenv("XDG_CONFIG_HOME"), "episodes", "loops", "ralph-answer-*", "loop.json")); begun != nil {
					args = []string{"loop", "--memory", "m", "--root", ".", "--resume", "ralph-answer"}
				}
			}
		})
		if got != want {
			t.Fatalf("seed %d: after %d kills\n%s\nwant\n%s", seed, kills, got, want)
		}
		t.Logf("%d kills", kills)
	}
}

// loopOutcome runs a loop in a new memory and describes what it left behind, but
// for times.
func loopOutcome(t *testing.T, run func(dir string)) string {
	t.Helper()
	dir := folder(t)
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	must(t, dir, "init", "--memory", "m", "--root", ".")
	logs := t.TempDir()
	t.Setenv("LOGS", logs)
	run(dir)
	var b strings.Builder
	files, err := filepath.Glob(filepath.Join(dir, "m", "reflexion", "reflections", "ralph-answer", "*"))
	must0(t, err)
	for _, f := range files {
		data := read(t, f)
		r, err := reflexion.Load(data)
		if err != nil {
			t.Fatalf("%s: %v", f, err)
		}
		r.Timestamp, r.Usage.DurationMS = "", 0
		for i := range r.Evaluator.Results {
			r.Evaluator.Results[i].DurationMS = nil
		}
		if r.Baseline != nil {
			r.Baseline.Results[0].DurationMS = nil
		}
		line, err := json.Marshal(r)
		must0(t, err)
		fmt.Fprintf(&b, "%s %s\n", filepath.Base(f), line)
	}
	for _, name := range []string{"actor.log", "model.log"} {
		data := read(t, filepath.Join(logs, name))
		fmt.Fprintf(&b, "%s %q\n", name, data)
	}
	answer, err := os.ReadFile(filepath.Join(dir, "answer.txt"))
	fmt.Fprintf(&b, "answer %q %v\n", answer, err)
	fmt.Fprint(&b, must(t, dir, "graph", "stats", "--memory", "m", "--root", ".")[:len("1 episode\n")])
	return b.String()
}
