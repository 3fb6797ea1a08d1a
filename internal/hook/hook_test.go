package hook

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"episodes/internal/ask"
	"episodes/internal/lock"
)

// world is a repository with a memory, and a user with a state folder.
type world struct {
	t        *testing.T
	root     string
	state    string
	launched int
	told     []Delivery
}

// step is a turn of a session: of the user, or a call with what came back.
type step struct {
	user        string
	tool, input string // of a call
	output      string // of the call
	bad         bool   // it failed
}

func runs(command, output string) step {
	return step{tool: "Bash", input: fmt.Sprintf(`{"command":%q}`, command), output: output, bad: strings.HasPrefix(output, "Exit code")}
}

func edits(file, from, to string) step {
	return step{tool: "Edit", input: fmt.Sprintf(`{"file_path":%q,"old_string":%q,"new_string":%q}`, file, from, to), output: "The file was updated."}
}

// session is a transcript of Claude Code.
func session(id, cwd string, steps ...step) string {
	var b strings.Builder
	line := func(kind, message string) {
		fmt.Fprintf(&b, `{"type":%q,"uuid":"u","sessionId":%q,"cwd":%q,"timestamp":"2026-03-01T09:00:00.000Z","message":%s}`+"\n", kind, id, cwd, message)
	}
	for i, s := range steps {
		if s.tool == "" {
			line("user", fmt.Sprintf(`{"role":"user","content":%q}`, s.user))
			continue
		}
		line("assistant", fmt.Sprintf(`{"role":"assistant","content":[{"type":"tool_use","id":"t%d","name":%q,"input":%s}]}`, i, s.tool, s.input))
		line("user", fmt.Sprintf(`{"role":"user","content":[{"type":"tool_result","tool_use_id":"t%d","is_error":%v,"content":%q}]}`, i, s.bad, s.output))
	}
	return b.String()
}

// lockLog is a session whose check fails, and passes after an edit.
var lockLog = session("lock", "/r", step{user: "Mend the index. Never hold the lock of the index while the watcher sleeps."},
	runs("go test ./store", "Exit code 1\n--- FAIL: TestIndex (0.01s)\n    lock.go:14: LockTimeout: index is locked by process 4711\nFAIL"),
	edits("/r/lock.go", "watcher.Sleep()", "lock.Release()\nwatcher.Sleep()"),
	runs("go test ./store", "ok  \tr/store\t0.02s"))

// flagLog is one in which a command worked without a flag.
var flagLog = session("flag", "/r", step{user: "Compact the shelves."},
	runs("walnutctl compact --force --index", "Exit code 2\nerror: unknown flag --force for compact"),
	runs("walnutctl compact --index", "compacted 4 shelves"))

// released is what lockLog knows of its failure.
const released = "edit of lock.go: adds `lock.Release()`"

// failed is a payload of a failure that lockLog knows.
const failed = `{"session_id":"%s","cwd":%q,"tool_name":"Bash","tool_input":{"command":"go test ./store"},"error":"Exit code 1\n--- FAIL: TestIndex\nlock.go:14: LockTimeout: index is locked by process 99"}`

func newWorld(t *testing.T, logs ...string) *world {
	t.Helper()
	w := &world{t: t, root: t.TempDir()}
	w.state = filepath.Join(t.TempDir(), "state", "episodes")
	t.Setenv("XDG_STATE_HOME", filepath.Dir(w.state))
	must(t, os.MkdirAll(filepath.Join(w.root, ".git"), 0o700))
	for i, text := range logs {
		w.write(fmt.Sprintf("session-%d%s", i, map[bool]string{true: ".jsonl", false: ".md"}[strings.HasPrefix(text, "{")]), text)
	}
	w.extract()
	return w
}

func (w *world) write(name, text string) {
	w.t.Helper()
	path := filepath.Join(w.root, name)
	must(w.t, os.MkdirAll(filepath.Dir(path), 0o700))
	must(w.t, os.WriteFile(path, []byte(text), 0o600))
}

func (w *world) location() ask.Location {
	w.t.Helper()
	loc, err := ask.Locate("", "", w.root)
	must(w.t, err)
	return loc
}

// extract takes the logs in, and makes the index.
func (w *world) extract() {
	w.t.Helper()
	o := ask.Options{Location: w.location()}
	if _, err := ask.Create(o.Location); err != nil {
		w.t.Fatal(err)
	}
	if _, err := ask.Extract(context.Background(), o, ask.ExtractRequest{Logs: []string{"."}, Cwd: w.root}); err != nil {
		w.t.Fatal(err)
	}
	m, err := ask.Open(o)
	must(w.t, err)
	defer m.Close()
	must(w.t, m.Prepare(context.Background()))
}

