package learning

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"episodes/internal/plain"
	"episodes/internal/term"
	"episodes/reflexion"
	"episodes/reflexion/memories"
)

// Memories are what outlives the tasks of a memory.
type Memories struct {
	*memories.Store
	folder *Folder
}

// Memories opens them; only to write does it make their folder. The caller closes
// them.
func (f *Folder) Memories(write bool) (*Memories, error) {
	s, err := memories.Open(f.top, write, f.Now, f.LockTimeout)
	if err != nil {
		return nil, err
	}
	return &Memories{s, f}, nil
}

// All reads the memories. Damaged ones are left out with a warning.
func (m *Memories) All() ([]*memories.Memory, error) {
	all, damage, err := m.Store.All()
	m.folder.leftOut(damage)
	return all, err
}

// DeriveMemories brings the memories to what the records show.
func (f *Folder) DeriveMemories(ctx context.Context, by string) (memories.Report, error) {
	rs, err := f.Records()
	if err != nil {
		return memories.Report{}, err
	}
	m, err := f.Memories(true)
	if err != nil {
		return memories.Report{}, err
	}
	defer m.Close()
	return m.Update(ctx, memories.Derive(rs, f.Now()), by)
}

// recalled is how many memories of other tasks are put into a prompt.
const recalled = 3

// known is what a memory says, quoted, and on how much it rests.
func known(m *memories.Memory) string {
	said := []string{plain.Quote(m.Content.Summary, maxKnown)}
	for _, l := range m.Content.Lessons[:min(len(m.Content.Lessons), recalled)] {
		if l != m.Content.Summary {
			said = append(said, plain.Quote(l, maxKnown))
		}
	}
	return fmt.Sprintf("noted earlier (%s, rests on %s): %s", m.Type,
		term.Plural(len(m.Content.Evidence), "attempt"), strings.Join(said, "; "))
}

// maxKnown is the largest number of bytes of a text of a memory in a prompt.
const maxKnown = 180

// recall returns the memories that bear on a loop's task, and notes them as read
// into a prompt by a command. That they cannot be read is a note: the attempt does
// not depend on it.
func (f *Folder) recall(ctx context.Context, loopID, task, taskType, by string) (out []string) {
	m, err := f.Memories(false)
	if err != nil {
		f.note("the memories were not read: %v", err)
		return nil
	}
	defer m.Close()
	all, err := m.All()
	if err == nil {
		all = slices.DeleteFunc(all, func(x *memories.Memory) bool { return x.Type == memories.Meta }) // statistics, not advice
		found := memories.Relevant(all, task, taskType, loopID, f.Now(), recalled)
		for _, x := range found {
			out = append(out, known(x))
		}
		err = m.Read(ctx, found, by)
	}
	if err != nil {
		f.note("the memories were not read: %v", err)
	}
	return out
}

// prior is what other loops did about failures like those of a new task.
func (f *Folder) prior(t reflexion.NewTask) []string {
	rs, err := f.Records()
	if err != nil {
		f.note("the records of other loops were not read: %v", err)
		return nil
	}
	known := reflexion.Prior(rs, t)
	return known.Lines()
}

// What is kept of memories unless a person cleans up with limits of their own.
const (
	keptPerType = 500
	retention   = 365 * 24 * time.Hour
)

// retain applies the retention when a loop ended: what has expired, was not read into a
// prompt for long, or is too much of its type goes to the trash. That it cannot is a note.
func (f *Folder) retain(ctx context.Context, by string) {
	m, err := f.Memories(true)
	if err != nil {
		f.note("the memories were not cleaned up: %v", err)
		return
	}
	defer m.Close()
	all, err := m.All()
	if err == nil {
		if gone := memories.Plan(all, memories.Limits{PerType: keptPerType, Retention: retention}, f.Now()); len(gone) > 0 {
			if _, err = m.Remove(ctx, gone, by); err == nil {
				f.note("outdated memories went to the trash: %d; episodes memory cleanup --undo brings them back", len(gone))
			}
		}
	}
	if err != nil {
		f.note("the memories were not cleaned up: %v", err)
	}
}
