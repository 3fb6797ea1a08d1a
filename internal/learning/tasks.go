package learning

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"episodes/reflexion"
	"episodes/reflexion/loop"
	"episodes/reflexion/task"
)

// Tasks are the tasks of a memory, and its loops among them: each is a task whose
// attempts are the iterations of the loop.
type Tasks struct {
	*task.Store
	folder *Folder
}

// Tasks opens the tasks; only to write does it make their folder. The caller closes
// them.
func (f *Folder) Tasks(write bool) (*Tasks, error) {
	s, err := task.Open(f.top, write, f.Now, f.LockTimeout)
	if err != nil {
		return nil, err
	}
	return &Tasks{s, f}, nil
}

// HistoryRequest asks for the attempts of a task or a loop.
type HistoryRequest struct {
	ID          string
	Attempt     int    // only this one; 0: all
	Outcome     string // only those that ended so; "": all
	Reflections bool   // also what was learned
}

// History returns the attempts of a task or a loop.
func (t *Tasks) History(r HistoryRequest) (*task.History, error) {
	h, err := t.whole(r.ID, r.Reflections)
	if err != nil {
		return nil, err
	}
	if r.Attempt > 0 {
		if r.Attempt > len(h.Attempts) {
			return nil, fmt.Errorf("attempt %d of %q: %w", r.Attempt, r.ID, task.ErrNoAttempt)
		}
		h.Attempts = h.Attempts[r.Attempt-1 : r.Attempt]
	}
	if r.Outcome != "" {
		h.Attempts = slices.DeleteFunc(h.Attempts, func(s task.Step) bool { return s.Outcome != r.Outcome })
	}
	if r.Attempt > 0 || r.Outcome != "" {
		h.Reflections = slices.DeleteFunc(h.Reflections, func(x task.Reflection) bool {
			return !slices.ContainsFunc(h.Attempts, func(s task.Step) bool { return s.AttemptID == x.AttemptID })
		})
	}
	return h, nil
}

func (t *Tasks) whole(id string, reflections bool) (*task.History, error) {
	if !reflexion.ValidLoopID(id) {
		return t.Store.History(id, reflections)
	}
	rs, err := t.folder.Loop(id)
	if err != nil {
		return nil, err
	}
	h := task.FromLoop(rs, t.ended(id))
	if !reflections {
		h.Reflections = nil
	}
	return h, nil
}

// Histories are those of all tasks and loops.
func (t *Tasks) Histories() ([]*task.History, error) {
	all, err := t.Store.Histories()
	if err != nil {
		return nil, err
	}
	rs, err := t.folder.Records()
	if err != nil {
		return nil, err
	}
	for _, of := range reflexion.ByLoop(rs) {
		all = append(all, task.FromLoop(of, t.ended(of[0].LoopID)))
	}
	return all, nil
}

// List returns the tasks and loops of a status, or all.
func (t *Tasks) List(status string) ([]task.Metadata, error) {
	all, err := t.Histories()
	if err != nil {
		return nil, err
	}
	var list []task.Metadata
	for _, h := range all {
		if status == "" || h.Task.Status == status {
			list = append(list, h.Task)
		}
	}
	return list, nil
}

// Replay returns an attempt of a task, or an iteration of a loop, action by action.
func (t *Tasks) Replay(id string, n int) (*task.Replay, error) {
	if !reflexion.ValidLoopID(id) {
		return t.Store.Replay(id, n)
	}
	rs, err := t.folder.Loop(id)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(rs, func(r *reflexion.Record) bool { return r.Iteration == n-1 })
	if i < 0 {
		return nil, fmt.Errorf("attempt %d of %q: %w", n, id, task.ErrNoAttempt)
	}
	return task.ReplayLoop(rs[i], promptOf(rs[:i], rs[i])), nil
}

// promptOf reconstructs the prompt of an attempt from the records before it, without the parts
// that the graph and the memories contributed then.
func promptOf(before []*reflexion.Record, r *reflexion.Record) string {
	show, _ := reflexion.ShowFor(r.Arm)
	o := reflexion.ContextOptions{Show: show}
	return reflexion.BuildContext(r.LoopID, r.Task, before, o).Text()
}

// Export is a task or a loop with everything stored about it.
type Export struct {
	*task.History
	Replays []*task.Replay `json:"replays"`
}

// Export reads everything of a task or a loop.
func (t *Tasks) Export(id string) (*Export, error) {
	h, err := t.whole(id, true)
	if err != nil {
		return nil, err
	}
	e := &Export{History: h, Replays: []*task.Replay{}}
	for _, a := range h.Attempts {
		r, err := t.Replay(id, a.AttemptID)
		if err != nil {
			return nil, err
		}
		e.Replays = append(e.Replays, r)
	}
	return e, nil
}

// ended reports whether a loop that was begun here has ended. Of the folder of another one
// nothing is read, nor of one that has records only.
func (t *Tasks) ended(id string) bool {
	if _, err := os.Lstat(filepath.Join(t.folder.top, "loops", id, "loop.json")); err != nil {
		return false // as of all loops of others: the key is not needed
	}
	d, err := loop.Open(t.folder.top, t.folder.key(), id)
	if err != nil {
		return false
	}
	defer d.Close()
	return d.End() != nil
}
