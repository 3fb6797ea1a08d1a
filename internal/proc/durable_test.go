//go:build unix

package proc

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestMain lets the test binary act as a process that is killed while its
// command runs.
func TestMain(m *testing.M) {
	if dir := os.Getenv("PROC_TEST_DURABLE"); dir != "" {
		_, _ = RunDurable(context.Background(), dir, Spec{Shell: os.Getenv("PROC_TEST_LINE")})
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// A run ends once and is never started again.
func TestDurable(t *testing.T) {
	dir, count := filepath.Join(t.TempDir(), "run"), filepath.Join(t.TempDir(), "count")
	spec := Spec{Shell: `cat; echo x >>"$COUNT"; echo bad >&2; exit 4`, Stdin: []byte("in\n"), Env: []string{"COUNT=" + count}}
	for again := range 2 {
		r, err := RunDurable(context.Background(), dir, spec)
		if err != nil || r.Exit != 4 || string(r.Stdout) != "in\n" || string(r.Stderr) != "bad\n" || r.Again != (again == 1) {
			t.Fatalf("%+v, %v", r, err)
		}
	}
	if data, _ := os.ReadFile(count); string(data) != "x\n" {
		t.Errorf("run %d times", strings.Count(string(data), "x"))
	}
}

func TestDurableTimeoutAndInterrupt(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	r, err := RunDurable(context.Background(), dir, Spec{Shell: "echo begun; sleep 9", Timeout: 300 * time.Millisecond})
	if err != nil || !r.TimedOut || string(r.Stdout) != "begun\n" {
		t.Errorf("%+v, %v", r, err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
	defer cancel()
	dir = filepath.Join(t.TempDir(), "run")
	if _, err := RunDurable(ctx, dir, Spec{Shell: "sleep 9"}); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
	if r, err := RunDurable(context.Background(), dir, Spec{Shell: "echo no"}); err != nil || !r.Interrupted || len(r.Stdout) > 0 {
		t.Errorf("afterwards: %+v, %v", r, err)
	}
}

// orphan runs a command whose parent is killed with kill -9 once it was started.
func orphan(t *testing.T, dir, line string) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "PROC_TEST_DURABLE="+dir, "PROC_TEST_LINE="+line)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for range 500 {
		if wasStarted(dir) {
			break
		}
		time.Sleep(5 * time.Millisecond)
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
}

// A command that outlives its parent is waited for, and its result is not lost.
func TestDurableOutlivesParent(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	orphan(t, dir, "sleep 0.5; echo done; exit 7")
	if r, err := RunDurable(context.Background(), dir, Spec{Shell: "echo second", Timeout: 50 * time.Millisecond}); err == nil {
		t.Errorf("did not wait: %+v", r)
	} else if still := (*StillRunningError)(nil); !errors.As(err, &still) || still.Group == "" {
		t.Error(err)
	}
	r, err := RunDurable(context.Background(), dir, Spec{Shell: "echo second", Timeout: 10 * time.Second})
	if err != nil || r.Exit != 7 || string(r.Stdout) != "done\n" || !r.Again {
		t.Errorf("%+v, %v", r, err)
	}
}

// A command that died with its parent counts as interrupted, and is not started again.
func TestDurableDiesWithParent(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	orphan(t, dir, "echo some; kill -9 $PPID; sleep 0.1; kill -9 $$")
	r, err := RunDurable(context.Background(), dir, Spec{Shell: "echo second", Timeout: 10 * time.Second})
	if err != nil || !r.Interrupted || string(r.Stdout) != "some\n" {
		t.Errorf("%+v, %v", r, err)
	}
}
