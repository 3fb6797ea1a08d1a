package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// world is a repository with a memory, and a process to run commands in.
type world struct {
	t              *testing.T
	dir            string
	env            environment
	stdout, stderr bytes.Buffer
}

func newWorld(t *testing.T) *world {
	w := &world{t: t, dir: t.TempDir()}
	w.env = environment{stdin: strings.NewReader(""), stdout: &w.stdout, stderr: &w.stderr, getenv: func(string) string { return "" },
		cwd: w.dir, now: time.Now, free: func(string) (uint64, bool) { return 1 << 40, true }}
	must0(t, os.Mkdir(filepath.Join(w.dir, ".git"), 0o755))
	if code := w.run("init"); code != 0 {
		t.Fatalf("init: %d, %s", code, &w.stderr)
	}
	return w
}

// long leaves a test out of make check.
func long(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("takes seconds: go test without -short runs it")
	}
}

func must0(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func (w *world) run(args ...string) int { return w.runContext(context.Background(), args...) }

func (w *world) runContext(ctx context.Context, args ...string) int {
	w.stdout.Reset()
	w.stderr.Reset()
	w.env.args = args
	return run(ctx, w.env)
}

// ok runs a command that must succeed and returns what it says on both streams.
func (w *world) ok(args ...string) (out, errs string) {
	w.t.Helper()
	if code := w.run(args...); code != 0 {
		w.t.Fatalf("%q: exit %d: %s", args, code, &w.stderr)
	}
	return w.stdout.String(), w.stderr.String()
}

func (w *world) write(name, text string) {
	w.t.Helper()
	path := filepath.Join(w.dir, name)
	must0(w.t, os.MkdirAll(filepath.Dir(path), 0o755))
	must0(w.t, os.WriteFile(path, []byte(text), 0o644))
}

func (w *world) episodes() []string {
	found, err := filepath.Glob(filepath.Join(w.dir, ".agents", "memory", "episodes", "*"))
	must0(w.t, err)
	return found
}

// A full disk ends a process that writes to a memory-mapped file without a word,
// so writing must not even start.
func TestFullDisk(t *testing.T) {
	w := newWorld(t)
	w.write("a.md", "# A\n")
	w.env.free = func(string) (uint64, bool) { return 3 << 20, true }
	if code := w.run("extract", "a.md"); code != codeFailed || !strings.Contains(w.stderr.String(), "too little free space") || !strings.Contains(w.stderr.String(), "hint: free some space") {
		t.Errorf("exit %d: %s", code, &w.stderr)
	}
	if w.stdout.Len() > 0 || len(w.episodes()) > 0 {
		t.Errorf("stdout %q, episodes %q", &w.stdout, w.episodes())
	}
	if code := w.run("extract", "--no-graph", "a.md"); code != 0 || len(w.episodes()) != 1 {
		t.Errorf("without the graph 3 MB are plenty: exit %d, %s", code, &w.stderr)
	}
	if code := w.run("doctor"); code != codeFailed || !strings.Contains(w.stderr.String(), "3 MB free") {
		t.Errorf("doctor: exit %d: %s", code, &w.stderr)
	}
}

// Ctrl-C says so, stops clean and exits with 130, whatever it comes into.
func TestInterrupted(t *testing.T) {
	w := newWorld(t)
	w.write("a.md", "# A\n")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, args := range [][]string{{"extract", "a.md"}, {"graph", "update"}, {"graph", "rebuild"}, {"graph", "stats"}, {"doctor"}} {
		if code := w.runContext(ctx, args...); code != codeInterrupted || w.stderr.String() != "episodes: interrupted\n" || w.stdout.Len() > 0 {
			t.Errorf("%q: exit %d, stdout %q, stderr %q", args, code, &w.stdout, &w.stderr)
		}
	}
	if len(w.episodes()) > 0 {
		t.Errorf("wrote %q", w.episodes())
	}
	if code := w.run("extract", "a.md"); code != 0 {
		t.Errorf("afterwards: exit %d, %s", code, &w.stderr)
	}
}

// Waiting for standard input must not keep Ctrl-C from working.
func TestInterruptedWhileReadingStdin(t *testing.T) {
	w := newWorld(t)
	r, _ := io.Pipe()
	w.env.stdin = r
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	done := make(chan int)
	go func() { done <- w.runContext(ctx, "extract", "-") }()
	select {
	case <-done:
	case <-time.After(5 * time.Second):
		t.Fatal("still waiting for standard input")
	}
}

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

// An answer that cannot be written is a failure, not a silent success.
func TestBrokenStdout(t *testing.T) {
	w := newWorld(t)
	w.write("a.md", "# A\n")
	w.run("extract", "a.md")
	w.env.stdout = brokenWriter{}
	for _, args := range [][]string{{"list"}, {"list", "--json"}, {"graph", "export"}, {"version"}, {"completion", "bash"}} {
		if code := w.run(args...); code != codeFailed || !strings.Contains(w.stderr.String(), "no space left on device") {
			t.Errorf("%q: exit %d, %s", args, code, &w.stderr)
		}
	}
}

// Many logs are summed up, not listed; failures are named all the same.
func TestManyLogsAreSummedUp(t *testing.T) {
	w := newWorld(t)
	for i := range 30 {
		w.write(fmt.Sprintf("logs/s%02d.md", i), "# Session\n\n**Status**: Complete\n")
	}
	w.write("logs/zz.md", "bad\x00")
	if code := w.run("extract", "logs"); code != codePartly {
		t.Fatalf("exit %d: %s", code, &w.stderr)
	}
	if out := w.stdout.String(); strings.Contains(out, "s01") || !strings.HasPrefix(out, "31 logs: 30 written, 0 unchanged, 1 failed") || !strings.Contains(out, "outcomes: 30 success\n") {
		t.Errorf("stdout %q", out)
	}
	if !strings.Contains(w.stderr.String(), "logs/zz.md:1: not a text file") {
		t.Errorf("stderr %q", &w.stderr)
	}
	if w.run("extract", "logs", "--verbose"); !strings.Contains(w.stdout.String(), "episode-s01") {
		t.Errorf("--verbose does not list: %q", &w.stdout)
	}
}

// Colour is for terminals that want it, and for what the program says, not for the words of a log.
func TestColour(t *testing.T) {
	w := newWorld(t)
	w.write("a.md", "# Mend the failure of the pump\n\n**Status**: Failed\n")
	for args, want := range map[string]int{"auto": 0, "never": 0, "always": 1} {
		w.run("extract", "--force", "a.md", "--color", args)
		if w.run("doctor", "--color", args); strings.Contains(w.stdout.String(), "\x1b[32mok") != (want > 0) {
			t.Errorf("--color %s: %q", args, &w.stdout)
		}
		if w.run("list", "--color", args); strings.Count(w.stdout.String(), "failure") != 2 || strings.Count(w.stdout.String(), "\x1b[31mfailure\x1b[0m") != want {
			t.Errorf("--color %s: %q", args, &w.stdout)
		}
	}
}

// Every envelope is one line of JSON with the version and the command, also on an empty memory. Those of
// questions are in TestExamplesOfEveryQuestion.
func TestEnvelopes(t *testing.T) {
	w := newWorld(t)
	w.write("a.md", "# A\n\n- Error: Boom: x\n")
	for _, args := range [][]string{{"extract", "a.md"}, {"extract", "--ask", "a.md"}, {"graph", "update"}, {"graph", "export", "--format", "dot"},
		{"validate"}, {"get", "a"}, {"decisions", "a"}, {"antipatterns"}, {"version"}, {"init"},
		{"loop", "eval", "--", "true"}, {"loop", "analyze"}, {"loop", "history"}, {"record", "task", "x"}, {"record", "attempt", "x", "--of", "task-001"},
		{"record", "action", "x", "--of", "task-001"}, {"record", "milestone", "x", "--of", "task-001"}, {"record", "reflection", "x", "--of", "task-001"}, {"record", "outcome", "failure", "--of", "task-001"},
		{"loop", "history", "task-001", "--attempt", "1"}, {"loop", "export", "task-001"}, {"loop", "export", "--format", "ralph", "out"}, {"loop", "reflections", "search"}, {"loop", "reflections", "lessons"},
		{"loop", "reflect", "--loop", "ralph-x", "--task", "x", "--verify", "false"}, {"loop", "retry", "ralph-x"}, {"loop", "--task", "y", "--actor", "true", "--verify", "true"}} {
		if w.ok(append([]string{"--json"}, args...)...); strings.Contains(w.stdout.String(), `"data":null`) {
			t.Errorf("%q: %s", args, &w.stdout)
		}
		isEnvelope(t, args, w.stdout.String())
	}
}

func read(t testing.TB, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	must0(t, err)
	return data
}
