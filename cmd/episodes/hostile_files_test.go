//go:build linux

package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"episodes/internal/local"
	"episodes/internal/testing/few"
)

// A clone may hold anything in place of any file of ours. Whatever command meets it ends
// soon, without a Go trace, says which file it is when it fails, and neither writes
// nor shows anything outside the repository.

// ours are the files of ours below the repository.
var ours = []string{
	".agents/memory",
	".agents/episodes.toml",
	".agents/memory/forgotten.txt",
	".agents/memory/corrections",
	".agents/memory/corrections/episode-a.jsonl",
	".agents/memory/episodes",
	".agents/memory/episodes/episode-a.json",
	".agents/memory/private",
	".agents/memory/private/.gitignore",
	".agents/memory/private/owner",
	".agents/memory/private/memory.lock",
	".agents/memory/private/forgotten.txt",
	".agents/memory/private/corrections",
	".agents/memory/private/corrections/episode-p.jsonl",
	".agents/memory/private/episodes",
	".agents/memory/private/episodes/episode-p.json",
	".agents/memory/causality",
	".agents/memory/causality/.gitignore",
	".agents/memory/causality/memory.lock",
	".agents/memory/causality/index",
	".agents/memory/causality/view.json",
	".agents/memory/causality/cache-patterns",
	".agents/memory/causality/choices.idx",
	".agents/memory/causality/graph",
	".agents/memory/causality/graph/CURRENT",
	".agents/memory/causality/graph/CURRENT.tmp",
	".agents/memory/causality/graph/write.lock",
	".agents/memory/causality/graph/gate.lock",
	".agents/memory/causality/graph/gen-000001",
	".agents/memory/causality/graph/gen-000002",
	".agents/memory/causality/graph/gen-000001/MANIFEST",
	".agents/memory/causality/graph/gen-000001/MANIFEST-REWRITE",
	".agents/memory/causality/graph/gen-000001/KEYREGISTRY",
	".agents/memory/causality/graph/gen-000001/LOCK",
	".agents/memory/causality/graph/gen-000001/DISCARD",
	".agents/memory/causality/graph/gen-000001/000001.sst",
	".agents/memory/causality/graph/gen-000001/000001.vlog",
	".agents/memory/causality/graph/gen-000001/00001.mem",
	".agents/memory/reflexion",
	".agents/sessions",
	".agents/sessions/a.md",
}

// oursOfLoops are the files of loops and tasks.
var oursOfLoops = []string{
	"loops", "loops/ralph-a", "loops/ralph-a/log.md",
	"loops/ralph-new", "reflections", "reflections/ralph-a", "reflections/ralph-a/001.json", "reflections/ralph-a/002.json", "reflections/ralph-new",
	"tasks", "tasks/task-001", "tasks/task-001/metadata.json", "tasks/task-001/reflections.jsonl", "tasks/task-001/attempts",
	"tasks/task-001/attempts/001", "tasks/task-001/attempts/001/attempt.json", "tasks/task-001/attempts/001/actions.jsonl", "tasks/task-001/attempts/001/plan.md",
}

var loopCommands = [][]string{
	{"loop", "--resume", "ralph-a"},
	{"loop", "--task", "new", "--actor", "true", "--verify", "false", "--max", "1"},
	{"loop", "--task", "a", "--actor", "true", "--verify", "true"},
	{"loop", "reflect", "--loop", "ralph-a", "--task", "x", "--verify", "false"},
	{"record", "task", "x"},
	{"loop", "history"},
	{"loop", "export", "ralph-a"},
	{"loop", "export", "--format", "ralph", "out"},
	{"loop", "history", "ralph-a", "--attempt", "1"},
	{"loop", "retry", "ralph-a"},
	{"loop", "reflections", "search", "x"},
	{"loop", "import", ".agents/memory/reflexion"},
	{"doctor", "--fix"},
	{"loop", "analyze"},
}

const secret = "s3cret-of-another-place"

