package task

import (
	"cmp"
	"slices"
	"strings"

	"episodes/keys"
)

// Lesson is what was learned in another task.
type Lesson struct {
	TaskID      string   `json:"task_id"`
	Description string   `json:"description"`
	Status      string   `json:"status"`
	Learning    []string `json:"learning"`
}

// Limits of the lessons of other tasks in a plan.
const (
	minLikeness = 0.25 // share of common words, as keys.Similarity counts them
	likeTasks   = 3
	perTask     = 3
)

// similar returns the lessons of similar tasks, the most similar first: those that the
// task names as related, and those with similar words in description and tags. Tasks
// without lessons are skipped.
func (s *Store) similar(m *Metadata) ([]Lesson, error) {
	ids, err := s.IDs()
	if err != nil {
		return nil, err
	}
	own := subjectOf(m)
	type like struct {
		id    string
		score float64
	}
	var found []like
	for _, id := range ids {
		if id == m.ID {
			continue
		}
		score := 1.0
		if !slices.Contains(m.Related, id) {
			other, err := s.metadata(id)
			if err != nil {
				return nil, err
			}
			if score = keys.Similarity(own, subjectOf(other)); score < minLikeness {
				continue
			}
		}
		found = append(found, like{id, score})
	}
	slices.SortStableFunc(found, func(a, b like) int { return cmp.Compare(b.score, a.score) })
	var out []Lesson
	for _, f := range found {
		if len(out) == likeTasks {
			break
		}
		h, err := s.History(f.id, true)
		if err != nil {
			return nil, err
		}
		l := Lesson{TaskID: f.id, Description: h.Task.Description, Status: h.Task.Status}
		for i := len(h.Reflections) - 1; i >= 0 && len(l.Learning) < perTask; i-- {
			if text := strings.TrimSpace(h.Reflections[i].Learning); text != "" && !slices.Contains(l.Learning, text) {
				l.Learning = append(l.Learning, text)
			}
		}
		if l.Learning != nil {
			out = append(out, l)
		}
	}
	return out, nil
}

func subjectOf(m *Metadata) string {
	return keys.Canonical(m.Description + "\n" + strings.Join(m.Tags, "\n"))
}

func (s *Store) metadata(id string) (*Metadata, error) {
	d, err := s.open(id)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	m := &Metadata{}
	return m, load(d, "metadata.json", m)
}
