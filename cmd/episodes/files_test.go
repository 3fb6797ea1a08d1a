//go:build unix

package main

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"episodes/internal/lock"
)

// The names of files that the program makes on disk stay few enough to be known. What loops,
// tasks and their lessons keep below .agents/reflexion, and what the library of the graph keeps in
// a generation, is not counted.
const (
	mostFileNames = 34
	mostLockNames = 6
)

// unmade are names of the table that the commands below have no reason to make: after a push to
// a team's store, after a folder was moved, after a fetch, between two hooks, and by trust; and what versions before made.
var unmade = []string{"corrections/*.jsonl", "team-*-in-step.json", "view.json.foreign", "inbox/*", "trusted", "confirmed/*"}

// Whatever commands are run, they make only files of the table in docs/files.md.
func TestFilesOnDisk(t *testing.T) {
	names := filesInTable(t)
	locks := slices.DeleteFunc(slices.Clone(names), func(n string) bool { return !strings.HasSuffix(n, ".lock") })
	t.Logf("%d names of files, %d of locks", len(names), len(locks))
	if len(names) > mostFileNames || len(locks) > mostLockNames {
		t.Errorf("%d names of files and %d of locks, more than %d and %d", len(names), len(locks), mostFileNames, mostLockNames)
	}
	u := newPerson(t)
	u.useAll()
	home, repo := u.home, u.repo
	made := map[string]bool{}
	for _, top := range []string{filepath.Join(repo, ".agents", "memory"), filepath.Join(home, "state"), filepath.Join(home, "config")} {
		must0(t, filepath.WalkDir(top, func(file string, d fs.DirEntry, err error) error {
			if err != nil || strings.HasPrefix(d.Name(), "gen-") {
				return cmp.Or(err, fs.SkipDir)
			}
			if d.IsDir() {
				return nil
			}
			in := path.Base(filepath.Dir(file))
			at := slices.IndexFunc(names, func(n string) bool {
				for _, name := range []string{d.Name(), in + "/" + d.Name(), path.Base(filepath.Dir(filepath.Dir(file))) + "/" + in + "/" + d.Name()} {
					if ok, err := path.Match(n, name); ok || err != nil {
						return err == nil
					}
				}
				return false
			})
			if at < 0 {
				t.Errorf("%s is not in the table of docs/files.md", strings.TrimPrefix(file, home))
				return nil
			}
			made[names[at]] = true
			return nil
		}))
	}
	for _, n := range names {
		if made[n] == slices.Contains(unmade, n) {
			t.Errorf("%s is in the table; made here: %v", n, made[n])
		}
	}
}

// filesInTable returns the names in the second column of the table of files.
func filesInTable(t *testing.T) (names []string) {
	t.Helper()
	text := string(read(t, filepath.Join("..", "..", "docs", "files.md")))
	_, section, ok := strings.Cut(text, "\n## Files\n")
	section, _, _ = strings.Cut(section, "\n## ")
	quoted := regexp.MustCompile("`([^`]+)`")
	for line := range strings.Lines(section) {
		cells := strings.Split(line, "|")
		if len(cells) != 5 {
			continue
		}
		for _, m := range quoted.FindAllStringSubmatch(cells[2], -1) {
			names = append(names, m[1])
		}
	}
	if !ok || len(names) == 0 {
		t.Fatal("docs/files.md has no table of files")
	}
	return names
}

// person runs commands in a new repository, with a home of its own.
type person struct {
	*testing.T
	home, repo string
}

func newPerson(t *testing.T) person {
	home := t.TempDir()
	u := person{t, home, filepath.Join(home, "repo")}
	must0(t, os.MkdirAll(filepath.Join(u.repo, ".git"), 0o755))
	t.Cleanup(func() { // what hooks started may still write
		for range 100 {
			if os.RemoveAll(home) == nil {
				return
			}
			time.Sleep(100 * time.Millisecond)
		}
	})
	return u
}

// run runs a command, which must end well.
func (u person) run(stdin string, args ...string) string {
	u.Helper()
	cmd := exec.Command(os.Args[0], args...)
	cmd.Dir, cmd.Stdin = u.repo, strings.NewReader(stdin)
	cmd.Env = append(os.Environ(), asProgram+"=1", noRaceNap, "HOME="+u.home, "EPISODES_ROOT=", "CLAUDE_CONFIG_DIR=",
		"XDG_STATE_HOME="+filepath.Join(u.home, "state"), "XDG_CONFIG_HOME="+filepath.Join(u.home, "config"),
		"XDG_CACHE_HOME="+filepath.Join(u.home, "cache"))
	out, err := cmd.CombinedOutput()
	if err != nil {
		u.Fatalf("%q: %v\n%s", args, err, out)
	}
	return string(out)
}

// put writes a file below the home.
func (u person) put(name, text string) string {
	u.Helper()
	file := filepath.Join(u.home, name)
	must0(u.T, os.MkdirAll(filepath.Dir(file), 0o700))
	must0(u.T, os.WriteFile(file, []byte(text), 0o600))
	return file
}

