package learning

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"episodes/reflexion"
	"episodes/reflexion/memories"
	"episodes/reflexion/task"
)

func (f *Folder) taskHistories() ([]*task.History, error) {
	tasks, err := f.Tasks(false)
	if err != nil {
		return nil, err
	}
	defer tasks.Close()
	return tasks.Store.Histories()
}

// Lessons are the lessons and next steps that at least so many reflections of loops and
// tasks have, and what people said, of which once is enough.
// Categories are parts of reflections to look in; none: all.
func (f *Folder) Lessons(least int, categories ...string) ([]Lesson, error) {
	if len(categories) == 0 {
		categories = reflexion.LessonCategories()
	}
	rs, err := f.Records()
	if err != nil {
		return nil, err
	}
	histories, err := f.taskHistories()
	if err != nil {
		return nil, err
	}
	for _, h := range histories {
		for _, r := range task.Records(h) {
			r.LoopID = h.Task.ID // not as analyze names it
			rs = append(rs, r)
		}
	}
	out := []Lesson{}
	for _, l := range reflexion.LessonsOf(rs, least, categories...) {
		out = append(out, Lesson{Lesson: l})
	}
	said, err := f.feedback()
	for _, x := range said {
		out = append(out, Lesson{Lesson: reflexion.Lesson{Text: x.Content.Summary, Frequency: 1, Loops: []string{}}, Memory: x.ID})
	}
	return out, err
}

// feedback returns what people said, the newest first.
func (f *Folder) feedback() ([]*memories.Memory, error) {
	m, err := f.Memories(false)
	if err != nil {
		return nil, err
	}
	defer m.Close()
	all, err := m.All()
	said := slices.DeleteFunc(all, func(x *memories.Memory) bool { return x.Type != memories.Feedback })
	date := func(x *memories.Memory) time.Time {
		t, _ := time.Parse(time.RFC3339, cmp.Or(x.LastAccessed, x.CreatedAt)) // what is no date sorts last
		return t
	}
	slices.SortStableFunc(said, func(a, b *memories.Memory) int { return date(b).Compare(date(a)) })
	return said, err
}

// Lesson is one that recurs, or that a person wrote down.
type Lesson struct {
	reflexion.Lesson
	Memory string `json:"memory,omitempty"` // the id of what a person said; "": it recurs
}

// Found is what an id names: one of its fields is set.
type Found struct {
	History *task.History     // of a whole loop or task
	Worked  []Worked          // of a loop
	Record  *reflexion.Record // an attempt of a loop
	Replay  *task.Replay      // an attempt of a task
	Memory  string            // the id of a memory
}

// Find finds what an id names: a loop or a task, one of their attempts (ralph-cart#0, task-001#1,
// numbered as records and memories number them), or a memory. Errors: reflexion.ErrNoLoop,
// task.ErrNone, task.ErrNoAttempt.
func (f *Folder) Find(id string) (*Found, error) {
	whole, number, one := strings.Cut(id, "#")
	n, err := strconv.Atoi(number)
	if one && (err != nil || n < 0) {
		return nil, fmt.Errorf("attempt %q of %q: %w", number, whole, task.ErrNoAttempt)
	}
	isLoop := reflexion.ValidLoopID(whole)
	switch {
	case isLoop && one:
		rs, err := f.Loop(whole)
		var damage *reflexion.DamageError
		if err != nil && !errors.As(err, &damage) {
			return nil, err
		}
		i := slices.IndexFunc(rs, func(r *reflexion.Record) bool { return r.Iteration == n })
		if i < 0 {
			return nil, fmt.Errorf("attempt %d of %q: %w", n, whole, task.ErrNoAttempt)
		}
		return &Found{Record: rs[i]}, nil
	case !isLoop && !task.ValidID(whole):
		return &Found{Memory: id}, nil
	}
	t, err := f.Tasks(false)
	if err != nil {
		return nil, err
	}
	defer t.Close()
	out := &Found{}
	if one {
		out.Replay, err = t.Replay(whole, n)
	} else {
		out.History, err = t.History(HistoryRequest{ID: whole, Reflections: true})
		if isLoop && err == nil {
			out.Worked, err = f.worked(whole)
		}
	}
	return out, err
}

// Worked is what worked in a loop: a change after which errors were gone.
type Worked struct {
	Iteration int      `json:"iteration"`
	Done      string   `json:"done"` // what was changed; "": not known
	Gone      []string `json:"gone"` // the errors
	Passed    bool     `json:"passed"`
}

// worked analyzes what worked in a loop (framework design, success analysis).
func (f *Folder) worked(id string) ([]Worked, error) {
	rs, err := f.Loop(id)
	var damage *reflexion.DamageError
	if err != nil && !errors.As(err, &damage) {
		return nil, err
	}
	out := []Worked{}
	for _, t := range reflexion.Turns(rs) {
		if len(t.Gone) == 0 && !t.Evaluator.Passed {
			continue
		}
		w := Worked{Iteration: t.Iteration, Gone: []string{}, Passed: t.Evaluator.Passed}
		var about *reflexion.Problem
		for i := range t.Gone {
			about = &t.Gone[0]
			w.Gone = append(w.Gone, reflexion.Describe(t.Gone[i]))
		}
		w.Done = reflexion.ChangeText(t.Actor.Changed, about)
		out = append(out, w)
	}
	return out, nil
}

// Checked is how many records, tasks and memories there are, and what is wrong with which.
type Checked struct {
	Records, Tasks, Memories int
	Problems                 []error
}

// Check reads all that outlives loops and validates each file against its schema.
func (f *Folder) Check() (*Checked, error) {
	rs, damage, err := f.records()
	if err != nil {
		return nil, err
	}
	c := &Checked{Records: len(rs), Problems: damage}
	t, err := f.Tasks(false)
	if err != nil {
		return nil, err
	}
	defer t.Close()
	ids, err := t.IDs()
	if err != nil {
		return nil, err
	}
	for _, id := range ids {
		c.Tasks++
		if err := t.Check(id); err != nil {
			c.Problems = append(c.Problems, err)
		}
	}
	m, err := f.Memories(false)
	if err != nil {
		return nil, err
	}
	defer m.Close()
	all, bad, err := m.Store.All()
	c.Memories, c.Problems = len(all), append(c.Problems, bad...)
	return c, err
}
