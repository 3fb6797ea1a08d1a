//go:build unix

package main

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// folder makes a folder that any user may enter, unlike those of t.TempDir.
func folder(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "episodes-test-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

// sampleLogs writes n logs, two of which share each error.
func sampleLogs(t *testing.T, dir string, n int) (paths []string) {
	t.Helper()
	for i := range n {
		path := filepath.Join(dir, fmt.Sprintf("session-%02d.md", i))
		text := fmt.Sprintf("# Session %d\n\n**Status**: Complete\n\n- Error: LockTimeout%c: index is locked\n- Commit abc%04d: mend it\n", i, 'A'+i/2, i)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	return paths
}

func program(dir string, args ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), asProgram+"=1", noRaceNap)
	return cmd
}

// must runs the program and wants exit code 0.
func must(t *testing.T, dir string, args ...string) string {
	t.Helper()
	var out, errs bytes.Buffer
	cmd := program(dir, args...)
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		t.Fatalf("%q: %v: %s", args, err, &errs)
	}
	return out.String()
}

// Killed at any moment, a run leaves a memory that works, loses no episode that
// it had, and whose graph equals a rebuilt one.
func TestKilled(t *testing.T) {
	dir := folder(t)
	sampleLogs(t, dir, 20)
	rounds := 12
	if os.Getenv("EPISODES_HEAVY") != "" {
		rounds = 200
	}
	for range rounds {
		cmd := program(dir, "extract", "--memory", "m", "--force", ".")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(rand.IntN(70)) * time.Millisecond)
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		var exit *exec.ExitError
		if out, err := program(dir, "graph", "stats", "--memory", "m").CombinedOutput(); errors.As(err, &exit) && exit.ExitCode() != codeNoMemory {
			t.Fatalf("after a kill: %s", out)
		}
	}
	must(t, dir, "extract", "--memory", "m", ".")
	must(t, dir, "validate", "--memory", "m")
	must(t, dir, "doctor", "--fix", "--memory", "m")
	before := must(t, dir, "graph", "export", "--memory", "m")
	must(t, dir, "graph", "rebuild", "--memory", "m")
	if after := must(t, dir, "graph", "export", "--memory", "m"); after != before {
		t.Error("the graph after kills is not the one that a rebuild gives")
	}
}

// Many processes extract and ask at once: nothing is lost and nobody fails.
func TestManyProcesses(t *testing.T) {
	dir := folder(t)
	logs := sampleLogs(t, dir, 24)
	var wg sync.WaitGroup
	for w := range 6 {
		wg.Go(func() {
			for _, log := range logs[w*4 : w*4+4] {
				for _, args := range [][]string{{"extract", log}, {"graph", "stats"}} {
					if out, err := program(dir, append(args, "--memory", "m", "--lock-timeout", "60s")...).CombinedOutput(); err != nil {
						t.Errorf("%q: %v: %s", args, err, out)
					}
				}
			}
		})
	}
	wg.Wait()
	if out := must(t, dir, "graph", "stats", "--memory", "m"); !strings.HasPrefix(out, "24 episodes\n") {
		t.Errorf("stats: %s", out)
	}
	before := must(t, dir, "graph", "export", "--memory", "m")
	must(t, dir, "graph", "rebuild", "--memory", "m")
	if after := must(t, dir, "graph", "export", "--memory", "m"); after != before {
		t.Error("the graph is not the one that a rebuild gives")
	}
}

// unprivileged runs the program as a user to whom permissions apply.
func unprivileged(t *testing.T, dir string, args ...string) (out, errs string, code int) {
	t.Helper()
	cmd := program(dir, args...)
	if os.Geteuid() == 0 {
		nobody := filepath.Join(folder(t), "episodes")
		data, err := os.ReadFile(os.Args[0])
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(nobody, data, 0o755); err != nil {
			t.Fatal(err)
		}
		cmd.Path = nobody
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	}
	var o, e bytes.Buffer
	cmd.Stdout, cmd.Stderr = &o, &e
	var exit *exec.ExitError
	if err := cmd.Run(); errors.As(err, &exit) {
		code = exit.ExitCode()
	} else if err != nil {
		t.Fatal(err)
	}
	return o.String(), e.String(), code
}

// A log that may not be read is reported, and the others are done.
func TestUnreadableLog(t *testing.T) {
	dir := folder(t)
	logs := sampleLogs(t, dir, 2)
	if err := os.Chmod(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(logs[0], 0); err != nil {
		t.Fatal(err)
	}
	out, errs, code := unprivileged(t, dir, "extract", "--memory", "m", ".")
	if code != codePartly || !strings.Contains(errs, "session-00.md: permission denied") || !strings.Contains(out, "1 written, 0 unchanged, 1 failed") {
		t.Errorf("exit %d\n%s%s", code, out, errs)
	}
}

// A memory that may only be read is still answered from: with its graph, or with
// one built for the answer.
func TestReadOnlyMemory(t *testing.T) {
	dir := folder(t)
	sampleLogs(t, dir, 4)
	must(t, dir, "extract", "--memory", "m", ".")
	want := must(t, dir, "graph", "export", "--memory", "m")
	for _, tt := range []struct{ name, note string }{{"with its graph", ""}, {"without a graph", "cannot be written, so the graph is built in memory"}} {
		setWritable(t, dir, false)
		out, errs, code := unprivileged(t, dir, "graph", "export", "--memory", "m")
		if code != 0 || out != want || !strings.Contains(errs, tt.note) || tt.note == "" && errs != "" {
			t.Errorf("%s: exit %d, %s", tt.name, code, errs)
		}
		if _, errs, code := unprivileged(t, dir, "extract", "--memory", "m", "--force", "."); code != codeFailed || !strings.Contains(errs, "permission denied") {
			t.Errorf("%s: extract: exit %d, %s", tt.name, code, errs)
		}
		setWritable(t, dir, true)
		if err := os.RemoveAll(filepath.Join(dir, "m", "causality")); err != nil {
			t.Fatal(err)
		}
	}
}

func setWritable(t *testing.T, dir string, yes bool) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		mode := os.FileMode(0o555)
		if yes {
			mode = 0o755
		}
		return errors.Join(err, os.Chmod(path, mode))
	})
	if err != nil {
		t.Fatal(err)
	}
}

// The two budgets of every start, as whole processes (make the figures with
// -bench=Start -benchtime=20x).
func BenchmarkStart(b *testing.B) {
	for b.Loop() {
		cmd := program(b.TempDir(), "version")
		if err := cmd.Run(); err != nil {
			b.Fatal(err)
		}
	}
}
