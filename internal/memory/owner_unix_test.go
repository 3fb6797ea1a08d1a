//go:build unix

package memory

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A repository of another user is passed over, unless it is named or the user came to
// it by sudo.
func TestOtherUser(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give a folder away")
	}
	const other = 54321
	for _, mine := range []string{"", agentsDir} { // which of the two stays one's own
		root := t.TempDir()
		sub := filepath.Join(root, "sub")
		ok(t, os.MkdirAll(filepath.Join(root, agentsDir), 0o755))
		ok(t, os.Mkdir(sub, 0o755))
		give := root
		if mine == "" {
			give = filepath.Join(root, agentsDir)
		}
		ok(t, os.Chown(give, other, other))
		_, err := Locate(Request{Cwd: sub})
		if !errors.Is(err, ErrNone) || !strings.Contains(err.Error(), `"`+root+`" was passed over`) || !strings.Contains(err.Error(), "belongs to another user") {
			t.Errorf("%q: %v", give, err)
		}
		if loc, err := Locate(Request{Root: root, Cwd: sub}); err != nil || loc.Root != root {
			t.Errorf("named: %v, %v", loc, err)
		}
		if loc, err := Locate(Request{Memory: "m", Cwd: sub}); err != nil || loc.Root != sub {
			t.Errorf("memory named: %v, %v", loc, err)
		}
		t.Setenv("SUDO_UID", "54321")
		if loc, err := Locate(Request{Cwd: sub}); err != nil || loc.Root != root {
			t.Errorf("by sudo: %v, %v", loc, err)
		}
		t.Setenv("SUDO_UID", "")
	}
}

// A linked working tree has nothing of a main one that belongs to another user.
func TestMainTreeOfOtherUser(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give a folder away")
	}
	top, err := filepath.EvalSymlinks(t.TempDir())
	ok(t, err)
	main, tree := filepath.Join(top, "main"), filepath.Join(top, "tree")
	own, memory := filepath.Join(main, ".git", "worktrees", "tree"), filepath.Join(main, agentsDir, "memory")
	for _, dir := range []string{own, tree, filepath.Join(memory, episodesDir)} {
		ok(t, os.MkdirAll(dir, 0o755))
	}
	ok(t, os.WriteFile(filepath.Join(tree, ".git"), []byte("gitdir: "+own+"\n"), 0o644))
	ok(t, os.WriteFile(filepath.Join(own, "gitdir"), []byte(filepath.Join(tree, ".git")+"\n"), 0o644))
	for _, c := range []struct{ theirs, want string }{
		{"", memory},
		{main, filepath.Join(tree, agentsDir, "memory")},
		{filepath.Join(main, agentsDir), filepath.Join(tree, agentsDir, "memory")},
	} {
		if c.theirs != "" {
			ok(t, os.Chown(c.theirs, 54321, 54321))
		}
		loc, err := Locate(Request{Cwd: tree})
		if err != nil || loc.Dir != c.want || loc.WorkTree() != tree {
			t.Errorf("%q: %+v, %v; want %q", c.theirs, loc, err, c.want)
		}
		if c.theirs != "" {
			ok(t, os.Chown(c.theirs, os.Geteuid(), os.Getegid()))
		}
	}
}