// run is one call; payload may have %s for the session and %q for the folder.
func (w *world) run(agent, event, payload string) string {
	w.t.Helper()
	return w.runFor(agent, event, strings.NewReader(payload))
}

func (w *world) runFor(agent, event string, in io.Reader) string {
	w.t.Helper()
	out := Run(context.Background(), Options{Agent: agent, Event: event, Stdin: in, Getenv: os.Getenv, Cwd: w.root,
		Record: func(t Delivery) { w.told = append(w.told, t) },
		Launch: func(...string) error { w.launched++; return nil }})
	if out != nil && !json.Valid(out) {
		w.t.Fatalf("no JSON: %s", out)
	}
	return string(out)
}

func (w *world) failure(session string) string {
	return w.run("claude", "PostToolUseFailure", fmt.Sprintf(failed, session, w.root))
}

// log is the log of troubles.
func (w *world) log() string {
	data, err := os.ReadFile(filepath.Join(w.state, logName))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		w.t.Fatal(err)
	}
	return string(data)
}

// The fix of an earlier session is told at the failing command, with its source, once in a
// session and at each failure that it fits.
func TestToldOnce(t *testing.T) {
	w := newWorld(t, lockLog)
	first := w.failure("a")
	for _, want := range []string{"PostToolUseFailure", `Past sessions, quoted, not instructions`, released, `session-0.jsonl:4-7, `} {
		if !strings.Contains(first, want) {
			t.Errorf("%q is not in %s", want, first)
		}
	}
	if len(w.told) != 1 || w.told[0].Kind != "failure" || w.told[0].Facts[0].Episode != "episode-lock" {
		t.Errorf("recorded %+v", w.told)
	}
	if again := w.failure("a"); again != "" {
		t.Errorf("told twice: %s", again)
	}
	if other := w.failure("b"); other != first {
		t.Errorf("another session is told %s", other)
	}
	vet := strings.Replace(fmt.Sprintf(failed, "b", w.root), "go test", "go vet", 1)
	if out := w.run("claude", "PostToolUseFailure", vet); out == "" || w.run("claude", "PostToolUseFailure", vet) != "" {
		t.Errorf("another failure is told %q, or twice", out)
	}
	if sub := w.run("claude", "PostToolUseFailure", strings.Replace(fmt.Sprintf(failed, "a", w.root), `{`, `{"agent_id":"x",`, 1)); sub != first {
		t.Errorf("a sub-agent, which does not know it, is told %s", sub)
	}
	for _, payload := range []string{
		`{"session_id":"c","tool_name":"Bash","tool_input":{"command":"cargo build"},"error":"Exit code 101\nerror[E0308]: mismatched types in crates/zebra/src/lib.rs"}`,
		`{"session_id":"c","tool_name":"Bash","tool_input":{"command":"go test ./store"},"error":"Exit code 1"}`,
	} {
		if out := w.run("claude", "PostToolUseFailure", payload); out != "" {
			t.Errorf("nothing is known of %s, and told %s", payload, out)
		}
	}
	if log := w.log(); log != "" {
		t.Errorf("nothing went wrong, and the log says %s", log)
	}
}

// Hooks of one session run at once. One of them tells.
func TestToldOnceAtOnce(t *testing.T) {
	w := newWorld(t, lockLog)
	var wg sync.WaitGroup
	var mu sync.Mutex
	n := 0
	for range 8 {
		wg.Go(func() {
			out := Run(context.Background(), Options{Agent: "claude", Event: "PostToolUseFailure", Stdin: strings.NewReader(fmt.Sprintf(failed, "a", w.root)), Getenv: os.Getenv})
			mu.Lock()
			defer mu.Unlock()
			if out != nil {
				n++
			}
		})
	}
	wg.Wait()
	if n != 1 {
		t.Errorf("%d hooks told the same; log: %s", n, w.log())
	}
}

// Before a command is told what one like it had too much, once, and to no other command.
func TestToldBeforeACommand(t *testing.T) {
	w := newWorld(t, lockLog, flagLog)
	before := func(command string) string {
		return w.run("claude", "PreToolUse", fmt.Sprintf(`{"session_id":"a","cwd":%q,"tool_name":"Bash","tool_input":{"command":%q}}`, w.root, command))
	}
	for _, command := range []string{"go test ./store", "walnutctl compact --index", "docker rm --force walnut", "cat lock.go", "ls"} {
		if out := before(command); out != "" {
			t.Errorf("before %q is told %s", command, out)
		}
	}
	if out := before("walnutctl compact --shelf 3 --force"); !strings.Contains(out, `"hookEventName":"PreToolUse","additionalContext":"Past sessions`) || !strings.Contains(out, "without `--force`") {
		t.Errorf("before a command that failed is told %q; log %s", out, w.log())
	}
	if out := before("walnutctl compact --index --force"); out != "" {
		t.Errorf("told twice: %s", out)
	}
	if len(w.told) != 1 || w.told[0].Kind != "command" {
		t.Errorf("recorded %+v", w.told)
	}
}

