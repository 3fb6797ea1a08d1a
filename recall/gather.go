package recall

import (
	"cmp"
	"slices"

	"episodes/episode"
	"episodes/internal/lazy"
)

// Place is a part of a log that matches a question, with the documents that overlap there.
type Place struct {
	Session *Session
	Lines   episode.Span // zero where they are not known
	Docs    []*Document  // best first
	Score   float64
	Signs   Signs
	Facts   []*Document // facts nearby that give advice; only of the best places

	Gone []string // files that the place names, if all of them are gone
	Seen []*Place // the same error without advice; of the best place

	refs     []ref
	log      [2]int
	group    string   // see Index.Group
	by       By       // see Index.By
	session  string   // see Index.CountsAs
	shown    []string // computed by errors; nil before
	repeats  bool     // little but the words of the question
	same     bool     // the same error as the best place
	words    float64  // number of the question's words found here
	keyShare float64  // share of the key line that the place contains
	keyTerms int      // see Signs.Terms
	keyFirst bool     // the place shows the key line of an error
}

// longestPlace is the largest number of lines that documents are merged into one place over.
const longestPlace = 24

// places merges the hits into at most n places, best first.
func (f *found) places(n int) (out []*Place, err error) {
	for _, h := range f.hits {
		s := f.x.Segments[h.segment]
		d, err := s.document(h.doc)
		if err != nil {
			return nil, err
		}
		if d == nil || d.Kind == Read {
			continue
		}
		if f.q.foreign(d) {
			d.Class = Nothing
		}
		log := [2]int{h.segment, s.session(h.doc)}
		said := func(o *Document) bool { return o.Kind == Said }
		home := slices.IndexFunc(out, func(p *Place) bool {
			return p.log == log && d.Lines[0] != 0 && overlap(p.Lines, d.Lines) && !(said(d) && slices.ContainsFunc(p.Docs, said)) // a turn may be long
		})
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
	if f.x.By == nil {
		out = out[:min(reranked, len(out))]
	}
	if len(out) == 0 {
		return nil, nil
	}
	if err := f.sessions(out); err != nil {
		return nil, err
	}
	out = spread(out, mostOfVoice, func(p *Place) voice { return p.by.voice() })
	out = out[:min(reranked, len(out))]
	signs := f.signs(out)
	out = f.rank(out)
	out = out[:min(n, len(out))]
	if len(out) == 0 {
		return nil, nil
	}
	out[0].Signs = signs
	return out, nil
}

// complete reads the surroundings of the places. They are needed for an answer, but not to
// decide whether there is one.
func (f *found) complete(places []*Place) error {
	for _, p := range places[:min(len(shares), len(places))] {
		p.repeats = f.q.Want == AnError && !p.advises() && f.repeated(p) > echoed
		if err := f.around(p); err != nil {
			return err
		}
	}
	return nil
}

// sessions reads the session record of each place.
func (f *found) sessions(all []*Place) (err error) {
	for _, p := range all {
		if p.Session, err = f.x.Segments[p.log[0]].Session(p.log[1]); err != nil {
			return err
		}
		p.session = p.Session.Episode
		if f.x.Group != nil {
			p.group = f.x.Group(p.session)
		}
		if f.x.By != nil {
			p.by = f.x.By(p.session)
		}
		if f.x.CountsAs != nil {
			p.session = f.x.CountsAs(p.session)
		}
	}
	return nil
}

// rank drops the places without advice and reranks the others by the number of the
// question's words in them. Superseded decisions and files that are gone lower the score.
func (f *found) rank(all []*Place) []*Place {
	var silent []*Place
	all = slices.DeleteFunc(all, func(p *Place) bool {
		p.keyShare, p.keyTerms = f.keyLine(p)
		p.keyFirst = f.q.Want == AnError && p.keyShare >= fullShare && p.keyTerms >= firstKeyTerms
		_, led := f.askedAt(p)
		says := led || p.advises() || p.cued()
		if !says {
			silent = append(silent, p)
		}
		return !says
	})
	reverse(all)
	if !slices.ContainsFunc(all, func(p *Place) bool { return p.keyShare >= halfKeyShare }) {
		all = append(all, slices.DeleteFunc(slices.Clone(silent), func(p *Place) bool { return !p.keyFirst })...)
		silent = slices.DeleteFunc(silent, func(p *Place) bool { return p.keyFirst })
	}
	for _, p := range all {
		p.words, _ = f.words(p)
		p.Score += wordGain * p.words
		if !p.advises() { // the others got it in places
			p.Score += adviceGain
		}
		p.Gone = f.gone(p)
		if p.Gone != nil || p.superseded() != "" {
			p.Score -= adviceGain
		}
		if f.x.Worth != nil && p.Score > 0 {
			p.Score *= f.x.Worth(p.Session.Episode, p.Lines)
		}
	}
	slices.SortStableFunc(all, byScore)
	f.resolve(all)
	if f.x.By != nil && f.q.Want == AnError && len(all) > 0 {
		least := min(halfKeyShare, all[0].keyShare)
		all = competing(all, func(p *Place) bool { return p.keyShare >= least }, func(some []*Place) []*Place { return behind(some, (*Place).author) })
	}
	if f.q.Want == AnError && len(all) > 0 {
		all[0].Seen = slices.DeleteFunc(silent, func(p *Place) bool { return !p.shows() && !p.agrees(f.q, all[0]) })
	}
	return all
}

// author is who brought the log of a place.
func (p *Place) author() By { return p.by }

func byScore(a, b *Place) int { return cmp.Compare(b.Score, a.Score) }

// halfKeyShare is the share of the key line below which a place is not about the error.
const halfKeyShare = 0.5

// firstKeyTerms is the number of terms of the key line that a place needs to precede others.
const firstKeyTerms = 3

// superseded returns what took the place of a decision of the place, or "".
func (p *Place) superseded() string {
	for _, d := range p.Docs {
		if d.Later != "" {
			return d.Later
		}
	}
	return ""
}

// mostPaths is the largest number of paths that are checked for one place.
const mostPaths = 4

var aPath = lazy.Pattern(`(?:[\w.@-]+/)+[\w@-][\w.@-]*\.[A-Za-z]\w{0,7}\b`)

// gone returns the files that a place names, or nil if one of them exists.
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

// reranked is the number of places that are reranked by the question's words in them. The
// gate uses the ranking before: the number of words is evidence only while it has not
// selected the place.
const (
	reranked = 25
	wordGain = 1.0 // score of each such word
)

// words returns the number of the question's words found at a place, and the sum of their
// inverse document frequencies.
func (f *found) words(p *Place) (n, info float64) {
	for i := range f.matches {
		m := &f.matches[i]
		if f.q.Weights[m.term] >= evidenceWeight && slices.ContainsFunc(p.refs, m.in) {
			n, info = n+1, info+m.info
		}
	}
	return n, info
}

// around reads the facts with advice up to longestEvidence lines below the first line of a place.
func (f *found) around(p *Place) error {
	s := f.x.Segments[p.log[0]]
	for doc := s.first(p.refs[0].doc); doc < s.docs && s.session(doc) == p.log[1]; doc++ {
		if s.kind(doc).prose() || s.class(doc) == Nothing {
			continue
		}
		d, err := s.document(doc)
		switch {
		case err != nil:
			return err
		case d == nil, f.q.foreign(d):
		case d.Lines[0] >= p.Lines[0] && d.Lines[0] <= p.Lines[0]+longestEvidence:
			p.Facts = append(p.Facts, d)
		}
	}
	return nil
}

func overlap(a, b episode.Span) bool { return a[0] <= b[1] && b[0] <= a[1] }

// cued reports whether the text or the heading of a document has a word of advice.
func (d *Document) cued() bool {
	return advising().MatchString(d.Text) || d.Kind.prose() && advising().MatchString(d.Heading)
}

// cued reports whether a document of the place has a word of advice.
func (p *Place) cued() bool { return slices.ContainsFunc(p.Docs, (*Document).cued) }

// advises reports whether a fact of the place gives advice.
func (p *Place) advises() bool {
	return slices.ContainsFunc(p.Docs, func(d *Document) bool { return d.Class != Nothing })
}

// onlySaid reports whether a place is of a transcript, and no fact was made of it.
func (p *Place) onlySaid() bool {
	return !slices.ContainsFunc(p.Docs, func(d *Document) bool { return d.Kind != Said })
}
