package hook

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"episodes/internal/testing/few"
	"episodes/ledger"
)

// copilotEvents are the events of a session of Copilot CLI, whose check fails, and passes after an
// edit. The file names its session in its folder.
func copilotEvents(id, cwd string) (all []string) {
	n := 0
	event := func(kind, data string) {
		n++
		all = append(all, fmt.Sprintf(`{"type":%q,"id":"e%d","timestamp":"2026-05-05T05:05:%02dZ","data":%s}`+"\n", kind, n, n, data))
	}
	call := func(id, name, args, output string, exit string) {
		event("assistant.message", fmt.Sprintf(`{"messageId":"m%d","content":"","toolRequests":[{"toolCallId":%q}]}`, n, id))
		event("tool.execution_start", fmt.Sprintf(`{"toolCallId":%q,"toolName":%q,"arguments":%s}`, id, name, args))
		event("tool.execution_complete", fmt.Sprintf(`{"toolCallId":%q,"success":true,"result":{"content":%q}%s}`, id, output, exit))
	}
	event("session.start", fmt.Sprintf(`{"sessionId":%q,"context":{"cwd":%q}}`, id, cwd))
	event("user.message", `{"content":"mend the basket"}`)
	call("c1", "bash", `{"command":"go test ./basket"}`, "--- FAIL: TestBasket (0.01s)\n    basket_test.go:9: BasketError: it is full\nFAIL", `,"shellExecution":{"exitCode":1}`)
	call("c2", "edit", fmt.Sprintf(`{"path":%q,"old_str":"full = 3","new_str":"full = 4"}`, filepath.Join(cwd, "basket.go")), "updated", "")
	call("c3", "bash", `{"command":"go test ./basket"}`, "ok  \tshop/basket\t0.01s", `,"shellExecution":{"exitCode":0}`)
	event("assistant.message", `{"messageId":"m9","content":"The basket holds four.","toolRequests":[]}`)
	event("session.shutdown", `{}`)
	return all
}

// copilot is the file of a session, and the home folder that it is in.
func (w *world) copilot(id string) (home, path string) {
	home = filepath.Join(w.t.TempDir(), "home")
	path = filepath.Join(home, ".copilot", "session-state", id, "events.jsonl")
	must(w.t, os.MkdirAll(filepath.Dir(path), 0o700))
	return home, path
}

// outcome is that of the episode of a session; "" where there is none.
func (w *world) outcome(id string) string {
	data, _ := os.ReadFile(filepath.Join(w.root, ".agents/memory/private/episodes/episode-"+id+".json"))
	for _, o := range []string{"success", "failure", "partial", "unknown"} {
		if strings.Contains(string(data), `"outcome": "`+o+`"`) {
			return o
		}
	}
	return ""
}

// Copilot CLI writes its file behind its hooks, and names none at the end of a session. However much
// of the file is there at a hook, no session ends as a failure, and in the end each is a success.
func TestFileBehindItsHooks(t *testing.T) {
	const id = "3f0c2c1e-1111-4222-8333-444455556666"
	for written := 0; written < len(copilotEvents(id, "/")); written += few.Of(2, 1) {
		w := newWorld(t, lockLog)
		home, path := w.copilot(id)
		all := copilotEvents(id, w.root)
		w.put(path, strings.Join(all[:written+1], ""))
		w.run("copilot", "sessionStart", fmt.Sprintf(`{"sessionId":%q,"cwd":%q,"source":"new"}`, id, w.root))
		w.run("copilot", "agentStop", fmt.Sprintf(`{"sessionId":%q,"cwd":%q,"transcriptPath":%q}`, id, w.root, path))
		w.work(home)
		if got := w.outcome(id); got == "failure" || got == "partial" {
			t.Errorf("after %d events the session is a %s", written+1, got)
		}
		w.put(path, strings.Join(all, ""))
		w.run("copilot", "sessionEnd", fmt.Sprintf(`{"sessionId":%q,"cwd":%q,"reason":"complete"}`, id, w.root))
		w.work(home)
		if got := w.outcome(id); got != "success" || w.log() != "" {
			t.Fatalf("at its end the session is a %q; log %s", got, w.log())
		}
	}
}

