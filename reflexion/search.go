package reflexion

import (
	"bytes"
	"cmp"
	"maps"
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

func (q *Query) fits(r *Record) bool {
	return (len(q.Categories) == 0 || slices.Contains(q.Categories, r.Reflection.Category())) && confidence(r) >= q.MinConfidence
}

func (q *Query) everything() bool { return len(q.Categories) == 0 && q.MinConfidence <= 0 }

// May tells from its bytes that a record cannot be one that is searched for; nil: it takes more.
func (q *Query) May() func(data []byte) bool {
	words := keys.Words(q.Words)
	if len(words) == 0 || q.Successes && !q.everything() { // a reflection without the words may count
		return nil
	}
	return func(data []byte) bool {
		data = bytes.ToLower(data)
		return bytes.Contains(data, []byte(`\u`)) || slices.ContainsFunc(words, func(w string) bool {
			return bytes.Contains(data, []byte(keys.Begins(w)))
		})
	}
}

type Found struct {
	Record *Record `json:"record"`
	Words  int     `json:"words"`
}

// Search finds records across loops: those with most of the words first, then the
// most confident, then the newest. Reflections without a stated confidence count
// as 0. Source: guide, searchReflections; its similar_successes are the passed
// attempts, which have records but no reflections.
func Search(records []*Record, q Query) []Found {
	overcame := map[string]int{} // by loop, the iteration of its first reflection that fits
	for _, r := range Reflections(records) {
		if _, known := overcame[r.LoopID]; !known && q.fits(r) {
			overcame[r.LoopID] = r.Iteration
		}
	}
	out, want := []Found{}, keys.Words(q.Words)
	for _, r := range records {
		is := r.Reflected() && q.fits(r)
		if q.Successes {
			failed, after := overcame[r.LoopID]
			is = r.Evaluator.Passed && (q.everything() || after && failed < r.Iteration)
		}
		if !is {
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

func confidence(r *Record) float64 { return *cmp.Or(r.Reflection.Confidence, new(float64)) }

func searchText(r *Record) string {
	s := &r.Reflection
	parts := slices.Concat([]string{r.Task, s.Text}, s.Lessons, s.Insights, s.Gaps)
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

// LessonCategories lists the parts of a reflection in which lessons are looked for (extractPatterns).
func LessonCategories() []string { return []string{"actionable_insights", "lessons_learned"} }

// Lessons returns the insights and lessons that at least min reflections of models have, the
// most frequent first, from some parts of the reflections; none: all. Texts with equal keys are one
// lesson (package keys: words without numbers, paths and endings). Source: guide, extractPatterns.
func Lessons(records []*Record, min int, categories ...string) []Lesson {
	type lesson struct {
		wordings      map[string]int
		in, loops, by map[string]bool // in: loop and iteration
	}
	all := map[string]*lesson{}
	for _, r := range Reflections(records) {
		if r.Reflection.Source == FromRules { // it says what the error says
			continue
		}
		for i, texts := range [][]string{r.Reflection.Insights, r.Reflection.Lessons} {
			if len(categories) > 0 && !slices.Contains(categories, LessonCategories()[i]) {
				continue
			}
			for _, text := range texts {
				key := keys.Canonical(text)
				if key == "" {
					continue
				}
				l := all[key]
				if l == nil {
					l = &lesson{map[string]int{}, map[string]bool{}, map[string]bool{}, map[string]bool{}}
					all[key] = l
				}
				l.wordings[text]++
				l.in[r.LoopID+FileName(r.Iteration)], l.loops[r.LoopID], l.by[r.Reflection.By] = true, true, true
			}
		}
	}
	out := []Lesson{}
	for _, l := range all {
		if len(l.in) >= min {
			text := slices.MinFunc(slices.Collect(maps.Keys(l.wordings)), func(a, b string) int {
				return cmp.Or(cmp.Compare(l.wordings[b], l.wordings[a]), strings.Compare(a, b))
			})
			out = append(out, Lesson{text, len(l.in), len(l.by), slices.Sorted(maps.Keys(l.loops))})
		}
	}
	slices.SortFunc(out, func(a, b Lesson) int {
		return cmp.Or(cmp.Compare(b.Voices, a.Voices), cmp.Compare(b.Frequency, a.Frequency), strings.Compare(a.Text, b.Text))
	})
	return out
}
