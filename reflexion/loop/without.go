package loop

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"episodes/internal/gitdir"
	"episodes/internal/plain"
	"episodes/internal/snapshot"
	"episodes/redact"
	"episodes/reflexion/evaluate"
)

// An attempt that passes may have changed what decides that: tests that were there, golden
// files, what a verifier runs or how it is configured. Then the verifiers run once more, in a
// copy of the work tree in which all this is as it was when the loop began.

const (
	startFile = "start" // the work tree when the loop began
	checkCopy = "check" // in which the verifiers run once more
)

func (p *Processes) classes(tree *snapshot.Tree) *evaluate.Classes {
	return evaluate.ClassesFor(p.Config.Verify, func(name string) []byte { return text(tree, name) })
}

// text is the text of a file of a tree; nil where it is not there, or its text is not known.
func text(tree *snapshot.Tree, name string) []byte {
	if f := tree.Files[name]; f.Kept {
		return append([]byte{}, f.Text...)
	}
	return nil
}

// reverts is what was changed of what decides the verdict.
type reverts struct {
	from, to *snapshot.Tree // as it is, and as it was
	fresh    *snapshot.Tree // new tests
	names    map[evaluate.Class][]string
}

// reverts compares the work tree with the one that the loop began with; nil where that is not
// known.
func (p *Processes) reverts() (*reverts, error) {
	start, err := p.Dir.tree(startFile)
	if start == nil || err != nil {
		return nil, err
	}
	now, err := snapshot.Take(p.Work, p.work())
	if err != nil {
		return nil, err
	}
	none := func() *snapshot.Tree { return &snapshot.Tree{Files: map[string]snapshot.File{}} }
	r := &reverts{none(), none(), none(), map[evaluate.Class][]string{}}
	classes := p.classes(start)
	for _, name := range snapshot.Differing(start, now) {
		old, was := start.Files[name]
		is := now.Files[name]
		switch class := classes.Of(name, text(start, name), text(now, name)); {
		case class == evaluate.Source:
		case class == evaluate.Test && !was:
			r.fresh.Files[name] = is
		default:
			if old.Kept && is.Kept {
				old = old.With(classes.PutBack(name, text(start, name), text(now, name)))
			}
			r.from.Files[name], r.to.Files[name] = is, old // one that is not there is empty
			r.names[class] = append(r.names[class], plain.Cut(plain.Words(name), 100))
		}
	}
	return r, nil
}

// verifyWithout adds to what was found of an attempt that passed what the verifiers find
// without its changes of what decides the verdict. Where nobody can know that, it has not passed.
func (p *Processes) verifyWithout(ctx context.Context, i int, found *evaluate.Evaluation) error {
	unknown := new(found.EvaluatorOutput)
	unknown.Passed = false
	r, err := p.reverts()
	switch {
	case err != nil:
		return err
	case r == nil:
		found.Changed, found.Without = "what the loop began with is not there any more", unknown
		return nil
	case len(r.names) == 0:
		return nil
	}
	found.Changed = redact.Default.String(r.named())
	dir := p.Dir.Path(checkCopy)
	defer func() { _ = snapshot.Remove(dir) }() // also a part of it
	if err = snapshot.Remove(dir); err == nil {
		err = p.copyWork(p.Work, dir)
	}
	if err != nil {
		return fmt.Errorf("copy the work tree: %w", err)
	}
	_, left, err := snapshot.Apply(dir, r.from, r.to, snapshot.Options{})
	if err != nil {
		return fmt.Errorf("put back what decides the verdict: %w", err)
	}
	if len(left) > 0 {
		found.Without = unknown
		return nil
	}
	again, err := p.verifyIn(ctx, i, dir)
	if err == nil && !again.Passed && len(r.fresh.Files) > 0 { // new tests stay, unless they only want what was put back
		if _, _, err = snapshot.Apply(dir, r.fresh, &snapshot.Tree{}, snapshot.Options{}); err == nil {
			again, err = p.verifyIn(ctx, i, dir)
		}
	}
	if err != nil {
		return err
	}
	found.Without = &again.EvaluatorOutput
	for n := range again.Errors { // the place of the copy says nothing
		again.Errors[n].Message = strings.ReplaceAll(again.Errors[n].Message, dir, p.Work)
	}
	return nil
}

// copyWork copies a work tree, with the folder of git if the tree is a copy, which has its own.
func (p *Processes) copyWork(from, to string) error {
	o := p.work()
	o.All = from != p.repository()
	err := snapshot.Copy(from, to, o)
	if err == nil && !o.All {
		_, err = gitdir.Borrow(from, to)
	}
	return err
}

// maxNamed is how many files of a class are named.
const maxNamed = 5

// named lists what was changed, by class.
func (r *reverts) named() string {
	var out []string
	for n, class := range []evaluate.Class{evaluate.Test, evaluate.Golden, evaluate.Setup} {
		names := r.names[class]
		if more := len(names) - maxNamed; more > 0 {
			names = append(slices.Clone(names[:maxNamed]), fmt.Sprintf("%d more", more))
		}
		if len(names) > 0 {
			out = append(out, []string{"tests", "golden files", "the verifier"}[n]+": "+strings.Join(names, ", "))
		}
	}
	return strings.Join(out, "; ")
}
