package loop

import (
	"cmp"
	"fmt"
	"maps"
	"path/filepath"

	"episodes/internal/plain"
	"episodes/internal/snapshot"
	"episodes/redact"
	"episodes/reflexion"
)

// measured is what was seen after the actor ended.
type measured struct {
	Changes  *snapshot.Changes `json:"changes"`
	Restored []string          `json:"restored,omitempty"`
}

// work returns the options for a snapshot of the work tree, which excludes the files of
// this program.
func (p *Processes) work() snapshot.Options {
	o := snapshot.Options{Binary: p.Config.Isolate}
	for _, dir := range []string{p.Memory, filepath.Dir(p.Dir.Path(""))} {
		if in := snapshot.In(p.repository(), dir); in != "" {
			o.Skip = append(o.Skip, in)
		}
	}
	return o
}

// before takes the snapshots that are compared after the actor, in an isolated loop of the
// tree in which the attempt begins.
func (p *Processes) before(i int) error {
	name := stepName(i, beforeFile)
	data, err := p.Dir.kept(name)
	if data == nil && err == nil && p.real != "" {
		err = p.begin(i)
	}
	if err == nil {
		err = p.Dir.takeTree(name, p.Work, p.work())
	}
	if err == nil && (i == baseline+1 || len(p.Dir.state.Records) == 0) { // later it would have what attempts here did
		o := p.work()
		o.Binary = true // golden files may be binary
		err = p.Dir.takeTree(startFile, p.Work, o)
	}
	if err == nil && p.Memory != "" {
		err = p.Dir.takeTree(stepName(i, memoryFile), p.Memory, snapshot.Options{All: true, Skip: []string{"causality"}}) // which can be made again
	}
	return err
}

// measure puts back what is gone of the memory, and compares the work tree with the one
// before the actor. A copy of the prompt in it is no change: what memory said would become
// memory.
func (p *Processes) measure(i int, prompt string) (m measured, err error) {
	memory, err := p.Dir.tree(stepName(i, memoryFile))
	if err != nil {
		return m, err
	}
	if memory != nil {
		if m.Restored, err = memory.Restore(p.Memory); err != nil {
			return m, fmt.Errorf("put back what the actor removed of the memory: %w", err)
		}
	}
	before, err := p.Dir.tree(stepName(i, beforeFile))
	if before == nil || err != nil {
		return m, err
	}
	after, err := snapshot.Take(p.Work, p.work())
	if err != nil {
		return m, err
	}
	for name, f := range maps.Clone(after.Files) {
		if reflexion.Copied(f.Text, prompt) {
			delete(after.Files, name)
			delete(before.Files, name)
		}
	}
	if p.Config.Isolate {
		if err := p.Dir.keepTree(afterFile(i), after); err != nil {
			return m, err
		}
	}
	m.Changes = snapshot.Compare(before, after)
	classes := p.classes(before)
	for n := range m.Changes.Files {
		f := &m.Changes.Files[n]
		f.Class = string(classes.Of(f.Path, text(before, cmp.Or(f.From, f.Path)), text(after, f.Path)))
	}
	plain.All(m.Changes)
	redact.Default.All(m.Changes)
	return m, p.Dir.keepStep(stepName(i, changesFile), m)
}
