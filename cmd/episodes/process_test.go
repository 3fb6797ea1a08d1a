//go:build unix

package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"episodes/episode"
	"episodes/internal/local"
	"episodes/internal/term"
	"episodes/internal/testing/few"
	"episodes/internal/testing/synthetic"
)

// folder makes a folder that any user may enter, unlike those of t.TempDir.
func folder(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "episodes-test-")
	must0(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	must0(t, os.Chmod(dir, 0o755))
	return dir
}

// sampleLogs writes n logs, two of which share each error.
func sampleLogs(t *testing.T, dir string, n int) (paths []string) {
	t.Helper()
	for i := range n {
		path := filepath.Join(dir, fmt.Sprintf("session-%02d.md", i))
		text := fmt.Sprintf("# Session %d\n\n**Status**: Complete\n\n- Error: LockTimeout%c: index is locked\n- Commit abc%04d: mend it\n", i, 'A'+i/2, i)
		must0(t, os.WriteFile(path, []byte(text), 0o644))
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

// killedWithin starts a process and kills it at some moment of the time given. It
// reports whether it was still at work then.
func killedWithin(t *testing.T, most time.Duration, cmd *exec.Cmd) bool {
	t.Helper()
	must0(t, cmd.Start())
	time.Sleep(rand.N(most))
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	return !cmd.ProcessState.Exited()
}

// Killed at any moment, a run leaves a memory in which every command works without
// a person, no episode file is a part of one or lost, and the graph equals a
// rebuilt one.
func TestKilled(t *testing.T) {
	long(t)
	dir := folder(t)
	logs := sampleLogs(t, dir, 20)
	kills, compareEvery := few.Of(6, 100), few.Of(6, 25)
	const others = 150 // so that there is work to be killed at
	episodes := filepath.Join(dir, "m", "episodes")
	if _, err := (synthetic.Memory{Seed: 3}).Write(episodes, 0, others); err != nil {
		t.Fatal(err)
	}
	tasks := [][]string{
		{"extract", "--force", "."}, {"graph", "rebuild"}, {"graph", "update"},
		{"graph", "prune", "--min-weight", "0.6"}, {"graph", "prune", "--older-than", "2020-01-03", "--min-support", "2"}, {"graph", "prune", "--reset"},
	}
	questions := [][]string{
		{"graph", "stats"}, {"path", "--from", "failure", "--to", "success"}, {"patterns"}, {"list"}, {"validate"}, {"doctor"},
		{"explain", "success"}, {"graph", "export", "--format", "nquads"}, {"extract", "."}, {"graph", "update"},
	}
	killed, round := map[string]int{}, 0
	for sum := 0; sum < kills && round < 20*kills; round++ {
		task := tasks[round%len(tasks)]
		if task[1] == "update" { // one episode is new, changed or gone
			i := others + rand.IntN(10)
			if path := filepath.Join(episodes, synthetic.Memory{Seed: 3}.ID(i)+".json"); os.Remove(path) != nil {
				if _, err := (synthetic.Memory{Seed: 3}).Write(episodes, i, i+1); err != nil {
					t.Fatal(err)
				}
			}
		}
		if killedWithin(t, 120*time.Millisecond, program(dir, append(task, "--memory", "m")...)) {
			killed[task[0]+" "+task[1]]++
			sum++
		}
		wholeEpisodes(t, episodes, others)
		question := questions[rand.IntN(len(questions))]
		if out, err := program(dir, append(question, "--memory", "m")...).CombinedOutput(); err != nil {
			t.Fatalf("%q after a kill of %q: %v: %s", question, task, err, out)
		}
		if (round+1)%compareEvery == 0 {
			must(t, dir, "graph", "update", "--memory", "m")
			sameAsRebuilt(t, dir)
		}
	}
	t.Logf("of %d processes, so many were still at work: %v", round, killed)
	if len(killed) == 0 {
		t.Error("no process was still at work when it was killed")
	}
	must(t, dir, "extract", "--memory", "m", ".")
	must(t, dir, "graph", "prune", "--reset", "--memory", "m")
	must(t, dir, "validate", "--memory", "m")
	must(t, dir, "doctor", "--fix", "--memory", "m")
	sameAsRebuilt(t, dir)
	if n := wholeEpisodes(t, episodes, others+len(logs)); !strings.HasPrefix(must(t, dir, "graph", "stats", "--memory", "m"), fmt.Sprintf("%d episodes\n", n)) {
		t.Errorf("the graph does not hold %d episodes", n)
	}
}

// wholeEpisodes wants every episode file to be whole, and at least so many.
func wholeEpisodes(t *testing.T, dir string, least int) (n int) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "*.json"))
	must0(t, err)
	for _, path := range paths {
		data := read(t, path)
		if _, err := episode.Parse(data); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
	if len(paths) < least {
		t.Errorf("%d episodes, want %d", len(paths), least)
	}
	return len(paths)
}

