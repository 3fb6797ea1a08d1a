package loop

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"episodes/internal/snapshot"
	"episodes/reflexion"
)

// An isolated loop works in copies of the work tree, which are kept aside: the user's files,
// index, branches and stash stay as they are while it runs. Each attempt begins with a copy
// of what the best one so far left. When the loop ends, what the best attempt changed is
// brought back, file by file, where the user's file is still the one that the loop began
// with.
//
// The copy in which commands run always has the same path: what tools print and keep of it
// is the same for all attempts.

const (
	copyFolder = "tree"  // in which commands run
	baseFile   = "base"  // the work tree when the loop began
	bestFolder = "best-" // begins the name of what the best attempt so far left; its number follows
)

func bestCopy(iteration int) string { return bestFolder + reflexion.Ordinal(iteration+1) }

// repository is the user's work tree.
func (p *Processes) repository() string { return cmp.Or(p.real, p.Work) }

// Isolate makes the copies, unless they are there, and lets all commands run in one. own are
// the records of the loop: of one that goes on after its end, the best attempt was brought
// back before.
func (p *Processes) Isolate(own []*reflexion.Record) error {
	d := p.Dir
	p.real = p.Work
	p.Work = d.Path(copyFolder)
	if d.Exists(copyFolder) {
		return nil
	}
	best := reflexion.BestIteration(own)
	if !d.Exists(bestCopy(best)) { // it is the user's work tree
		tree, err := snapshot.Take(p.real, p.work())
		if err == nil {
			err = d.keepTree(baseFile, tree)
		}
		if err == nil && best != baseline {
			err = d.keepTree(afterFile(best), tree)
		}
		if err == nil {
			err = p.making(bestCopy(best), func(path string) error { return p.copyWork(p.real, path) })
		}
		if err != nil {
			return err
		}
	}
	return p.copy(bestCopy(best), copyFolder)
}

// making makes a folder aside, which is there only when it is whole.
func (p *Processes) making(name string, fill func(path string) error) error {
	path := p.Dir.Path(name)
	err := snapshot.Remove(path + ".new")
	if err == nil {
		err = fill(path + ".new")
	}
	if err == nil {
		err = os.Rename(path+".new", path)
	}
	if err != nil {
		return fmt.Errorf("copy the work tree: %w", err)
	}
	return nil
}

// copy makes a copy of a folder aside. What has its name goes.
func (p *Processes) copy(from, to string) error {
	path := p.Dir.Path(to)
	old := path + ".old" // a command may still write to it
	err := snapshot.Remove(old)
	if err == nil && p.Dir.Exists(to) {
		err = os.Rename(path, old)
	}
	if err == nil {
		err = p.making(to, func(path string) error {
			return snapshot.Copy(p.Dir.Path(from), path, snapshot.Options{All: true})
		})
	}
	_ = snapshot.Remove(old) // or the next time
	return err
}

// begin makes the tree in which an attempt begins: that of the best one so far, of which a
// copy is kept. It may be called again until the actor began.
func (p *Processes) begin(i int) error {
	var sent Prompted
	if ok, err := p.Dir.step(stepName(i, promptFile), &sent); err != nil {
		return err
	} else if !ok || sent.From == nil {
		return fmt.Errorf("with which state attempt %d begins is not known any more", i+1)
	}
	d, from := p.Dir, *sent.From
	best := bestCopy(from)
	switch {
	case !d.Exists(best) && from != sent.Last:
		return fmt.Errorf("what attempt %d left is not there any more", from+1)
	case !d.Exists(best):
		if err := p.copy(copyFolder, best); err != nil {
			return err
		}
	case from != sent.Last:
		if err := p.copy(best, copyFolder); err != nil {
			return err
		}
	}
	names, err := d.All()
	for _, name := range names {
		if strings.HasPrefix(name, bestFolder) && name != best {
			err = errors.Join(err, snapshot.Remove(d.Path(name)))
		}
	}
	return err
}

func afterFile(i int) string { return "after-" + reflexion.Ordinal(i+1) }

// Brought is what came back of an isolated loop.
type Brought struct {
	Attempt int      `json:"attempt"` // from 1; 0: none was better than what was there
	Files   []string `json:"files"`   // that were changed
	Left    []string `json:"left"`    // changed meanwhile, or too large
}

// BringBack does to the user's work tree what the best attempt did, or the one that passed.
// It is nil for a loop that is not isolated, or whose work is not wanted.
func (p *Processes) BringBack(history []*reflexion.Record) (*Brought, error) {
	last := reflexion.Last(history)
	passed := last != nil && last.Evaluator.Passed
	if p.real == "" || p.Config.Discard && !(p.Config.Commit && passed) {
		return nil, nil
	}
	b := &Brought{Files: []string{}, Left: []string{}}
	best := reflexion.BestOf(reflexion.Turns(history))
	if passed {
		best = &reflexion.Turn{Record: last}
	}
	if best == nil {
		return b, nil
	}
	base, err := p.Dir.tree(baseFile)
	after, errAfter := p.Dir.tree(afterFile(best.Iteration))
	if err = errors.Join(err, errAfter); err != nil {
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
