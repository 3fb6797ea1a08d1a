package recall

import (
	"cmp"
	"slices"

	"episodes/episode"
	"episodes/internal/lazy"
)

// Place is a part of a log that fits a question: the documents that overlap there.
type Place struct {
	Session *Session
	Lines   episode.Span // zero where they are not known
	Docs    []*Document  // best first
	Score   float64
	Signs   Signs
	After   []*Document // of the best places: passages that follow in the log
	Facts   []*Document // of the best places: facts near them that say what to do

	Gone []string // files that it names, where none of them is there any longer
	Seen []*Place // of the best place: others that show the same error and say nothing of it

	refs      []ref
	log       [2]int
	group     string          // see Index.Group
	session   string          // the episode that counts for its session
	own       map[string]bool // see ownOf
	shown     []string        // see errors; nil until it is asked for
	same      bool            // it shows the error that the best place shows
	words     float64         // of the question, that stand here
	told      float64         // see Signs.Told
	toldTerms int             // see Signs.Terms
}

// longestPlace is the number of lines up to which documents are joined into one place.
const longestPlace = 24

// places gathers the documents that were found, best first.
func (f *found) places(n int) (out []*Place, err error) {
	for i, h := range f.hits {
		s := f.x.Segments[h.segment]
		d, err := s.document(h.doc)
		if err != nil {
			return nil, err
		}
		if i < pairsLooked {
			h.score += pairGain * f.pairs(d)
		}
		log := [2]int{h.segment, s.session(h.doc)}
		home := slices.IndexFunc(out, func(p *Place) bool { return p.log == log && d.Lines[0] != 0 && overlap(p.Lines, d.Lines) })
		if home < 0 {
			out = append(out, &Place{Lines: d.Lines, Docs: []*Document{d}, Score: h.score, refs: []ref{h.ref}, log: log})
			continue
		}
		p := out[home]
		p.Docs, p.refs, p.Score = append(p.Docs, d), append(p.refs, h.ref), max(p.Score, h.score)
		if joint := (episode.Span{min(p.Lines[0], d.Lines[0]), max(p.Lines[1], d.Lines[1])}); joint[1]-joint[0] <= longestPlace {
			p.Lines = joint
		}
	}
	for _, p := range out {
		if p.advises() {
			p.Score += adviceGain
		}
	}
	slices.SortStableFunc(out, byScore)
	out = out[:min(reranked, len(out))]
	if len(out) == 0 {
		return nil, nil
	}
	if err := f.sessions(out); err != nil {
		return nil, err
	}
	signs := f.signs(out)
	out = f.rank(out)
	out = out[:min(n, len(out))]
	if len(out) == 0 {
		return nil, nil
	}
	out[0].Signs = signs
	return out, nil
}

// complete reads what an answer takes from around its places, which is more than it takes to
// know whether there is one.
func (f *found) complete(places []*Place) (err error) {
	for _, p := range slices.Concat(places, places[0].Seen) {
		if p.own, err = f.ownOf(p); err != nil {
			return err
		}
	}
	for _, p := range places[:min(len(shares), len(places))] {
		if err := f.around(p); err != nil {
			return err
		}
	}
	return nil
}

// sessions reads of what session each place is.
func (f *found) sessions(all []*Place) (err error) {
	for _, p := range all {
		if p.Session, err = f.x.Segments[p.log[0]].Session(p.log[1]); err != nil {
			return err
		}
		p.session = p.Session.Episode
		if f.x.Group != nil {
			p.group = f.x.Group(p.session)
		}
		if f.x.CountsAs != nil {
			p.session = f.x.CountsAs(p.session)
		}
	}
	return nil
}

// rank leaves the places that say why or what to do, by how many words of the question
// stand there. What no longer holds, and what speaks of files that are gone, comes later.
func (f *found) rank(all []*Place) []*Place {
	var silent []*Place
	all = slices.DeleteFunc(all, func(p *Place) bool {
		p.told, p.toldTerms = f.told(p)
		says := p.advises() || slices.ContainsFunc(p.Docs, (*Document).cued)
		if !says {
			silent = append(silent, p)
		}
		return !says
	})
	for _, p := range all {
		p.words, _ = f.words(p)
		p.Score += wordGain * p.words
		if !p.advises() { // the others have it already
			p.Score += adviceGain
		}
		p.Gone = f.gone(p)
		if p.Gone != nil || p.ended() != "" {
			p.Score -= adviceGain
		}
		if f.x.Worth != nil && p.Score > 0 {
			p.Score *= f.x.Worth(p.Session.Episode, p.Lines)
		}
	}
	slices.SortStableFunc(all, byScore)
	newestFirst(all)
	f.resolve(all)
	if f.q.Want == AnError && len(all) > 0 {
		all[0].Seen = slices.DeleteFunc(silent, func(p *Place) bool { return !p.shows() && !p.agrees(f.q, all[0]) })
	}
	return all
}