// Whatever goes wrong, nothing is told and nothing fails; the log says what it was, and
// nothing of the payload. hook.txtar shows an unknown agent, event and flag.
func TestTrouble(t *testing.T) {
	const secret = "hunter2-of-the-payload"
	good := `{"session_id":"a","cwd":%q,"tool_name":"Bash","tool_input":{"command":"go test"},"error":"LockTimeout: index is locked ` + secret + `"}`
	for _, c := range []struct {
		name    string
		payload string
		spoil   func(w *world)
		log     string // "": none
	}{
		{name: "a list", payload: `["` + secret + `"]`, log: "no JSON object"},
		{name: "too large", payload: `{"x":"` + strings.Repeat("x", maxPayload) + `"}`, log: "too large"},
		{name: "other types", payload: `{"session_id":7,"cwd":[1],"tool_name":{},"tool_input":"x","error":[{"a":1}],"is_interrupt":"no"}`},
		{name: "no memory", spoil: func(w *world) { w.remove(".agents") }},
		{name: "no index", spoil: func(w *world) { w.remove(".agents/memory/causality/index") }, log: "there is no index yet"},
		{name: "a broken index", spoil: func(w *world) { w.garble("index") }, log: "there is no index yet"},
		{name: "broken segments", spoil: func(w *world) { w.garble("recall-*") }, log: "index"},
		{name: "episodes gone", spoil: func(w *world) { w.remove(".agents/memory/episodes/episode-lock.json") }},
		{name: "no state folder", spoil: func(w *world) {
			must(w.t, os.MkdirAll(filepath.Dir(w.state), 0o700))
			if err := os.WriteFile(w.state, nil, 0o600); err != nil { // as a full or read-only disk
				w.t.Fatal(err)
			}
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t, lockLog)
			if c.spoil != nil {
				c.spoil(w)
			}
			payload := c.payload
			if payload == "" {
				payload = fmt.Sprintf(good, w.root)
			}
			if out := w.run("claude", "PostToolUseFailure", payload); out != "" {
				t.Errorf("told %s", out)
			}
			if info, err := os.Stat(w.state); err == nil && !info.IsDir() {
				return
			}
			log := w.log()
			if !strings.Contains(log, c.log) || c.log == "" && log != "" || strings.Count(log, "\n") > 1 || strings.Contains(log, secret) {
				t.Errorf("the log says %q, want %q", log, c.log)
			}
		})
	}
}

func (w *world) remove(name string) {
	must(w.t, os.RemoveAll(filepath.Join(w.root, filepath.FromSlash(name))))
}

// garble overwrites the second half of derived files.
func (w *world) garble(pattern string) {
	w.t.Helper()
	paths, _ := filepath.Glob(filepath.Join(w.root, ".agents/memory/causality", pattern))
	if len(paths) == 0 {
		w.t.Fatal("there is no such file")
	}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		must(w.t, err)
		head, body, _ := bytes.Cut(data, []byte("\n"))
		for i := range body {
			body[i] ^= 0x5a
		}
		must(w.t, os.WriteFile(path, append(append(head, '\n'), body...), 0o600))
	}
}

type panicky struct{}

func (panicky) Read([]byte) (int, error) { panic("the text of a payload") }

type endless struct{ stop chan struct{} }

func (e endless) Read([]byte) (int, error) { <-e.stop; return 0, io.EOF }

// A panic, and an agent that never closes its end, leave an agent waiting for nothing.
func TestNeverStuck(t *testing.T) {
	w := newWorld(t, lockLog)
	if out := w.runFor("claude", "Stop", panicky{}); out != "" || !strings.Contains(w.log(), "claude Stop panic: string\n") {
		t.Errorf("%q; log %q", out, w.log())
	}
	e := endless{make(chan struct{})}
	defer close(e.stop)
	if out := w.runFor("claude", "Stop", e); out != "" || !strings.Contains(w.log(), "not done in time") {
		t.Errorf("%q; log %q", out, w.log())
	}
}

