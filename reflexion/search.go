package reflexion

import (
	"cmp"
	"slices"
	"strings"

	"episodes/keys"
)

// Query selects reflections; zero values do not restrict.
type Query struct {
	Categories    []Category
	MinConfidence float64
	Words         string // in the task, text, lessons or errors
	// Successes selects passed attempts instead of reflections; categories and confidence
	// are then those of an earlier reflection of the same loop, so that the result shows
	// how such failures were overcome.
	Successes bool
}

// fits reports whether a reflection is of the kind asked for.
func (q *Query) fits(r *Record) bool {
	return (len(q.Categories) == 0 || slices.Contains(q.Categories, r.Reflection.Category())) && confidence(r) >= q.MinConfidence
}

// overcame returns, by loop, the iteration of the first reflection of the kind asked for.
func (q *Query) overcame(records []*Record) map[string]int {
	first := map[string]int{}
	for _, r := range Reflections(records) {
		if i, ok := first[r.LoopID]; q.fits(r) && (!ok || r.Iteration < i) {
			first[r.LoopID] = r.Iteration
		}
	}
	return first
}

// Found is a record with the number of query words that it has.
type Found struct {
	Record *Record `json:"record"`
	Words  int     `json:"words"`
}

// Search finds records across loops: those with most of the words first, then the
// most confident, then the newest. Reflections without a stated confidence count
// as 0. Source: guide, searchReflections; its similar_successes are the passed
// attempts, which have records but no reflections.
func Search(records []*Record, q Query) []Found {
	want := keys.Words(q.Words)
	out := []Found{}
	overcame := q.overcame(records)
	for _, r := range records {
		if !q.selects(r, overcame) {
			continue
		}
		n := keys.Shared(want, keys.Words(searchText(r)))
		if len(want) == 0 || n > 0 {
			out = append(out, Found{Record: r, Words: n})
		}
	}
	slices.SortStableFunc(out, func(a, b Found) int {
		return cmp.Or(cmp.Compare(b.Words, a.Words), cmp.Compare(confidence(b.Record), confidence(a.Record)),
			strings.Compare(b.Record.Timestamp, a.Record.Timestamp))
	})
	return out
}

// selects reports whether a record passes the filters of the query, regardless of its words.
func (q *Query) selects(r *Record, overcame map[string]int) bool {
	if !q.Successes {
		return r.Reflected() && q.fits(r)
	}
	if !r.Evaluator.Passed {
		return false
	}
	failed, after := overcame[r.LoopID]
	return len(q.Categories) == 0 && q.MinConfidence <= 0 || after && failed < r.Iteration
}

func confidence(r *Record) float64 {
	if r.Reflection.Confidence == nil {
		return 0
	}
	return *r.Reflection.Confidence
}

func searchText(r *Record) string {
	parts := append([]string{r.Task, r.Reflection.Text}, r.Reflection.Lessons...)
	parts = append(parts, r.Reflection.Insights...)
	parts = append(parts, r.Reflection.Gaps...)
	for _, e := range r.Evaluator.Errors {
		parts = append(parts, e.Message, e.Rule)
	}
	return strings.Join(parts, "\n")
}

// Lesson is an insight or lesson that several reflections have.
type Lesson struct {
	Text      string   `json:"text"` // in its commonest wording; ties: the first by bytes
	Frequency int      `json:"frequency"`
	Voices    int      `json:"voices"` // different models: one that repeats itself is one
	Loops     []string `json:"loops"`
}

// Lessons returns the insights and lessons that at least min reflections of models have, the
// most frequent first. Texts with equal keys are one lesson (package keys: words without
// numbers, paths and endings). Source: guide, extractPatterns.
func Lessons(records []*Record, min int) []Lesson {
	return LessonsOf(records, min, LessonCategories()...)
}

// The parts of a reflection in which lessons are looked for (guide, extractPatterns,
// categories).
const (
	ActionableInsights = "actionable_insights"
	LessonsLearned     = "lessons_learned"
)

// LessonCategories lists them.
func LessonCategories() []string { return []string{ActionableInsights, LessonsLearned} }

// LessonsOf is Lessons from some parts of the reflections.
func LessonsOf(records []*Record, min int, categories ...string) []Lesson {
	type lesson struct {
		wordings map[string]int
		in       map[string]bool // loop and iteration
		loops    map[string]bool
		by       map[string]bool
	}
	all := map[string]*lesson{}
	for _, r := range Reflections(records) {
		if r.Reflection.Source == FromRules { // it says what the error says
			continue
		}
		var texts []string
		if slices.Contains(categories, ActionableInsights) {
			texts = append(texts, r.Reflection.Insights...)
		}
		if slices.Contains(categories, LessonsLearned) {
			texts = append(texts, r.Reflection.Lessons...)
		}
		for _, text := range texts {
			key := keys.Canonical(text)
			if key == "" {
				continue
			}
			s := all[key]
			if s == nil {
				s = &lesson{map[string]int{}, map[string]bool{}, map[string]bool{}, map[string]bool{}}
				all[key] = s
			}
			s.wordings[text]++
			s.in[r.LoopID+FileName(r.Iteration)] = true
			s.loops[r.LoopID] = true
			s.by[r.Reflection.By] = true
		}
	}
	out := []Lesson{}
	for _, s := range all {
		if len(s.in) < min {
			continue
		}
		l := Lesson{Frequency: len(s.in), Voices: len(s.by)}
		for w, n := range s.wordings {
			if best := s.wordings[l.Text]; n > best || n == best && w < l.Text {
				l.Text = w
			}
		}
		for id := range s.loops {
			l.Loops = append(l.Loops, id)
		}
		slices.Sort(l.Loops)
		out = append(out, l)
	}
	slices.SortFunc(out, func(a, b Lesson) int {
		return cmp.Or(cmp.Compare(b.Voices, a.Voices), cmp.Compare(b.Frequency, a.Frequency), strings.Compare(a.Text, b.Text))
	})
	return out
}
