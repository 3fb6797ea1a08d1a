package hook

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"episodes/internal/lock"
)

// transcript is a session of Claude Code in a folder, in which a check fails and passes
// later.
func transcript(id, cwd, test string) string {
	line := func(kind, rest string) string {
		return fmt.Sprintf(`{"type":%q,"uuid":"u","sessionId":%q,"cwd":%q,"timestamp":"2026-03-01T09:00:00.000Z",%s}`+"\n", kind, id, cwd, rest)
	}
	call := func(n int, name, input string) string {
		return line("assistant", fmt.Sprintf(`"message":{"role":"assistant","content":[{"type":"tool_use","id":"t%d","name":%q,"input":%s}]}`, n, name, input))
	}
	back := func(n int, bad bool, text string) string {
		return line("user", fmt.Sprintf(`"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t%d","is_error":%v,"content":%q}]}`, n, bad, text))
	}
	return line("user", `"message":{"role":"user","content":"mend the upload"}`) +
		call(1, "Bash", `{"command":"go test ./upload"}`) + back(1, true, "Exit code 1\n--- FAIL: "+test+" (0.01s)\n    upload.go:7: got 3 parts, want 4\nFAIL") +
		call(2, "Edit", `{"file_path":"/r/upload.go","old_string":"i < n","new_string":"i <= n"}`) + back(2, false, "The file was updated.") +
		call(3, "Bash", `{"command":"go test ./upload"}`) + back(3, false, "ok  \tr/upload\t0.02s")
}

// home is the home folder of a user of Claude Code, with the transcript of a session in the
// world's repository.
func (w *world) home(test string) (home, path string) {
	home = filepath.Join(w.t.TempDir(), "home")
	path = filepath.Join(home, ".claude", "projects", "p", "s-1.jsonl")
	must(w.t, os.MkdirAll(filepath.Dir(path), 0o700))
	w.put(path, transcript("s-1", w.root, test))
	return home, path
}

func (w *world) put(path, text string) {
	w.t.Helper()
	must(w.t, os.WriteFile(path, []byte(text), 0o600))
}

func (w *world) stop(path string) {
	w.t.Helper()
	if out := w.run("claude", "Stop", fmt.Sprintf(`{"session_id":"s-1","cwd":%q,"transcript_path":%q}`, w.root, path)); out != "" {
		w.t.Errorf("at its end a session is told %s", out)
	}
}

func (w *world) work(home string) {
	Work(context.Background(), WorkerOptions{Home: home, Getenv: func(string) string { return "" }})
}

// jobs are what is in the queue.
func (w *world) jobs() (out []job) {
	w.t.Helper()
	q, err := (&hook{}).open(context.Background(), queueDir, time.Second)
	must(w.t, err)
	defer q.close()
	names, _ := q.dir.Names()
	for _, name := range names {
		if j, ok := q.read(name); ok {
			out = append(out, j)
		}
	}
	return out
}

func (w *world) private() string {
	data, _ := os.ReadFile(filepath.Join(w.root, ".agents/memory/private/episodes/episode-s-1.json"))
	return string(data)
}

// The transcript that the end of a turn names becomes a private episode, which the next
// session is told of and its own is not.
func TestTranscriptIsTakenIn(t *testing.T) {
	w := newWorld(t, lockLog)
	home, path := w.home("TestOfThePrivatePart")
	w.stop(path)
	if w.launched != 1 || len(w.jobs()) != 1 || w.jobs()[0].Done || w.private() != "" {
		t.Fatalf("launched %d, queued %+v; log %s", w.launched, w.jobs(), w.log())
	}
	w.stop(path) // while it waits
	if len(w.jobs()) != 1 {
		t.Errorf("queued twice: %+v", w.jobs())
	}
	w.work(home)
	if !strings.Contains(w.private(), "TestOfThePrivatePart") || !w.jobs()[0].Done {
		t.Fatalf("not taken in: %s; log %s", w.private(), w.log())
	}
	launched := w.launched
	w.stop(path)
	if w.launched != launched {
		t.Error("queued again, although it is as it was")
	}
	failure := `{"session_id":"%s","cwd":%q,"tool_name":"Bash","tool_input":{"command":"go test ./upload"},"error":"Exit code 1\n--- FAIL: TestOfThePrivatePart (0.01s)\n    upload.go:7: got 3 parts, want 4\nFAIL"}`
	if out := w.run("claude", "PostToolUseFailure", fmt.Sprintf(failure, "s-1", w.root)); out != "" {
		t.Errorf("a session is told of itself: %s", out)
	}
	if out := w.run("claude", "PostToolUseFailure", fmt.Sprintf(failure, "s-2", w.root)); !strings.Contains(out, ", private)") {
		t.Errorf("the next session is told %q; log %s", out, w.log())
	}

	w.put(path, transcript("s-1", w.root, "TestOfAnotherTurn"))
	w.stop(path)
	w.work(home)
	if !strings.Contains(w.private(), "TestOfAnotherTurn") {
		t.Errorf("the next turn was not taken in; log %s", w.log())
	}
	if w.log() != "" {
		t.Error(w.log())
	}
}

