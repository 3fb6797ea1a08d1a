package recall

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"episodes/episode"
)

// Asked is a question of a reader: words by which somebody may ask for a place of a log. Its words
// are terms of the facts and passages that are on its lines, apart from their own: they change
// neither how rare a word is nor how long a text is, count only where the logs' own words give no
// answer, and are never quoted.
type Asked struct {
	Text  string
	Lines episode.Span
	Of    string // in place of Lines: the fact's id
}

// addAsked adds the questions of an episode that count.
func (s *Session) addAsked(e *episode.Episode) {
	for _, q := range e.Questions[:min(len(e.Questions), episode.MaxQuestions)] {
		words := strings.Fields(q.Text)
		s.Asked = append(s.Asked, Asked{strings.Join(words[:min(len(words), episode.QuestionWords)], " "), q.Lines, q.Of})
	}
}

// about reports whether a document is on the lines of a question.
func (a *Asked) about(d *Document) bool {
	if a.Of != "" {
		return a.Of == d.ID
	}
	return a.Lines[0] > 0 && overlap(a.Lines, d.Lines)
}

// anyAsked is a term of the first document of each session that a reader gave questions.
const anyAsked = "?"

// askedTerm is the term of the index for a word of a session's question number i.
func askedTerm(i int, word string) string { return "?" + strconv.Itoa(i) + word }

// post adds the terms of a session's questions to the posting lists. docs is the number of
// documents before those of the session. The frequency is the number of words of the question.
func (s *Session) post(docs int, post func(term uint64, doc int, tf uint8)) {
	if len(s.Asked) > 0 && len(s.Docs) > 0 {
		post(hashOf(anyAsked), docs, 1)
	}
	for i := range s.Asked {
		a, words := &s.Asked[i], map[string]bool{}
		terms(a.Text, true, func(t term) { words[t.text] = true })
		for j := range s.Docs {
			if d := &s.Docs[j]; a.about(d) {
				if a.Of != "" {
					a.Lines = d.Lines
				}
				for w := range words {
					post(hashOf(askedTerm(i, w)), docs+j, uint8(min(255, len(words))))
				}
			}
		}
	}
}

// askedLines is where the questions of a session lead to, as parseAsked reads it.
func (s *Session) askedLines() string {
	var out []string
	for _, a := range s.Asked {
		out = append(out, fmt.Sprintf("%d-%d", a.Lines[0], a.Lines[1]))
	}
	return strings.Join(out, " ")
}

func parseAsked(lines string) (out []Asked) {
	for _, l := range strings.Fields(lines) {
		var a Asked
		_, _ = fmt.Sscanf(l, "%d-%d", &a.Lines[0], &a.Lines[1])
		out = append(out, a)
	}
	return out
}

// asked is how a question of a reader fits.
type asked struct {
	number int // of the question in its session
	words  int // of the question that the user's has, too
	all    int // words of the question
	info   float64
	score  float64
}

// share is the share of a reader's question that the user's question has; less for a long one, since a
// list of words has some of everything.
func (a asked) share() float64 {
	return float64(a.words) / float64(max(a.all, 1)) * min(1, longAsked/float64(max(a.all, 1)))
}

// longAsked is how many words a question has at most that is no list of words.
const longAsked = 12

