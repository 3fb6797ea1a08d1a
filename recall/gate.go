package recall

import (
	"math"
	"slices"
	"strings"
)

// The gate is a linear classifier with an intercept for each kind of question. The weights
// are fitted by logistic regression to questions for which it is known whether a memory can
// answer them, cross-validated by log.
var (
	weights = Signs{Words: 0.277, Info: -0.69, Unknown: -6.97, Margin: 5.81, Advice: 0.735}
	bias    = map[Want]float64{AnError: -2.4, AnAction: -1.77, ATask: -2.25, AChoice: -2.19}
)

// An error is known, regardless of the other features, if a place holds this share of its
// key line, weighted by inverse document frequency, and at least so many of its terms.
const (
	fullShare = 0.7
	fullTerms = 5
)

// passes reports whether the features are evidence enough for an answer.
func (s Signs) passes(q *Question) bool {
	switch {
	case q.Want == AnError && s.Said && s.RareKey < leastRare && s.Rare < manyRare && (s.Key < fullShare || s.Terms < firstKeyTerms && s.Beyond < leastSaid):
		return false
	case q.Want != AnError:
		return !s.PairsOnly && s.Words >= leastWords && s.evident(q, s.Words, s.Info)
	case s.PairsOnly, s.Printed == 0, s.Differs && s.Beyond < leastBeyond:
		return false
	case s.Key >= fullShare && s.Terms >= fullTerms:
		return true
	}
	return s.evident(q, s.Words, s.Info) && s.evident(q, s.Printed, s.PrintedInfo)
}

func (s Signs) evident(q *Question, words, info float64) bool {
	return bias[q.Want]+weights.Words*words+weights.Info*info+weights.Unknown*s.Unknown+weights.Margin*s.Margin+weights.Advice*s.Advice >= 0
}

// leastBeyond is how many words beyond its key line an error has in common with a place that
// names another thing: many errors share a message but for the name that it quotes.
const leastBeyond = 2

// Signs are the features of the best place that the gate classifies.
type Signs struct {
	Words   float64 // number of the question's words at the place
	Info    float64 // log(1 + sum of their inverse document frequencies)
	Unknown float64 // share of the question's words that no session contains
	Margin  float64 // relative lead over another session, see rival
	Advice  float64 // 1 if the place gives advice, else 0
	Key     float64 // weighted share of the key line at the place
	Terms   int     // number of terms of that line found at the place
	// Words and Info without the words that the question has from a command only.
	Printed, PrintedInfo float64
	Differs              bool // the place lacks all names that the key line quotes
	PairsOnly            bool // only pairs of letters match
	Beyond               int  // printed words at the place beyond the key line
	Said                 bool // the place is of a transcript, and no fact was made of it
	Rare, RareKey        int  // words at the place, and of the key line, that are rare
}

// What was only said about an error needs so many rare words of its key line or of the question, which are in
// at most rareLogs sessions or this share of them, or the key line; of a short one more words than that.
const (
	leastRare  = 2
	manyRare   = 6
	leastSaid  = 5
	leastWords = 2 // of any place
	rareLogs   = 2
	rareShare  = 0.05
)

// rival is the rank of the other session that Margin compares with: a few sessions may
// concern the same matter, while many that match nearly as well do so by chance.
const rival = 4

// signs computes the features of the best place.
func (f *found) signs(all []*Place) Signs {
	p := all[0]
	s := Signs{Unknown: f.unknown(), Margin: 1}
	s.count(f, p)
	s.Key, s.Terms = f.keyLine(p)
	s.Differs, s.Said = f.differs(p), p.onlySaid()
	if p.advises() {
		s.Advice = 1
	}
	others := []*Place{p}
	few := f.x.count <= rival // some logs hold the sessions of a month
	for _, o := range all[1:] {
		same := func(r *Place) bool { return r.session == o.session && (!few || o.near(r)) }
		if len(others) > rival || f.alike(p, o) || slices.ContainsFunc(others, same) {
			continue
		}
		others = append(others, o)
		s.Margin = (p.Score - o.Score) / p.Score
	}
	if len(others) <= rival && f.x.count > rival+1 && len(all) < reranked {
		s.Margin = 1 // there is no session of that rank
	}
	return s
}

// count counts the words of the question at a place.
func (s *Signs) count(f *found, p *Place) {
	asked, got := false, false // words rather than pairs of letters
	for i := range f.matches {
		m := &f.matches[i]
		if f.q.Weights[m.term] < evidenceWeight {
			continue
		}
		word := !(term{text: m.term}).pair()
		asked = asked || word
		if !slices.ContainsFunc(p.refs, m.in) {
			continue
		}
		got = got || word
		if float64(m.logs) <= max(rareLogs, rareShare*float64(f.x.count)) {
			s.Rare++
			if slices.Contains(f.q.Key, m.term) {
				s.RareKey++
			}
		}
		s.Words, s.Info = s.Words+1, s.Info+m.info
		if f.q.Want == AnError && !f.q.printed[m.term] {
			continue
		}
		s.Printed, s.PrintedInfo = s.Printed+1, s.PrintedInfo+m.info
		if !slices.Contains(f.q.Key, m.term) {
			s.Beyond++
		}
	}
	s.PairsOnly = asked && !got
	s.Info, s.PrintedInfo = math.Log1p(s.Info), math.Log1p(s.PrintedInfo)
}

// differs reports whether the key line quotes names other than paths, and a place lacks them all.
func (f *found) differs(p *Place) bool {
	names := slices.DeleteFunc(quotedName().FindAllString(f.q.KeyLine, -1), func(name string) bool { return strings.Contains(name, "/") })
	return len(names) > 0 && !slices.ContainsFunc(names, func(name string) bool {
		return slices.ContainsFunc(p.Docs, func(d *Document) bool { return strings.Contains(d.Text, name[1:len(name)-1]) })
	})
}

// alike reports whether two places show the same error, and so do not compete.
func (f *found) alike(p, o *Place) bool {
	if f.q.Want != AnError {
		return false
	}
	share, n := f.keyLine(o)
	return share >= fullShare && n >= fullTerms || p.agrees(f.q, o)
}

// unknown returns the share of the question's words that no session contains. Pairs of letters
// count only where it has no words: they also span the ends of words.
func (f *found) unknown() float64 {
	var n, all [2]float64 // words and pairs
	for i := range f.matches {
		if m := &f.matches[i]; f.q.Weights[m.term] >= evidenceWeight {
			k := min(1, strings.IndexFunc(m.term, unspaced)+1)
			all[k]++
			if m.logs == 0 {
				n[k]++
			}
		}
	}
	if all[0] > 0 {
		return n[0] / all[0]
	}
	return n[1] / max(all[1], 1)
}
