package gitdir

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// longestAsked is how long git may take to answer.
const longestAsked = 5 * time.Second

// Committed returns when the last commit of files was made, for those that are unchanged since. Files are relative to
// the working tree top, with slashes. git runs in a borrowed folder, so that nothing of the repository starts a program.
func Committed(ctx context.Context, top string, files []string) map[string]time.Time {
	ctx, cancel := context.WithTimeout(ctx, longestAsked)
	defer cancel()
	dir, err := os.MkdirTemp("", "episodes-git-")
	if err != nil {
		return nil
	}
	defer os.RemoveAll(dir)
	if borrowed, err := Borrow(top, dir); err != nil || !borrowed {
		return nil
	}
	git := func(args ...string) []string {
		cmd := exec.CommandContext(ctx, "git", append([]string{"--literal-pathspecs", "--git-dir=" + filepath.Join(dir, gitName), "--work-tree=" + top}, args...)...)
		cmd.Dir = top
		cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "LC_ALL=C", "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull,
			"GIT_ATTR_NOSYSTEM=1", "GIT_OPTIONAL_LOCKS=0", "GIT_NO_LAZY_FETCH=1", "GIT_TERMINAL_PROMPT=0"}
		out, err := cmd.Output()
		if err != nil {
			return nil
		}
		return strings.FieldsFunc(string(bytes.TrimSpace(out)), func(r rune) bool { return r == 0 || r == '\n' })
	}
	tracked := git(append([]string{"ls-files", "-z", "--"}, files...)...)
	if len(tracked) == 0 {
		return nil
	}
	out, at := map[string]time.Time{}, time.Time{}
	for _, line := range git(append([]string{"log", "-z", "--name-only", "--no-renames", "--format=%x00@%cI", "--"}, tracked...)...) {
		if when, found := strings.CutPrefix(line, "@"); found {
			at, _ = time.Parse(time.RFC3339, when)
		} else if _, known := out[line]; !known && !at.IsZero() {
			out[line] = at
		}
	}
	for _, name := range git(append([]string{"diff-files", "-z", "--name-only", "--"}, tracked...)...) {
		delete(out, name)
	}
	return out
}
