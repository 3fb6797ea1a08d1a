//go:build unix

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A run that is killed while the reader thinks has spent what it sent, and the next one asks again
// when that is due.
func TestKilledWhileReading(t *testing.T) {
	dir := folder(t)
	repo := transcriptWorld(t, dir, "session-1")
	state, asked := filepath.Join(dir, "state"), filepath.Join(dir, "asked")
	t.Setenv("XDG_CACHE_HOME", filepath.Join(dir, "cache"))
	t.Setenv("ASKED", asked)
	put := func(text string, path ...string) {
		t.Helper()
		at := filepath.Join(append([]string{dir}, path...)...)
		must0(t, os.MkdirAll(filepath.Dir(at), 0o700))
		must0(t, os.WriteFile(at, []byte(text), 0o600))
	}
	put("", "asked", "none")
	put(fmt.Sprintf("reader = \"sh %s/reader.sh\"\nreader_day = 100000\nreader_session = 50000\n", dir), "config", "episodes", "config.toml")
	put("cat > $ASKED/prompt.$$; for i in $(seq 300); do test -e $ASKED/go && break; sleep 0.1; done\necho outcome unknown 1\n", "reader.sh")
	transcript := filepath.Join(dir, "home", ".claude", "projects", "p", "session-1.jsonl")
	must(t, repo, "init")

	end := program(repo, "hook", "claude", "SessionEnd") // it starts a run in the background
	end.Stdin = strings.NewReader(fmt.Sprintf(`{"session_id":"session-1","cwd":%q,"transcript_path":%q}`, repo, transcript))
	must0(t, end.Run())
	prompts := func() int {
		names, _ := filepath.Glob(filepath.Join(asked, "prompt.*"))
		return len(names)
	}
	for range 600 {
		if prompts() > 0 {
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	holder := read(t, filepath.Join(state, "episodes", "reading.lock"))
	pid, err := strconv.Atoi(regexp.MustCompile(`\d+`).FindString(string(holder)))
	must0(t, err)
	must0(t, syscall.Kill(pid, syscall.SIGKILL))
	account, err := os.ReadFile(filepath.Join(state, "episodes", "readers.jsonl"))
	if err != nil || prompts() != 1 || !strings.Contains(string(account), `"in":`) {
		t.Fatalf("%d prompts, account %s, %v", prompts(), account, err)
	}
	put("", "asked", "go")
	must0(t, program(repo, "hook", "run-queue").Run())
	if prompts() != 1 {
		t.Fatal("asked again at once")
	}
	jobs, _ := filepath.Glob(filepath.Join(state, "episodes", "reading", "*.json"))
	if len(jobs) != 1 {
		t.Fatal(jobs)
	}
	data := read(t, jobs[0])
	due := regexp.MustCompile(`"due":"[^"]*"`).ReplaceAll(data, []byte(`"due":"2026-01-01T00:00:00Z"`))
	must0(t, os.WriteFile(jobs[0], due, 0o600))
	must0(t, program(repo, "hook", "run-queue").Run())
	data, err = os.ReadFile(jobs[0])
	if err != nil || prompts() < 2 || !strings.HasSuffix(string(data), `"done":true}`) {
		t.Errorf("%d prompts, job %s, %v", prompts(), data, err)
	}
	read, err := filepath.Glob(filepath.Join(repo, ".agents/memory/private/additions/*/*.jsonl"))
	if err != nil || len(read) != 1 {
		t.Errorf("nothing was taken: %v, %v", read, err)
	}
}