// plants are what can be there instead. outside is a folder with one of everything.
var plants = []struct {
	name  string
	plant func(path, outside string) error
}{
	{"pipe", func(path, _ string) error { return syscall.Mkfifo(path, 0o644) }},
	{"zeros", func(path, _ string) error { return os.Symlink("/dev/zero", path) }},
	{"link to a file", func(path, outside string) error { return os.Symlink(filepath.Join(outside, "file"), path) }},
	{"link to nothing", func(path, outside string) error { return os.Symlink(filepath.Join(outside, "new"), path) }},
	{"link to a folder", func(path, outside string) error { return os.Symlink(filepath.Join(outside, "folder"), path) }},
	{"folder", func(path, _ string) error { return os.MkdirAll(filepath.Join(path, "in it"), 0o755) }},
	{"huge", func(path, _ string) error {
		if err := os.WriteFile(path, nil, 0o644); err != nil {
			return err
		}
		return os.Truncate(path, 1<<40)
	}},
}

var hostileCommands = [][]string{
	{"extract"},
	{"list"},
	{"explain", "the pump failed"},
	{"graph", "update"},
	{"graph", "rebuild"},
	{"graph", "stats"},
	{"doctor"},
	{"doctor", "--fix"},
	{"patterns"},
	{"get", "a"},
	{"correct", "a", "--outcome", "partial"},
	{"forget", "a"},
	{"loop", "history"},
	{"extract", "--from", "codex"},
	{"correct", "p", "--outcome", "partial"},
	{"share", "p"},
	{"forget", "p"},
}

func TestHostileFiles(t *testing.T) {
	long(t)
	good := cloneWithMemory(t)
	n := 0
	for i, target := range ours {
		for j, p := range plants {
			if !few.Heavy() && (p.name != "link to a file" || i%2 != 0) && (i+j)%len(plants) != 0 {
				continue
			}
			n++
			commands := [][]string{hostileCommands[0], hostileCommands[4], hostileCommands[1+n/3%12]} // extract, rebuild, or another
			if strings.Contains(target, "/private") {
				commands = hostileCommands[13:]
			}
			hostileFile(t, good, target, j, n, commands, true)
		}
	}
}

// The same of the files of loops and tasks.
func TestHostileLoopFiles(t *testing.T) {
	long(t)
	good := cloneWithMemory(t)
	for _, args := range [][]string{
		{"loop", "--task", "a", "--actor", "true", "--verify", "false", "--max", "3", "--exec", `cd .agents/memory/reflexion; [ "$EPISODES_ITERATION" = 0 ] || { mv reflections kept; touch reflections; }`},
		{"record", "task", "x"}, {"record", "attempt", "x", "--of", "task-001"}, {"record", "action", "x", "--of", "task-001"},
	} {
		if _, errs, code, err := runBounded(good, args...); err != nil || code > 1 {
			t.Fatalf("%q: exit %d, %v\n%s", args, code, err, errs)
		}
	}
	top := filepath.Join(good, ".agents/memory/reflexion") // the loop is under way: it could not write its second record
	must0(t, os.Remove(filepath.Join(top, "reflections")))
	must0(t, os.Rename(filepath.Join(top, "kept"), filepath.Join(top, "reflections")))
	n := 0
	for i, target := range oursOfLoops {
		for j := range plants {
			if !few.Heavy() && (i+j)%len(plants) != 0 {
				continue
			}
			n++
			commands := [][]string{loopCommands[n/2%3], loopCommands[3+n/2%(len(loopCommands)-3)]}
			hostileFile(t, good, filepath.Join(".agents/memory/reflexion", target), j, n, commands, false)
		}
	}
}

