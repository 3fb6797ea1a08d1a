package recall

import (
	"cmp"
	"math"
	"slices"

	"episodes/episode"
)

// Index answers questions from a list of segments.
type Index struct {
	Segments []*Segment
	Dead     []map[int]bool // by segment: sessions changed or removed since
	// CountsAs maps an episode to the one that represents its session, so that copies count
	// once. If nil, each episode represents itself.
	CountsAs func(episode string) string
	// State reports what became of the lines that the fixes of an episode put in, given the lines of
	// its log that show the fixes. It is called for answers only. If nil, nothing is looked at.
	State func(episode string, lines episode.Span) State
	// By returns who brought an episode. It is called for the best places only. If nil, all are
	// this user's.
	By func(episode string) By
	// New is an index of episodes that are not reviewed, which count for nothing else; nil: of none.
	New *Index

	holding map[Word]int // see Corpus; nil if the index is the whole memory
	only    int          // number of the one segment that is searched, from 1; 0: all

	count int     // live sessions
	parts int     // of the live sessions, see partDocs
	mean  float64 // mean length of a document in terms
}

// partDocs is the number of consecutive documents of a session that count as one for the
// inverse document frequency. Few sessions are longer; but some logs hold the work of a month,
// and in a memory of one such session every word would be equally frequent. With 1 a quarter of the given questions
// without an answer is answered.
const partDocs = 100

// NewIndex returns an index of segments; dead has an element for each of them, see Index.Dead.
func NewIndex(segments []*Segment, dead []map[int]bool) *Index {
	x := &Index{Segments: segments, Dead: dead}
	docs, total := 0, 0
	for i, s := range segments {
		for n := range s.sessions {
			if !dead[i][n] {
				x.count++
				total += int(s.ofSession(n, 0))
			}
		}
		for d, first := 0, 0; d < s.docs; d++ {
			if s.session(d) != s.session(first) {
				first = d
			}
			if dead[i][s.session(d)] {
				continue
			}
			if docs++; (d-first)%partDocs == 0 {
				x.parts++
			}
		}
	}
	x.mean = float64(max(1, total)) / float64(max(1, docs)) // no document may have a term
	return x
}

// With returns a copy of the index with one more segment, all sessions of which are live.
func (x *Index) With(s *Segment) *Index {
	y := NewIndex(append(slices.Clip(x.Segments), s), append(slices.Clip(x.Dead), nil))
	y.CountsAs, y.State, y.By, y.New = x.CountsAs, x.State, x.By, x.New
	return y
}

// Without returns a copy of the index without the sessions of some episodes. Each that is left counts
// as itself where the copy of it that counted is one of them.
func (x *Index) Without(hidden func(episode string) bool) (*Index, error) {
	dead := make([]map[int]bool, len(x.Segments))
	for i, s := range x.Segments {
		all, err := s.AllSessions()
		if err != nil {
			return nil, err
		}
		dead[i] = map[int]bool{}
		for n, of := range all {
			dead[i][n] = x.Dead[i][n] || hidden(of.Episode)
		}
	}
	y := NewIndex(x.Segments, dead)
	y.CountsAs, y.State, y.By = x.CountsAs, x.State, x.By
	if counts := x.CountsAs; counts != nil {
		y.CountsAs = func(id string) string {
			if of := counts(id); !hidden(of) {
				return of
			}
			return id
		}
	}
	return y, nil
}

// OnlyLast limits the index to what its last segment holds. Words weigh as in all of it.
func (x *Index) OnlyLast() *Index {
	x.only = len(x.Segments)
	return x
}

// Parameters of BM25 (Robertson, Zaragoza: The Probabilistic Relevance Framework, 2009):
// k1 bounds the gain of repeated terms, b the penalty for long documents. Of the given questions 25 % get the right words;
// with twice k1 23, with twice b 21.
const (
	k1 = 1.0
	b  = 0.35
)