// What is written while transcripts are read, or soon after, is read as well.
func TestTranscriptsComeToRest(t *testing.T) {
	ids := []string{"3f0c2c1e-1111-4222-8333-444455556666", "3f0c2c1e-1111-4222-8333-444455556667"}
	w := newWorld(t, lockLog)
	home, first := w.copilot(ids[0])
	put := func(events int) {
		for _, id := range ids {
			w.put(strings.Replace(first, ids[0], id, 1), strings.Join(copilotEvents(id, w.root)[:events], ""))
		}
	}
	must(t, os.MkdirAll(filepath.Dir(strings.Replace(first, ids[0], ids[1], 1)), 0o700))
	put(3)
	for _, id := range ids {
		w.run("copilot", "sessionEnd", fmt.Sprintf(`{"sessionId":%q,"cwd":%q}`, id, w.root))
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		Work(context.Background(), WorkerOptions{Home: home, Getenv: func(string) string { return "" }, Rest: 50 * time.Millisecond})
	}()
	for w.outcome(ids[0]) == "" || w.outcome(ids[1]) == "" {
		time.Sleep(time.Millisecond)
	}
	put(len(copilotEvents("", "")))
	<-done
	for _, id := range ids {
		if got := w.outcome(id); got != "success" {
			t.Errorf("the session is a %q; log %s", got, w.log())
		}
	}
}

// A session that goes on and on does not keep the run at work.
func TestTranscriptThatKeepsGrowing(t *testing.T) {
	const id = "3f0c2c1e-1111-4222-8333-444455556666"
	w := newWorld(t, lockLog)
	home, path := w.copilot(id)
	text := strings.Join(copilotEvents(id, w.root), "")
	w.put(path, text)
	w.run("copilot", "agentStop", fmt.Sprintf(`{"sessionId":%q,"cwd":%q,"transcriptPath":%q}`, id, w.root, path))
	ctx, stop := context.WithTimeout(context.Background(), time.Minute)
	defer stop()
	done := make(chan struct{})
	go func() {
		defer close(done)
		Work(ctx, WorkerOptions{Home: home, Getenv: func(string) string { return "" }, Rest: time.Millisecond})
	}()
	for working := true; working; time.Sleep(time.Millisecond) {
		text += `{"type":"assistant.turn_start","data":{}}` + "\n"
		w.put(path, text)
		select {
		case <-done:
			working = false
		default:
		}
	}
	if err := ctx.Err(); err != nil {
		t.Errorf("still at work: %v", err)
	}
}

// A session that was killed called no hook at its end. The next one in the repository takes it in,
// for each way in which an agent names its transcripts.
func TestKilledSessionIsTakenIn(t *testing.T) {
	const id = "3f0c2c1e-1111-4222-8333-444455556666"
	for name, start := range map[string]string{
		"copilot": `{"sessionId":"ID","cwd":%q,"source":"new"}`,
		"claude":  `{"session_id":"ID","cwd":%q,"transcript_path":"PATH","hook_event_name":"SessionStart","source":"startup"}`,
	} {
		w := newWorld(t, lockLog)
		home, path := w.copilot(id)
		event, text := "sessionStart", strings.Join(copilotEvents(id, w.root), "")
		if name == "claude" {
			event = "SessionStart"
			path = filepath.Join(home, ".claude", "projects", "p", id+".jsonl")
			must(t, os.MkdirAll(filepath.Dir(path), 0o700))
			text = transcript(id, w.root, "TestKilled")
		}
		begins := func(session string) {
			is := strings.NewReplacer("ID", session, "PATH", strings.ReplaceAll(path, id, session)).Replace(start)
			w.run(name, event, fmt.Sprintf(is, w.root))
		}
		begins(id)
		w.put(path, text)
		w.work(home)
		if w.launched != 0 || w.outcome(id) != "" {
			t.Errorf("%s: taken in while it runs", name)
		}
		begins("99999999-next")
		if w.launched != 1 {
			t.Errorf("%s: %d runs were started", name, w.launched)
		}
		w.work(home)
		if got := w.outcome(id); got != "success" || w.log() != "" {
			t.Errorf("%s: the killed session is a %q; log %s", name, got, w.log())
		}
		begins("99999999-third")
		if name == "claude" && w.launched != 1 {
			t.Error("queued again, although it is as it was")
		}
	}
}

