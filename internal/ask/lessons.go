package ask

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode"

	"github.com/fxamacker/cbor/v2"

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
	load := func(data []byte) (a LessonsAnswer, ok bool) { return a, cbor.Unmarshal(data, &a) == nil }
	kept, err := keptOf(ctx, m, lessonsName, load, func(g *graph.Graph) ([]byte, error) {
		set, err := g.Counted()
		if err != nil {
			return nil, err
		}
		sessions, err := ofEach(m, set, learnedIn)
		if err != nil {
			return nil, err
		}
		var all []query.Lesson
		at := map[string]int{}                // by text
		about := map[string]map[string]bool{} // the words that name the work of a session
		for _, s := range slices.Backward(sessions) {
			about[s.id] = s.about
			for _, l := range s.lessons {
				text := strings.ToLower(l.Text)
				if i, ok := at[text]; ok {
					all[i].Sessions++
					continue
				}
				at[text] = len(all)
				all = append(all, l)
			}
		}
		return cbor.Marshal(LessonsAnswer{Topics: topicsOf(all, about), Total: len(all)})
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
	id      string
	lessons []query.Lesson
	about   map[string]bool
}

func learnedIn(ep *episode.Episode) learned {
	l := learned{id: ep.ID, about: map[string]bool{}}
	for i, text := range ep.Lessons {
		l.lessons = append(l.lessons,
			query.Lesson{Text: plain.Words(text), Episode: ep.ID, Record: episode.LessonID(i + 1), Sessions: 1})
	}
	text := ep.Task + " " + ep.Session
	for _, d := range ep.Decisions {
		text += " " + d.Context
	}
	for _, w := range keys.Words(text) {
		l.about[w] = true
	}
	return l
}

// topicsOf groups lessons by words, each time by the one that is the topic of most of those that are left.
// A word is the topic of a lesson of a session whose work it names, too; that must be so more often
// than by chance, which leaves out words that are frequent everywhere.
func topicsOf(all []query.Lesson, about map[string]map[string]bool) (topics []Topic) {
	words, forms := make([][]string, len(all)), map[string]map[string]int{}
	count, own, named := map[string]int{}, map[string]int{}, map[string]int{}
	for _, of := range about {
		for w := range of {
			named[w]++
		}
	}
	for i, l := range all {
		words[i] = keys.Words(l.Text)
		for _, w := range words[i] {
			count[w]++
			if about[l.Episode][w] {
				own[w]++
			}
		}
		for _, form := range strings.FieldsFunc(l.Text, func(r rune) bool { return !unicode.IsLetter(r) && r != '-' && r != '_' }) {
			for _, w := range keys.Words(form) {
				if forms[w] == nil {
					forms[w] = map[string]int{}
				}
				forms[w][strings.ToLower(form)]++
			}
		}
	}
	topical := map[string]float64{}
	for w, n := range own {
		if chance := float64(count[w]*named[w]) / float64(len(about)); float64(n) >= timesChance*chance && n >= leastOfTopic {
			topical[w] = float64(n) / float64(count[w])
		}
	}
	left := map[int]bool{}
	for i := range all {
		left[i] = true
	}
	for len(topics) < mostTopics {
		best := ""
		worth := func(w string) float64 { return topical[w] * float64(count[w]) }
		for w := range topical {
			if count[w] >= leastOfTopic && forms[w] != nil &&
				(best == "" || cmp.Or(cmp.Compare(worth(w), worth(best)), strings.Compare(best, w)) > 0) {
				best = w
			}
		}
		if best == "" {
			break
		}
		t := Topic{Name: query.Commonest(forms[best])}
		for i := range all {
			if left[i] && slices.Contains(words[i], best) {
				t.add(all[i])
				delete(left, i)
				for _, w := range words[i] {
					count[w]--
				}
			}
		}
		topics = append(topics, t)
	}
	others := Topic{}
	for i := range all {
		if left[i] {
			others.add(all[i])
		}
	}
	if len(others.Lessons) > 0 {
		topics = append(topics, others)
	}
	return topics
}

func (t *Topic) add(l query.Lesson) {
	if len(t.Lessons) == mostOfTopic {
		t.More++
		return
	}
	t.Lessons = append(t.Lessons, l)
}
