package hook

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
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
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		w.t.Fatal(err)
	}
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
	for written := range len(copilotEvents(id, "/")) {
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

// What is written while the transcript is read, or soon after, is read as well.
func TestTranscriptComesToRest(t *testing.T) {
	const id = "3f0c2c1e-1111-4222-8333-444455556666"
	w := newWorld(t, lockLog)
	home, path := w.copilot(id)
	all := copilotEvents(id, w.root)
	w.put(path, strings.Join(all[:3], ""))
	w.run("copilot", "sessionEnd", fmt.Sprintf(`{"sessionId":%q,"cwd":%q}`, id, w.root))
	done := make(chan struct{})
	go func() {
		defer close(done)
		Work(context.Background(), WorkerOptions{Home: home, Getenv: func(string) string { return "" }, Rest: 50 * time.Millisecond})
	}()
	for w.outcome(id) == "" {
		time.Sleep(time.Millisecond)
	}
	w.put(path, strings.Join(all, ""))
	<-done
	if got := w.outcome(id); got != "success" {
		t.Errorf("the session is a %q; log %s", got, w.log())
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
			if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
				t.Fatal(err)
			}
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
		`"tool_result":{"result_type":"success","text_result_for_llm":"--- FAIL: TestIndex\nstore_test.go:14: LockTimeout: index is locked by process 99\n<shellId: 0 completed with exit code 1>"}`))
	for _, want := range []string{`{"additionalContext":"Past sessions`, `"hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"Past sessions`, "release the lock"} {
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
