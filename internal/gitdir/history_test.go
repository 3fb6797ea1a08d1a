package gitdir

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// tree is a working tree; each of its commits is a day after the one before.
type tree struct {
	t   testing.TB
	dir string
	day *int
}

func newTree(t testing.TB) tree {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skipf("needs git: %v", err)
	}
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("XDG_CONFIG_HOME", home)
	w := tree{t, t.TempDir(), new(int)}
	w.git("init", "-q", "-b", "main")
	w.git("config", "user.email", "me@example.com")
	w.git("config", "user.name", "me")
	return w
}

func (w tree) git(args ...string) string {
	w.t.Helper()
	return w.at(*w.day, args...)
}

func (w tree) at(day int, args ...string) string {
	w.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = w.dir
	date := time.Date(2026, 3, 1+day, 12, 0, 0, 0, time.UTC).Format(time.RFC3339)
	cmd.Env = append(os.Environ(), "GIT_COMMITTER_DATE="+date, "GIT_AUTHOR_DATE="+date)
	out, err := cmd.CombinedOutput()
	if err != nil {
		w.t.Fatalf("git %q: %v\n%s", args, err, out)
	}
	return string(out)
}

// commit writes a file, "" removes it, and commits everything as somebody.
func (w tree) commit(who, name, text string) {
	w.t.Helper()
	*w.day++
	path := filepath.Join(w.dir, name)
	if text == "" {
		os.Remove(path)
	} else {
		write(w.t, path, text)
	}
	w.git("add", "-A")
	w.git("-c", "user.name="+who, "-c", "user.email="+who+"@example.com", "commit", "-q", "-m", name)
}

// day is the day of March on which something was, 0 for the clone.
func day(at int64) int {
	if at == 0 {
		return 0
	}
	return time.Unix(at, 0).UTC().Day() - 1
}

// authors returns who gave each file its content, and when that came.
func authors(h History) map[string]string {
	out := map[string]string{}
	for path, c := range h.Files {
		out[path] = fmt.Sprintf("%s day %d", c.Author.Name, day(c.Came))
	}
	return out
}

func (w tree) history(h *History) map[string]string {
	w.t.Helper()
	if !h.Update(context.Background(), w.dir, []string{"logs", "notes"}, time.Date(2026, 3, 30, 0, 0, 0, 0, time.UTC)) {
		w.t.Fatal("git did not answer")
	}
	return authors(*h)
}

