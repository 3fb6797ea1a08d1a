//go:build unix

package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"episodes/internal/local"
	"episodes/internal/testing/few"
)

// A clone holds what its author put there. What is derived from the episodes is believed
// only where this user's own runs made it; everything else is dropped unread, and every
// answer is that of the episodes.

const causality = ".agents/memory/causality"

// user makes the runs from here on those of another user.
func user(t *testing.T) {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("HOME", dir)
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(dir, "config"))
}

// repository makes a repository of sessions of which those with one option ended well and
// those with the other did not; turned swaps the options. With derived all that commands
// derive is made too.
func repository(t *testing.T, turned, derived bool) *world {
	t.Helper()
	w := newWorld(t)
	good, bad := "backoff", "sleep"
	if turned {
		good, bad = bad, good
	}
	for i := range 24 {
		option, status := good, "Complete"
		if i%2 == 1 {
			option, status = bad, "Failed"
		}
		w.write(fmt.Sprintf(".agents/sessions/session-%02d.md", i), fmt.Sprintf("# Session %d\n\n**Status**: %s\n\n## Decision: how to wait for the lock\n\n"+
			"- **Options**: backoff; sleep\n- **Chosen**: %s\n- **Rationale**: it waits\n\n- Error: LockTimeout: index is locked\n", i, status, option))
	}
	w.ok("extract", "--no-graph")
	if derived {
		w.answers()
	} else {
		must0(t, os.RemoveAll(filepath.Join(w.dir, causality)))
	}
	return w
}

// answers are those to all kinds of questions.
func (w *world) answers() string {
	w.t.Helper()
	var all strings.Builder
	for _, q := range [][]string{
		{"patterns"}, {"antipatterns"}, {"whatif", "--decision", "sleep"}, {"path", "--from", "LockTimeout", "--to", "failure"},
		{"explain", "session-20#e001"}, {"graph", "export"}, {"list"},
	} {
		out, _ := w.ok(q...)
		fmt.Fprintf(&all, "%q\n%s\n", q, strings.ReplaceAll(out, w.dir, "DIR"))
	}
	return all.String()
}