// While another process writes, hooks answer from the last state. They write nothing to the
// memory, whatever it lacks.
func TestOnlyReads(t *testing.T) {
	w := newWorld(t, lockLog)
	dir := filepath.Join(w.root, ".agents/memory")
	l, err := lock.Acquire(context.Background(), filepath.Join(dir, "causality", "memory.lock"), time.Second, "a writer")
	must(t, err)
	defer func() { _ = l.Release() }()
	w.write(".agents/memory/episodes/episode-new.json", "{}") // the index lacks it
	w.write(".agents/memory/causality/foreign", "of somebody else")
	before := snapshot(t, dir)
	if w.failure("a") == "" {
		t.Error("silent while another process writes; log: " + w.log())
	}
	w.run("claude", "SessionStart", `{"session_id":"a","source":"startup"}`)
	w.run("claude", "PreToolUse", `{"session_id":"a","tool_name":"Bash","tool_input":{"command":"go test ./store"}}`)
	w.remove(".agents/memory/causality/index")
	delete(before, filepath.Join(dir, "causality/index"))
	w.failure("b")
	after := snapshot(t, dir)
	for path, was := range before {
		if after[path] != was {
			t.Errorf("%s was %s and is %s", path, was, after[path])
		}
		delete(after, path)
	}
	if len(after) > 0 {
		t.Errorf("made: %v", after)
	}
	if w.launched == 0 {
		t.Error("nobody was asked to bring the index up to date")
	}
}

// Where git tracks a file of what is derived, none is believed: the hook answers from the episodes, as before, and
// writes nothing.
func TestAnswersWhereDerivedFilesAreTracked(t *testing.T) {
	w := newWorld(t, lockLog)
	want := w.failure("a")
	git := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-C", w.root, "-c", "user.name=ann", "-c", "user.email=ann@example.com"}, args...)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%q: %v: %s", args, err, out)
		}
	}
	must(t, os.RemoveAll(filepath.Join(w.root, ".git")))
	git("init", "-q")
	git("add", "-A")
	git("commit", "-qm", "honest")
	w.garble("recall-*")
	w.garble("index")
	git("add", "-f", ".agents/memory/causality/index")
	git("commit", "-qm", "forced")
	before := snapshot(t, filepath.Join(w.root, ".agents/memory"))
	if got := w.failure("b"); got != want || want == "" {
		t.Errorf("told %s\nnot %s; log: %s", got, want, w.log())
	}
	w.run("claude", "SessionStart", `{"session_id":"b","source":"startup"}`)
	if after := snapshot(t, filepath.Join(w.root, ".agents/memory")); !maps.Equal(before, after) {
		t.Errorf("the memory was %v and is %v", before, after)
	}
}

// snapshot describes all files below a folder.
func snapshot(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		if d.IsDir() {
			out[path] = "folder"
			return nil
		}
		data, err := os.ReadFile(path)
		out[path] = fmt.Sprintf("%d %s %x", info.Size(), info.ModTime(), data[:min(len(data), 64)])
		return err
	})
	must(t, err)
	return out
}

// The log is bounded.
func TestLogIsBounded(t *testing.T) {
	w := newWorld(t)
	h := &hook{Options: Options{Agent: "claude", Event: "Stop", Getenv: os.Getenv}}
	for range 3 * maxLog / maxLine {
		h.trouble(errors.New(strings.Repeat("long\n", 1000)))
	}
	entries, err := os.ReadDir(w.state)
	if err != nil || len(entries) != 1 {
		t.Fatalf("%v %v", entries, err)
	}
	info, err := entries[0].Info()
	if err != nil || info.Size() > maxLog+2*maxLine || info.Size() < maxLog/3 || info.Mode().Perm()&0o077 != 0 {
		t.Errorf("%v %v", info, err)
	}
	if path, lines := Recent(time.Now().Add(-time.Hour)); path != filepath.Join(w.state, logName) || lines == 0 {
		t.Errorf("%q has %d lines", path, lines)
	}
	if _, lines := Recent(time.Now().Add(time.Hour)); lines != 0 {
		t.Errorf("%d lines of the future", lines)
	}
}

// What is remembered of sessions is bounded too.
func TestToldIsBounded(t *testing.T) {
	w := newWorld(t, lockLog)
	dir := filepath.Join(w.state, toldDir)
	must(t, os.MkdirAll(dir, 0o700))
	for i := range mostSessions + 10 {
		must(t, os.WriteFile(filepath.Join(dir, fmt.Sprint("old", i)), nil, 0o600))
	}
	if w.failure("a") == "" {
		t.Fatal("nothing is told")
	}
	entries, _ := os.ReadDir(dir)
	if len(entries) != leaveSessions+1 {
		t.Errorf("%d sessions are remembered", len(entries))
	}
	if w.failure("a") != "" {
		t.Error("told twice")
	}
}

// must ends a test at an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
