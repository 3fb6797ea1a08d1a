package recall

import (
	"cmp"
	"math"
	"slices"
)

// By is who brought an episode; zero where all are this user's. Episodes of one author never displace those of
// another: of what several authors say about one error each has one line, those who came late after the others. What
// came in the last days is as by another author: a name can be borrowed.
type By struct {
	Author string
	Lately bool   // it came in the last days
	Once   bool   // all by the author came in one commit
	Order  int    // greater for what came later
	Commit string // that brought it; "" if it is not committed
}

// You is the author of what the user's own sessions left.
const You = "you"

func (b By) own() bool { return b == By{} || b.Author == You }

// voice is what has one line of its own.
type voice struct {
	author string
	lately bool
}

func (b By) voice() voice { return voice{b.Author, b.Lately} }

// behind puts the items by authors who came late, all at once or in the last days, behind those of others: one of
// each first, in the order in which they came. All others stay in their order.
func behind[T any](all []T, by func(T) By) []T {
	came, oldest := map[voice]int{}, math.MaxInt
	for _, x := range all {
		b := by(x)
		if order, known := came[b.voice()]; !known || b.Order < order {
			came[b.voice()] = b.Order
		}
		oldest = min(oldest, b.Order)
	}
	var known, late, rest []T
	seen := map[voice]bool{}
	for _, x := range all {
		switch b := by(x); {
		case !b.Lately && !b.Once || came[b.voice()] == oldest:
			known = append(known, x)
		case seen[b.voice()]:
			rest = append(rest, x)
		default:
			seen[b.voice()], late = true, append(late, x)
		}
	}
	slices.SortStableFunc(late, func(a, b T) int { return cmp.Compare(came[by(a).voice()], came[by(b).voice()]) })
	return slices.Concat(known, late, rest)
}

// mostHits is how many hits of one author come before those of others that are found as well, of the mostVoices best, and
// leastLike the share of the question from which hits compete.
const (
	mostHits   = 5
	mostVoices = 80
	leastLike  = 0.5
)

// spread moves the items of which too many are of one kind behind the others.
func spread[T any, K comparable](all []T, most int, kind func(T) K) []T {
	var front, back []T
	n := map[K]int{}
	for _, x := range all {
		if k := kind(x); n[k] < most {
			n[k]++
			front = append(front, x)
		} else {
			back = append(back, x)
		}
	}
	return append(front, back...)
}

// inVoices orders the best hits of a search where there are several authors: of those that have as much of the
// question as the best one, what came late is behind what was known, and none has all of the first.
func (f *found) inVoices() error {
	hits, by := f.hits[:min(mostVoices, len(f.hits))], map[ref]By{}
	for _, h := range hits {
		s := f.x.Segments[h.segment]
		session, err := s.Session(s.session(h.doc))
		if err != nil {
			return err
		}
		by[h.ref] = f.x.By(session.Episode)
	}
	var at []int
	var compete []hit
	for i, h := range hits {
		if f.share(h.ref) >= min(leastLike, f.share(hits[0].ref)) {
			at, compete = append(at, i), append(compete, h)
		}
	}
	compete = behind(compete, func(h hit) By { return by[h.ref] })
	for n, h := range spread(compete, mostHits, func(h hit) voice { return by[h.ref].voice() }) {
		hits[at[n]] = h
	}
	return nil
}

// share is how much of the question a document has, weighted by inverse document frequency.
func (f *found) share(r ref) float64 {
	in, all := 0.0, 0.0
	for i := range f.matches {
		m := &f.matches[i]
		if all += f.q.Weights[m.term] * m.info; m.in(r) {
			in += f.q.Weights[m.term] * m.info
		}
	}
	return in / max(all, 1e-9)
}

// oneOfEach leaves one fix of each author where there are several.
func oneOfEach(fixes []Line) []Line {
	if !slices.ContainsFunc(fixes, func(l Line) bool { return l.By.voice() != fixes[0].By.voice() }) {
		return fixes
	}
	seen := map[voice]bool{}
	return slices.DeleteFunc(fixes, func(l Line) bool {
		before := len(seen)
		seen[l.By.voice()] = true
		return len(seen) == before
	})
}
