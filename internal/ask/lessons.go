package ask

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode"

	"github.com/fxamacker/cbor/v2"

	"episodes/graph"
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

// The bounds of topics: the lessons that make one and those that are listed, and the share of all lessons
// above which a word says nothing.
const (
	leastOfTopic  = 2
	mostOfTopic   = 30
	mostTopics    = 200
	topicMostPart = 4 // one fourth
)

// Lessons lists what sessions learned, by topic.
func (m *Memory) Lessons(ctx context.Context, r LessonsRequest) (*LessonsAnswer, error) {
	load := func(data []byte) (a LessonsAnswer, ok bool) { return a, cbor.Unmarshal(data, &a) == nil }
	kept, err := keptOf(ctx, m, lessonsName, load, func(g *graph.Graph) ([]byte, error) {
		records, err := m.records(g)
		if err != nil {
			return nil, err
		}
		var all []query.Lesson
		at := map[string]int{} // by text
		worked := map[string]int{}
		for _, r := range slices.Backward(records) {
			for _, w := range keys.Words(r.Record.Task.Label + " " + sessionOf(r.Record.Episode)) {
				worked[w]++
			}
			for _, n := range r.Notes {
				text := strings.ToLower(n.Text)
				if i, ok := at[text]; ok {
					all[i].Sessions++
					continue
				}
				at[text] = len(all)
				all = append(all, query.Lesson{Text: n.Text, Episode: r.Record.Episode, Record: n.Record, Lines: n.Lines, Sessions: 1})
			}
		}
		return cbor.Marshal(LessonsAnswer{Topics: topicsOf(all, worked), Total: len(all)})
	})
	if err != nil {
		return nil, err
	}
	a := &LessonsAnswer{Total: kept.Total}
	a.Topics, a.Next = paged(kept.Topics, r.Skip, cmp.Or(r.Limit, searchLimit))
	return a, nil
}

// topicsOf groups lessons by words: each time by the one that most of those that are left share and that
// names the work of most sessions, until none does so for enough of them. worked counts the sessions
// that a word names.
func topicsOf(all []query.Lesson, worked map[string]int) (topics []Topic) {
	words, forms := make([][]string, len(all)), map[string]map[string]int{}
	count := map[string]int{}
	for i, l := range all {
		words[i] = keys.Words(l.Text)
		for _, w := range words[i] {
			count[w]++
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
	common := max(leastOfTopic, len(all)/topicMostPart)
	left := map[int]bool{}
	for i := range all {
		left[i] = true
	}
	for len(topics) < mostTopics {
		best := ""
		for w, n := range count {
			worth := min(n, worked[w])
			if n >= leastOfTopic && worth >= leastOfTopic && n <= common && forms[w] != nil &&
				(best == "" || cmp.Or(worth-min(count[best], worked[best]), strings.Compare(best, w)) > 0) {
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