// Copilot CLI runs the hooks of Claude Code in a repository with payloads of its own.
func TestCopilotUnderOtherNames(t *testing.T) {
	const id = "3f0c2c1e-1111-4222-8333-444455556666"
	w := newWorld(t, lockLog)
	home, path := w.copilot(id)
	payload := func(more string) string {
		return fmt.Sprintf(`{"session_id":%q,"timestamp":"2026-05-05T05:05:05.000Z","cwd":%q,%s}`, id, w.root, more)
	}
	out := w.run("claude", "PostToolUse", payload(`"hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{"command":"go test ./store"},`+
		`"tool_result":{"result_type":"success","text_result_for_llm":"--- FAIL: TestIndex\nlock.go:14: LockTimeout: index is locked by process 99\n<shellId: 0 completed with exit code 1>"}`))
	for _, want := range []string{`{"additionalContext":"Past sessions`, `"hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"Past sessions`, "lock.Release()"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not in %q; log %s", want, out, w.log())
		}
	}
	w.put(path, strings.Join(copilotEvents(id, w.root), ""))
	w.run("claude", "Stop", payload(fmt.Sprintf(`"hook_event_name":"Stop","transcript_path":%q`, path)))
	w.run("claude", "SessionEnd", payload(`"hook_event_name":"SessionEnd","reason":"complete"`))
	w.work(home)
	if got := w.outcome(id); got != "success" || w.log() != "" {
		t.Errorf("the session is a %q; log %s", got, w.log())
	}
}

