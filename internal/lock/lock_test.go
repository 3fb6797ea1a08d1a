package lock

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

const childVariable = "EPISODES_LOCK_TEST_CHILD"

// The test binary runs itself as a process that takes a lock and holds it.
func TestMain(m *testing.M) {
	if path := os.Getenv(childVariable); path != "" {
		if _, err := Acquire(context.Background(), path, time.Second, "a test child"); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		fmt.Println("held")
		time.Sleep(time.Minute)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func hold(t *testing.T, path string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childVariable+"="+path)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	b := make([]byte, 4)
	if _, err := out.Read(b); err != nil || string(b) != "held" {
		t.Fatalf("%q %v", b, err)
	}
	return cmd
}

var ctx = context.Background()

func newPath(t *testing.T) string { return filepath.Join(t.TempDir(), "x.lock") }

func acquire(t *testing.T, path string) *Lock {
	t.Helper()
	l, err := Acquire(ctx, path, 10*time.Second, "test")
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestTimeoutNamesTheHolder(t *testing.T) {
	path := newPath(t)
	l, err := Acquire(ctx, path, 0, " extract\n --all\x1b[0m ")
	if err != nil {
		t.Fatal(err)
	}
	for name, try := range map[string]func() error{
		"acquire": func() error { _, err := Acquire(ctx, path, 20*time.Millisecond, "other"); return err },
		"shared":  func() error { _, err := Shared(ctx, path, 20*time.Millisecond); return err },
	} {
		err := try()
		var timeout *TimeoutError
		if !errors.As(err, &timeout) || !errors.Is(err, ErrTimeout) {
			t.Fatalf("%s: %v", name, err)
		}
		if h := timeout.Holder; h == nil || h.PID != os.Getpid() || h.Who != "extract --all [0m" || time.Since(h.Since) > time.Minute || timeout.Waited < 20*time.Millisecond {
			t.Errorf("%s: %+v %+v", name, timeout, h)
		}
		if !strings.Contains(err.Error(), "process "+strconv.Itoa(os.Getpid())+" (extract --all [0m) since") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, free, err := Try(path, "other"); free || err != nil {
		t.Errorf("try: %v %v", free, err)
	}
	if err := errors.Join(l.Release(), l.Release()); err != nil {
		t.Error(err)
	}
	if h := HeldBy(path); h != nil {
		t.Errorf("still signed: %+v", h)
	}
	acquire(t, path).Release()
	// Who gave up is still in the kernel's queue, and gives way when it is its turn.
	if err := Wait(t.Context(), path, time.Minute, func() (bool, error) {
		l, free, err := Try(path, "other")
		return free, errors.Join(err, l.Release())
	}); err != nil {
		t.Errorf("try: %v", err)
	}
}

func TestReadersShare(t *testing.T) {
	path := newPath(t)
	acquire(t, path).Release() // makes the file
	a, err1 := Shared(ctx, path, 0)
	b, err2 := Shared(ctx, path, 0)
	if err1 != nil || err2 != nil || a == nil || b == nil {
		t.Fatal(err1, err2)
	}
	if _, err := Acquire(ctx, path, 0, "w"); !errors.Is(err, ErrTimeout) || !strings.Contains(err.Error(), "in use by another process") {
		t.Errorf("%v", err)
	}
	a.Release()
	if _, err := Acquire(ctx, path, 0, "w"); !errors.Is(err, ErrTimeout) {
		t.Errorf("%v", err)
	}
	b.Release()
	acquire(t, path).Release()
}

func TestReadingMakesNoFile(t *testing.T) {
	path := newPath(t)
	l, err := Shared(ctx, path, 0)
	if l != nil || err != nil || l.Release() != nil {
		t.Errorf("%v %v", l, err)
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Error("the file is there")
	}
	if _, err := Acquire(ctx, filepath.Join(path, "no", "folder"), 0, "w"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%v", err)
	}
}

// A killed process leaves its name in the file, but neither its lock nor the blame.
func TestKilledHolder(t *testing.T) {
	path := newPath(t)
	cmd := hold(t, path)
	_, err := Acquire(ctx, path, 10*time.Millisecond, "w")
	var timeout *TimeoutError
	if !errors.As(err, &timeout) || timeout.Holder == nil || timeout.Holder.PID != cmd.Process.Pid || timeout.Holder.Who != "a test child" {
		t.Fatalf("%v", err)
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	if h := HeldBy(path); h != nil {
		t.Errorf("a dead process is said to hold it: %+v", h)
	}
	acquire(t, path).Release()
}

func TestWaitingEndsWithTheContext(t *testing.T) {
	path := newPath(t)
	l := acquire(t, path)
	defer l.Release()
	ctx, cancel := context.WithTimeout(ctx, 20*time.Millisecond)
	defer cancel()
	start := time.Now()
	if _, err := Acquire(ctx, path, time.Minute, "w"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v", err)
	}
	if d := time.Since(start); d > 5*time.Second {
		t.Errorf("took %s", d)
	}
	if _, err := Acquire(ctx, newPath(t), time.Minute, "w"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a lock is taken after the end: %v", err)
	}
}

// Many who wait all get their turn, one at a time.
func TestTurns(t *testing.T) {
	path := newPath(t)
	var inside, most atomic.Int32
	var wg sync.WaitGroup
	for range 12 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for range 5 {
				l, err := Acquire(ctx, path, 30*time.Second, "w")
				if err != nil {
					t.Error(err)
					return
				}
				most.Store(max(most.Load(), inside.Add(1)))
				time.Sleep(time.Millisecond)
				inside.Add(-1)
				l.Release()
			}
		}()
	}
	wg.Wait()
	if most.Load() != 1 {
		t.Errorf("%d held it at once", most.Load())
	}
}
