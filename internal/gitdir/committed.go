package gitdir

import (
	"context"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
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
	git := func(args ...string) (string, error) {
		cmd := exec.CommandContext(ctx, "git", append([]string{"--literal-pathspecs", "--git-dir=" + filepath.Join(dir, gitName), "--work-tree=" + top}, args...)...)
		cmd.Dir = top
		cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "LC_ALL=C", "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull,
			"GIT_ATTR_NOSYSTEM=1", "GIT_OPTIONAL_LOCKS=0", "GIT_NO_LAZY_FETCH=1", "GIT_TERMINAL_PROMPT=0"}
		out, err := cmd.Output()
		return string(out), err
	}
	all := map[string]time.Time{}
	for part := range slices.Chunk(files, mostAsked) {
		listed, err := git(append([]string{"ls-files", "-z", "--"}, part...)...)
		tracked := strings.FieldsFunc(listed, zero)
		if err != nil || len(tracked) == 0 {
			continue
		}
		history, err := git(append([]string{"log", "-z", "--name-only", "--no-renames", "--format=%x00@%cI", "--"}, tracked...)...)
		if err != nil {
			continue
		}
		changed, err := git(append([]string{"diff-files", "-z", "--name-only", "--"}, tracked...)...)
		if err != nil {
			continue // any of them may have changed
		}
		maps.Copy(all, lastCommits(history))
		for _, name := range strings.FieldsFunc(changed, zero) {
			delete(all, name)
		}
	}
	return all
}

// mostAsked is how many files git is asked about at once: a command line has a limit.
const mostAsked = 500

func zero(r rune) bool { return r == 0 }

// lastCommits reads the output of git log, newest first: each commit is an empty field, its time behind an @, and its files.
func lastCommits(log string) map[string]time.Time {
	out, at, begins := map[string]time.Time{}, time.Time{}, false
	for field := range strings.SplitSeq(log, "\x00") {
		when, dated := strings.CutPrefix(field, "@")
		switch name := strings.TrimPrefix(field, "\n"); {
		case begins && dated:
			at, _ = time.Parse(time.RFC3339, when)
		case name != "" && !at.IsZero() && out[name].IsZero():
			out[name] = at
		}
		begins = field == ""
	}
	return out
}
