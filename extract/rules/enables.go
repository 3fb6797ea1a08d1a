package rules

import (
	"strings"

	"episodes/episode"
	"episodes/extract/internal/facts"
	"episodes/extract/internal/lex"
)

// enablers open the clause that names what made an act possible: "closed after
// confirming that the demo runs".
var enablers = []string{" after confirming ", " after verifying ", " once ", " now that ", " thanks to ", " enabled by ", " unblocked by ", " made possible by ", " efter att ", " dankzij ", " nadat "}

// enableLinks links what made an act possible with the act: work or a check that
// its own text names, and what a verdict rests on.
func (x *extraction) enableLinks(sim *likeness) {
	x.verdictGrounds(sim)
	for _, f := range x.facts {
		switch {
		case f.Kind == facts.Event && (f.Event == episode.Milestone || f.Event == episode.Commit):
			x.clauseEnables(sim, f)
		}
	}
}

// verdictGrounds links each verdict with what it rests on: an approval with the
// checks that passed before it, any other with the defects found. Among several
// verdicts each has the grounds of its own section; the last one may rest on
// every check before it.
func (x *extraction) verdictGrounds(sim *likeness) {
	var verdicts []*fact
	for _, d := range x.facts {
		if d.Kind != facts.Decision {
			continue
		}
		if approves, refuses := x.judgement(d); approves || refuses {
			verdicts = append(verdicts, d)
		}
	}
	sortFacts(verdicts)
	for i, d := range verdicts {
		approves, refuses := x.judgement(d)
		if approves {
			last := i == len(verdicts)-1
			x.rests(d, near(sim.done, d.Span[0]), episode.Enables, "the approval rests on the check", func(t *fact) bool {
				return t.Event == episode.Test && t.Span[0] < d.Span[0] && (last || t.factSection() == d.factSection())
			})
		}
		if refuses {
			sole := len(verdicts) == 1
			x.rests(d, near(sim.errors, d.Span[0]), episode.Causes, "the verdict rests on the defect", func(e *fact) bool {
				return e.factSection() == d.factSection() || sole && e.Span[0] < d.Span[0]
			})
		}
	}
}

func (x *extraction) rests(d *fact, on []worded, typ episode.LinkType, why string, supports func(*fact) bool) {
	var grounds []*fact
	for _, f := range on {
		if supports(f.fact) {
			grounds = append(grounds, f.fact)
		}
	}
	if len(grounds) > maxAlike { // the log does not say which of them weighed
		return
	}
	for _, f := range grounds {
		x.join(f, d, typ, false, why)
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

// clauseEnables links what the clause of an act names as its precondition.
func (x *extraction) clauseEnables(sim *likeness, f *fact) {
	for _, m := range enablers {
		i := strings.Index(f.Content, m)
		if i < 0 {
			continue
		}
		clause := sim.words.of(f.Content[i+len(m):])
		for _, e := range near(sim.done, f.Span[0]) {
			if e.Event != f.Event && sim.share(clause, e.words) >= sameWork {
				x.join(e.fact, f, episode.Enables, true, "the text names its precondition")
				return
			}
		}
	}
}
