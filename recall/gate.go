package recall

import "math"

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
	wholeKeyShare = 0.7
	wholeKeyTerms = 5
)

// passes reports whether the features are evidence enough for an answer.
func (s Signs) passes(q *Question) bool {
	if q.Want == AnError && s.Told >= wholeKeyShare && s.Terms >= wholeKeyTerms {
		return true
	}
	return bias[q.Want]+weights.Words*s.Words+weights.Info*s.Info+weights.Unknown*s.Unknown+weights.Margin*s.Margin+weights.Advice*s.Advice >= 0
}

// Signs are the features of the best place that the gate classifies.
type Signs struct {
	Words   float64 // number of the question's words at the place
	Info    float64 // log(1 + sum of their inverse document frequencies)
	Unknown float64 // share of the question's words that no session contains
	Margin  float64 // relative lead in score over a place of another session, see rival
	Advice  float64 // 1 if the place gives advice, else 0
	Told    float64 // share of the key line found at the place, by inverse document frequency
	Terms   int     // number of terms of that line found at the place
}

// rival is the rank of the other session that Margin compares with: a few sessions may
// concern the same matter, while many that match nearly as well do so by chance.
const rival = 4

// signs computes the features of the best place.
func (f *found) signs(all []*Place) Signs {
	p := all[0]
	s := Signs{Unknown: f.unknown(), Margin: 1}
	s.Words, s.Info = f.words(p)
	s.Info = math.Log1p(s.Info)
	s.Told, s.Terms = f.keyLine(p)
	if p.advises() {
		s.Advice = 1
	}
	others := map[string]bool{p.session: true}
	for _, o := range all[1:] {
		if others[o.session] || len(others) > rival || f.alike(p, o) {
			continue
		}
		others[o.session] = true
		s.Margin = (p.Score - o.Score) / p.Score
	}
	if len(others) <= rival && f.x.count > rival+1 && len(all) < reranked {
		s.Margin = 1 // there is no session of that rank
	}
	return s
}

// alike reports whether two places show the same error, and so do not compete.
func (f *found) alike(p, o *Place) bool {
	if f.q.Want != AnError {
		return false
	}
	share, n := f.keyLine(o)
	return share >= wholeKeyShare && n >= wholeKeyTerms || p.agrees(f.q, o)
}

// unknown returns the share of the question's words that no session contains.
func (f *found) unknown() float64 {
	n, all := 0.0, 0.0
	for i := range f.matches {
		if m := &f.matches[i]; f.q.Weights[m.term] >= evidenceWeight {
			all++
			if m.logs == 0 {
				n++
			}
		}
	}
	return n / max(all, 1)
}