// sameAsRebuilt wants the graph of the memory "m" to be the one that a rebuild gives.
func sameAsRebuilt(t *testing.T, dir string) {
	t.Helper()
	before := must(t, dir, "graph", "export", "--memory", "m")
	must(t, dir, "graph", "rebuild", "--memory", "m")
	if after := must(t, dir, "graph", "export", "--memory", "m"); after != before {
		t.Error("the graph is not the one that a rebuild gives")
	}
}

// awaitLock waits until a process has signed a lock, or has ended: before that it may not
// have come as far as to handle signals.
func awaitLock(path string, pid int, ended <-chan struct{}) {
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); {
		if data, _ := os.ReadFile(path); bytes.HasPrefix(data, fmt.Appendf(nil, "%d ", pid)) {
			return
		}
		select {
		case <-ended:
			return
		case <-time.After(time.Millisecond):
		}
	}
}

// A polite end is clean at any moment: it says so, and what was done is whole.
func TestTerminated(t *testing.T) {
	long(t)
	dir := folder(t)
	if _, err := (synthetic.Memory{Seed: 2}).Write(filepath.Join(dir, "m", "episodes"), 0, few.Of(200, 400)); err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	must(t, dir, "graph", "rebuild", "--memory", "m")
	took := time.Since(start)
	rounds, stopped := few.Of(4, 20), 0
	for round := 0; round < rounds || stopped == 0 && round < 80; round++ {
		var errs bytes.Buffer
		cmd := program(dir, "graph", []string{"rebuild", "update"}[round%2], "--memory", "m")
		cmd.Stderr = &errs
		must0(t, cmd.Start())
		ended := make(chan struct{})
		go func() {
			_ = cmd.Wait()
			close(ended)
		}()
		awaitLock(filepath.Join(dir, "m", "causality", "memory.lock"), cmd.Process.Pid, ended)
		time.Sleep(time.Duration(rand.Int64N(int64(took))))
		_ = cmd.Process.Signal(syscall.SIGTERM)
		<-ended
		switch code := cmd.ProcessState.ExitCode(); {
		case code == codeInterrupted && errs.String() == "episodes: interrupted\n":
			stopped++
		case code != 0:
			t.Errorf("exit %d: %s", code, &errs)
		}
	}
	if stopped == 0 {
		t.Error("no process was still at work when it was stopped")
	}
	must(t, dir, "graph", "update", "--memory", "m")
	sameAsRebuilt(t, dir)
}

// Ctrl-C keeps the logs that were read until then, and the next run goes on from there.
func TestInterruptKeepsWhatIsRead(t *testing.T) {
	for wait := 50 * time.Millisecond; ; wait *= 2 {
		dir := folder(t)
		args := append([]string{"extract", "--memory", "m"}, sampleLogs(t, dir, 8)...)
		cmd := program(dir, append(args, "--jobs", "2", "-")...)
		var errs bytes.Buffer
		cmd.Stderr = &errs
		endless, err := cmd.StdinPipe() // one worker waits for it
		must0(t, err)
		must0(t, cmd.Start())
		time.Sleep(wait)
		_ = cmd.Process.Signal(os.Interrupt)
		_ = cmd.Wait()
		_ = endless.Close()
		files, _ := filepath.Glob(filepath.Join(dir, "m", "episodes", "*.json"))
		if len(files) == 0 && wait < time.Minute {
			continue // too early
		}
		if code := cmd.ProcessState.ExitCode(); code != codeInterrupted || len(files) == 0 ||
			errs.String() != fmt.Sprintf("episodes: interrupted: %s written and kept, the graph follows with the next command\n", term.Plural(len(files), "episode")) {
			t.Fatalf("exit %d with %d episodes: %s", code, len(files), &errs)
		}
		if out := must(t, dir, args...); !strings.Contains(out, fmt.Sprintf("8 logs: %d written, %d unchanged, 0 failed", 8-len(files), len(files))) {
			t.Errorf("afterwards, with %d episodes: %s", len(files), out)
		}
		sameAsRebuilt(t, dir)
		return
	}
}