// ref identifies a document.
type ref struct{ segment, doc int }

// match is a term of the question with its posting lists.
type match struct {
	term  string
	info  float64 // inverse document frequency in nats
	logs  int     // number of sessions that contain it
	lists [][]posting
}

// hit is a document with its score.
type hit struct {
	ref
	score float64
}

// found is the result of a search.
type found struct {
	x       *Index
	q       *Question
	matches []match
	hits    []hit
}

// search returns the n documents with the highest scores, of those for which want, if not nil, returns true.
func (x *Index) search(q *Question, want func(ref) bool, n int) (*found, error) {
	f := &found{x: x, q: q}
	scores := make([][]float64, len(x.Segments))
	for i, s := range x.Segments {
		scores[i] = make([]float64, s.docs)
	}
	for _, t := range q.terms() {
		m, err := x.match(t)
		if err != nil {
			return nil, err
		}
		gain := q.Weights[t] * m.info
		f.matches = append(f.matches, m)
		for i, list := range m.lists {
			s := x.Segments[i]
			for _, p := range list {
				tf := float64(p.tf) / tfSteps
				scores[i][p.doc] += gain * tf * (k1 + 1) / (tf + k1*(1-b+b*float64(s.length(int(p.doc)))/x.mean))
			}
		}
	}
	least := 0.0 // lowest score of the n best so far
	for i, s := range x.Segments {
		if x.only != 0 && i != x.only-1 {
			continue
		}
		for d, score := range scores[i] {
			if score <= 0 || score < least || len(x.Dead[i]) > 0 && x.Dead[i][s.session(d)] {
				continue
			}
			if r := (ref{i, d}); want == nil || want(r) {
				f.hits = append(f.hits, hit{r, score})
				if len(f.hits) >= 2*n+200 { // sort few rather than all
					f.best(n)
					least = f.hits[n-1].score
				}
			}
		}
	}
	f.best(n)
	return f, nil
}

// best keeps the n best hits, sorted.
func (f *found) best(n int) {
	rank := func(h hit) uint64 {
		s := f.x.Segments[h.segment]
		return s.ofSession(s.session(h.doc), 1)
	}
	slices.SortFunc(f.hits, func(a, b hit) int {
		if a.score != b.score {
			return cmp.Compare(b.score, a.score)
		}
		return cmp.Or(cmp.Compare(rank(b), rank(a)), cmp.Compare(a.doc, b.doc))
	})
	f.hits = f.hits[:min(n, len(f.hits))]
}

// match reads the posting lists of a term. Its inverse document frequency counts parts of
// sessions rather than documents, so that a log that repeats a word does not lower it.
func (x *Index) match(t string) (match, error) {
	m := match{term: t, lists: make([][]posting, len(x.Segments))}
	all, parts := x.parts, 0
	for i, s := range x.Segments {
		list, err := s.postings(t)
		if err != nil {
			return m, err
		}
		last, start, lastPart, dead := -1, 0, -1, x.Dead[i]
		for _, p := range list {
			doc := int(p.doc)
			n := s.session(doc)
			if len(dead) > 0 && dead[n] {
				continue
			}
			if n != last {
				m.logs++
				last, start, lastPart = n, s.first(doc), -1
			}
			if part := (doc - start) / partDocs; part != lastPart {
				parts++
				lastPart = part
			}
		}
		m.lists[i] = list
	}
	if x.holding != nil {
		m.logs = max(m.logs, x.holding[wordOf(t)])
		all, parts = x.count, m.logs
	}
	m.info = math.Log(1 + (float64(all-parts)+0.5)/(float64(parts)+0.5))
	return m, nil
}

// in reports whether a document contains the term.
func (m *match) in(r ref) bool {
	_, ok := slices.BinarySearchFunc(m.lists[r.segment], uint32(r.doc),
		func(p posting, d uint32) int { return cmp.Compare(p.doc, d) })
	return ok
}