// hostileFile runs one of some commands, and in a heavy run all, each in a copy of a good clone
// in which something else is in place of a file.
func hostileFile(t *testing.T, good, target string, plant, n int, commands [][]string, named bool) {
	p := plants[plant]
	if !few.Heavy() {
		commands = commands[n%len(commands):][:1]
	}
	t.Run(target+" "+p.name, func(t *testing.T) {
		t.Parallel()
		for _, args := range commands {
			w := newHostile(t, good)
			path := filepath.Join(w.repo, target)
			must0(t, os.RemoveAll(path))
			must0(t, os.MkdirAll(filepath.Dir(path), 0o755))
			must0(t, p.plant(path, w.outside))
			name := ""
			if named { // where it is in the way
				name = filepath.Base(target)
			}
			w.check(args, name)
		}
	})
}

// hostileClone is a clone and a folder beside it that nothing may touch.
type hostileClone struct {
	t             *testing.T
	repo, outside string
	before        string
}

func newHostile(t *testing.T, good string) *hostileClone {
	t.Helper()
	dir, err := os.MkdirTemp(t.TempDir(), "") // removed after each test, however many commands
	must0(t, err)
	w := &hostileClone{t: t, repo: filepath.Join(dir, "repo"), outside: filepath.Join(dir, "outside")}
	must0(t, os.CopyFS(w.repo, os.DirFS(good)))
	bind(t, w.repo, good)
	leaveTranscript(t, w.repo)
	folder := filepath.Join(w.outside, "folder")
	must0(t, os.MkdirAll(filepath.Join(folder, "episodes"), 0o755))
	must0(t, os.Mkdir(filepath.Join(folder, "causality"), 0o755))
	log := "# Outside\n\n## Outcome\n\nStatus: success\n\n- Error: " + secret + " failed\n"
	for _, name := range []string{"file", "folder/a.md", "folder/CURRENT", "folder/MANIFEST", "folder/LOCK", "folder/memory.lock"} {
		must0(t, os.WriteFile(filepath.Join(w.outside, name), []byte(log), 0o644))
	}
	w.before = hashOf(t, w.outside)
	return w
}

// bind makes what is derived in a copy of a repository that of this user there.
func bind(t *testing.T, copied, from string) {
	t.Helper()
	const folder = ".agents/memory"
	old, err := local.Token(filepath.Join(from, folder))
	must0(t, err)
	now, err := local.Token(filepath.Join(copied, folder))
	must0(t, err)
	bound := 0
	must0(t, filepath.WalkDir(filepath.Join(copied, folder, "causality"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || filepath.Ext(path) == ".sst" {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil || !bytes.Contains(data, []byte(old)) {
			return err
		}
		bound++
		return os.WriteFile(path, bytes.ReplaceAll(data, []byte(old), []byte(now)), 0o644)
	}))
	if bound == 0 {
		t.Fatalf("nothing in %q was made here", from)
	}
}

// check runs one command. When it fails it must name the file.
func (w *hostileClone) check(args []string, name string) (out, errs string, code int) {
	w.t.Helper()
	out, errs, code, err := runBounded(w.repo, args...)
	all := out + errs
	if err != nil {
		w.t.Errorf("%q: %v\n%s", args, err, all)
	}
	if strings.Contains(all, "goroutine ") || strings.Contains(all, "panic:") || code < 0 || code == 2 && !strings.Contains(all, "vocabulary") {
		w.t.Errorf("%q: exit %d\n%s", args, code, all)
	}
	if strings.Contains(all, secret) {
		w.t.Errorf("%q shows what is outside:\n%s", args, all)
	}
	if hashOf(w.t, w.outside) != w.before {
		w.t.Errorf("%q changed what is outside:\n%s", args, all)
	}
	if strings.Contains(contentsOf(w.t, w.repo), secret) {
		w.t.Errorf("%q took in what is outside", args)
	}
	if code != 0 && args[0] != "doctor" && !strings.Contains(errs, name) {
		w.t.Errorf("%q: exit %d does not name %q:\n%s", args, code, name, errs)
	}
	return out, errs, code
}

// runBounded runs the program with a bound on time and memory.
func runBounded(dir string, args ...string) (out, errs string, code int, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second) // it hangs, or it does not
	defer cancel()
	var o, e bytes.Buffer
	cmd := exec.CommandContext(ctx, "sh", append([]string{"-c", `ulimit -v 6000000; exec "$0" "$@"`, os.Args[0]}, args...)...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &o, &e
	cmd.Env = append(os.Environ(), asProgram+"=1", noRaceNap, "EPISODES_ROOT=", "HOME="+dir)
	err = cmd.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		err = nil
	}
	if ctx.Err() != nil {
		err = errors.New("did not end")
	}
	return o.String(), e.String(), cmd.ProcessState.ExitCode(), err
}

