package learning

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"episodes/keys"
	"episodes/reflexion"
	"episodes/reflexion/task"
)

// The results of loops are kept in three places: the records of loops, the histories of
// tasks, and the memories of five types. Here they are searched and shown as one.

// The kinds of an Item.
const (
	KindReflection = "reflection" // of a loop's failed attempt
	KindSuccess    = "success"    // a loop's attempt that passed
	KindTask       = "task"       // a reflection on a task's attempt
	KindMemory     = "memory"
)

// Kinds lists them.
func Kinds() []string { return []string{KindReflection, KindSuccess, KindTask, KindMemory} }

// Item is one thing that outlived its loop or task.
type Item struct {
	Kind       string   `json:"kind"`
	ID         string   `json:"id"`             // as Find takes it
	Type       string   `json:"type,omitempty"` // failure category, type of reflection or of memory
	About      string   `json:"about"`          // the task
	Text       string   `json:"text"`
	Date       string   `json:"date"` // RFC 3339
	Confidence *float64 `json:"confidence,omitempty"`
	Private    bool     `json:"private,omitempty"`
	Words      int      `json:"words"` // of the query, that it has
	search     string
}

// ItemQuery selects items; zero values do not restrict.
type ItemQuery struct {
	Words         string // any of them
	Kinds         []string
	Types         []string
	MinConfidence float64 // of those that state one
}

// Items finds what outlived its loop or task: those with most of the words first, then the
// newest.
func (f *Folder) Items(q ItemQuery) ([]Item, error) {
	all, err := f.items()
	if err != nil {
		return nil, err
	}
	want := keys.Words(q.Words)
	out := []Item{}
	for _, x := range all {
		x.Words = keys.Shared(want, keys.Words(x.search))
		switch {
		case len(want) > 0 && x.Words == 0,
			len(q.Kinds) > 0 && !slices.Contains(q.Kinds, x.Kind),
			len(q.Types) > 0 && !slices.Contains(q.Types, x.Type),
			q.MinConfidence > 0 && (x.Confidence == nil || *x.Confidence < q.MinConfidence):
			continue
		}
		out = append(out, x)
	}
	slices.SortStableFunc(out, func(a, b Item) int {
		return cmp.Or(cmp.Compare(b.Words, a.Words), when(b).Compare(when(a)))
	})
	return out, nil
}

func when(x Item) time.Time {
	t, _ := time.Parse(time.RFC3339, x.Date) // an invalid one sorts last
	return t
}

func (f *Folder) items() (out []Item, err error) {
	rs, err := f.Records()
	if err != nil {
		return nil, err
	}
	for _, r := range rs {
		out = append(out, recordItems(r)...)
	}
	histories, err := f.taskHistories()
	if err != nil {
		return nil, err
	}
	for _, h := range histories {
		for _, r := range h.Reflections {
			text := strings.TrimSpace(r.Observation + "\n" + r.Analysis + "\n" + r.Learning)
			out = append(out, Item{Kind: KindTask, ID: fmt.Sprintf("%s#%d", h.Task.ID, r.AttemptID), Type: r.Type, About: h.Task.Description, Text: text, Date: r.Timestamp,
				search: text + "\n" + h.Task.Description + "\n" + h.Task.Criteria + "\n" + strings.Join(append(h.Task.Tags, r.ActionItems...), "\n")})
		}
	}
	m, err := f.Memories(false)
	if err != nil {
		return nil, err
	}
	defer m.Close()
	all, err := m.All()
	for _, x := range all {
		c := x.Content
		out = append(out, Item{Kind: KindMemory, ID: x.ID, Type: string(x.Type), About: c.Context, Text: c.Summary, Date: cmp.Or(x.LastAccessed, x.CreatedAt), Confidence: &x.Relevance, Private: x.Metadata.Private,
			search: strings.Join(slices.Concat([]string{c.Summary, c.Details, c.Context}, c.Lessons, c.Scenarios, x.Tags), "\n")})
	}
	return out, err
}

func recordItems(r *reflexion.Record) []Item {
	x := Item{ID: fmt.Sprintf("%s#%d", r.LoopID, r.Iteration), About: r.Task, Date: r.Timestamp}
	var said []string
	for _, e := range r.Evaluator.Errors {
		said = append(said, e.Message, e.Rule, e.File)
	}
	for _, a := range r.Actor.Actions {
		said = append(said, a.Description, a.FilePath)
	}
	s := r.Reflection
	switch {
	case r.Evaluator.Passed:
		x.Kind, x.Text = KindSuccess, cmp.Or(r.Actor.Strategy, r.Actor.Rationale, "passed")
	case r.Reflected():
		x.Kind, x.Type, x.Text, x.Confidence = KindReflection, string(s.Category()), s.Text, s.Confidence
	default:
		return nil
	}
	x.search = strings.Join(slices.Concat([]string{r.Task, r.TaskType, x.Text}, s.Lessons, s.Insights, s.Gaps, said), "\n")
	return []Item{x}
}

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
	said, err := f.Items(ItemQuery{Kinds: []string{KindMemory}, Types: []string{"feedback"}})
	for _, x := range said {
		out = append(out, Lesson{Lesson: reflexion.Lesson{Text: x.Text, Frequency: 1, Loops: []string{}}, Memory: x.ID})
	}
	return out, err
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
