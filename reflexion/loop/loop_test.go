//go:build unix

package loop

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"episodes/internal/fsstore"
	"episodes/reflexion"
	"episodes/reflexion/evaluate"
)

// bench is a loop of real processes in a folder of its own.
type bench struct {
	t      *testing.T
	home   Home
	work   string
	out    string // of a scenario
	dir    *Dir
	runner *Runner
	store  *reflexion.Store
}

func newBench(t *testing.T, edit func(*Config)) *bench {
	t.Helper()
	scripts, err := filepath.Abs("testdata")
	must(t, err)
	c := Config{LoopID: "ralph-answer", Task: "find the answer", Created: "2026-01-01T00:00:00Z", Actor: scripts + "/actor.sh", Verify: []string{scripts + "/verify.sh"},
		Reflect: scripts + "/model.sh", Max: 6, Omega: 3, Arm: "all", ActorTimeout: 30, VerifyTimeout: 30}
	edit(&c)
	b := &bench{t: t, home: Home{t.TempDir(), t.TempDir(), "key"}, work: t.TempDir()}
	if b.dir, err = b.home.Create(c); err != nil {
		t.Fatal(err)
	}
	must(t, os.WriteFile(filepath.Join(b.work, ".gitignore"), []byte("*.log\nmodel-calls\nruns\n"), 0o644))
	b.open()
	t.Cleanup(func() { b.dir.Close(); b.store.Close() })
	return b
}

// open starts from what is on disk, as another process would.
func (b *bench) open() {
	b.t.Helper()
	b.dir.Close()
	d, err := b.home.Open("ralph-answer")
	must(b.t, err)
	c := d.Config()
	if b.store, err = reflexion.CreateStore(b.home.Top); err != nil {
		b.t.Fatal(err)
	}
	b.dir = d
	now := time.Unix(1700000000, 0)
	b.runner = &Runner{Config: c, Store: d.Store(b.store), Steps: &Processes{Dir: d, Config: c, Work: b.work}, Now: func() time.Time { now = now.Add(time.Second); return now }}
}

func (b *bench) run() (*End, []*reflexion.Record) {
	b.t.Helper()
	b.isolate()
	end, history, err := b.runner.Run(context.Background())
	must(b.t, err)
	return end, history
}

// isolate makes the copies of an isolated loop.
func (b *bench) isolate() {
	b.t.Helper()
	own, err := b.runner.Own()
	if err == nil && b.runner.Config.Isolate {
		err = b.runner.Steps.(*Processes).Isolate(own)
	}
	must(b.t, err)
}

func (b *bench) file(name string) string {
	data, err := os.ReadFile(filepath.Join(b.work, name))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		b.t.Fatal(err)
	}
	return string(data)
}

// A loop without a pass ends for its reason, with a reflection on its last attempt (row G18).
func TestLoopEnds(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name       string
		edit       func(*Config)
		reason     Reason
		iterations int
	}{
		{"stuck on one error", func(c *Config) { c.Reflect, c.Stuck = "", 4 }, Stuck, 4},
		{"one error, and never stuck", func(c *Config) { c.Reflect = "" }, Limit, 6},
		{"model repeats itself", func(c *Config) {
			c.Reflect = `cat >/dev/null; echo '{"reflection_text":"I guessed the number in answer.txt:1 without reading what the test wants, so it came out wrong. In my next attempt I will read it.","actionable_insights":["read the test of answer.txt"]}'`
			c.Stuck = 4
		}, Stuck, 4},
		{"blocked", func(c *Config) {
			c.Actor = `echo '{"actions":[],"rationale":"","blocked":"the key of the store is missing"}'`
		}, Blocked, 1},
		{"the time is over", func(c *Config) { c.Actor, c.MaxTime = "sleep 9", 0.05 }, Time, 0}, // 0: as many as the clock gives
		{"the money is spent", func(c *Config) {
			c.Actor, c.MaxCost = `echo '{"actions":[],"rationale":"I tried","usage":{"cost_usd":2}}'`, 3
		}, Cost, 2},
		{"nobody knows what is spent", func(c *Config) { c.MaxCost = 3 }, Cost, 1},
		{"no such actor", func(c *Config) { c.Actor = "./no-such-actor" }, Critical, 1},
		{"no such verifier", func(c *Config) { c.Verify = []string{"./no-such-verifier"} }, Critical, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := newBench(t, tt.edit)
			end, history := b.run()
			want := tt.iterations
			if want == 0 {
				want = end.Iterations
			}
			if end.Success || end.Reason != tt.reason || end.Iterations != want || len(history) != want {
				t.Errorf("%+v", end)
			}
			if last := history[len(history)-1]; !last.Reflected() {
				t.Errorf("the last record has the reflection %q", last.Reflection.Text)
			}
			if tt.reason == Stuck && b.runner.Config.Arm == "all" && !strings.Contains(b.file(fmt.Sprintf("prompt-%d", tt.iterations-1)), "# Change of strategy\n\nGo another way: ") {
				t.Errorf("the last prompt asks for no other strategy:\n%s", b.file(fmt.Sprintf("prompt-%d", tt.iterations-1)))
			}
		})
	}
}

