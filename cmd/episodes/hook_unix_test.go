//go:build unix

package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"episodes/internal/lock"
)

// An agent that is killed with all that it started, as soon as its hook has returned, takes
// nothing with it: the transcript is taken in all the same.
func TestQueueOutlivesTheAgent(t *testing.T) {
	dir := folder(t)
	for name, value := range map[string]string{"HOME": filepath.Join(dir, "home"), "XDG_STATE_HOME": filepath.Join(dir, "state")} {
		t.Setenv(name, value)
	}
	repo, log := filepath.Join(dir, "repo"), filepath.Join(dir, "home", ".claude", "projects", "p", "s-1.jsonl")
	for _, d := range []string{filepath.Join(repo, ".git"), filepath.Dir(log)} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for path, text := range map[string]string{
		log: fmt.Sprintf(`{"type":"user","uuid":"u1","sessionId":"s-1","timestamp":"2026-03-01T09:00:00.000Z","cwd":%q,"message":{"role":"user","content":"mend the upload of parts, whatever it takes"}}`+"\n", repo) +
			`{"type":"assistant","uuid":"a1","sessionId":"s-1","timestamp":"2026-03-01T09:00:01.000Z","message":{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"go test ./upload"}}]}}` + "\n" +
			`{"type":"user","uuid":"u2","sessionId":"s-1","timestamp":"2026-03-01T09:00:02.000Z","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","is_error":true,"content":"Exit code 1\n--- FAIL: TestParts (0.01s)\nFAIL"}]},"toolUseResult":"Error: Exit code 1"}` + "\n",
		filepath.Join(dir, "stop.json"): fmt.Sprintf(`{"session_id":"s-1","cwd":%q,"transcript_path":%q}`, repo, log),
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	must(t, repo, "init")
	busy, err := lock.Acquire(context.Background(), filepath.Join(repo, ".agents/memory/causality/memory.lock"), time.Second, "a test") // so that the run is at work for a while
	if err != nil {
		t.Fatal(err)
	}
	agent := exec.Command("sh", "-c", `"$0" hook claude Stop < ../stop.json; echo "returned $?"; sleep 100`, os.Args[0])
	agent.Dir, agent.Env = repo, append(os.Environ(), asProgram+"=1", noRaceNap)
	agent.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	out, err := agent.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := agent.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if kill := syscall.Kill(-agent.Process.Pid, syscall.SIGKILL); kill != nil || err != nil || line != "returned 0\n" {
		t.Fatalf("%q %v %v", line, err, kill)
	}
	_ = agent.Wait()
	episode := filepath.Join(repo, ".agents/memory/private/episodes/episode-s-1.json")
	if _, err := os.Stat(episode); err == nil {
		t.Fatal("taken in while the memory was locked")
	}
	if err := busy.Release(); err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(30 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		if data, err := os.ReadFile(episode); err == nil && strings.Contains(string(data), "TestParts") {
			break
		}
		if time.Now().After(end) {
			trouble, _ := os.ReadFile(filepath.Join(dir, "state", "episodes", "hook.log"))
			t.Fatalf("not taken in: %s", trouble)
		}
	}
	worker, err := lock.Acquire(context.Background(), filepath.Join(dir, "state", "episodes", "worker.lock"), 30*time.Second, "a test") // it ends by itself
	if err != nil {
		t.Fatal(err)
	}
	_ = worker.Release()
}