// idle waits until the run that a hook started has ended.
func (u person) idle() {
	u.Helper()
	l, err := lock.Acquire(context.Background(), filepath.Join(u.home, "state", "episodes", "worker.lock"), time.Minute, "a test")
	must0(u.T, err)
	must0(u.T, l.Release())
}

// useAll runs commands of all kinds.
func (u person) useAll() {
	t, repo, run, put := u.T, u.repo, u.run, u.put
	t.Helper()
	for i := range 210 { // as many as a list is kept of
		put(fmt.Sprintf("repo/.agents/sessions/2026-01-%02d-pump-%d.md", 1+i%28, i), fmt.Sprintf("# Session: pump %d\n\n## Work\n\n"+
			"- `make pump` failed: `PumpStalled: valve %d is closed`\n- Root cause: the valve was left closed.\n- Fix: open the valve first.\n\n"+
			"## Decisions\n\n- Decision: use pump %d instead of the pipe\n", i, i, i))
	}
	put("repo/.agents/sessions/2026-02-03-lock.md", "# Session: the lock of the store\n\n**Status**: Complete\n\n## Work\n\n"+
		"- `go test ./store` failed: `LockTimeout: store is locked by process 4711`\n"+
		"- Root cause: the cleaner holds the lock of the store while it sleeps.\n"+
		"- Fix: release the lock before the cleaner sleeps. `go test ./store`: 14 passed.\n")
	transcript := put(".claude/projects/p/s-1.jsonl", fmt.Sprintf(
		`{"type":"user","uuid":"u1","sessionId":"s-1","timestamp":"2026-03-01T09:00:00.000Z","cwd":%q,"message":{"role":"user","content":"start the pump"}}
{"type":"assistant","uuid":"a1","sessionId":"s-1","timestamp":"2026-03-01T09:00:01.000Z","message":{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"make pump"}}]}}
{"type":"user","uuid":"u2","sessionId":"s-1","timestamp":"2026-03-01T09:00:02.000Z","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","is_error":true,"content":"Exit code 1\nPumpStalled: valve 7 is closed"}]},"toolUseResult":"Error: Exit code 1"}
`, repo))
	prompt := fmt.Sprintf(`{"session_id":"s-1","cwd":%q,"prompt":"go test ./store fails with LockTimeout: the store is locked by a process"}`, repo)
	work := func() {
		t.Helper()
		run(fmt.Sprintf(`{"session_id":"s-1","cwd":%q,"transcript_path":%q}`, repo, transcript), "hook", "claude", "Stop")
		run("", "hook", "run-queue")
		u.idle()
	}
	run("", "init")
	run("", "extract")
	put("repo/.serena/memories/pump.md", "# Pump\n\nThe pump needs an open valve.\n")
	for _, args := range [][]string{{"list"}, {"search", "pump"}, {"patterns"}, {"whatif", "--decision", "use pump 1"}, {"explain", "PumpStalled"},
		{"graph", "stats"}, {"graph", "prune", "--min-support", "2"}, {"correct", "2026-01-01-pump-0", "--outcome", "failure"},
		{"forget", "2026-01-03-pump-2"},
		{"search", "pump"}, {"list"}, {"patterns"}, {"whatif", "--decision", "use pump 1"}, {"doctor"}} {
		run("", args...)
	}
	if out := run(prompt, "hook", "claude", "UserPromptSubmit"); !strings.Contains(out, "PumpStalled") {
		t.Fatalf("the hook says %q", out)
	}
	work()
	config := put("config/episodes/config.toml", "reader = \"cat\"\nreader_day = 100000\nreader_session = 50000\nask_at_end = true\n")
	read := put(".claude/projects/p/s-3.jsonl", strings.ReplaceAll(string(read(t, transcript)), "s-1", "s-3")+fmt.Sprintf(
		`{"type":"assistant","uuid":"a2","sessionId":"s-3","timestamp":"2026-03-01T09:00:03.000Z","message":{"role":"assistant","content":[{"type":"tool_use","id":"t2","name":"Write","input":{"file_path":%q,"content":"open\n"}}]}}
{"type":"user","uuid":"u3","sessionId":"s-3","timestamp":"2026-03-01T09:00:04.000Z","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t2","is_error":false,"content":"File created"}]}}
`, filepath.Join(repo, "valve")))
	for _, event := range []string{"SessionEnd", "Stop"} {
		run(fmt.Sprintf(`{"session_id":"s-3","cwd":%q,"transcript_path":%q}`, repo, read), "hook", "claude", event)
		run("", "hook", "run-queue")
		u.idle()
	}
	must0(t, os.Remove(config))
	run("", "stats")
	run("{", "hook", "claude", "PostToolUseFailure") // a line in the log
	run(strings.Replace(prompt, "s-1", "s-2", 1), "hook", "claude", "UserPromptSubmit")
}
