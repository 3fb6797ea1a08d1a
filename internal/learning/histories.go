package learning

import (
	"errors"
	"fmt"
	"os"
	"slices"

	"episodes/internal/local"
	"episodes/internal/memory"
	"episodes/reflexion"
	"episodes/reflexion/history"
	"episodes/reflexion/loop"
)

// History is the history of a loop or a task, with all that is kept of its attempts.
type History struct {
	*history.History
	Replays []history.Attempt   `json:"replays"`
	Records []*reflexion.Record `json:"-"` // of a loop, by attempt
	All     []*reflexion.Record `json:"-"` // also those that Only left out
}

// History returns the history of a loop or of a task. Errors: reflexion.ErrNoLoop, history.ErrNone.
func (f *Folder) History(id string) (*History, error) {
	if reflexion.ValidLoopID(id) {
		rs, err := f.Loop(id)
		var damage *reflexion.DamageError
		if err != nil && (!errors.As(err, &damage) || len(rs) == 0) {
			return nil, err
		}
		if damage != nil {
			f.leftOut(damage.Files)
		}
		t := history.FromLoop(rs, f.hasEnded(id))
		return &History{History: t.History(), Replays: t.Attempts, Records: slices.Clone(rs), All: rs}, nil
	}
	m, err := memory.Open(f.Location)
	if err != nil {
		return nil, err
	}
	defer m.Close()
	t, err := task(m, id)
	if err != nil {
		return nil, err
	}
	return &History{History: t.History(), Replays: t.Attempts}, nil
}

// Replay adds the prompts of the attempts of a loop, but for what memory and the lessons of others
// added then.
func (h *History) Replay() {
	for i, r := range h.Records {
		show, _ := reflexion.ShowFor(r.Arm)
		before := h.All[:slices.Index(h.All, r)]
		h.Replays[i].PlanText = reflexion.BuildContext(r.LoopID, r.Task, before, reflexion.ContextOptions{Show: show}).Text()
	}
}

// Only leaves one attempt, from 1, or, where outcome is not "", those that ended so. The error is
// history.ErrNoAttempt.
func (h *History) Only(n int, outcome string) error {
	keep := map[int]bool{}
	h.Attempts = slices.DeleteFunc(h.Attempts, func(s history.Step) bool {
		keep[s.AttemptID] = (n == 0 || s.AttemptID == n) && (outcome == "" || s.Outcome == outcome)
		return !keep[s.AttemptID]
	})
	h.Replays = slices.DeleteFunc(h.Replays, func(a history.Attempt) bool { return !keep[a.ID] })
	h.Records = slices.DeleteFunc(h.Records, func(r *reflexion.Record) bool { return !keep[r.Iteration+1] })
	h.Reflections = slices.DeleteFunc(h.Reflections, func(r history.Reflection) bool { return !keep[r.AttemptID] })
	if n > 0 && len(h.Attempts) == 0 {
		return fmt.Errorf("attempt %d of %q: %w", n, h.Task.ID, history.ErrNoAttempt)
	}
	return nil
}

func (f *Folder) List() ([]history.Metadata, error) {
	tasks, err := f.Tasks()
	if err != nil {
		return nil, err
	}
	list := []history.Metadata{}
	for _, t := range tasks {
		list = append(list, t.Metadata)
	}
	rs, err := f.Records()
	for _, of := range reflexion.ByLoop(rs) {
		list = append(list, history.FromLoop(of, f.hasEnded(of[0].LoopID)).Metadata)
	}
	return list, err
}

// hasEnded reports whether a loop that was begun here has ended.
func (f *Folder) hasEnded(id string) bool {
	aside, err := local.Aside("loops")
	if _, none := os.Lstat(aside); err != nil || none != nil {
		return false // the key is not needed
	}
	d, err := loop.Home{Top: f.top, Aside: aside, Key: f.key()}.Open(id)
	if err != nil {
		return false
	}
	defer d.Close()
	return d.End() != nil
}

// Lessons are the lessons and next steps that at least so many reflections of loops and
// tasks have. Categories are parts of reflections to look in; none: all.
func (f *Folder) Lessons(least int, categories ...string) ([]reflexion.Lesson, error) {
	rs, err := f.Records()
	if err != nil {
		return nil, err
	}
	tasks, err := f.Tasks()
	for _, t := range tasks {
		for _, r := range t.Records() {
			r.LoopID = t.ID // not as analyze names it
			rs = append(rs, r)
		}
	}
	return reflexion.Lessons(rs, least, categories...), err
}

// Checked is how many records and tasks there are, and what is wrong with which.
type Checked struct {
	Records, Tasks int
	Problems       []error
}

// Check reads all that outlives loops and validates it against its schema.
func (f *Folder) Check() (*Checked, error) {
	rs, damage, err := f.records(nil)
	if err != nil {
		return nil, err
	}
	tasks, bad, err := f.tasks()
	if err != nil {
		return nil, err
	}
	return &Checked{Records: len(rs), Tasks: len(tasks), Problems: append(damage, bad...)}, nil
}
