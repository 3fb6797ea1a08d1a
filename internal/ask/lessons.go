package ask

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"episodes/episode"
	"episodes/graph"
	"episodes/internal/plain"
	"episodes/keys"
	"episodes/query"
)

// LessonsRequest asks for the lessons of all sessions.
type LessonsRequest struct {
	Skip, Limit int // of topics; Limit 0: ten
}

// LessonsAnswer lists topics with their lessons, those of most lessons first.
type LessonsAnswer struct {
	Topics []Topic `json:"topics"`
	Total  int     `json:"total"` // lessons
	Next   *int    `json:"next"`
}

// Topic is a word that several lessons share; "" for the lessons without one.
type Topic struct {
	Name    string         `json:"name"`
	Lessons []query.Lesson `json:"lessons"`
	More    int            `json:"more,omitempty"`
}

// The bounds of topics: the lessons that make one, how much more often than by chance a word must name their
// sessions, and how many are listed.
const (
	leastOfTopic = 2
	timesChance  = 2
	mostOfTopic  = 30
	mostTopics   = 200
)

// Lessons lists what sessions learned, by topic.
func (m *Memory) Lessons(ctx context.Context, r LessonsRequest) (*LessonsAnswer, error) {
	kept, err := keptOf(ctx, m, lessonsName, func(g *graph.Graph) (a LessonsAnswer, err error) {
		set, err := g.Counted()
		if err != nil {
			return a, err
		}
		sessions, err := ofEach(m, set, learnedIn)
		a.Topics, a.Total = topicsOf(sessions)
		return a, err
	})
	if err != nil {
		return nil, err
	}
	a := &LessonsAnswer{Total: kept.Total}
	a.Topics, a.Next = paged(kept.Topics, r.Skip, cmp.Or(r.Limit, searchLimit))
	return a, nil
}

// learned are the lessons of a session, and the words that name its work.
type learned struct {
	lessons []lesson
	about   map[string]bool
}

type lesson struct {
	query.Lesson
	words []string
	own   map[string]bool // about of its session
}

func learnedIn(ep *episode.Episode) learned {
	s := learned{about: map[string]bool{}}
	text := ep.Task + " " + ep.Session
	for _, d := range ep.Decisions {
		text += " " + d.Context
	}
	for _, w := range keys.Words(text) {
		s.about[w] = true
	}
	for i, text := range ep.Lessons {
		l := query.Lesson{Text: plain.Words(text), Episode: ep.ID, Record: episode.LessonID(i + 1), Sessions: 1}
		s.lessons = append(s.lessons, lesson{l, keys.Words(text), s.about})
	}
	return s
}

// topicsOf groups lessons by words, each time by the one that is the topic of most of those that are left.
// A word is the topic of a lesson of a session whose work it names, too; that must be so more often
// than by chance, which leaves out words that are frequent everywhere.
func topicsOf(sessions []learned) (topics []Topic, total int) {
	count, own, named := map[string]int{}, map[string]int{}, map[string]int{} // by word
	at := map[string]int{}                                                    // by text
	var left []lesson
	for _, s := range sessions {
		for w := range s.about {
			named[w]++
		}
		for _, l := range s.lessons {
			if i, ok := at[strings.ToLower(l.Text)]; ok {
				left[i].Sessions++
				continue
			}
			at[strings.ToLower(l.Text)] = len(left)
			left = append(left, l)
			for _, w := range l.words {
				count[w]++
				if l.own[w] {
					own[w]++
				}
			}
		}
	}
	total = len(left)
	topical := map[string]float64{}
	for w, n := range own {
		if chance := float64(count[w]*named[w]) / float64(len(sessions)); n >= leastOfTopic && float64(n) >= timesChance*chance {
			topical[w] = float64(n) / float64(count[w])
		}
	}
	worth := func(w string) float64 { return topical[w] * float64(count[w]) }
	for len(topics) < mostTopics {
		best := ""
		for w := range topical {
			if count[w] >= leastOfTopic && (best == "" || cmp.Or(cmp.Compare(worth(w), worth(best)), strings.Compare(best, w)) > 0) {
				best = w
			}
		}
		var t Topic
		if t, left = take(left, best, count); len(t.Lessons) > 0 {
			topics = append(topics, t)
		}
		if best == "" {
			break
		}
		delete(topical, best)
	}
	return topics, total
}

// take makes a topic of the lessons that have a word, all for "", which then count no longer.
func take(list []lesson, word string, count map[string]int) (t Topic, others []lesson) {
	forms := map[string]int{}
	for _, l := range list {
		if word != "" && !slices.Contains(l.words, word) {
			others = append(others, l)
			continue
		}
		forms[formOf(l.Text, word)]++
		for _, w := range l.words {
			count[w]--
		}
		if len(t.Lessons) < mostOfTopic {
			t.Lessons = append(t.Lessons, l.Lesson)
		} else {
			t.More++
		}
	}
	t.Name = query.Commonest(forms)
	return t, others
}

// formOf is the word of a text that has a stem, "" without one.
func formOf(text, stem string) string {
	for _, form := range strings.Fields(strings.ToLower(text)) {
		form = strings.Trim(form, ".,;:!?()[]\"'`*")
		if slices.Contains(keys.Words(form), stem) {
			return form
		}
	}
	return ""
}
