package rules

import "episodes/extract/internal/lex"

// approval reports whether a decision is the verdict of its section and lets the work pass.
func (x *extraction) approval(d *fact) bool {
	return (d.factSection().Within(lex.RoleVerdict) || d.labelled(lex.RoleVerdict)) && x.approves(d)
}

// approves reports whether the first word of judgement of a decision lets the work pass.
func (x *extraction) approves(d *fact) bool {
	for _, w := range x.plain(d.Decision.Chosen).Words {
		switch {
		case w.Classes.Has(lex.ClassApprove):
			return true
		case w.Classes.Has(lex.ClassRefuse): // "not ready"
			return false
		}
	}
	return false
}