// After a compaction a session gets back what it came to: what still fails and what was tried, the
// user's corrections, the checks that passed. Only from its own transcript, and in few words.
func TestOwnStateAfterCompaction(t *testing.T) {
	w := newWorld(t, lockLog)
	home, path := w.home("TestX")
	line := func(kind, rest string) string {
		return fmt.Sprintf(`{"type":%q,"uuid":"u","sessionId":"s-1","cwd":%q,"timestamp":"2026-03-01T09:00:00.000Z",%s}`+"\n", kind, w.root, rest)
	}
	n := 0
	call := func(name, input string, bad bool, output string) string {
		n++
		return line("assistant", fmt.Sprintf(`"message":{"role":"assistant","content":[{"type":"tool_use","id":"t%d","name":%q,"input":%s}]}`, n, name, input)) +
			line("user", fmt.Sprintf(`"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t%d","is_error":%v,"content":%q}]}`, n, bad, output))
	}
	user := func(text string) string {
		return line("user", fmt.Sprintf(`"message":{"role":"user","content":%q}`, text))
	}
	fails := func() string {
		return call("Bash", `{"command":"go test ./oil"}`, true, "Exit code 1\n--- FAIL: TestWalnutOil (0.01s)\n    oil_test.go:7: OilError: it is rancid\nFAIL")
	}
	session := user("mend the oil") + fails() +
		call("Edit", `{"file_path":"/r/oil.go","old_string":"days = 9","new_string":"days = 3"}`, false, "The file was updated.") + fails() +
		user("No, do not change the days, change the bottle instead.") + call("Bash", `{"command":"npm test"}`, false, "Tests: 4 passed, 4 total")
	compacted := func(path string) string {
		out := Run(context.Background(), Options{Agent: "claude", Event: "SessionStart", Home: home, Getenv: func(string) string { return "" }, Cwd: w.root,
			Launch: func(...string) error { return nil },
			Stdin:  strings.NewReader(fmt.Sprintf(`{"session_id":"s-1","cwd":%q,"transcript_path":%q,"source":"compact"}`, w.root, path))})
		return string(out)
	}
	for _, before := range []string{"", strings.Repeat(call("Read", `{"file_path":"/r/x"}`, false, strings.Repeat("0123456789 ", 9000)), 25)} { // only the end of a long one is read
		w.put(path, before+session)
		out := compacted(path)
		for _, want := range []string{"This session so far", `Still failing: \"go test: TestWalnutOil: OilError: it is rancid`, `Tried and failed: \"oil.go: days = 3`, "change the bottle", `nothing was edited since: \"npm test`} {
			if !strings.Contains(out, want) {
				t.Errorf("%q is not in %s; log %s", want, out, w.log())
			}
		}
		if len(out) > 250*4+200 {
			t.Errorf("%d bytes", len(out))
		}
	}
	w.put(path, session+call("Edit", `{"file_path":"/r/oil.go","old_string":"bottle = 1","new_string":"bottle = 2"}`, false, "The file was updated.")+
		call("Bash", `{"command":"go test ./oil"}`, false, "ok  \tr/oil\t0.02s"))
	if out := compacted(path); strings.Contains(out, "Still failing") || strings.Contains(out, "and failed") || strings.Contains(out, "npm") || !strings.Contains(out, `since: \"go test`) {
		t.Errorf("mended: %s", out)
	}
	outside := filepath.Join(w.root, "s-1.jsonl")
	w.put(outside, session)
	if out := compacted(outside); strings.Contains(out, "This session so far") || !strings.Contains(out, "Never hold the lock of the index") {
		t.Errorf("of a file that is no transcript: %s; log %s", out, w.log())
	}
}

// OpenCode keeps its sessions in a database. They are exported by their ids, and nothing else is run.
func TestSessionIsExported(t *testing.T) {
	const id = "ses_0123456789abcdef"
	w := newWorld(t, lockLog)
	bin := t.TempDir()
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	part := func(tool, input, output string, exit int) string {
		return fmt.Sprintf(`{"type":"tool","tool":%q,"state":{"status":"completed","input":%s,"output":%q,"metadata":{"exit":%d}}}`, tool, input, output, exit)
	}
	w.put(filepath.Join(bin, "export.json"), fmt.Sprintf(`{"info":{"id":%q,"projectID":"p","directory":%q,"time":{"created":1777957505000}},"messages":[{"info":{"role":"user"},"parts":[{"type":"text","text":"mend the basket"}]},{"info":{"role":"assistant"},"parts":[%s,%s,%s]}]}`,
		id, w.root, part("bash", `{"command":"go test ./basket"}`, "--- FAIL: TestBasket (0.01s)\n    basket_test.go:9: BasketError: it is full\nFAIL", 1),
		part("edit", `{"filePath":"/r/basket.go","oldString":"full = 3","newString":"full = 4"}`, "done", 0), part("bash", `{"command":"go test ./basket"}`, "ok  \tshop/basket\t0.01s", 0)))
	w.put(filepath.Join(bin, "opencode"), "#!/bin/sh\necho \"$EPISODES_OFF $*\" >>\""+bin+"/asked\"\ncat \""+bin+"/export.json\"\n")
	must(t, os.Chmod(filepath.Join(bin, "opencode"), 0o700))
	idle := func(id string) {
		w.run("opencode", "sessionIdle", fmt.Sprintf(`{"session_id":%q,"cwd":%q}`, id, w.root))
		Work(context.Background(), WorkerOptions{Home: filepath.Dir(bin), Getenv: os.Getenv})
	}
	must(t, os.Rename(filepath.Join(bin, "export.json"), filepath.Join(bin, "later.json")))
	idle(id)
	if w.outcome(id) != "" || strings.Count(w.log(), "exit status 1") != mostTries {
		t.Errorf("while the database is not there the session is a %q; log %s", w.outcome(id), w.log())
	}
	must(t, os.Rename(filepath.Join(bin, "later.json"), filepath.Join(bin, "export.json")))
	w.run("opencode", "sessionCreated", fmt.Sprintf(`{"session_id":"ses_anothersession","cwd":%q}`, w.root))
	Work(context.Background(), WorkerOptions{Home: filepath.Dir(bin), Getenv: os.Getenv})
	if got := w.outcome(id); got != "success" {
		t.Errorf("when another session starts, the session is a %q; log %s", got, w.log())
	}
	for _, evil := range []string{"--help", "ses_x; touch y", "../../../etc/passwd", "ses_" + strings.Repeat("x", 100)} {
		idle(evil)
	}
	if asked, _ := os.ReadFile(filepath.Join(bin, "asked")); string(asked) != strings.Repeat("1 export "+id+"\n", mostTries+1) {
		t.Errorf("asked for %q", asked)
	}
}