// Interrupted in the actor, the loop continues: that attempt counts, is verified as
// it was left, and is not started again.
func TestInterrupted(t *testing.T) {
	t.Setenv("ACTOR_SLEEP", "60")
	b := newBench(t, func(c *Config) { c.Max = 2 })
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go func() { // as soon as the actor is at work
		for b.file("actor.log") == "" && ctx.Err() == nil {
			time.Sleep(5 * time.Millisecond)
		}
		cancel()
	}()
	if _, _, err := b.runner.Run(ctx); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	t.Setenv("ACTOR_SLEEP", "")
	b.open()
	_, history := b.run()
	if len(history) != 2 || b.file("actor.log") != "begin 0\nbegin 1\nend 1\n" {
		t.Errorf("%d records, actors %q", len(history), b.file("actor.log"))
	}
	errs := history[0].Evaluator.Errors
	if got := errs[len(errs)-1].Message; got != "the actor was interrupted" {
		t.Errorf("the record says %q", got)
	}
}

// suffix matches what is drawn for each prompt.
var suffix = regexp.MustCompile(`-[0-9a-f]{8}\b`)

// Interrupted after any of its steps, a loop continues and gives what it would have
// given: the steps are counted, and no actor and no model is asked twice.
func TestGoesOnAfterEveryStep(t *testing.T) {
	t.Parallel()
	full := newBench(t, func(*Config) {})
	wantEnd, want := full.run()
	for n := 1; ; n++ {
		b := newBench(t, func(*Config) {})
		ctx, cancel := context.WithCancel(context.Background())
		steps := &cutting{Steps: b.runner.Steps, left: n, cut: cancel}
		b.runner.Steps = steps
		_, _, err := b.runner.Run(ctx)
		if err == nil {
			break // n is more than there are steps
		}
		b.open()
		end, history := b.run()
		if diff := cmp.Diff(wantEnd, end, cmpopts.IgnoreFields(End{}, "Ended")); diff != "" {
			t.Errorf("cut at step %d: %s", n, diff)
		}
		if diff := cmp.Diff(want, history, cmpopts.IgnoreFields(reflexion.Record{}, "Timestamp"), cmpopts.IgnoreFields(reflexion.Result{}, "DurationMS"), cmpopts.IgnoreFields(reflexion.Usage{}, "DurationMS")); diff != "" {
			t.Errorf("cut at step %d: %s", n, diff)
		}
		for _, log := range []string{"actor.log", "verify.log", "model.log", "prompt-0", "prompt-1", "prompt-2"} {
			if got, want := suffix.ReplaceAllString(b.file(log), "-"), suffix.ReplaceAllString(full.file(log), "-"); got != want || want == "" {
				t.Errorf("cut at step %d: %s is %q, want %q", n, log, got, want)
			}
		}
		if n > 100 {
			t.Fatal("there is no end of steps")
		}
	}
}

// cutting ends the loop after a number of steps.
type cutting struct {
	Steps
	left int
	cut  func()
}

func (c *cutting) step() error {
	if c.left--; c.left < 0 {
		c.cut()
		return context.Canceled
	}
	return nil
}

func (c *cutting) Prompt(i int, x *reflexion.Context) (Prompted, error) {
	p, err := c.Steps.Prompt(i, x)
	return p, errors.Join(err, c.step())
}

func (c *cutting) Act(ctx context.Context, i int, prompt string) (*Acted, error) {
	a, err := c.Steps.Act(ctx, i, prompt)
	return a, errors.Join(err, c.step())
}

func (c *cutting) Verify(ctx context.Context, i int) (*evaluate.Evaluation, error) {
	e, err := c.Steps.Verify(ctx, i)
	return e, errors.Join(err, c.step())
}

func (c *cutting) Reflect(ctx context.Context, i, attempt int, prompt string) ([]byte, error) {
	data, err := c.Steps.Reflect(ctx, i, attempt, prompt)
	return data, errors.Join(err, c.step())
}

// A loop that is looked at while another process runs it keeps the file that is being written.
func TestOpenDisturbsNothing(t *testing.T) {
	b := newBench(t, func(*Config) {})
	writing := b.dir.Path(fsstore.TempPrefix + "x")
	must(t, os.WriteFile(writing, nil, 0o600))
	again, err := b.home.Open(b.runner.Config.LoopID)
	must(t, err)
	defer again.Close()
	if !again.Exists(filepath.Base(writing)) {
		t.Error("looked at, and disturbed")
	}
}

func FuzzParseActor(f *testing.F) {
	f.Add([]byte(`{"actions":[{"type":"x","changes":{"additions":1}}],"rationale":""}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		r := &reflexion.Record{LoopID: "ralph-f", Timestamp: "2026-01-01T00:00:00Z", Actor: ParseActor(data).Output, Evaluator: reflexion.EvaluatorOutput{Type: reflexion.UnitTests}, Memory: reflexion.MemoryMetadata{Omega: 1}}
		if _, err := reflexion.Marshal(r); err != nil {
			t.Fatal(err)
		}
	})
}
