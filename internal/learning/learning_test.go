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
	"episodes/internal/testing/localtest"
	"episodes/reflexion"
	"episodes/reflexion/loop"
)

func TestMain(m *testing.M) { os.Exit(localtest.Isolated{Tests: m}.Run()) }

// newFolder is the reflexion folder of a new memory.
func newFolder(t *testing.T) *Folder {
	t.Helper()
	root := t.TempDir()
	m, _, err := memory.Create(memory.Location{Root: root, Dir: filepath.Join(root, "memory")})
	must(t, err)
	m.Close()
	f, err := Open(ask.Options{Location: m.Location})
	must(t, err)
	return f
}

// given is an input that is known already.
func given(text string) Input {
	return Input{"given", []byte(text)}
}

const failed = `{"verification_type":"unit_tests","passed":false,"errors":[{"type":"test_failure","message":"TestCart: want 3, got 2"}]}`

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

// What a loop itself did is no prior knowledge of its next attempt, nor of a reflection on it.
func TestOwnEpisodeIsNoAdvice(t *testing.T) {
	f, ctx := newFolder(t), context.Background()
	c := loop.Config{Task: "write the answer", Actor: "echo $EPISODES_ITERATION >answer", Verify: []string{"echo 'not ok 1 - the answer is wrong'; echo 1..1; false"}, Max: 2, Arm: "all", ActorTimeout: 60, VerifyTimeout: 60}
	ended, err := f.RunLoop(ctx, LoopRequest{Config: c})
	if err != nil || ended.Episode == "" {
		t.Fatalf("%+v, %v", ended, err)
	}
	next, err := f.Retry(ctx, RetryRequest{Loop: ended.Config.LoopID, Arm: "all"})
	if err != nil || len(next.Errors) != 1 || len(next.Advice) > 0 {
		t.Errorf("%+v, %v", next, err)
	}
	found := given(`{"verification_type":"unit_tests","passed":false,"errors":[{"type":"test_failure","message":"the answer is wrong"}]}`)
	prompt, err := f.Prompt(ctx, ReflectRequest{Loop: ended.Config.LoopID, Evaluation: found})
	if err != nil || strings.Contains(prompt, "memory knows") {
		t.Errorf("%v\n%s", err, prompt)
	}
	other, err := f.Prompt(ctx, ReflectRequest{Loop: "ralph-other", Task: "write the answer", Evaluation: found})
	if err != nil || !strings.Contains(other, "memory knows") {
		t.Errorf("of another loop: %v\n%s", err, other)
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

// must ends a test at an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
