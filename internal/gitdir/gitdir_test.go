package gitdir

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func write(t testing.TB, path, text string) {
	t.Helper()
	must(t, os.MkdirAll(filepath.Dir(path), 0o755))
	must(t, os.WriteFile(path, []byte(text), 0o644))
}

// repository makes main with a linked tree, one that is gone, and one that is claimed: a
// folder that knows nothing of it.
func repository(t *testing.T) (dir string) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	git := filepath.Join(dir, "main", ".git")
	write(t, filepath.Join(git, "config"), "[core]\n\turl = no\n[remote \"origin\"]\n\turl = git@example.org:a/b.git\n\tfetch = x\n[branch \"main\"]\n\turl=no\n")
	write(t, filepath.Join(git, "worktrees", "linked", "gitdir"), filepath.Join(dir, "linked", ".git")+"\n")
	write(t, filepath.Join(git, "worktrees", "near", "gitdir"), "../../../../near/.git\n")
	write(t, filepath.Join(git, "worktrees", "gone", "gitdir"), filepath.Join(dir, "gone", ".git")+"\n")
	write(t, filepath.Join(git, "worktrees", "claimed", "gitdir"), filepath.Join(dir, "claimed", ".git")+"\n")
	write(t, filepath.Join(dir, "linked", ".git"), "gitdir: "+filepath.Join(git, "worktrees", "linked")+"\n")
	write(t, filepath.Join(dir, "near", ".git"), "gitdir: ../main/.git/worktrees/near\n")
	write(t, filepath.Join(dir, "claimed", ".git", "HEAD"), "ref: x\n")
	return dir
}

func TestFind(t *testing.T) {
	dir := repository(t)
	at := func(name string) string { return filepath.Join(dir, name) }
	all := []string{at("main"), at("gone"), at("linked"), at("near")}
	for _, c := range []struct {
		from, top, main string
		trees           []string
	}{
		{"main", "main", "main", all},
		{"main/.git/worktrees", "main", "main", all},
		{"linked", "linked", "main", all},
		{"near", "near", "main", all},
		{"claimed", "claimed", "claimed", []string{at("claimed")}},
	} {
		r, ok := Find(at(c.from))
		if !ok || r.Top != at(c.top) || r.Main != at(c.main) || !slices.Equal(r.Trees, c.trees) {
			t.Errorf("%s: %+v", c.from, r)
		}
		if c.from != "claimed" && !slices.Equal(r.Remotes, []string{"git@example.org:a/b.git"}) {
			t.Errorf("%s: remotes %q", c.from, r.Remotes)
		}
	}
}

// A file .git that leads to a repository which does not know the folder is believed by
// nobody: it may have come with an archive.
func TestFindClaim(t *testing.T) {
	dir := repository(t)
	stranger := filepath.Join(dir, "stranger")
	write(t, filepath.Join(stranger, ".git"), "gitdir: "+filepath.Join(dir, "main", ".git", "worktrees", "linked")+"\n")
	r, ok := Find(stranger)
	if !ok || r.Main != stranger || len(r.Trees) != 1 || len(r.Remotes) != 0 {
		t.Errorf("%+v", r)
	}
}

func TestFindBare(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	tree, git := filepath.Join(dir, "tree"), filepath.Join(dir, "repo.git", "worktrees", "tree")
	write(t, filepath.Join(git, "gitdir"), filepath.Join(tree, ".git")+"\n")
	write(t, filepath.Join(tree, ".git"), "gitdir: "+git+"\n")
	r, ok := Find(tree)
	if !ok || r.Main != "" || !slices.Equal(r.Trees, []string{tree}) {
		t.Errorf("%+v", r)
	}
}

func TestBranch(t *testing.T) {
	dir := repository(t)
	git := filepath.Join(dir, "main", ".git")
	write(t, filepath.Join(git, "HEAD"), "ref: refs/heads/feat/x\n")
	write(t, filepath.Join(git, "worktrees", "linked", "HEAD"), "ref: refs/heads/fix/y\n")
	write(t, filepath.Join(git, "worktrees", "near", "HEAD"), "0123456789abcdef0123456789abcdef01234567\n")
	write(t, filepath.Join(dir, "main", "sub", "a"), "")
	for from, want := range map[string]string{"main": "feat/x", "main/sub": "feat/x", "linked": "fix/y", "near": "", "claimed": ""} {
		if got := Branch(filepath.Join(dir, from)); got != want {
			t.Errorf("%s: %q, want %q", from, got, want)
		}
	}
	if got := Branch(t.TempDir()); got != "" {
		t.Errorf("without a repository: %q", got)
	}
}

// must ends a test at an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
