package ask

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"episodes/episode"
	"episodes/graph"
	"episodes/internal/plain"
	"episodes/query"
)

// LessonsRequest asks for the lessons of all sessions.
type LessonsRequest struct {
	Skip, Limit int // Limit 0: thirty
}

// LessonsAnswer lists lessons, those that most sessions noted first, then the newest.
type LessonsAnswer struct {
	Lessons []query.Lesson `json:"lessons"`
	Total   int            `json:"total"`
	Next    *int           `json:"next"`
}

// lessonsListed is how many lessons are listed when nothing else is asked for.
const lessonsListed = 30

// Lessons lists what sessions learned, each lesson once.
func (m *Memory) Lessons(ctx context.Context, r LessonsRequest) (*LessonsAnswer, error) {
	all, err := keptOf(ctx, m, lessonsName, func(g *graph.Graph) ([]query.Lesson, error) {
		sessions, err := keptEach(m, g, learnedName, 2, learnedIn)
		return together(sessions), err
	})
	if err != nil {
		return nil, err
	}
	a := &LessonsAnswer{Total: len(all)}
	a.Lessons, a.Next = paged(all, r.Skip, cmp.Or(r.Limit, lessonsListed))
	return a, nil
}

func learnedIn(ep *episode.Episode) (out []query.Lesson) {
	for i, text := range ep.Lessons {
		out = append(out, query.Lesson{Text: plain.Words(text), Episode: ep.ID, Record: episode.LessonID(i + 1), Sessions: 1})
	}
	return out
}

// together lists the lessons of sessions, which come by their ids, so that the newest are mostly the last.
func together(sessions [][]query.Lesson) (all []query.Lesson) {
	at := map[string]int{} // by text
	for _, session := range slices.Backward(sessions) {
		for _, l := range session {
			text := strings.ToLower(l.Text)
			if i, known := at[text]; known {
				all[i].Sessions++
				continue
			}
			at[text], all = len(all), append(all, l)
		}
	}
	slices.SortStableFunc(all, func(a, b query.Lesson) int { return b.Sessions - a.Sessions })
	return all
}