// addAsked adds to a search what the questions of readers match: their words become words of the
// documents, and the best question of each document adds to its score.
func (f *found) addAsked(scores [][]float64) error {
	type key struct {
		ref
		number int
	}
	all := map[key]*asked{}
	for k := range f.matches {
		m := &f.matches[k]
		lists := make([][][]posting, len(f.x.Segments))
		sessions := 0
		for i, s := range f.x.Segments {
			lists[i] = make([][]posting, episode.MaxQuestions)
			seen := map[int]bool{}
			for n := range lists[i] {
				list, err := s.postings(askedTerm(n, m.term))
				if err != nil {
					return err
				}
				lists[i][n] = list
				for _, p := range list {
					seen[s.session(int(p.doc))] = true
				}
			}
			sessions += len(seen)
		}
		if sessions == 0 {
			continue
		}
		m.logs = max(m.logs, sessions)
		info := min(m.info, math.Log(1+(float64(f.x.parts-sessions)+0.5)/(float64(sessions)+0.5)))
		for i := range lists {
			for n, list := range lists[i] {
				for _, p := range list {
					at := key{ref{i, int(p.doc)}, n}
					if all[at] == nil {
						all[at] = &asked{number: n, all: int(p.tf)}
					}
					all[at].words++
					all[at].info += f.q.Weights[m.term] * info
				}
				m.lists[i] = union(m.lists[i], list)
			}
		}
	}
	f.asked = map[ref]asked{}
	for at, a := range all {
		a.score = a.info * math.Sqrt(a.share())
		if old, ok := f.asked[at.ref]; !ok || cmp.Or(cmp.Compare(a.score, old.score), cmp.Compare(old.number, a.number)) > 0 {
			f.asked[at.ref] = *a
		}
	}
	for at, a := range f.asked {
		scores[at.segment][at.doc] += askedGain * a.score
	}
	return nil
}

// askedGain is the weight of the words of a reader's question.
const askedGain = 1.0

// union merges two posting lists.
func union(a, b []posting) []posting {
	if len(b) == 0 {
		return a
	}
	out := slices.Concat(a, b)
	slices.SortStableFunc(out, func(x, y posting) int { return cmp.Compare(x.doc, y.doc) })
	return slices.CompactFunc(out, func(x, y posting) bool { return x.doc == y.doc })
}

// askedAt returns how the best question of a place fits; ok is false if none does.
func (f *found) askedAt(p *Place) (best asked, ok bool) {
	for _, r := range p.refs {
		if a, is := f.asked[r]; is && (!ok || a.score > best.score) {
			best, ok = a, true
		}
	}
	return best, ok
}

// fromAsked returns the places that the questions of readers lead to, if the best of them passes
// the gate.
func (x *Index) fromAsked(q *Question) (*found, []*Place, error) {
	if !slices.ContainsFunc(x.Segments, func(s *Segment) bool { _, asked := s.find(anyAsked); return asked }) {
		return nil, nil, nil
	}
	f, err := x.search(q, nil, mostDocs, true)
	if err != nil || len(f.asked) == 0 {
		return nil, nil, err
	}
	places, err := f.places(mostPlaces)
	if err != nil || len(places) == 0 {
		return nil, nil, err
	}
	a, ok := f.askedAt(places[0])
	if !ok || !f.signs(places).passesAsked(a) {
		return nil, nil, nil
	}
	return f, places, nil
}

// aim keeps of a place that a question of a reader led to the lines that the reader named.
func (f *found) aim(p *Place) {
	a, ok := f.askedAt(p)
	if !ok || a.number >= len(p.Session.Asked) {
		return
	}
	at := p.Session.Asked[a.number].Lines
	slices.SortStableFunc(p.Docs, func(x, y *Document) int { return within(y.Lines, at) - within(x.Lines, at) })
	for i, d := range p.Docs {
		first, last := max(at[0], d.Lines[0]), min(at[1], d.Lines[1])
		lines := strings.Split(d.Text, "\n")
		if d.Kind != Passage || d.Unaligned || first > last || len(lines) != d.Lines[1]-d.Lines[0]+1 {
			continue
		}
		c := *d
		c.Lines, c.Text = episode.Span{first, last}, strings.Join(lines[first-d.Lines[0]:last-d.Lines[0]+1], "\n")
		p.Docs[i] = &c
	}
}

// within is the number of lines that two spans share.
func within(a, b episode.Span) int { return max(0, min(a[1], b[1])-max(a[0], b[0])+1) }

// The gate of places that questions of readers led to.
const (
	leastAsked = 3   // words of a reader's question that the user's has
	askedGate  = 3.5 // how much of it is asked, in rare words, by a question whose words are known
)

// passesAsked reports whether a place that the question of a reader led to is the answer.
func (s Signs) passesAsked(a asked) bool {
	return a.words >= leastAsked && a.share()*a.info*(1-s.Unknown) >= askedGate
}