// names lists what is in the folder of what is derived.
func (w *world) names() (names []string) {
	entries, err := os.ReadDir(filepath.Join(w.dir, causality))
	must0(w.t, err)
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// generation names the current generation as it is on disk, with the time it was made.
func (w *world) generation() string {
	path := filepath.Join(w.dir, causality, "graph", "CURRENT")
	text, err := os.ReadFile(path)
	must0(w.t, err)
	info, err := os.Stat(path)
	must0(w.t, err)
	return fmt.Sprint(string(text), info.ModTime())
}

// same fails unless all answers are those wanted, and then are given from what was kept.
func (w *world) same(want string) {
	w.t.Helper()
	if got := w.answers(); got != want {
		w.t.Errorf("another answer:\n%s\nnot\n%s", got, want)
	}
	generation := w.generation()
	if got := w.answers(); got != want || w.generation() != generation {
		w.t.Error("nothing was kept")
	}
	if w.run("doctor"); !strings.Contains(w.stdout.String(), "consistent and with right checksums") {
		w.t.Errorf("doctor: %s%s", &w.stdout, &w.stderr)
	}
}

// whoseClone is a clone of a repository by this user with what another user derived for it
// from episodes that say the opposite: his graph, and caches under the keys of the honest
// ones. want are the answers of the episodes.
func whoseClone(t *testing.T) (w *world, want string) {
	t.Helper()
	user(t)
	w = repository(t, false, true)
	want = w.answers()
	turned := repository(t, true, true)
	if turned.answers() == want {
		t.Fatal("the opposite is no other")
	}
	caches := must1(filepath.Glob(filepath.Join(w.dir, causality, "cache-*")))(t)
	if len(caches) == 0 {
		t.Fatal("no caches")
	}
	for _, path := range caches {
		honest, _, _ := bytes.Cut(read(t, path), []byte("\n"))
		_, opposite, _ := bytes.Cut(read(t, filepath.Join(turned.dir, causality, filepath.Base(path))), []byte("\n"))
		must0(t, os.WriteFile(path, slices.Concat(honest, []byte("\n"), opposite), 0o644))
	}
	if w.answers() == want {
		t.Fatal("what is planted says the same, also where it is believed")
	}
	graph := filepath.Join(w.dir, causality, "graph")
	must0(t, os.RemoveAll(graph))
	must0(t, os.CopyFS(graph, os.DirFS(filepath.Join(turned.dir, causality, "graph"))))
	user(t)
	return w, want
}

// saved copies a repository, and returns what makes it again, at the same place, for another
// user.
func (w *world) saved() (again func()) {
	w.t.Helper()
	kept := filepath.Join(w.t.TempDir(), "kept")
	must0(w.t, os.CopyFS(kept, os.DirFS(w.dir)))
	return func() {
		w.t.Helper()
		must0(w.t, os.RemoveAll(w.dir))
		must0(w.t, os.CopyFS(w.dir, os.DirFS(kept)))
		user(w.t)
	}
}

const droppedNote = "unread: it was not made here"

// Whatever command comes first drops what another user derived, says so in a line, and
// does what it does without it.
func TestForeignState(t *testing.T) {
	w, want := whoseClone(t)
	again := w.saved()
	commands := [][]string{{"patterns"}, {"extract"}, {"doctor", "--fix"}, {"graph", "update"}, {"graph", "rebuild"}, {"graph", "stats"}, {"graph", "prune", "--reset"}}
	for _, first := range commands[:few.Of(3, len(commands))] {
		again()
		out, errs := w.ok(first...)
		if first[0] != "doctor" && strings.Count(errs, droppedNote) != 1 || first[0] == "doctor" && !strings.Contains(out, "were not made here") {
			t.Errorf("%q says %s%s", first, out, errs)
		}
		if _, errs := w.ok("patterns"); strings.Contains(errs, droppedNote) {
			t.Errorf("after %q, again: %s", first, errs)
		}
		w.same(want)
		if len(first) == 1 && testing.Short() {
			return
		}
	}
}

// Nothing foreign is read: it may be anything, and answers and messages do not show it. See
// TestHostileFiles for more that it may be.
func TestForeignStateIsNotRead(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "outside")
	must0(t, os.MkdirAll(outside, 0o755))
	must0(t, os.WriteFile(filepath.Join(outside, "file"), []byte("s3cret"), 0o644))
	w, want := whoseClone(t)
	again := w.saved()
	for kind, plant := range map[string]func(path string) error{
		"garbage": func(path string) error { return os.WriteFile(path, []byte("s3cret \x1b[31m\x00\xff"), 0o644) },
		"pipe":    func(path string) error { return syscall.Mkfifo(path, 0o644) },
		"link":    func(path string) error { return os.Symlink(filepath.Join(outside, "file"), path) },
	} {
		again()
		must0(t, os.Remove(filepath.Join(w.dir, causality, ".gitignore")))
		must0(t, filepath.WalkDir(filepath.Join(w.dir, causality), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || d.Name() == "memory.lock" {
				return err
			}
			return errors.Join(os.Remove(path), plant(path))
		}))
		must0(t, plant(filepath.Join(w.dir, causality, "view.json")))
		_, errs := w.ok("patterns")
		if strings.Contains(errs, "s3cret") || !strings.Contains(errs, droppedNote) {
			t.Errorf("%s: %s", kind, errs)
		}
		w.same(want)
		if string(read(t, filepath.Join(outside, "file"))) != "s3cret" || len(must1(os.ReadDir(outside))(t)) != 1 {
			t.Errorf("%s: changed what is outside", kind)
		}
		if testing.Short() {
			return
		}
	}
}

func must1[T any](v T, err error) func(*testing.T) T {
	return func(t *testing.T) T { t.Helper(); must0(t, err); return v }
}