// linked makes a working tree that is linked to the main one.
func (w *world) linked() (tree string, remove func()) {
	w.t.Helper()
	top, err := filepath.EvalSymlinks(w.t.TempDir())
	must(w.t, err)
	tree, own := filepath.Join(top, "tree"), filepath.Join(w.root, ".git", "worktrees", "tree")
	must(w.t, os.MkdirAll(tree, 0o700))
	must(w.t, os.MkdirAll(own, 0o700))
	w.put(filepath.Join(tree, ".git"), "gitdir: "+own+"\n")
	w.put(filepath.Join(own, "gitdir"), filepath.Join(tree, ".git")+"\n")
	return tree, func() {
		must(w.t, os.RemoveAll(tree))
		must(w.t, os.RemoveAll(own))
	}
}

// A session is taken in although its working tree was removed before that, and git knows it no longer. What was told in it is in
// the ledger of the repository, and what its agent wrote behind the last hook is read when a session begins in another tree.
func TestTreeThatIsGone(t *testing.T) {
	const id = "3f0c2c1e-1111-4222-8333-444455556666"
	w := newWorld(t, lockLog)
	tree, remove := w.linked()
	must(t, os.MkdirAll(filepath.Join(tree, ".agents", "memory", "episodes"), 0o700)) // as of a branch that has a memory

	if out := w.run("claude", "PostToolUseFailure", fmt.Sprintf(failed, "a", tree)); !strings.Contains(out, "lock.Release()") {
		t.Errorf("told in the tree: %q; log %s", out, w.log())
	}
	if kept, err := ledger.Open(filepath.Join(w.root, ".agents", "memory")); err != nil || len(kept.Deliveries()) != 1 {
		t.Errorf("in the ledger: %v, %v", kept, err)
	}

	home, path := w.copilot(id)
	all := copilotEvents(id, tree)
	w.put(path, strings.Join(all[:len(all)/2], ""))
	w.run("copilot", "agentStop", fmt.Sprintf(`{"sessionId":%q,"cwd":%q,"transcriptPath":%q}`, id, tree, path))
	remove()
	w.work(home)
	if got := w.outcome(id); got == "" || got == "success" || w.log() != "" {
		t.Errorf("half of the session is a %q; log %s", got, w.log())
	}
	w.put(path, strings.Join(all, ""))
	w.run("copilot", "sessionStart", fmt.Sprintf(`{"sessionId":"3f0c2c1e-2","cwd":%q,"source":"new"}`, w.root))
	w.work(home)
	if got := w.outcome(id); got != "success" || w.log() != "" {
		t.Errorf("the session is a %q; log %s", got, w.log())
	}
}
