package recall

// The gate: an answer is given where what speaks for it outweighs the bias of its kind
// of question. The weights are fitted by logistic regression to questions of which it is
// known whether a memory can answer them, its answers cross-validated by log.
var (
	weights = Signs{Words: 0.28, Unknown: -5.8, Margin: 3.95, Advice: 0.75}
	bias    = map[Want]float64{AnError: -3.64, AnAction: -2.88, ATask: -3.05, AChoice: -2.87}
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
	return bias[q.Want]+weights.Words*s.Words+weights.Unknown*s.Unknown+weights.Margin*s.Margin+weights.Advice*s.Advice >= 0
}