// Files that come beside what was made here change no answer and are not kept.
func TestPlantedBesideOwnState(t *testing.T) {
	foreign, want := whoseClone(t)
	w := repository(t, false, true)
	w.same(want)
	from, to := filepath.Join(foreign.dir, causality), filepath.Join(w.dir, causality)
	plants := map[string]func() error{
		"graph/gen-000009": func() error {
			return os.CopyFS(filepath.Join(to, "graph/gen-000009"), os.DirFS(filepath.Join(from, "graph/gen-000001")))
		},
		"graph/CURRENT": func() error {
			return errors.Join(os.RemoveAll(filepath.Join(to, "graph/gen-000009")), os.CopyFS(filepath.Join(to, "graph/gen-000009"), os.DirFS(filepath.Join(from, "graph/gen-000001"))),
				os.WriteFile(filepath.Join(to, "graph/CURRENT"), []byte("gen-000009\n"), 0o644))
		},
		"graph/CURRENT.tmp": func() error { return os.Symlink("/dev/zero", filepath.Join(to, "graph/CURRENT.tmp")) },
		"graph/gate.lock": func() error {
			return errors.Join(os.Remove(filepath.Join(to, "graph/gate.lock")), syscall.Mkfifo(filepath.Join(to, "graph/gate.lock"), 0o644))
		},
		"choices.idx":  func() error { return os.WriteFile(filepath.Join(to, "choices.idx"), []byte("x"), 0o644) },
		".tmp-planted": func() error { return syscall.Mkfifo(filepath.Join(to, ".tmp-planted"), 0o644) },
		"view.json":    func() error { return os.WriteFile(filepath.Join(to, "view.json"), []byte(`{"min_support":99}`), 0o644) },
		"deep":         func() error { return os.CopyFS(filepath.Join(to, "deep"), os.DirFS(from)) },
	}
	for _, name := range []string{"index", "cache-patterns"} {
		plants[name] = func() error { return os.WriteFile(filepath.Join(to, name), read(t, filepath.Join(from, name)), 0o644) }
	}
	for name, plant := range plants {
		must0(t, plant())
		w.same(want)
		if info, err := os.Lstat(filepath.Join(to, name)); err == nil && (!info.Mode().IsRegular() || name == "choices.idx") && !strings.HasPrefix(name, "graph/") {
			t.Errorf("%q is still there", name)
		}
	}
	w.ok("graph", "rebuild")
	for _, name := range []string{"graph/CURRENT.tmp", "graph/gen-000009", "deep", "choices.idx"} {
		if _, err := os.Lstat(filepath.Join(to, name)); err == nil {
			t.Errorf("a rebuild left %q", name)
		}
	}
	w.same(want)
}

// A view that was not set here hides nothing. It is moved aside, since nothing says it
// again, and one that is set here is kept.
func TestForeignView(t *testing.T) {
	user(t)
	w := repository(t, false, true)
	want := w.answers()
	w.ok("graph", "prune", "--min-support", "13")
	pruned := w.answers()
	if pruned == want {
		t.Fatal("the view hides nothing")
	}
	w.same(pruned)
	user(t)
	if _, errs := w.ok("patterns"); !strings.Contains(errs, `view.json" was not set here and is moved aside to "view.json.foreign", unread`) {
		t.Errorf("%s", errs)
	}
	w.same(want)
	if out, _ := w.ok("doctor"); !strings.Contains(out, "moved aside") {
		t.Errorf("doctor: %s", out)
	}
	w.ok("graph", "rebuild")
	if !slices.Contains(w.names(), "view.json.foreign") {
		t.Error("a rebuild dropped what is not derived")
	}
}

// A folder that was moved is like a clone, once.
func TestMovedFolder(t *testing.T) {
	user(t)
	w := repository(t, false, true)
	want := w.answers()
	moved := filepath.Join(t.TempDir(), "moved")
	must0(t, os.Rename(w.dir, moved))
	w.dir, w.env.cwd = moved, moved
	if _, errs := w.ok("patterns"); !strings.Contains(errs, droppedNote) {
		t.Errorf("says %s", errs)
	}
	w.same(want)
}

// Where this user's key cannot be had, answers are as ever, and nothing is read, kept or
// taken from who has one.
func TestNoKey(t *testing.T) {
	for name, without := range map[string]func(){
		"no home":         func() { t.Setenv("HOME", ""); t.Setenv("XDG_CONFIG_HOME", "") },
		"no such place":   func() { t.Setenv("HOME", "/dev/null/home"); t.Setenv("XDG_CONFIG_HOME", "/dev/null/config") },
		"a relative path": func() { t.Setenv("XDG_CONFIG_HOME", "here") },
	} {
		user(t)
		w := repository(t, false, true)
		home, config := os.Getenv("HOME"), os.Getenv("XDG_CONFIG_HOME")
		want, before := w.answers(), hashOfTree(t, filepath.Join(w.dir, causality))
		without()
		if _, errs := w.ok("patterns"); strings.Count(errs, "\n") != 1 || !strings.Contains(errs, "the graph is made for this run only: nothing derived is read or kept: key of this machine: ") {
			t.Errorf("%s: %s", name, errs)
		}
		if got := w.answers(); got != want {
			t.Errorf("%s: another answer:\n%s\nnot\n%s", name, got, want)
		}
		for _, args := range [][]string{{"graph", "update"}, {"graph", "rebuild"}, {"extract"}, {"doctor"}} {
			w.ok(args...)
		}
		if after := hashOfTree(t, filepath.Join(w.dir, causality)); after != before {
			t.Errorf("%s: what is derived was changed", name)
		}
		if code := w.run("graph", "prune", "--min-support", "3"); code != codeFailed || !strings.Contains(w.stderr.String(), "hint: see that the folder of your configuration") {
			t.Errorf("%s: a view: exit %d: %s", name, code, &w.stderr)
		}
		w.write(".agents/sessions/new.md", "# New\n\n- Error: NewError: it is new\n")
		if _, errs := w.ok("extract"); !strings.Contains(errs, "the graph is left as it is: ") {
			t.Errorf("%s: extract: %s", name, errs)
		}
		if out, _ := w.ok("explain", "new#e001"); !strings.Contains(out, "episode-new") {
			t.Errorf("%s: %s", name, out)
		}
		t.Setenv("HOME", home)
		t.Setenv("XDG_CONFIG_HOME", config)
		if out, errs := w.ok("explain", "new#e001"); !strings.Contains(out, "episode-new") || !strings.Contains(errs, "1 added") || strings.Contains(errs, droppedNote) {
			t.Errorf("%s: with the key again: %s%s", name, out, errs)
		}
	}
}

