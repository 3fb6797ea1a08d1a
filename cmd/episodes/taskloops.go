package main

import (
	"fmt"
	"iter"

	"episodes/reflexion"
	"episodes/reflexion/loop"
	"episodes/reflexion/task"
)

// history is that of a task, or of a loop, whose iterations are its attempts.
func (a *app) history(s *task.Store, id string, learned bool) (*task.History, error) {
	if !reflexion.ValidLoopID(id) {
		return s.History(id, learned)
	}
	rs, err := a.loopHistory(id)
	if err != nil {
		return nil, err
	}
	h := task.FromLoop(rs, a.loopEnded(id))
	if !learned {
		h.Reflections = nil
	}
	return h, nil
}

// loopEnded reports whether a loop of episodes loop came to its end.
func (a *app) loopEnded(id string) bool {
	ended := false
	a.withLoop(id, func(d *loop.Dir) {
		end, err := d.End()
		ended = err == nil && end != nil
	})
	return ended
}

// withLoop opens the folder of a loop, where there is one: what episodes reflect
// writes has none.
func (a *app) withLoop(id string, f func(*loop.Dir)) {
	top, _, err := a.reflexionDir()
	if err != nil {
		return
	}
	d, _, err := loop.Open(top, id)
	if err != nil {
		return
	}
	defer d.Close()
	f(d)
}

// replay is an attempt of a task, or an iteration of a loop.
func (a *app) replay(s *task.Store, id string, n int) (*task.Replay, error) {
	if !reflexion.ValidLoopID(id) {
		return s.Replay(id, n)
	}
	rs, err := a.loopHistory(id)
	if err != nil {
		return nil, err
	}
	for _, r := range rs {
		if r.Iteration == n-1 {
			return a.replayLoop(r), nil
		}
	}
	return nil, fmt.Errorf("attempt %d of %q: %w", n, id, task.ErrNoAttempt)
}

func (a *app) replayLoop(r *reflexion.Record) *task.Replay {
	prompt := ""
	a.withLoop(r.LoopID, func(d *loop.Dir) {
		if p, err := d.Prompted(r.Iteration); err == nil {
			prompt = p.Text
		}
	})
	return task.ReplayLoop(r, prompt)
}

func (a *app) export(s *task.Store, id string) (*task.Export, error) {
	if !reflexion.ValidLoopID(id) {
		return s.Export(id)
	}
	rs, err := a.loopHistory(id)
	if err != nil {
		return nil, err
	}
	e := &task.Export{History: task.FromLoop(rs, a.loopEnded(id)), Replays: []*task.Replay{}}
	for _, r := range rs {
		e.Replays = append(e.Replays, a.replayLoop(r))
	}
	return e, nil
}

// histories are those of all tasks and loops.
func (a *app) histories(s *task.Store) ([]*task.History, error) {
	all, err := s.Histories()
	if err != nil {
		return nil, err
	}
	rs, err := a.allRecords()
	if err != nil {
		return nil, err
	}
	for chunk := range chunks(rs) {
		all = append(all, task.FromLoop(chunk, a.loopEnded(chunk[0].LoopID)))
	}
	return all, nil
}

// chunks parts records, which come by loop, into those of each loop.
func chunks(rs []*reflexion.Record) iter.Seq[[]*reflexion.Record] {
	return func(yield func([]*reflexion.Record) bool) {
		for len(rs) > 0 {
			n := 1
			for n < len(rs) && rs[n].LoopID == rs[0].LoopID {
				n++
			}
			if !yield(rs[:n]) {
				return
			}
			rs = rs[n:]
		}
	}
}
