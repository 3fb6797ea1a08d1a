package rules

import "episodes/extract/internal/lex"

// labels: the label has one of the roles.
func (f *features) labels(rs ...lex.Role) bool { return f.label.Any(rs...) }

// opens: the first word is of the class.
func (f *features) opens(c lex.Class) bool { return f.text.At(0, c) }

// taking is whether a fact is taken.
type taking uint8

const (
	refuse taking = iota
	take
	takeCause // an error that the log gives as the cause of others
)

// takes finds the rule of a table by which a fact is taken from a block; "" when a rule refuses it or none holds.
func takes(table []rule[taking], f *features) string {
	if r := first(table, f); r != nil && r.verdict != refuse {
		return r.name
	}
	return ""
}