// A payload cannot make anything be read that is no transcript of its agent and of this
// repository, and without a memory nothing is queued.
func TestOnlyTranscriptsAreTakenIn(t *testing.T) {
	w := newWorld(t, lockLog)
	home, good := w.home("TestX")
	outside := filepath.Join(w.root, "outside.jsonl")
	w.put(outside, transcript("s-1", w.root, "TestOutside"))
	elsewhere := filepath.Join(filepath.Dir(good), "s-2.jsonl")
	w.put(elsewhere, transcript("s-1", t.TempDir(), "TestElsewhere"))
	link := filepath.Join(filepath.Dir(good), "s-3.jsonl")
	must(t, os.Symlink(outside, link))
	settings := filepath.Join(home, ".claude", "settings.json")
	w.put(settings, `{"env":{"KEY":"x"}}`)
	for _, path := range []string{outside, elsewhere, link, settings, filepath.Dir(good), "relative.jsonl", filepath.Join(home, "gone.jsonl"), "/dev/zero", filepath.Dir(good) + "/../../../../../etc/passwd"} {
		w.stop(path)
	}
	w.work(home)
	private := filepath.Join(w.root, ".agents/memory/private")
	if _, err := os.Stat(private); err == nil {
		t.Errorf("something was taken in: %v", w.jobs())
	}
	for _, j := range w.jobs() {
		if !j.Done || j.Tries != 1 {
			t.Errorf("tried again: %+v", j)
		}
	}
	if log := w.log(); !strings.Contains(log, "is not among those that the agent keeps") || !strings.Contains(log, "is not of this repository") || !strings.Contains(log, "is no file") || strings.Contains(log, "outside.jsonl") {
		t.Errorf("the log says %s", log)
	}

	n := len(w.jobs())
	w.remove(".agents/memory")
	w.stop(good)
	if len(w.jobs()) != n {
		t.Error("queued without a memory")
	}
	w.work(home)
	if _, err := os.Stat(filepath.Join(w.root, ".agents/memory")); err == nil {
		t.Error("a memory was made")
	}
}

// What fails is tried a few times, and then left until it is queued anew. The other jobs
// are done.
func TestTriedAgain(t *testing.T) {
	w := newWorld(t, lockLog)
	home, path := w.home("TestX")
	broken := filepath.Join(w.root, ".agents/episodes.toml")
	w.put(broken, "[redact\n") // the project's vocabulary cannot be read
	w.stop(path)
	w.work(home)
	if j := w.jobs()[0]; !j.Done || j.Tries != mostTries || strings.Count(w.log(), "\n") != mostTries {
		t.Fatalf("%+v; log %s", j, w.log())
	}
	w.remove(".agents/episodes.toml")
	w.stop(path)
	w.work(home)
	if w.private() != "" {
		t.Error("done although the transcript is as it was when it was given up")
	}
	w.put(path, transcript("s-1", w.root, "TestY"))
	w.stop(path)
	w.work(home)
	if !strings.Contains(w.private(), "TestY") {
		t.Errorf("log %s", w.log())
	}
}

// Two runs at once: one does the work.
func TestOneWorker(t *testing.T) {
	w := newWorld(t, lockLog)
	home, path := w.home("TestX")
	w.stop(path)
	l, free, err := lock.Try(filepath.Join(w.state, workerLock), "another")
	if err != nil || !free {
		t.Fatal(err)
	}
	w.work(home)
	if w.private() != "" {
		t.Error("worked beside another run")
	}
	must(t, l.Release())
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() { w.work(home) })
	}
	wg.Wait()
	if w.private() == "" || w.log() != "" {
		t.Errorf("not taken in; log %s", w.log())
	}
}

// An index that is missing is made by the run that works on the queue; once in a while, so
// that one that cannot be made costs little.
func TestIndexIsMade(t *testing.T) {
	w := newWorld(t, lockLog)
	w.remove(".agents/memory/causality")
	for range 3 {
		if w.failure("a") != "" {
			t.Fatal("told without an index")
		}
	}
	if w.launched != 1 {
		t.Errorf("%d runs were started", w.launched)
	}
	w.work("")
	if w.failure("a") == "" {
		t.Errorf("nothing is told; log %s", w.log())
	}
	w.write("session-9.md", strings.ReplaceAll(lockLog, "4711", "4712"))
	if out := w.run("claude", "SessionStart", fmt.Sprintf(`{"session_id":"z","cwd":%q,"source":"startup"}`, w.root)); out != "" || w.launched != 1 {
		t.Errorf("%s; %d runs were started for an index that is current", out, w.launched)
	}
}

// The files of the queue are bounded, and what another version wrote is dropped.
func TestQueueIsBounded(t *testing.T) {
	w := newWorld(t, lockLog)
	_, path := w.home("TestX")
	dir := filepath.Join(w.state, queueDir)
	must(t, os.MkdirAll(dir, 0o700))
	old := time.Now().Add(-time.Hour)
	for i := range mostQueued + 5 {
		name := filepath.Join(dir, fmt.Sprintf("%032d.json", i))
		w.put(name, `{"done":true}`)
		must(t, os.Chtimes(name, old, old))
	}
	w.stop(path)
	w.jobs() // takes over what hooks left
	if entries, _ := os.ReadDir(dir); len(entries) != leaveQueue+1 {
		t.Errorf("%d files", len(entries))
	}
	home, _ := w.home("TestX")
	w.work(home)
	if entries, _ := os.ReadDir(dir); len(entries) != 1 {
		t.Errorf("%d files", len(entries))
	}
}
