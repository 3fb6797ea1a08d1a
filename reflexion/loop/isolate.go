package loop

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"episodes/internal/gitdir"
	"episodes/internal/snapshot"
	"episodes/reflexion"
)

// An isolated loop works in a copy of the work tree, which is kept aside: the user's files,
// index, branches and stash stay as they are while it runs. When it ends, what the best
// attempt changed is brought back, file by file, where the user's file is still the one that
// the loop began with.

const (
	copyFolder = "tree"
	baseFile   = "base" // the work tree when the loop began
)

// repository is the user's work tree.
func (p *Processes) repository() string {
	if p.real != "" {
		return p.real
	}
	return p.Work
}

// Isolate makes the copy, unless it is there, and lets all commands run in it.
func (p *Processes) Isolate() error {
	d := p.Dir
	if d.aside == nil {
		return errors.New("a loop can only be isolated where your configuration can be written")
	}
	p.real = p.Work
	p.Work = d.aside.Path(copyFolder)
	if d.aside.Exists(copyFolder) {
		return nil
	}
	o := p.work()
	base, err := snapshot.Take(p.real, o)
	if err != nil {
		return err
	}
	data, err := base.Encode()
	if err != nil {
		return err
	}
	const making = copyFolder + ".new"
	err = errors.Join(d.keepAt(d.aside, baseFile, baseFile, data), d.aside.RemoveAll(making))
	if err == nil {
		err = snapshot.Copy(p.real, d.aside.Path(making), o.Skip)
	}
	if err == nil {
		_, err = gitdir.Borrow(p.real, d.aside.Path(making))
	}
	if err != nil {
		return fmt.Errorf("copy the work tree: %w", err)
	}
	return os.Rename(d.aside.Path(making), p.Work)
}

func afterFile(i int) string { return "after-" + reflexion.Ordinal(i+1) }

// keepAfter keeps the work tree as an attempt left it.
func (d *Dir) keepAfter(i int, tree *snapshot.Tree) error {
	data, err := tree.Encode()
	if err != nil {
		return err
	}
	return d.keepAt(d.aside, afterFile(i), afterFile(i), data)
}

// Brought is what came back of an isolated loop.
type Brought struct {
	Attempt int      `json:"attempt"` // from 1; 0: none was better than what was there
	Files   []string `json:"files"`   // that were changed
	Left    []string `json:"left"`    // that were not: they changed meanwhile, or are too large
}

// BringBack does to the user's work tree what the best attempt did, or the one that passed.
// It is nil for a loop that is not isolated, or whose work is not wanted.
func (p *Processes) BringBack(history []*reflexion.Record) (*Brought, error) {
	if p.real == "" || p.Config.Discard {
		return nil, nil
	}
	b := &Brought{Files: []string{}, Left: []string{}}
	best := reflexion.BestOf(reflexion.Turns(history))
	if last := reflexion.Last(history); last != nil && last.Evaluator.Passed {
		best = &reflexion.Turn{Record: last}
	}
	if best == nil {
		return b, nil
	}
	base, err := p.Dir.treeAt(p.Dir.aside, baseFile, baseFile)
	if err != nil {
		return nil, err
	}
	after, err := p.Dir.treeAt(p.Dir.aside, afterFile(best.Iteration), afterFile(best.Iteration))
	if err != nil {
		return nil, err
	}
	if base == nil || after == nil {
		return nil, fmt.Errorf("what attempt %d did is not there any more", best.Iteration+1)
	}
	b.Attempt = best.Iteration + 1
	done, left, err := snapshot.Apply(p.real, base, after, p.work())
	b.Files, b.Left = append(b.Files, done...), append(b.Left, left...)
	if err != nil {
		err = fmt.Errorf("bring back what attempt %d did to %q: %w", b.Attempt, filepath.Clean(p.real), err)
	}
	return b, err
}
