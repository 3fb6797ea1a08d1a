package rules

import (
	"strings"

	"episodes/episode"
	"episodes/extract/internal/facts"
	"episodes/extract/internal/lex"
)

// approvalGrounds links each verdict that lets the work pass with the checks that
// passed before it. Among several verdicts each has the checks of its own section; the
// last one may rest on every check before it.
func (x linker) approvalGrounds() {
	verdicts := x.verdicts()
	for i, d := range verdicts {
		if approves, _ := x.judgement(d); approves {
			last := i == len(verdicts)-1
			x.rests(d, x.sim.done, episode.Enables, func(t *fact) bool {
				return t.Event == episode.Test && t.Span[0] < d.Span[0] && (last || t.factSection() == d.factSection())
			})
		}
	}
}

// refusalGrounds links each verdict that refuses the work with the defects of its
// section, the only one with all before it.
func (x linker) refusalGrounds() {
	verdicts := x.verdicts()
	for _, d := range verdicts {
		if _, refuses := x.judgement(d); refuses {
			sole := len(verdicts) == 1
			x.rests(d, x.sim.errors, episode.Causes, func(e *fact) bool {
				return e.factSection() == d.factSection() || sole && e.Span[0] < d.Span[0]
			})
		}
	}
}

// verdicts are the decisions that judge the work, by line.
func (x *extraction) verdicts() []*fact {
	var out []*fact
	for _, d := range x.facts {
		if d.Kind == facts.Decision {
			if approves, refuses := x.judgement(d); approves || refuses {
				out = append(out, d)
			}
		}
	}
	sortFacts(out)
	return out
}

// rests links a verdict with the facts near it that support it.
func (x linker) rests(d *fact, on []worded, typ episode.LinkType, supports func(*fact) bool) {
	var grounds []*fact
	for _, f := range near(on, d.Span[0]) {
		if supports(f.fact) {
			grounds = append(grounds, f.fact)
		}
	}
	if len(grounds) > maxAlike { // the log does not say which of them weighed
		return
	}
	for _, f := range grounds {
		x.link(f, d, typ, false)
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

// approval reports whether a decision is a verdict that lets the work pass.
func (x *extraction) approval(d *fact) bool {
	approves, _ := x.judgement(d)
	return approves
}

// judgement is what a verdict says of the work: that it may pass, that something
// stands in its way, or both ("approved with conditions").
func (x *extraction) judgement(d *fact) (approves, refuses bool) {
	if !d.factSection().Within(lex.RoleVerdict) && (d.block == nil || !d.block.LabelRoles.Has(lex.RoleVerdict)) {
		return false, false
	}
	t := x.plain(d.Decision.Chosen)
	for i, w := range t.Words {
		switch {
		case w.Classes.Has(lex.ClassApprove):
			return true, t.Is(lex.ClassCondition)
		case w.Classes.Has(lex.ClassRefuse): // "not ready", but "will not delay the merge" judges nothing
			return false, !w.Classes.Has(lex.ClassNegate) && !w.Classes.Has(lex.ClassNot) || t.At(i+1, lex.ClassApprove)
		}
	}
	return false, false
}

// preconditions link work or a check with the act whose own text names it as what made
// the act possible.
func (x linker) preconditions() {
	for _, f := range x.facts {
		if f.isEvent(episode.Milestone) || f.isEvent(episode.Commit) {
			x.link(x.precondition(f), f, episode.Enables, true)
		}
	}
}

// precondition is the work or check that the text of an act names, or nil.
func (x linker) precondition(f *fact) *fact {
	for _, m := range lex.EnableMarks {
		_, after, found := strings.Cut(f.Content, m)
		if !found {
			continue
		}
		clause := x.sim.words.of(after)
		for _, e := range near(x.sim.done, f.Span[0]) {
			if e.Event != f.Event && x.sim.share(clause, e.words) >= sameWork {
				return e.fact
			}
		}
	}
	return nil
}