// Who gave a file its content is the same whether it is found at once or commit by commit, and when
// it came is known from the second commit on.
func TestHistory(t *testing.T) {
	w := newTree(t)
	w.commit("ann", "logs/a.md", "a\n")
	var steps History
	w.history(&steps)
	for _, c := range [][3]string{{"bob", "logs/b.md", "b\n"}, {"ann", "logs/c.md", "c\n"}, {"bob", "logs/c.md", "c of bob\n"},
		{"ann", "other/d.md", "d\n"}, {"ann", "logs/e.md", "e\n"}, {"ann", "logs/e.md", ""}, {"me", "notes/e.md", "e again\n"}} {
		w.commit(c[0], c[1], c[2])
		w.history(&steps)
	}
	*w.day++
	w.git("mv", "logs/b.md", "notes/moved.md")
	w.git("commit", "-qam", "move")
	write(t, filepath.Join(w.dir, "logs/loose.md"), "not committed\n")
	w.git("pack-refs", "--all")
	w.git("repack", "-adq")
	want := map[string]string{"logs/a.md": "ann day 0", "notes/moved.md": "bob day 2", "logs/c.md": "bob day 4", "notes/e.md": "me"}
	for name, h := range map[string]*History{"commit by commit": &steps, "at once": {}} {
		got := w.history(h)
		delete(got, "logs/e.md") // it is gone
		delete(got, "logs/b.md")
		got["notes/e.md"], _, _ = strings.Cut(got["notes/e.md"], " ") // when one's own came is not looked for
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
	if older, newer := steps.Files["logs/a.md"].Order, steps.Files["notes/e.md"].Order; older >= newer {
		t.Errorf("%d is not before %d", older, newer)
	}
	linked := tree{t, filepath.Join(t.TempDir(), "linked"), w.day}
	w.git("worktree", "add", "-q", "-b", "side", linked.dir)
	got := linked.history(&History{})
	if got["logs/c.md"] != want["logs/c.md"] || got["logs/a.md"] != want["logs/a.md"] {
		t.Errorf("in a linked working tree: %v", got)
	}
}

// What a pull brings came then, by its author and not by who merged it. Its dates are only what it says.
func TestHistoryOfPull(t *testing.T) {
	w := newTree(t)
	w.commit("ann", "logs/a.md", "a\n")
	w.commit("ann", "logs/a2.md", "a\n")
	mine := tree{t, filepath.Join(t.TempDir(), "mine"), w.day}
	w.at(5, "clone", "-q", w.dir, mine.dir)
	mine.git("config", "user.email", "me@example.com")
	mine.git("config", "user.name", "me")
	*w.day = 5
	mine.commit("me", "logs/m.md", "m\n")
	var h History
	mine.history(&h)
	*w.day = 0
	w.commit("mallory", "logs/x.md", "x\n")
	*w.day = 9
	mine.git("pull", "-q", "--no-rebase", "--no-edit")
	want := map[string]string{"logs/a.md": "ann day 0", "logs/a2.md": "ann day 0", "logs/m.md": "me day 0", "logs/x.md": "mallory day 9"}
	if d := cmp.Diff(want, mine.history(&h)); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(want, mine.history(&History{})); d != "" {
		t.Errorf("at once: %s", d)
	}
	*w.day = 10
	mine.git("rm", "-q", "logs/m.md")
	mine.git("commit", "-qm", "one parent less")
	mine.git("switch", "-q", "-c", "other", "HEAD~3")
	mine.git("switch", "-q", "main")
	if got := mine.history(&h); got["logs/x.md"] != want["logs/x.md"] {
		t.Errorf("after another branch: %v", got)
	}
}

// Of a shallow clone the oldest commit need not have brought what it shows, which is as new as the clone.
func TestHistoryOfShallowClone(t *testing.T) {
	w := newTree(t)
	w.commit("ann", "logs/a.md", "a\n")
	w.commit("bob", "logs/b.md", "b\n")
	w.commit("bob", "logs/c.md", "c\n")
	mine := tree{t, filepath.Join(t.TempDir(), "mine"), w.day}
	w.git("clone", "-q", "--depth=2", "file://"+w.dir, mine.dir)
	want := map[string]string{"logs/a.md": " day 3", "logs/b.md": " day 3", "logs/c.md": "bob day 0"}
	if d := cmp.Diff(want, mine.history(&History{})); d != "" {
		t.Error(d)
	}
}

// A name cannot pose as another commit, and what a merge adds of its own is its author's.
func TestHistoryOfForgedNames(t *testing.T) {
	w := newTree(t)
	w.commit("ann", "logs/a.md", "a\n")
	first := strings.TrimSpace(w.git("rev-parse", "HEAD"))
	w.commit("mal\x01"+first, "logs/x.md", "x\n")
	w.git("switch", "-q", "-c", "side")
	w.commit("ann", "logs/s.md", "s\n")
	w.git("switch", "-q", "main")
	w.commit("ann", "logs/t.md", "t\n")
	w.git("merge", "-q", "--no-commit", "--no-ff", "side")
	write(t, filepath.Join(w.dir, "logs/evil.md"), "evil\n")
	w.git("add", "-A")
	w.git("-c", "user.name=mallory", "-c", "user.email=m@example.com", "commit", "-qm", "merge")
	var h History
	got := w.history(&h)
	if c := h.Files["logs/x.md"]; c.Commit == first || c.Came == 0 {
		t.Errorf("%+v", c)
	}
	if !strings.HasPrefix(got["logs/evil.md"], "mallory") || !strings.HasPrefix(got["logs/s.md"], "ann") {
		t.Errorf("%v", got)
	}
}

// Without an answer of git it is known which files it tracks, but not by whom they are.
func TestHistoryWithoutAnswer(t *testing.T) {
	w := newTree(t)
	w.commit("ann", "logs/a.md", "a\n")
	var h History
	w.history(&h)
	w.commit("bob", "logs/b.md", "b\n")
	before := h.Head
	path, broken := os.Getenv("PATH"), t.TempDir()
	t.Setenv("PATH", broken)
	if h.Update(context.Background(), w.dir, []string{"logs", "notes"}, time.Now()) || len(h.Files) != 1 {
		t.Errorf("without git: %v", authors(h))
	}
	write(t, filepath.Join(broken, "git"), "#!/bin/sh\nexit 1\n")
	must(t, os.Chmod(filepath.Join(broken, "git"), 0o755))
	want := map[string]string{"logs/a.md": "ann day 0", "logs/b.md": " day 19"}
	for _, day := range []int{20, 25} {
		answered := h.Update(context.Background(), w.dir, []string{"logs", "notes"}, time.Date(2026, 3, day, 0, 0, 0, 0, time.UTC))
		if d := cmp.Diff(want, authors(h)); d != "" || answered || h.Head != before {
			t.Errorf("%v %s: %s", answered, h.Head, d)
		}
	}
	t.Setenv("PATH", path)
	want["logs/b.md"] = "bob day 2"
	if d := cmp.Diff(want, w.history(&h)); d != "" {
		t.Errorf("when it answers: %s", d)
	}
	write(t, filepath.Join(w.dir, ".git/config"), "[core]\n[extensions]\n\trefStorage = reftable\n")
	if (&History{}).Update(context.Background(), w.dir, []string{"logs"}, time.Now()) {
		t.Error("an extension that is not known was passed over")
	}
}

// The forms of repositories that a borrowed folder cannot have are as a git that does not answer.
func TestHistoryOfOtherForms(t *testing.T) {
	for _, form := range []string{"--object-format=sha256", "--ref-format=reftable"} {
		w := newTree(t)
		w.dir = t.TempDir()
		if out, err := exec.Command("git", "init", "-q", form, w.dir).CombinedOutput(); err != nil {
			t.Logf("%s: %s", form, out) // of a newer git
			continue
		}
		w.commit("ann", "logs/a.md", "a\n")
		var h History
		if h.Update(context.Background(), w.dir, []string{"logs"}, time.Date(2026, 3, 3, 0, 0, 0, 0, time.UTC)) {
			t.Errorf("%s: git answered", form)
		}
		if d := cmp.Diff(map[string]string{"logs/a.md": " day 2"}, authors(h)); d != "" {
			t.Errorf("%s: %s", form, d)
		}
	}
}

// A branch that came with the clone is known, also when HEAD has it later; one that was fetched later is not.
func TestHistoryOfClonedBranches(t *testing.T) {
	for _, packed := range []bool{false, true} {
		w := newTree(t)
		w.commit("ann", "logs/a.md", "a\n")
		w.git("switch", "-q", "-c", "side")
		w.commit("carol", "logs/c.md", "c\n")
		w.git("switch", "-q", "main")
		mine := tree{t, filepath.Join(t.TempDir(), "mine"), w.day}
		w.at(5, "clone", "-q", w.dir, mine.dir)
		var h History
		mine.history(&h)
		*w.day = 7
		w.git("switch", "-q", "side")
		w.commit("mallory", "logs/m.md", "m\n")
		w.git("switch", "-q", "-c", "later", "main")
		w.commit("mallory", "logs/l.md", "l\n")
		mine.at(10, "switch", "-q", "side")
		want := map[string]string{"logs/a.md": "ann day 0", "logs/c.md": "carol day 0"}
		if d := cmp.Diff(want, mine.history(&h)); d != "" {
			t.Errorf("as it was cloned: %s", d)
		}
		mine.at(11, "pull", "-q")
		if packed {
			mine.git("pack-refs", "--all")
		}
		want["logs/m.md"] = "mallory day 11"
		for name, h := range map[string]*History{"at once": {}, "by steps": &h} {
			if d := cmp.Diff(want, mine.history(h)); d != "" {
				t.Errorf("pulled, %s: %s", name, d)
			}
		}
		mine.at(12, "switch", "-q", "later")
		if got := mine.history(&h)["logs/l.md"]; got != "mallory day 12" {
			t.Errorf("a branch that was fetched later: %q", got)
		}
	}
}

// When a commit came is noted once: without a reflog nothing else says so.
func TestHistoryWithoutReflog(t *testing.T) {
	w := newTree(t)
	w.git("config", "core.logAllRefUpdates", "false")
	w.commit("ann", "logs/a.md", "a\n")
	w.commit("ann", "notes/n.md", "n\n")
	at := func(h *History, day int, paths ...string) map[string]string {
		t.Helper()
		if !h.Update(context.Background(), w.dir, paths, time.Date(2026, 3, 1+day, 12, 0, 0, 0, time.UTC)) {
			t.Fatal("git did not answer")
		}
		return authors(*h)
	}
	os.RemoveAll(filepath.Join(w.dir, ".git/logs"))
	var h History
	at(&h, 3, "logs")
	w.commit("mallory", "logs/m.md", "m\n")
	at(&h, 5, "logs")
	w.git("switch", "-q", "--detach", "HEAD~1")
	at(&h, 6, "logs")
	w.git("switch", "-q", "main")
	want := map[string]string{"logs/a.md": "ann day 0", "logs/m.md": "mallory day 5"}
	if d := cmp.Diff(want, at(&h, 9, "logs")); d != "" {
		t.Error(d)
	}
	want["notes/n.md"] = "ann day 0"
	if d := cmp.Diff(want, at(&h, 12, "logs", "notes")); d != "" {
		t.Errorf("with a further folder: %s", d)
	}
}

// git is started once for commits of the user's own, and not at all where no file that matters changed.
func TestHistoryStartsGit(t *testing.T) {
	w := newTree(t)
	w.commit("me", "logs/a.md", "a\n")
	var h History
	w.history(&h)
	git, err := exec.LookPath("git")
	must(t, err)
	bin, started := t.TempDir(), filepath.Join(t.TempDir(), "started")
	write(t, filepath.Join(bin, "git"), "#!/bin/sh\nfor a; do case $a in log|config|rev-list|ls-tree|merge-base) echo $a >>"+started+";; esac; done\nexec "+git+" \"$@\"\n")
	must(t, os.Chmod(filepath.Join(bin, "git"), 0o755))
	path := os.Getenv("PATH")
	for _, c := range []struct{ who, file, want string }{
		{"me", "src/main.go", ""},
		{"mallory", "src/main.go", ""},
		{"me", "logs/b.md", "log\n"},
		{"me", "logs/a.md", "log\n"},
		{"mallory", "logs/c.md", "log\nrev-list\n"},
		{"me", "logs/d.md", "log\n"},
	} {
		w.commit(c.who, c.file, fmt.Sprintf("by %s, day %d\n", c.who, *w.day))
		os.Remove(started)
		t.Setenv("PATH", bin+string(os.PathListSeparator)+path)
		got := w.history(&h)
		t.Setenv("PATH", path)
		ran, _ := os.ReadFile(started)
		if string(ran) != c.want || strings.HasPrefix(c.file, "logs") && !strings.HasPrefix(got[c.file], c.who) {
			t.Errorf("%s of %s: started %q, want %q; %v", c.file, c.who, ran, c.want, got)
		}
	}
}

// The user's address may depend on where the repository is.
func TestUserOfInclude(t *testing.T) {
	w := newTree(t)
	w.git("config", "--unset", "user.email")
	home := os.Getenv("HOME")
	dir, err := filepath.EvalSymlinks(w.dir)
	must(t, err)
	write(t, filepath.Join(home, ".gitconfig"), "[user]\n\temail = home@example.com\n[includeIf \"gitdir:"+dir+"/\"]\n\tpath = work\n")
	write(t, filepath.Join(home, "work"), "[user]\n\temail = work@example.com\n")
	if d := cmp.Diff([]string{"home@example.com", "work@example.com"}, UserOf(w.dir).Emails); d != "" {
		t.Error(d)
	}
}

// Of a file that two sides of a merge changed the author is whose content was taken, not who was last.
func TestHistoryOfMergedSides(t *testing.T) {
	w := newTree(t)
	w.commit("ann", "logs/a.md", "a\n")
	w.git("switch", "-q", "-c", "side")
	w.commit("ann", "logs/a.md", "ann's words\n")
	w.git("switch", "-q", "main")
	w.commit("mallory", "logs/a.md", "other words\n")
	w.commit("ann", "logs/b.md", "b\n")
	w.git("merge", "-q", "-X", "theirs", "-m", "merge", "side")
	if got := w.history(&History{})["logs/a.md"]; got != "ann day 2" {
		t.Errorf("%q", got)
	}
}

// A split index has only some of the files: without it git's answer is the same.
func TestHistoryOfSplitIndex(t *testing.T) {
	w := newTree(t)
	w.commit("ann", "logs/a.md", "a\n")
	w.git("update-index", "--split-index")
	var h History
	w.history(&h)
	w.commit("bob", "logs/b.md", "b\n")
	want := map[string]string{"logs/a.md": "ann day 0", "logs/b.md": "bob day 2"}
	for name, h := range map[string]*History{"at once": {}, "by steps": &h} {
		if d := cmp.Diff(want, w.history(h)); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}

// An index that names a folder "linkage" is not split.
func TestIndexOfLinks(t *testing.T) {
	w := newTree(t)
	w.commit("ann", "linkage/a.md", "a\n")
	if got := Indexed(w.dir, []string{"."}); len(got) != 1 {
		t.Errorf("%q", got)
	}
	w.git("update-index", "--split-index")
	if got := Indexed(w.dir, []string{"."}); got != nil {
		t.Errorf("split: %q", got)
	}
}

// The names of commits may begin or end with zeros. What is none is no argument of git.
func TestAtClone(t *testing.T) {
	git := t.TempDir()
	zero, hash := strings.Repeat("0", 40), func(s string) string { return "00" + strings.Repeat(s, 19) }
	line := func(from, to string, at int) string {
		return fmt.Sprintf("%s %s ann <ann@example.com> %d +0000\tfetch\n", from, to, at)
	}
	write(t, filepath.Join(git, "packed-refs"), hash("a1")+" refs/remotes/o/a\n--all refs/remotes/o/odd\n")
	write(t, filepath.Join(git, "refs/remotes/o/b"), hash("c0")+"\n")
	write(t, filepath.Join(git, "logs/refs/remotes/o/b"), line(hash("b0"), hash("c0"), 9))
	write(t, filepath.Join(git, "refs/remotes/o/d"), hash("d0")+"\n")
	write(t, filepath.Join(git, "logs/refs/remotes/o/d"), line(zero, hash("d0"), 9))
	if d := cmp.Diff([]string{hash("a1"), hash("b0")}, atClone(git, 5)); d != "" {
		t.Error(d)
	}
}

// The user is who the configuration of git says, and neither the environment of a hook nor a file of the repository.
func TestUserOf(t *testing.T) {
	w := newTree(t)
	home := os.Getenv("HOME")
	t.Setenv("GIT_AUTHOR_EMAIL", "mallory@example.com")
	t.Setenv("EMAIL", "mallory@example.com")
	write(t, filepath.Join(w.dir, "inner"), "[user]\n\temail = mallory@example.com\n")
	write(t, filepath.Join(home, "outer"), "[USER] Email = \"o@example.com\" ; work\n")
	write(t, filepath.Join(home, ".gitconfig"), "[user]\n# email = no\n\tname = \"Me # \\\"I\\\"\"\n[include]\npath=~/outer\n[includeIf \"onbranch:ma*\"]\n\tpath = branch\n"+
		"[includeIf \"hasconfig:remote.*.url:https://work.example/**\"]\n\tpath = remote\n[includeIf \"gitdir:~/none/\"]\n\tpath = no\n[includeIf \"other:x\"]\n\tpath = no\n")
	for name, email := range map[string]string{"branch": "b@example.com", "remote": "r@example.com", "no": "n@example.com"} {
		write(t, filepath.Join(home, name), "[author]\n\temail = "+email+"\n")
	}
	w.git("config", "include.path", "../inner")
	w.git("config", "remote.origin.url", "https://work.example/a/b")
	u := UserOf(w.dir)
	if d := cmp.Diff([]string{"o@example.com", "b@example.com", "r@example.com", "me@example.com"}, u.Emails); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]string{`Me # "I"`, "me"}, u.Names); d != "" {
		t.Error(d)
	}
	if got := strings.TrimSpace(w.git("config", "--get-all", "user.name")); got != strings.Join(u.Names, "\n") {
		t.Errorf("git says %q", got)
	}
}

// Git has what was committed, staged or stashed, also of other branches, and nothing that only lies there.
func TestObjects(t *testing.T) {
	w := newTree(t)
	w.commit("ann", "logs/a.md", "a\n")
	write(t, filepath.Join(w.dir, "logs/s.md"), "s\n")
	w.git("add", "-A")
	staged := strings.TrimSpace(w.git("hash-object", "logs/s.md"))
	write(t, filepath.Join(w.dir, "logs/u.md"), "u\n")
	untracked := strings.TrimSpace(w.git("hash-object", "logs/u.md"))
	has, answered := Objects(context.Background(), w.dir, []string{staged, untracked})
	if !answered || len(has) != 1 || !has[staged] {
		t.Errorf("%v, %v", has, answered)
	}
	t.Setenv("PATH", t.TempDir())
	if _, answered := Objects(context.Background(), w.dir, []string{staged}); answered {
		t.Error("without git it answered")
	}
}
