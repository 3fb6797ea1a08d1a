package rules

import (
	"slices"

	"episodes/episode"
	"episodes/extract/internal/facts"
	"episodes/extract/internal/lex"
)

// approvalGrounds links each verdict that lets the work pass with the checks that
// passed before it. Among several each has the checks of its own section; the last one
// may rest on every check before it.
func (x linker) approvalGrounds() {
	approvals := slices.DeleteFunc(slices.Clone(x.facts), func(f *fact) bool { return f.Kind != facts.Decision || !x.approval(f) })
	sortFacts(approvals)
	for i, d := range approvals {
		last := i == len(approvals)-1
		var grounds []*fact
		for _, t := range near(x.sim.done, d.Span[0]) {
			if t.Event == episode.Test && t.Span[0] < d.Span[0] && (last || t.factSection() == d.factSection()) {
				grounds = append(grounds, t.fact)
			}
		}
		if len(grounds) > maxAlike { // the log does not say which of them weighed
			continue
		}
		for _, t := range grounds {
			x.link(t, d, episode.Enables, false)
		}
	}
}

// succeeded reports whether a fact is work done or a check that passed.
func succeeded(f *fact) bool {
	if f.Kind != facts.Event {
		return false
	}
	switch f.Event {
	case episode.Milestone, episode.Commit:
		return true
	case episode.Test:
		return checkOutcome(f) == episode.Success
	}
	return false
}

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

// judges reports whether a decision is the verdict of a review.
func (f *fact) judges() bool {
	if f.labelled(lex.RoleVerdict) || f.factSection().Within(lex.RoleVerdict) {
		return true
	}
	return f.block != nil && f.block.Table != nil && f.block.Table.Names(lex.RoleVerdict)
}
