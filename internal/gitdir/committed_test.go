package gitdir

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// Each file has the time of its newest commit, whatever its name begins with.
func TestLastCommits(t *testing.T) {
	day := func(d int) time.Time { return time.Date(2026, 3, d, 9, 0, 0, 0, time.UTC) }
	log := "\x00@2026-03-02T09:00:00Z\x00\na.md\x00@b.md\x00\x00@2026-03-01T09:00:00Z\x00\n@b.md\x00c d.md\x00a.md\x00"
	want := map[string]time.Time{"a.md": day(2), "@b.md": day(2), "c d.md": day(1)}
	if d := cmp.Diff(want, lastCommits(log)); d != "" {
		t.Error(d)
	}
}

// Where git cannot say which files changed, none counts as unchanged.
func TestCommittedWithoutAnswer(t *testing.T) {
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skipf("needs git: %v", err)
	}
	top, bin := t.TempDir(), t.TempDir()
	must(t, os.WriteFile(filepath.Join(top, "a.md"), []byte("a\n"), 0o600))
	for _, args := range [][]string{{"init", "-q"}, {"add", "a.md"}, {"-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "a"}} {
		cmd := exec.Command(git, args...)
		cmd.Dir = top
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v", out, err)
		}
	}
	if got := Committed(context.Background(), top, []string{"a.md"}); len(got) != 1 {
		t.Fatalf("%v", got)
	}
	script := "#!/bin/sh\ncase \"$*\" in *diff-files*) exit 1;; esac\nexec " + git + " \"$@\"\n"
	must(t, os.WriteFile(filepath.Join(bin, "git"), []byte(script), 0o700))
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	if got := Committed(context.Background(), top, []string{"a.md"}); len(got) != 0 {
		t.Errorf("%v", got)
	}
}

// A borrowed index is as old as its original: git reads only files that are as new as it, so one that
// was changed in the second in which it was added would count as unchanged.
func TestBorrowedIndexIsAsOld(t *testing.T) {
	top, to := t.TempDir(), t.TempDir()
	index, then := filepath.Join(top, gitName, "index"), time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	for _, file := range []string{filepath.Join(top, gitName, "config"), index} {
		must(t, errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, nil, 0o600), os.Chtimes(file, then, then)))
	}
	if ok, err := Borrow(top, to); !ok || err != nil {
		t.Fatal(ok, err)
	}
	if info, err := os.Stat(filepath.Join(to, gitName, "index")); err != nil || !info.ModTime().Equal(then) {
		t.Errorf("%v, %v", info, err)
	}
}

// Many files of a folder are asked for by the folder; one that changed since has no commit.
func TestCommittedOfAFolder(t *testing.T) {
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skipf("needs git: %v", err)
	}
	top := t.TempDir()
	must(t, os.Mkdir(filepath.Join(top, "logs"), 0o700))
	var files []string
	for i := range 12 {
		files = append(files, fmt.Sprintf("logs/%d.md", i))
		must(t, os.WriteFile(filepath.Join(top, files[i]), []byte(files[i]), 0o600))
	}
	for _, args := range [][]string{{"init", "-q"}, {"add", "."}, {"-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "a"}} {
		cmd := exec.Command(git, args...)
		cmd.Dir = top
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v", out, err)
		}
	}
	must(t, os.WriteFile(filepath.Join(top, files[3]), []byte("later"), 0o600))
	got := Committed(context.Background(), top, files)
	for i, name := range files {
		if got[name].IsZero() != (i == 3) {
			t.Errorf("%s: %v", name, got[name])
		}
	}
}
