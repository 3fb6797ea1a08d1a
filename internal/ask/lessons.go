package ask

import (
	"context"
	"maps"
	"slices"
	"strings"

	"episodes/episode"
	"episodes/graph"
	"episodes/internal/plain"
	"episodes/keys"
	"episodes/query"
	"episodes/recall"
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
)

// Lessons lists what sessions learned, by topic.
func (m *Memory) Lessons(ctx context.Context, r LessonsRequest) (*LessonsAnswer, error) {
	kept, err := keptOf(ctx, m, lessonsName, func(g *graph.Graph) (a LessonsAnswer, err error) {
		sessions, err := keptEach(m, g, learnedName, 1, learnedIn)
		a.Topics, a.Total = topicsOf(sessions)
		return a, err
	})
	if err != nil {
		return nil, err
	}
	a := &LessonsAnswer{Total: kept.Total}
	a.Topics, a.Next = paged(kept.Topics, r.Skip, r.Limit)
	return a, nil
}

// learned are the lessons of a session, and the words that name its work.
type learned struct {
	_       struct{} `cbor:",toarray"`
	Lessons []lesson
	About   []string
}

type lesson struct {
	_ struct{} `cbor:",toarray"`
	query.Lesson
	Words []string
}

func learnedIn(ep *episode.Episode) (s learned) {
	text := ep.Task + " " + ep.Session
	for _, d := range ep.Decisions {
		text += " " + d.Context
	}
	s.About = keys.Words(text)
	for i, text := range ep.Lessons {
		l := query.Lesson{Text: plain.Words(text), Episode: ep.ID, Record: episode.LessonID(i + 1), Sessions: 1}
		s.Lessons = append(s.Lessons, lesson{Lesson: l, Words: keys.Words(text)})
	}
	return s
}

// topicsOf groups lessons by words. A word may be a topic if it names the work of their sessions, too, and
// that more often than by chance, which leaves out words that are frequent everywhere. The topic of a
// lesson is the one of its words that names most sessions.
func topicsOf(sessions []learned) (topics []Topic, total int) {
	count, own, named := map[string]int{}, map[string]int{}, map[string]int{} // by word
	at := map[string]int{}                                                    // by text
	var all []lesson
	for _, s := range sessions {
		for _, w := range s.About {
			named[w]++
		}
		for _, l := range s.Lessons {
			if i, ok := at[strings.ToLower(l.Text)]; ok {
				all[i].Sessions++
				continue
			}
			at[strings.ToLower(l.Text)] = len(all)
			all = append(all, l)
			for _, w := range l.Words {
				count[w]++
				if slices.Contains(s.About, w) {
					own[w]++
				}
			}
		}
	}
	of := map[string][]lesson{}
	for _, l := range all {
		topic := ""
		for _, w := range l.Words {
			topical := len(w) > 2 && !recall.Stops(w) && own[w] >= leastOfTopic && own[w]*len(sessions) >= timesChance*count[w]*named[w]
			if topical && (own[w] > own[topic] || own[w] == own[topic] && w < topic) {
				topic = w
			}
		}
		of[topic] = append(of[topic], l)
	}
	for _, w := range slices.Sorted(maps.Keys(of)) {
		if w != "" && len(of[w]) < leastOfTopic {
			of[""] = append(of[""], of[w]...)
		} else if w != "" {
			topics = append(topics, topicOf(of[w], w))
		}
	}
	slices.SortStableFunc(topics, func(a, b Topic) int { return len(b.Lessons) + b.More - len(a.Lessons) - a.More })
	if others := of[""]; len(others) > 0 {
		topics = append(topics, topicOf(others, ""))
	}
	return topics, len(all)
}

// topicOf is a topic named by the commonest form of a word.
func topicOf(list []lesson, word string) (t Topic) {
	forms := map[string]int{}
	for i, l := range list {
		forms[formOf(l.Text, word)]++
		if i < mostOfTopic {
			t.Lessons = append(t.Lessons, l.Lesson)
		}
	}
	t.Name, t.More = query.Commonest(forms), len(list)-len(t.Lessons)
	return t
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
