package capture

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A log that names a day after its last commit has the date of this commit, unless it was changed since.
func TestNoDateAfterTheCommit(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skipf("needs git: %v", err)
	}
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	git := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-C", root, "-c", "user.name=a", "-c", "user.email=a@example.org"}, args...)...)
		cmd.Env = append(os.Environ(), "GIT_COMMITTER_DATE=2026-03-04T23:30:00-08:00")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	log := func(date string) string {
		return "# Session\n\n**Date:** " + date + "\n\n- Decision: use cents because floats drift.\n"
	}
	git("init", "-q")
	for name, date := range map[string]string{"later": "2026-06-01", "same": "2026-03-04", "changed": "2026-06-01", "fresh": "2026-06-01"} {
		if write(t, filepath.Join(root, name+".md"), log(date)); name != "fresh" {
			git("add", name+".md")
		}
	}
	git("commit", "-qm", "logs")
	write(t, filepath.Join(root, "changed.md"), log("2026-06-02"))
	o := options(root, "later.md", "same.md", "changed.md", "fresh.md")
	if _, err := Run(context.Background(), o); err != nil {
		t.Fatal(err)
	}
	got := episodeFiles(t, root)
	for name, want := range map[string]string{"later": "2026-03-04T23:30:00-08:00", "same": "2026-03-04T00:00:00Z", "changed": "2026-06-02T00:00:00Z", "fresh": "2026-06-01T00:00:00Z"} {
		if ep := got["episode-"+name+".json"]; !strings.Contains(ep, `"timestamp": "`+want) && !strings.Contains(ep, `"timestamp":"`+want) {
			t.Errorf("%s: want the date %s:\n%s", name, want, ep)
		}
	}
}