// cloneWithMemory makes a repository whose memory has all files that the commands make.
func cloneWithMemory(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	sessions := filepath.Join(dir, ".agents", "sessions")
	must0(t, os.MkdirAll(sessions, 0o755))
	must0(t, os.Mkdir(filepath.Join(dir, ".git"), 0o755))
	for _, name := range []string{"a", "b", "c"} {
		log := fmt.Sprintf("# Session %s\n\n## Decisions\n\n- Decision: use the pump %s instead of the pipe\n\n## Errors\n\n- Error: the pump failed with exit code 3\n- Fixed by restarting the pump\n\n## Outcome\n\nStatus: success\n", name, name)
		must0(t, os.WriteFile(filepath.Join(sessions, name+".md"), []byte(log), 0o644))
	}
	leaveTranscript(t, dir)
	for _, args := range [][]string{{"init"}, {"extract"}, {"extract", "--from", "codex"}, {"patterns"}, {"search", "pump"},
		{"whatif", "--decision", "use the pump a"}, {"graph", "stats"}} {
		if out, errs, code, err := runBounded(dir, args...); err != nil || code != 0 {
			t.Fatalf("%q: exit %d, %v\n%s%s", args, code, err, out, errs)
		}
	}
	for _, name := range ours { // else the test plants where nothing of ours is
		if base := filepath.Base(name); base == "cache-patterns" || base == "index" || base == "CURRENT" || base == "MANIFEST" {
			if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
				t.Error(err)
			}
		}
	}
	return dir
}

// leaveTranscript makes a session of an agent in a repository, which is the home folder too.
func leaveTranscript(t *testing.T, repo string) {
	t.Helper()
	dir := filepath.Join(repo, ".codex", "sessions")
	must0(t, os.MkdirAll(dir, 0o755))
	text := fmt.Sprintf(`{"timestamp":"2026-03-02T09:00:00.000Z","type":"session_meta","payload":{"id":"p","cwd":%q}}
{"timestamp":"2026-03-02T09:00:01.000Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"list the parts of the pump"}]}}
`, repo)
	must0(t, os.WriteFile(filepath.Join(dir, "rollout-p.jsonl"), []byte(text), 0o644))
}

// hashOf is one value for names, types, times and contents below a folder.
func hashOf(t *testing.T, dir string) string {
	t.Helper()
	h := sha256.New()
	must0(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		fmt.Fprintln(h, path, info.Mode(), info.Size(), info.ModTime().UnixNano())
		if info.Mode().IsRegular() {
			data, err := os.ReadFile(path)
			h.Write(data)
			return err
		}
		return nil
	}))
	return string(h.Sum(nil))
}

// contentsOf is all that is in the episodes of a repository.
func contentsOf(t *testing.T, repo string) string {
	t.Helper()
	var b strings.Builder
	dir := filepath.Join(repo, ".agents", "memory", "episodes")
	info, err := os.Lstat(dir)
	if err != nil || !info.IsDir() {
		return ""
	}
	if info, err := os.Lstat(filepath.Dir(dir)); err != nil || !info.IsDir() {
		return ""
	}
	entries, err := os.ReadDir(dir)
	must0(t, err)
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() && info.Size() < 1<<20 {
			data := read(t, filepath.Join(dir, e.Name()))
			b.Write(data)
		}
	}
	return b.String()
}
