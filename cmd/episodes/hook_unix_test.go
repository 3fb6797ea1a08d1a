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
	"sync"
	"syscall"
	"testing"
	"time"

	"episodes/internal/lock"
)

// An agent that is killed with all that it started, as soon as its hook has returned, takes
// nothing with it: the transcript is taken in all the same.
func TestQueueOutlivesTheAgent(t *testing.T) {
	dir := folder(t)
	repo := transcriptWorld(t, dir, "s-1")
	log := filepath.Join(dir, "home", ".claude", "projects", "p", "s-1.jsonl")
	must0(t, os.WriteFile(filepath.Join(dir, "stop.json"), fmt.Appendf(nil, `{"session_id":"s-1","cwd":%q,"transcript_path":%q}`, repo, log), 0o600))
	must(t, repo, "init")
	busy, err := lock.Acquire(context.Background(), filepath.Join(repo, ".agents/memory/causality/memory.lock"), time.Second, "a test") // so that the run is at work for a while
	must0(t, err)
	agent := exec.Command("sh", "-c", `"$0" hook claude Stop < ../stop.json; echo "returned $?"; sleep 100`, os.Args[0])
	agent.Dir, agent.Env = repo, append(os.Environ(), asProgram+"=1", noRaceNap)
	agent.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	out, err := agent.StdoutPipe()
	must0(t, err)
	must0(t, agent.Start())
	line, err := bufio.NewReader(out).ReadString('\n')
	if kill := syscall.Kill(-agent.Process.Pid, syscall.SIGKILL); kill != nil || err != nil || line != "returned 0\n" {
		t.Fatalf("%q %v %v", line, err, kill)
	}
	_ = agent.Wait()
	episode := filepath.Join(repo, ".agents/memory/private/episodes/episode-s-1.json")
	if _, err := os.Stat(episode); err == nil {
		t.Fatal("taken in while the memory was locked")
	}
	must0(t, busy.Release())
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
	must0(t, err)
	_ = worker.Release()
}

// Sessions that end at the same moment are all queued, while others hold the lock of the queue.
func TestSessionsEndAtOnce(t *testing.T) {
	const sessions, atOnce = 10, 8
	dir := folder(t)
	var ids []string
	for i := range sessions {
		ids = append(ids, fmt.Sprintf("s-%02d", i))
	}
	repo := transcriptWorld(t, dir, ids...)
	must(t, repo, "init")
	state := filepath.Join(dir, "state", "episodes")
	var held []*lock.Lock
	for _, name := range []string{"state.lock", "worker.lock"} {
		l, err := lock.Acquire(context.Background(), filepath.Join(state, name), time.Second, "a test")
		must0(t, err)
		held = append(held, l)
	}
	var wg sync.WaitGroup
	slots := make(chan bool, atOnce)
	for _, id := range ids {
		wg.Go(func() {
			slots <- true
			defer func() { <-slots }()
			cmd := program(repo, "hook", "claude", "SessionEnd")
			cmd.Stdin = strings.NewReader(fmt.Sprintf(`{"session_id":%q,"cwd":%q,"transcript_path":%q}`, id, repo,
				filepath.Join(dir, "home", ".claude", "projects", "p", id+".jsonl")))
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%s: %v: %s", id, err, out)
			}
		})
	}
	wg.Wait()
	for _, l := range held {
		must0(t, l.Release())
	}
	must(t, repo, "hook", "run-queue")
	worker, err := lock.Acquire(context.Background(), filepath.Join(state, "worker.lock"), time.Minute, "a test") // a hook's own run may be at work
	must0(t, err)
	must0(t, worker.Release())
	found, err := filepath.Glob(filepath.Join(repo, ".agents/memory/private/episodes/*.json"))
	if trouble, _ := os.ReadFile(filepath.Join(state, "hook.log")); err != nil || len(found) != sessions || len(trouble) > 0 {
		t.Errorf("%d of %d sessions were taken in; %v, %s", len(found), sessions, err, trouble)
	}
}