// Many processes extract and ask at once: nothing is lost and nobody fails.
func TestManyProcesses(t *testing.T) {
	long(t)
	dir := folder(t)
	processes, each := few.Of(6, 32), few.Of(2, 8)
	logs := sampleLogs(t, dir, processes*each)
	var wg sync.WaitGroup
	for w := range processes {
		wg.Go(func() {
			for _, log := range logs[w*each : w*each+each] {
				for _, args := range [][]string{{"extract", log}, {"graph", "stats"}, {"patterns"}} {
					if out, err := program(dir, append(args, "--memory", "m", "--lock-timeout", "10m")...).CombinedOutput(); err != nil {
						t.Errorf("%q: %v: %s", args, err, out)
					}
				}
			}
		})
	}
	wg.Wait()
	if out := must(t, dir, "graph", "stats", "--memory", "m"); !strings.HasPrefix(out, fmt.Sprintf("%d episodes\n", len(logs))) {
		t.Errorf("stats: %s", out)
	}
	sameAsRebuilt(t, dir)
}

// unprivileged runs the program as a user to whom permissions apply.
func unprivileged(t *testing.T, dir string, args ...string) (out, errs string, code int) {
	t.Helper()
	cmd := program(dir, args...)
	if os.Geteuid() == 0 {
		nobody := filepath.Join(folder(t), "episodes")
		data := read(t, os.Args[0])
		must0(t, os.WriteFile(nobody, data, 0o755))
		cmd.Path = nobody
		shareKey(t) // it stands for the same user with fewer rights
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	}
	var o, e bytes.Buffer
	cmd.Stdout, cmd.Stderr = &o, &e
	var exit *exec.ExitError
	if err := cmd.Run(); errors.As(err, &exit) {
		code = exit.ExitCode()
	} else {
		must0(t, err)
	}
	return o.String(), e.String(), code
}

// shareKey lets everybody read the key of the tests' user.
func shareKey(t *testing.T) {
	t.Helper()
	key, err := local.KeyFile()
	must0(t, err)
	if err := os.Chmod(key, 0o644); errors.Is(err, fs.ErrNotExist) {
		return
	}
	dir := filepath.Dir(key)
	for range 3 { // up to the folder that the tests made
		must0(t, os.Chmod(dir, 0o755))
		dir = filepath.Dir(dir)
	}
}

// A memory that may only be read is still answered from, and the same: with its graph and statistics, with
// statistics made for each answer, which nothing says, or with a graph built for it. Nothing is written.
func TestReadOnlyMemory(t *testing.T) {
	dir := folder(t)
	sampleLogs(t, dir, 6)
	must(t, dir, "extract", "--memory", "m", ".")
	derived := filepath.Join(dir, "m", "causality")
	names := func() (out []string) {
		entries, err := os.ReadDir(derived)
		must0(t, err)
		for _, e := range entries {
			out = append(out, e.Name())
		}
		return out
	}
	bare := names()
	questions := [][]string{{"graph", "export"}, {"patterns"}, {"whatif", "--decision", "retry"}, {"path", "--from", "success", "--to", "success"}}
	var want []string
	for _, q := range questions {
		want = append(want, must(t, dir, append(q, "--memory", "m")...))
	}
	if kept := len(names()) - len(bare); kept < 3 {
		t.Fatalf("only %d files are kept of the statistics: %v", kept, names())
	}
	for _, state := range []struct {
		note string
		take func(name string) bool
	}{
		{"", func(string) bool { return false }},
		{"", func(name string) bool { return !slices.Contains(bare, name) }},
		{"cannot be written, so the graph is built in memory", func(string) bool { return true }},
	} {
		for _, name := range names() {
			if state.take(name) {
				must0(t, os.RemoveAll(filepath.Join(derived, name)))
			}
		}
		before := names()
		setWritable(t, dir, false)
		for i, q := range questions {
			out, errs, code := unprivileged(t, dir, append(q, "--memory", "m")...)
			if code != 0 || out != want[i] || !strings.Contains(errs, state.note) || state.note == "" && errs != "" {
				t.Errorf("%v: exit %d, %q\n%s\nnot\n%s", q, code, errs, out, want[i])
			}
		}
		if _, errs, code := unprivileged(t, dir, "extract", "--memory", "m", "--force", "."); code != codeFailed || !strings.Contains(errs, "permission denied") {
			t.Errorf("extract: exit %d, %s", code, errs)
		}
		setWritable(t, dir, true)
		if left := names(); !slices.Equal(left, before) {
			t.Errorf("written all the same: %v", left)
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
	must0(t, err)
}

// The two budgets of every start, as whole processes (make the figures with
// -bench=Start -benchtime=20x).
func BenchmarkStart(b *testing.B) {
	for b.Loop() {
		cmd := program(b.TempDir(), "version")
		must0(b, cmd.Run())
	}
}
