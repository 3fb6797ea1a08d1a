package loop

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"episodes/internal/proc"
	"episodes/internal/snapshot"
	"episodes/reflexion"
)

// A loop may commit what its attempts changed, after a pass. Nothing else runs git in the user's
// working tree. Hooks and the identity are those of the user.

// Committed is a commit of what a loop changed.
type Committed struct {
	Commit string   `json:"commit"` // "" if there was nothing to commit
	Files  []string `json:"files"`
	Left   []string `json:"left"` // changed, but by no attempt, or there before and not tracked
}

// Committable returns an error unless a folder is in a working tree of git in which no tracked file is
// changed, so that a commit can hold what a loop changes and nothing else. memory is left out.
func Committable(ctx context.Context, folder, memory string) error {
	now, err := changed(ctx, folder, memory)
	for _, name := range slices.Sorted(maps.Keys(now)) {
		if now[name] {
			return fmt.Errorf("the working tree has changes that are not committed, such as those of %q", name)
		}
	}
	return err
}

// Commit commits the files that the attempts of a loop that passed changed. brought is what an isolated
// loop brought back; else nil.
func (p *Processes) Commit(ctx context.Context, history []*reflexion.Record, brought *Brought) (*Committed, error) {
	if p.Config.TestsToo {
		return nil, errors.New("it may have passed by changing tests")
	}
	var mine []string
	for _, r := range history {
		c := r.Actor.Changed
		if c == nil || c.Left > 0 || c.Partly || brought != nil && len(brought.Left) > 0 {
			return nil, errors.New("not all that it changed is known, or was brought back")
		}
		for _, f := range c.Files {
			mine = append(mine, f.Path, f.From)
		}
	}
	if brought != nil {
		mine = brought.Files
	}
	start, err := p.Dir.tree(startFile)
	now, errNow := changed(ctx, p.repository(), p.Memory)
	if err = errors.Join(err, errNow); err != nil {
		return nil, err
	}
	if start == nil { // removed after the pass, before a kill
		return nil, errors.New("what the loop began with is not known any more")
	}
	out := &Committed{Files: []string{}, Left: []string{}}
	for _, name := range slices.Sorted(maps.Keys(now)) {
		info, err := os.Lstat(filepath.Join(p.repository(), name))
		switch _, before := start.Files[name]; {
		case !slices.Contains(mine, name) || !now[name] && before:
			out.Left = append(out.Left, name)
		case err == nil && info.IsDir(): // the files in it take the place of the file
		default:
			out.Files = append(out.Files, name)
		}
	}
	if len(out.Files) == 0 {
		return out, nil
	}
	for _, args := range [][]string{{"add"}, {"commit", "--quiet", "--only", "--message", message(p.Config.Task)}} {
		args = append(args, "--pathspec-from-file=-", "--pathspec-file-nul")
		if _, err := git(ctx, p.repository(), strings.Join(out.Files, "\x00"), args...); err != nil {
			return nil, err
		}
	}
	out.Commit, err = git(ctx, p.repository(), "", "rev-parse", "--short", "HEAD")
	return out, err
}

// maxMessage bounds the task in the message of a commit, which is an argument.
const maxMessage = 64 << 10

// message is the message of a commit: the first line of the task, and the whole task where it is longer.
func message(task string) string {
	subject := reflexion.Shorten(strings.TrimLeft(reflexion.FirstLine(task), "# "), 72)
	if subject == task {
		return subject
	}
	return subject + "\n\n" + reflexion.Shorten(task, maxMessage)
}

// changed are the files below a folder that git has as changed, and whether it tracks them; but for
// those of the memory.
func changed(ctx context.Context, folder, memory string) (map[string]bool, error) {
	prefix, err := git(ctx, folder, "", "rev-parse", "--show-prefix")
	if err != nil {
		return nil, err
	}
	listed, err := git(ctx, folder, "", "status", "--porcelain", "-z", "--no-renames", "--untracked-files=all", "--", ".")
	own, out := snapshot.In(folder, memory), map[string]bool{}
	for entry := range strings.SplitSeq(listed, "\x00") {
		if len(entry) < 4 { // two letters, a space, the path from the top of the working tree
			continue
		}
		if name := strings.TrimPrefix(entry[3:], prefix); own == "" || !strings.HasPrefix(name, own+"/") {
			out[name] = entry[:2] != "??"
		}
	}
	return out, err
}

// git runs git in a folder and returns what it prints, without the end of the last line.
func git(ctx context.Context, folder, stdin string, args ...string) (string, error) {
	r, err := proc.Run(ctx, proc.Spec{Args: append([]string{"git", "--literal-pathspecs"}, args...), Dir: folder, Stdin: []byte(stdin)})
	if err == nil && r.Cut {
		err = fmt.Errorf("git %s prints too much", args[0])
	} else if err == nil && r.Exit != 0 {
		err = fmt.Errorf("git %s: %s", args[0], strings.TrimSpace(cmp.Or(string(r.Stderr), string(r.Stdout))))
	}
	if err != nil {
		return "", err
	}
	return strings.TrimSuffix(string(r.Stdout), "\n"), nil
}