// asGood is how good a place must be beside the best, in rank and in words, to be told
// before it where its session is newer: sessions contradict each other, and the newer one
// knew of the older.
const asGood = 0.95

// newestFirst puts the newest of the places first that are as good as the best.
func newestFirst(all []*Place) {
	n := 0
	for n < len(all) && all[n].Score >= asGood*all[0].Score && all[n].words >= asGood*all[0].words {
		n++
	}
	slices.SortStableFunc(all[:n], func(a, b *Place) int { return cmp.Compare(b.Session.Date, a.Session.Date) })
}

func byScore(a, b *Place) int { return cmp.Compare(b.Score, a.Score) }

// ended is what took the place of what was decided at a place; "" where that holds.
func (p *Place) ended() string {
	for _, d := range p.Docs {
		if d.Ended != "" {
			return d.Ended
		}
	}
	return ""
}

// mostPaths bounds how many paths of a place are looked for.
const mostPaths = 4

var aPath = lazy.Pattern(`(?:[\w.@-]+/)+[\w@-][\w.@-]*\.[A-Za-z]\w{0,7}\b`)

// gone returns the files that a place names, where none of them is there any longer.
func (f *found) gone(p *Place) []string {
	if f.x.Gone == nil {
		return nil
	}
	var out []string
	for _, d := range p.Docs {
		for _, path := range aPath().FindAllString(d.Text, mostPaths-len(out)) {
			if !f.x.Gone(path) {
				return nil
			}
			if !slices.Contains(out, path) {
				out = append(out, path)
			}
		}
		if len(out) >= mostPaths {
			break
		}
	}
	return out
}

// reranked is how many places are ranked again by the words of the question that stand
// there. The gate sees them as they were ranked before: words are evidence only where
// they did not choose the place.
const (
	reranked = 25
	wordGain = 1.0 // what such a word is worth
)

// words counts the words of a question that stand at a place, and adds up their information.
func (f *found) words(p *Place) (n, info float64) {
	for i := range f.matches {
		m := &f.matches[i]
		if f.q.Weights[m.term] >= aside && slices.ContainsFunc(p.refs, m.in) {
			n, info = n+1, info+m.info
		}
	}
	return n, info
}

// What is looked at around the best place, since a log tells what went wrong first, and
// what helped below: passages after it, and facts that one evidence can span with it.
const passagesAfter = 2

// around reads what stands near a place in its log.
func (f *found) around(p *Place) error {
	s := f.x.Segments[p.log[0]]
	first, last := s.first(p.refs[0].doc), -1
	for _, r := range p.refs {
		if s.kind(r.doc) == Passage {
			last = max(last, r.doc)
		}
	}
	for doc := first; doc < s.docs && s.session(doc) == p.log[1]; doc++ {
		passage := s.kind(doc) == Passage
		if passage && (last < 0 || doc <= last || doc > last+passagesAfter) || !passage && s.says(doc) == Nothing {
			continue
		}
		d, err := s.document(doc)
		switch {
		case err != nil:
			return err
		case passage:
			p.After = append(p.After, d)
		case d.Lines[0] >= p.Lines[0] && d.Lines[0] <= p.Lines[0]+longestEvidence:
			p.Facts = append(p.Facts, d)
		}
	}
	return nil
}

func overlap(a, b episode.Span) bool { return a[0] <= b[1] && b[0] <= a[1] }

// cued reports whether a document says why, or what to do.
func (d *Document) cued() bool {
	return advising().MatchString(d.Text) || advising().MatchString(d.Heading)
}

// advises reports whether a fact of the place says what came of something, or what to do.
func (p *Place) advises() bool {
	return slices.ContainsFunc(p.Docs, func(d *Document) bool { return d.Says != Nothing })
}

// pairs is the information of the neighbouring words of the question that stand as
// neighbours, at most one word between them, in a document.
func (f *found) pairs(d *Document) float64 {
	if len(f.q.Pairs) == 0 {
		return 0
	}
	sum, seen := 0.0, map[[2]string]bool{}
	var last, before string
	terms(d.Text, true, func(t term) {
		if t.name {
			return
		}
		for _, prev := range []string{last, before} {
			if k := [2]string{prev, t.text}; f.q.Pairs[k] && !seen[k] {
				seen[k] = true
				sum += min(f.info(prev), f.info(t.text))
			}
		}
		before, last = last, t.text
	})
	return sum
}

func (f *found) info(t string) float64 {
	i, ok := slices.BinarySearchFunc(f.matches, t, func(m match, t string) int { return cmp.Compare(m.term, t) })
	if !ok {
		return 0
	}
	return f.matches[i].info
}
