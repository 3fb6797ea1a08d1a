package gitdir

import (
	"cmp"
	"context"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// LongestAsked is how long git may take to answer.
const LongestAsked = 5 * time.Second

// asker starts git, gives it an input, and returns what it prints.
type asker func(in string, args ...string) (string, error)

// ask is git in a borrowed folder, with nothing of the configuration of the repository or of the user.
func ask(ctx context.Context, dir, top string) asker {
	return func(in string, args ...string) (string, error) {
		cmd := exec.CommandContext(ctx, "git", append([]string{"--literal-pathspecs", "--git-dir=" + filepath.Join(dir, gitName), "--work-tree=" + top}, args...)...)
		cmd.Stdin, cmd.Dir, cmd.WaitDelay = strings.NewReader(in), top, time.Second/10 // git may be a script whose programs live on
		cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C", "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull, "HOME=" + dir,
			"GIT_ATTR_NOSYSTEM=1", "GIT_OPTIONAL_LOCKS=0", "GIT_NO_LAZY_FETCH=1", "GIT_TERMINAL_PROMPT=0"}
		out, err := cmd.Output()
		return string(out), err
	}
}

// in is git in a folder that is made and filled, with a working tree unless that is ""; done removes the folder.
func in(ctx context.Context, top string, fill func(dir string) (bool, error)) (git asker, done func(), ok bool) {
	dir, err := os.MkdirTemp("", "episodes-git-")
	if err != nil {
		return nil, nil, false
	}
	done = func() { os.RemoveAll(dir) }
	if ok, err = fill(dir); err != nil || !ok {
		done()
		return nil, nil, false
	}
	return ask(ctx, dir, cmp.Or(top, dir)), done, true
}

// lend is git in a folder that has nothing but the objects of a repository.
func lend(ctx context.Context, common string) (git asker, done func(), ok bool) {
	return in(ctx, "", func(dir string) (bool, error) {
		ok, err := borrowObjects(common, dir, "worktreeconfig", "partialclone", "noop")
		if err == nil && ok {
			err = os.WriteFile(filepath.Join(dir, gitName, "HEAD"), []byte("ref: refs/heads/none\n"), 0o644)
		}
		return ok, err
	})
}

// Objects returns which of some contents, by their names, git has in a repository: committed anywhere, staged or
// stashed. ok is false where git did not answer; of a repository of a form that cannot be borrowed it has none.
func Objects(ctx context.Context, top string, blobs []string) (has map[string]bool, ok bool) {
	ctx, cancel := context.WithTimeout(ctx, LongestAsked)
	defer cancel()
	git, done, lent := lend(ctx, commonOf(Folder(top)))
	if !lent {
		return nil, true
	}
	defer done()
	has = map[string]bool{}
	for part := range slices.Chunk(blobs, mostAsked) {
		text, err := git("", append([]string{"rev-list", "--objects", "--no-walk", "--ignore-missing"}, part...)...)
		if err != nil {
			return nil, false
		}
		for line := range strings.Lines(text) {
			name, _, _ := strings.Cut(strings.TrimSpace(line), " ")
			has[name] = true
		}
	}
	return has, true
}

// Committed returns when the last commit of files was made, for those that are unchanged since, and perhaps of others
// in their folders. Files are relative to the working tree top, with slashes. git runs in a borrowed folder, so that nothing
// of the repository starts a program.
func Committed(ctx context.Context, top string, files []string) map[string]time.Time {
	ctx, cancel := context.WithTimeout(ctx, LongestAsked)
	defer cancel()
	git, done, ok := in(ctx, top, func(dir string) (bool, error) { return Borrow(top, dir) })
	if !ok {
		return nil
	}
	defer done()
	all := map[string]time.Time{}
	for part := range slices.Chunk(files, mostAsked) {
		listed, err := git("", append([]string{"ls-files", "-z", "--"}, part...)...)
		tracked := strings.FieldsFunc(listed, zero)
		if err != nil || len(tracked) == 0 {
			continue
		}
		history, err := git("", append([]string{"log", "-z", "--name-only", "--no-renames", "--format=%x00@%cI", "--"}, fewer(tracked)...)...)
		if err != nil {
			continue
		}
		changed, err := git("", append([]string{"diff-files", "-z", "--name-only", "--"}, tracked...)...)
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

// fewer are the folders of many files: git compares the files of each commit with each path.
func fewer(files []string) []string {
	folders := map[string]bool{}
	for _, f := range files {
		folders[path.Dir(f)] = true
	}
	if folders["."] || 10*len(folders) > len(files) {
		return files
	}
	return slices.Collect(maps.Keys(folders))
}

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
