package learning

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"episodes/internal/ask"
	"episodes/internal/memory"
	"episodes/internal/proc"
	"episodes/internal/testing/localtest"
	"episodes/reflexion"
	"episodes/reflexion/evaluate"
	"episodes/reflexion/loop"
	"episodes/reflexion/memories"
	"episodes/reflexion/task"
)

func TestMain(m *testing.M) { os.Exit(localtest.Isolated{Tests: m}.Run()) }

// newFolder is the reflexion folder of a new memory.
func newFolder(t *testing.T) *Folder {
	t.Helper()
	root := t.TempDir()
	m, _, err := memory.Create(memory.Location{Root: root, Dir: filepath.Join(root, "memory")})
	if err != nil {
		t.Fatal(err)
	}
	m.Close()
	f, err := Open(ask.Options{Location: m.Location})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// given is an input that is known already.
func given(text string) Input {
	return Input{"given", func(context.Context, string) ([]byte, error) { return []byte(text), nil }}
}

const failed = `{"verification_type":"unit_tests","passed":false,"errors":[{"type":"test_failure","message":"TestCart: want 3, got 2"}]}`

func TestNoMemory(t *testing.T) {
	if _, err := Open(ask.Options{Location: memory.Location{Dir: filepath.Join(t.TempDir(), "none")}}); !errors.Is(err, ask.ErrNoMemory) {
		t.Errorf("got %v", err)
	}
}

// What was reflected on is what the next attempt is shown; the loop has its history
// among the tasks.
func TestReflectAndRetry(t *testing.T) {
	f, ctx := newFolder(t), context.Background()
	if _, err := f.Retry(ctx, RetryRequest{Loop: "ralph-cart", Arm: "all"}); !errors.Is(err, reflexion.ErrNoLoop) {
		t.Errorf("before: %v", err)
	}
	var request *ask.RequestError
	if _, err := f.Reflect(ctx, ReflectRequest{Loop: "ralph-cart", Evaluation: given(failed)}); !errors.As(err, &request) {
		t.Errorf("a new loop without a task: %v", err)
	}
	r := ReflectRequest{Loop: "ralph-cart", Task: "make the cart tests pass", Evaluation: given(failed)}
	prompt, err := f.Prompt(ctx, r)
	if err != nil || !strings.Contains(prompt, "make the cart tests pass") || !strings.Contains(prompt, "want 3, got 2") {
		t.Errorf("prompt %q, %v", prompt, err)
	}
	wrote, err := f.Reflect(ctx, r)
	if err != nil || !wrote.Record.Reflected() {
		t.Fatalf("%+v, %v", wrote, err)
	}
	if _, err := os.Stat(wrote.File); err != nil {
		t.Error(err)
	}
	next, err := f.Retry(ctx, RetryRequest{Loop: "ralph-cart", Arm: "all"})
	if err != nil || next.Iteration != 1 || next.Task != r.Task || len(next.Memory) != 1 || next.Memory[0].Text != wrote.Record.Reflection.Text {
		t.Errorf("%+v, %v", next, err)
	}
	if none, err := f.Retry(ctx, RetryRequest{Loop: "ralph-cart", Arm: "none"}); err != nil || len(none.Memory)+len(none.Errors) > 0 {
		t.Errorf("the arm without memory shows %+v, %v", none, err)
	}

	tasks, err := f.Tasks(false)
	if err != nil {
		t.Fatal(err)
	}
	defer tasks.Close()
	h, err := tasks.History(HistoryRequest{ID: "ralph-cart", Reflections: true})
	if err != nil || len(h.Attempts) != 1 || len(h.Reflections) != 1 {
		t.Errorf("%+v, %v", h, err)
	}
	if _, err := tasks.History(HistoryRequest{ID: "ralph-cart", Attempt: 2}); !errors.Is(err, task.ErrNoAttempt) {
		t.Errorf("an attempt that was not made: %v", err)
	}
	if list, err := tasks.List(""); err != nil || len(list) != 1 || list[0].ID != "ralph-cart" {
		t.Errorf("%+v, %v", list, err)
	}
	if e, err := tasks.Export("ralph-cart"); err != nil || len(e.Replays) != 1 || len(e.Reflections) != 1 {
		t.Errorf("%+v, %v", e, err)
	}
}

// What is no evaluation, and a model that fails, say how to go on and write nothing.
func TestReflectRefuses(t *testing.T) {
	f, ctx := newFolder(t), context.Background()
	for name, r := range map[string]ReflectRequest{
		"no JSON":         {Evaluation: given("oops")},
		"another JSON":    {Evaluation: given("{}")},
		"actions of none": {Evaluation: given(failed), Actions: given("[]")},
		"a poor answer":   {Evaluation: given(failed), Answer: given("it failed")},
		"a failing model": {Evaluation: given(failed), Model: "exit 3", Dir: t.TempDir(), Timeout: 1e10},
	} {
		r.Loop, r.Task = "ralph-cart", "make the cart tests pass"
		var hint *HintError
		if _, err := f.Reflect(ctx, r); !errors.As(err, &hint) || hint.Hint() == "" {
			t.Errorf("%s: %v", name, err)
		}
	}
	if rs, err := f.Records(); err != nil || len(rs) > 0 {
		t.Errorf("wrote %d records, %v", len(rs), err)
	}
}

// A loop that passed is an episode in the memory, an arm of the comparison, and the
// source of memories.
func TestRunLoop(t *testing.T) {
	f, ctx := newFolder(t), context.Background()
	var told int
	c := loop.Config{Task: "write the answer", Actor: "echo 42 >answer", Verify: []string{"grep -q 42 answer"}, Max: 2, Arm: "all", ActorTimeout: 60, VerifyTimeout: 60}
	ended, err := f.RunLoop(ctx, LoopRequest{Config: c, OnIteration: func(*reflexion.Turn) { told++ }})
	if err != nil || !ended.End.Success || len(ended.History) != 1 || told != 1 {
		t.Fatalf("%+v, %d told, %v", ended, told, err)
	}
	if _, err := os.Stat(filepath.Join(f.Location.Dir, "episodes", ended.Episode+".json")); err != nil {
		t.Error(err)
	}
	arms, damage, err := f.Arms()
	if err != nil || len(damage) > 0 || len(arms) != 1 || len(arms[0].Records) != 1 {
		t.Errorf("%+v, %v, %v", arms, damage, err)
	}
	m, err := f.Memories(false)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	if all, err := m.All(); err != nil || len(all) == 0 {
		t.Errorf("%d memories, %v", len(all), err)
	}
	again, err := f.RunLoop(ctx, LoopRequest{Config: c})
	if err != nil || again.Config.LoopID == ended.Config.LoopID {
		t.Errorf("the same task again: %+v, %v", again, err)
	}
}

// What keeps a loop from its end says which loop can go on; it goes on from there.
func TestInterruptedLoopGoesOn(t *testing.T) {
	f := newFolder(t)
	ctx, stop := context.WithCancel(context.Background())
	c := loop.Config{Task: "write the answer", Actor: "echo 42 >answer", Verify: []string{"false"}, Max: 2, Arm: "none", ActorTimeout: 60, VerifyTimeout: 60}
	var broken *BrokenError
	if _, err := f.RunLoop(ctx, LoopRequest{Config: c, OnIteration: func(*reflexion.Turn) { stop() }}); !errors.As(err, &broken) || !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v", err)
	}
	ended, err := f.RunLoop(context.Background(), LoopRequest{Resume: broken.LoopID})
	if err != nil || ended.End.Success || len(ended.History) != 2 {
		t.Errorf("%+v, %v", ended, err)
	}
}

