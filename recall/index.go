package recall

import (
	"cmp"
	"math"
	"slices"

	"episodes/episode"
)

// Index is what questions are asked of: segments, and which of their sessions no longer
// count.
type Index struct {
	Segments []*Segment
	Dead     []map[int]bool // by segment: sessions that were changed or removed since
	// CountsAs names the episode that counts for the session of another, so that copies
	// count once; nil: each counts as itself.
	CountsAs func(episode string) string
	// Group names what a session belongs to, where several memories are asked together: no
	// session counts for what one of another group says; nil: all are of one.
	Group func(episode string) string
	// Gone reports whether a path that a log names was a file of the work tree that is no
	// longer there; nil where that is not known. The path is untrusted.
	Gone func(path string) bool
	// Worth is what a place is worth in the ranking beside others by what came of telling it,
	// about 1; nil: all alike.
	Worth func(episode string, lines episode.Span) float64

	holding map[Word]int // see Whole; nil: the index is all there is

	count int     // sessions alive
	mean  float64 // length of a document
}

// NewIndex joins segments.
func NewIndex(segments []*Segment, dead []map[int]bool) *Index {
	x := &Index{Segments: segments, Dead: dead}
	docs, total := 0, 0
	for i, s := range segments {
		if len(dead[i]) == 0 {
			x.count, docs, total = x.count+s.sessions, docs+s.docs, total+s.sum()
			continue
		}
		for n := range s.sessions {
			if !dead[i][n] {
				x.count++
				total += s.total(n)
			}
		}
		for d := range s.docs {
			if !dead[i][s.session(d)] {
				docs++
			}
		}
	}
	x.mean = float64(max(1, total)) / float64(max(1, docs)) // documents can be without a term
	return x
}

// With is the index with one more segment, all of which counts.
func (x *Index) With(s *Segment) *Index {
	y := NewIndex(append(slices.Clip(x.Segments), s), append(slices.Clip(x.Dead), nil))
	y.CountsAs, y.Gone, y.Group = x.CountsAs, x.Gone, x.Group
	return y
}

// Weights of the ranking (Robertson, Zaragoza: The Probabilistic Relevance Framework,
// 2009): k1 lets one mention count nearly as much as several, b charges long documents.
const (
	k1          = 1.0
	b           = 0.35
	pairGain    = 0.3 // for neighbouring words found as neighbours
	adviceGain  = 1.5 // for a place that says what to do
	looked      = 80  // documents looked at more closely
	pairsLooked = 40
)

// ref names a document.
type ref struct{ segment, doc int }

// match is a term of the question with where it stands.
type match struct {
	term  string
	info  float64 // in nats, by the sessions that hold it
	logs  int     // those sessions
	lists [][]posting
}

// hit is a document with how well it fits.
type hit struct {
	ref
	score float64
}

// found is what a question finds.
type found struct {
	x       *Index
	q       *Question
	matches []match
	hits    []hit
}

// search finds the documents that fit best; want, when not nil, says which kinds may.
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
	least := 0.0 // what the n best have so far
	for i, s := range x.Segments {
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
		return s.rank(s.session(h.doc))
	}
	slices.SortFunc(f.hits, func(a, b hit) int {
		if a.score != b.score {
			return cmp.Compare(b.score, a.score)
		}
		return cmp.Or(cmp.Compare(rank(b), rank(a)), cmp.Compare(a.doc, b.doc))
	})
	f.hits = f.hits[:min(n, len(f.hits))]
}

// match finds a term. Its information falls with the number of sessions that hold it,
// not of documents: one log that repeats a word makes it no less telling.
func (x *Index) match(t string) (match, error) {
	m := match{term: t, lists: make([][]posting, len(x.Segments))}
	for i, s := range x.Segments {
		list, err := s.postings(t)
		if err != nil {
			return m, err
		}
		last, dead := -1, x.Dead[i]
		for _, p := range list {
			if n := s.session(int(p.doc)); n != last && (len(dead) == 0 || !dead[n]) {
				m.logs++
				last = n
			}
		}
		m.lists[i] = list
	}
	if x.holding != nil {
		m.logs = max(m.logs, x.holding[wordOf(t)])
	}
	m.info = math.Log(1 + (float64(x.count-m.logs)+0.5)/(float64(m.logs)+0.5))
	return m, nil
}

// in reports whether the term stands in a document.
func (m *match) in(r ref) bool {
	_, ok := slices.BinarySearchFunc(m.lists[r.segment], uint32(r.doc), func(p posting, d uint32) int { return cmp.Compare(p.doc, d) })
	return ok
}
