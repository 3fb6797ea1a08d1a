package recall

import "math"

// The gate: an answer is given where what speaks for it outweighs the bias of its kind
// of question. The weights are fitted by logistic regression to questions of which it is
// known whether a memory can answer them, its answers cross-validated by log.
var (
	weights = Signs{Words: 0.277, Info: -0.69, Unknown: -6.97, Margin: 5.81, Advice: 0.735}
	bias    = map[Want]float64{AnError: -2.4, AnAction: -1.77, ATask: -2.25, AChoice: -2.19}
)

// An error whose telling line stands at a place nearly whole is known, whatever stands
// around it.
const (
	toldWhole = 0.7
	toldTerms = 5
)

// passes reports whether signs are enough to answer.
func (s Signs) passes(q *Question) bool {
	if q.Want == AnError && s.Told >= toldWhole && s.Terms >= toldTerms {
		return true
	}
	return bias[q.Want]+weights.Words*s.Words+weights.Info*s.Info+weights.Unknown*s.Unknown+weights.Margin*s.Margin+weights.Advice*s.Advice >= 0
}

// Signs are what speaks for an answer.
type Signs struct {
	Words   float64 // words of the question that stand at the place
	Info    float64 // logarithm of their information: of as many words, rare ones meet by chance
	Unknown float64 // share of the words of the question that stand nowhere in the memory
	Margin  float64 // how much better than the place of another session, see rival
	Advice  float64 // 1: the place says what to do, or what came of what was done
	Told    float64 // share of the information of the telling line that stands at the place
	Terms   int     // terms of that line that do
}

// rival is which of the other sessions, best first, a place is compared with: a few can
// tell of one matter, and many that fit nearly as well share its words by chance.
const rival = 4

// signs weighs what speaks for the best place.
func (f *found) signs(all []*Place) Signs {
	p := all[0]
	s := Signs{Unknown: f.unknown(), Margin: 1}
	s.Words, s.Info = f.words(p)
	s.Info = math.Log1p(s.Info)
	s.Told, s.Terms = f.told(p)
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
		s.Margin = 1 // the session that it would be compared with has nothing of it
	}
	return s
}

// alike reports whether two places show one error: then they do not compete for the answer.
func (f *found) alike(p, o *Place) bool {
	if f.q.Want != AnError {
		return false
	}
	share, n := f.told(o)
	return share >= toldWhole && n >= toldTerms || p.agrees(f.q, o)
}

// unknown is the share of the words of a question that no session has.
func (f *found) unknown() float64 {
	n, all := 0.0, 0.0
	for i := range f.matches {
		if m := &f.matches[i]; f.q.Weights[m.term] >= aside {
			all++
			if m.logs == 0 {
				n++
			}
		}
	}
	return n / max(all, 1)
}