// hashOfTree is one value for the files below a folder but locks, which say who had them.
func hashOfTree(t *testing.T, dir string) string {
	t.Helper()
	var all strings.Builder
	must0(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		fmt.Fprintf(&all, "%s %q\n", path, read(t, path))
		return nil
	}))
	return all.String()
}

func git(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.email=a@example.com", "-c", "user.name=a"}, args...)...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %q: %v\n%s", args, err, out)
	}
}

// While git tracks what is derived, whoever pushes could have written it, also under the
// token: nothing of it is believed, nothing is kept, and each command says how to mend it.
func TestTrackedState(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skipf("needs git: %v", err)
	}
	user(t)
	w := repository(t, false, true)
	want := w.answers()
	turned := repository(t, true, true)
	must0(t, os.Remove(filepath.Join(w.dir, ".git")))
	git(t, w.dir, "init", "-q")
	git(t, w.dir, "add", "-A")
	git(t, w.dir, "commit", "-qm", "honest: the .gitignore alone of what is derived")
	w.same(want)
	if _, errs := w.ok("patterns"); errs != "" {
		t.Errorf("says %s", errs)
	}

	// A pull puts tables of another into the current generation, whose name has the token.
	generation := "graph/gen-000001"
	must0(t, os.RemoveAll(filepath.Join(w.dir, causality, generation)))
	must0(t, os.CopyFS(filepath.Join(w.dir, causality, generation), os.DirFS(filepath.Join(turned.dir, causality, generation))))
	git(t, w.dir, "add", "-f", filepath.Join(causality, generation))
	git(t, w.dir, "commit", "-qm", "planted")
	const fix = "git rm -r --cached "
	if code := w.run("doctor"); code != codeFailed || !strings.Contains(w.stderr.String(), `git tracks "graph/gen-000001/`) || !strings.Contains(w.stderr.String(), fix) {
		t.Errorf("doctor: exit %d: %s", code, &w.stderr)
	}
	for range 2 {
		if _, errs := w.ok("patterns"); !strings.Contains(errs, "the graph is made for this run only: git tracks") || !strings.Contains(errs, fix) {
			t.Errorf("says %s", errs)
		}
		if got := w.answers(); got != want {
			t.Errorf("another answer:\n%s\nnot\n%s", got, want)
		}
	}
	if _, errs := w.ok("extract", "--quiet"); !strings.Contains(errs, "git tracks") || !strings.Contains(errs, fix) {
		t.Errorf("extract: %s", errs)
	}
	w.ok("graph", "rebuild")
	if left := w.names(); !slices.Equal(left, []string{".gitignore", "memory.lock"}) {
		t.Errorf("kept: %q", left)
	}

	// Checked out once more, and then untracked but still there.
	git(t, w.dir, "checkout", "--", causality)
	w.ok("patterns")
	git(t, w.dir, "rm", "-rq", "--cached", causality)
	if _, errs := w.ok("patterns"); strings.Contains(errs, "git tracks") {
		t.Errorf("afterwards: %s", errs)
	}
	w.same(want)
}

// No command makes a key that has no need of one.
func TestKeyIsMadeWhenNeeded(t *testing.T) {
	user(t)
	w := repository(t, false, false)
	user(t)
	for _, args := range [][]string{{"init"}, {"validate"}, {"version"}} {
		w.ok(args...)
	}
	path, err := local.KeyFile()
	must0(t, err)
	if _, err := os.Stat(path); err == nil {
		t.Error("there is a key")
	}
	w.ok("graph", "update")
	if _, err := os.Stat(path); err != nil {
		t.Error(err)
	}
}
