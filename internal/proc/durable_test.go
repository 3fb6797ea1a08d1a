//go:build unix

package proc

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"episodes/internal/fsstore"
)

// TestMain lets the test binary act as a process that is killed while its
// command runs.
func TestMain(m *testing.M) {
	if dir := os.Getenv("PROC_TEST_DURABLE"); dir != "" {
		if d, err := fsstore.Create(dir); err == nil {
			_, _ = RunDurable(context.Background(), d, Spec{Shell: os.Getenv("PROC_TEST_LINE")})
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// folder makes the folder of a run.
func folder(t *testing.T) *fsstore.Dir {
	t.Helper()
	d, err := fsstore.Create(filepath.Join(t.TempDir(), "run"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.Close)
	return d
}

// A run ends once and is never started again.
func TestDurable(t *testing.T) {
	dir, count := folder(t), filepath.Join(t.TempDir(), "count")
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
	dir := folder(t)
	r, err := RunDurable(context.Background(), dir, Spec{Shell: "echo begun; sleep 9", Timeout: 2 * time.Second})
	if err != nil || !r.TimedOut || string(r.Stdout) != "begun\n" {
		t.Errorf("%+v, %v", r, err)
	}
	if r, err := RunDurable(context.Background(), folder(t), Spec{Shell: "true", Timeout: 1}); err != nil || !r.TimedOut {
		t.Errorf("no time at all: %+v, %v", r, err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
	defer cancel()
	dir = folder(t)
	if _, err := RunDurable(ctx, dir, Spec{Shell: "sleep 9"}); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
	if r, err := RunDurable(context.Background(), dir, Spec{Shell: "echo no"}); err != nil || !r.Interrupted || len(r.Stdout) > 0 {
		t.Errorf("afterwards: %+v, %v", r, err)
	}
}

// orphan runs a command whose parent is killed with kill -9 once it was started.
func orphan(t *testing.T, dir *fsstore.Dir, line string) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "PROC_TEST_DURABLE="+dir.Path(""), "PROC_TEST_LINE="+line)
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
	dir := folder(t)
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
	dir := folder(t)
	orphan(t, dir, "echo some; kill -9 $PPID; sleep 0.1; kill -9 $$")
	r, err := RunDurable(context.Background(), dir, Spec{Shell: "echo second", Timeout: 10 * time.Second})
	if err != nil || !r.Interrupted || string(r.Stdout) != "some\n" {
		t.Errorf("%+v, %v", r, err)
	}
}

// A flood of output stays small on disk, with its start and its end, also when its parent
// was killed; the command's own files are its own.
func TestDurableOutputIsBounded(t *testing.T) {
	const line = "echo first; i=0; while [ $i -lt 40 ]; do head -c 1000000 /dev/zero | tr '\\0' x; echo; i=$((i+1)); done; sleep 2; echo last"
	check := func(name string, dir *fsstore.Dir, r *Durable) {
		t.Helper()
		text := string(r.Stdout) // without what came while it was cut, which may be the line end before "last"
		if len(text) > Kept || !strings.HasPrefix(text, "first\nxxx") || !strings.HasSuffix(text, "last\n") || strings.Count(text, leftOut) != 1 || !r.Cut {
			t.Errorf("%s: %d bytes, cut %v, %q … %q", name, len(text), r.Cut, text[:20], text[len(text)-20:])
		}
		if info, err := dir.Lstat(stdoutFile); err != nil || info.Size() > Kept || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", name, info, err)
		}
	}
	dir := folder(t)
	r, err := RunDurable(context.Background(), dir, Spec{Shell: line})
	if err != nil || r.Exit != 0 {
		t.Fatalf("%+v, %v", r, err)
	}
	check("alive", dir, r)
	dir = folder(t)
	orphan(t, dir, line)
	for range 2000 { // nobody may ever ask for it
		if dir.Exists(exitFile) {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if info, err := dir.Lstat(stdoutFile); err != nil || info.Size() > Kept+4096 || info.Size() < Kept/4 {
		t.Errorf("%v, %v before it is asked for", info, err)
	}
	if r, err = RunDurable(context.Background(), dir, Spec{Shell: line, Timeout: time.Minute}); err != nil || !r.Again || r.Exit != 0 {
		t.Fatalf("%+v, %v", r, err)
	}
	check("killed", dir, r)
}

// What a volatile run prints is on no disk.
func TestVolatile(t *testing.T) {
	dir := folder(t)
	r, err := RunDurable(context.Background(), dir, Spec{Shell: "echo out; echo err >&2; exit 3", Volatile: true})
	if err != nil || r.Exit != 3 || string(r.Stdout) != "out\n" || string(r.Stderr) != "err\n" || r.Again {
		t.Errorf("%+v, %v", r, err)
	}
	if r, err := RunDurable(context.Background(), dir, Spec{Shell: "echo no", Volatile: true}); err != nil || r.Exit != 3 || len(r.Stdout) > 0 || !r.Again {
		t.Errorf("%+v, %v", r, err)
	}
}

// A process group that a file names is neither signalled nor waited for, and nothing is
// read or written through a link.
func TestPlantedState(t *testing.T) {
	victim := exec.Command("sleep", "60")
	if err := victim.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = victim.Process.Kill(); _ = victim.Wait() }()
	dir := folder(t)
	for _, name := range []string{startFile, lockFile} {
		if err := dir.Write(name, fmt.Appendf(nil, "%d\n", victim.Process.Pid)); err != nil {
			t.Fatal(err)
		}
	}
	r, err := RunDurable(context.Background(), dir, Spec{Shell: "echo no", Timeout: time.Minute})
	if err != nil || !r.Interrupted {
		t.Errorf("%+v, %v", r, err)
	}
	if err := victim.Process.Signal(syscall.Signal(0)); err != nil {
		t.Error(err)
	}
	outside := filepath.Join(t.TempDir(), "file")
	for _, name := range []string{stdoutFile, lockFile, exitFile} {
		dir := folder(t)
		if err := os.Symlink(outside, dir.Path(name)); err != nil {
			t.Fatal(err)
		}
		if _, err := RunDurable(context.Background(), dir, Spec{Shell: "echo words"}); err == nil || !strings.Contains(err.Error(), dir.Path(name)) {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := os.Stat(outside); err == nil {
			t.Fatalf("%s: wrote outside", name)
		}
	}
}
