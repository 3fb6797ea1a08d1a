package rules

import "episodes/extract/internal/lex"

// labels: the label has one of the roles.
func (f *features) labels(rs ...lex.Role) bool { return f.label.Any(rs...) }

// opens: the first word is of the class.
func (f *features) opens(c lex.Class) bool { return f.text.At(0, c) }

// taking is whether a fact is taken, and what of the log the reason quotes.
type taking struct {
	take  bool
	cause bool // of an error: the log gives it as the cause of others
	quote quotes
}

var (
	refuse    = taking{}
	take      = taking{take: true}
	byLabel   = taking{take: true, quote: itsLabel}
	byHeading = taking{take: true, quote: itsHeading}
	byIntro   = taking{take: true, quote: itsIntro}
)

// takes finds the rule of a table by which a fact is taken from a block, with what it
// quotes; false when a rule refuses it or none holds.
func takes(table []rule[taking], f *features) (reason, bool) {
	r := first(table, f)
	if r == nil || !r.verdict.take {
		return reason{}, false
	}
	return because(r.name, r.verdict.quote.of(f)), true
}