// Verifiers may stand in for a finished evaluation.
func TestReflectVerifies(t *testing.T) {
	f := newFolder(t)
	r := ReflectRequest{Loop: "ralph-cart", Task: "pass", Dir: t.TempDir(), Verifiers: []evaluate.Verifier{{Command: proc.Spec{Shell: "true", Timeout: 6e10}}}}
	wrote, err := f.Reflect(context.Background(), r)
	if err != nil || !wrote.Record.Evaluator.Passed || wrote.Record.Reflected() {
		t.Errorf("%+v, %v", wrote, err)
	}
}

// When a loop ends, memories that have expired or were not read for a year go to the trash,
// from which they can be brought back (row M21).
func TestRetention(t *testing.T) {
	f, ctx := newFolder(t), context.Background()
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	f.Now = func() time.Time { return now }
	m, err := f.Memories(true)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	stale, kept := memories.NewFeedback("the port is 80", "", nil, now), memories.NewFeedback("use tabs", "", nil, now)
	stale.ExpiresAt = now.Add(time.Hour).Format(time.RFC3339)
	if _, err := m.Update(ctx, []*memories.Memory{stale, kept}, "test"); err != nil {
		t.Fatal(err)
	}
	run := func(task string) {
		t.Helper()
		c := loop.Config{Task: task, Actor: "echo 42 >>answer", Verify: []string{"grep -q " + task + " answer"}, Max: 1, Arm: "all", ActorTimeout: 60, VerifyTimeout: 60}
		if _, err := f.RunLoop(ctx, LoopRequest{Config: c}); err != nil {
			t.Fatal(err)
		}
	}
	has := func(id string) bool {
		_, err := m.Get(id)
		return err == nil
	}
	run("first")
	all, err := m.All()
	if err != nil || len(all) < 3 || !has(stale.ID) {
		t.Fatalf("%d memories, %v", len(all), err)
	}
	now = now.Add(2 * time.Hour)
	run("second")
	if has(stale.ID) || !has(kept.ID) {
		t.Error("what expired is still there, or too much is gone")
	}
	loops := func() (n int) {
		all, err := m.All()
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range all {
			if x.Type == memories.Episodic {
				n++
			}
		}
		return n
	}
	if loops() != 2 {
		t.Fatalf("%d episodic memories", loops())
	}
	now = now.AddDate(2, 0, 0)
	run("third")
	if loops() != 1 || !has(kept.ID) {
		t.Errorf("%d episodic memories after two years", loops())
	}
	if back, err := m.Undo(ctx, "test"); err != nil || len(back) == 0 || loops() != 3 {
		t.Errorf("%d brought back, %v", len(back), err)
	}
}

// A model that does not answer in time is ended, and nothing is written.
func TestReflectTimeout(t *testing.T) {
	f := newFolder(t)
	_, err := f.Reflect(t.Context(), ReflectRequest{Loop: "ralph-cart", Task: "mend the cart", Evaluation: given(failed), Model: "sleep 9", Timeout: 50 * time.Millisecond})
	if err == nil || !strings.Contains(err.Error(), `"sleep 9" did not end within 50ms`) {
		t.Errorf("got %v", err)
	}
	if _, err := f.Loop("ralph-cart"); !errors.Is(err, reflexion.ErrNoLoop) {
		t.Errorf("afterwards: %v", err)
	}
}
