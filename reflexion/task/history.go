package task

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"episodes/internal/plain"
	"episodes/keys"
)

// History is a task with its attempts (query_history).
type History struct {
	Task        Metadata     `json:"task"`
	Attempts    []Step       `json:"attempts"`
	Reflections []Reflection `json:"reflections,omitempty"`
}

// History reads a task and the summaries of its attempts; with learned also the
// reflections.
func (s *Store) History(id string, learned bool) (*History, error) {
	d, err := s.open(id)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	h := &History{}
	t := &Trajectory{}
	if err := errors.Join(load(d, "metadata.json", &h.Task), load(d, "trajectory.json", t)); err != nil {
		return nil, err
	}
	h.Attempts = t.Attempts
	if n := h.Task.CurrentAttempt; n > 0 && n == len(h.Attempts) { // not summarized yet
		actions, err := lines[Action](d, attemptDir(n)+"/"+actionsFile)
		if err == nil {
			err = tally(d, &h.Attempts[n-1], actions)
		}
		if err != nil {
			return nil, err
		}
	}
	if learned {
		h.Reflections, err = lines[Reflection](d, "reflections.jsonl")
	}
	return h, err
}

// Replay is one attempt with its actions and milestones.
type Replay struct {
	Attempt    Attempt     `json:"attempt"`
	Plan       string      `json:"plan_text"`
	Actions    []Action    `json:"actions"`
	Milestones []Milestone `json:"milestones,omitempty"`
}

// Replay reads one attempt.
func (s *Store) Replay(id string, n int) (*Replay, error) {
	d, err := s.open(id)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	r := &Replay{Actions: []Action{}}
	err = load(d, attemptDir(n)+"/attempt.json", &r.Attempt)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("attempt %d of %q: %w", n, id, ErrNoAttempt)
	}
	if err != nil {
		return nil, err
	}
	if plan, err := d.Read(attemptDir(n) + "/plan.md"); err == nil {
		r.Plan = plain.Text(string(plan))
	}
	if found, err := lines[Action](d, attemptDir(n)+"/"+actionsFile); err != nil {
		return nil, err
	} else if found != nil {
		r.Actions = found
	}
	o := &Outcome{}
	switch err := load(d, attemptDir(n)+"/outcome.json", o); {
	case err == nil:
		r.Attempt.Outcome, r.Attempt.Ended = o, o.Ended
	case !errors.Is(err, fs.ErrNotExist):
		return nil, err
	}
	agent := r.Attempt.Execution.Agent
	r.Attempt.Execution = execution(r.Actions)
	r.Attempt.Execution.Agent = agent
	r.Milestones, err = lines[Milestone](d, attemptDir(n)+"/"+milestonesFile)
	return r, err
}

// Match is a task that has words of a query.
type Match struct {
	Task     Metadata `json:"task"`
	Words    int      `json:"words"` // of the query, that it has
	Learning []string `json:"learning"`
}

// Histories reads all tasks with their reflections, the newest first.
func (s *Store) Histories() ([]*History, error) {
	ids, err := s.IDs()
	if err != nil {
		return nil, err
	}
	var out []*History
	for i := len(ids) - 1; i >= 0; i-- {
		h, err := s.History(ids[i], true)
		if err != nil {
			return nil, err
		}
		out = append(out, h)
	}
	return out, nil
}

// Search finds the histories with a word of the query in their description, criteria,
// tags or reflections, those with the most words first.
func Search(all []*History, query string) []Match {
	want := keys.Words(query)
	out := []Match{}
	for _, h := range all {
		text := h.Task.Description + "\n" + h.Task.Criteria + "\n" + strings.Join(h.Task.Tags, "\n")
		m := Match{Task: h.Task, Learning: []string{}}
		for _, r := range h.Reflections {
			text += "\n" + r.Observation + "\n" + r.Analysis + "\n" + r.Learning
			if r.Learning != "" {
				m.Learning = append(m.Learning, r.Learning)
			}
		}
		if m.Words = keys.Shared(want, keys.Words(text)); m.Words > 0 {
			out = append(out, m)
		}
	}
	slices.SortStableFunc(out, func(a, b Match) int { return cmp.Compare(b.Words, a.Words) })
	return out
}
