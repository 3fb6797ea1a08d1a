package rules

import (
	"slices"

	"episodes/extract/internal/doc"
	"episodes/extract/internal/lex"
	"episodes/internal/lazy"
)

// How much the location of a block says that it states a decision.
const (
	noDecision = -1 // regardless of the words
	aHint      = 1
	saysIt     = decisionThreshold
	certain    = decisionThreshold + 1
)

// locationRules give the points of a block's location; none where no rule holds.
var locationRules = []rule[int]{
	// What the block says by itself, in any place.
	{"term of acceptance", func(f *features) bool { return f.block.Box && f.section.Title.Is(lex.ClassCriteria) }, noDecision},
	{"resolves a conflict", func(f *features) bool {
		return f.topItem() && f.under(lex.RoleConflict) && (f.labelled && !f.labelText.At(0, lex.ClassMake) ||
			f.labelText.Is(lex.ClassKeep) || f.text.Is(lex.ClassKeep))
	}, saysIt},
	{"status gives a verdict", func(f *features) bool { return f.label.Has(lex.RoleStatus) && saysVerdict(f.block) }, certain},
	{"label names the strategy", func(f *features) bool {
		return f.label.Has(lex.RoleStrategy) && f.words > 2
	}, saysIt},

	// The label decides.
	{"label says otherwise", func(f *features) bool { return f.label.Any(noChoiceLabels...) }, noDecision},
	{"leaves several ways open", func(f *features) bool { return f.text.At(0, lex.ClassOr) }, noDecision},
	{"gives a date", func(f *features) bool { return lex.IsDay(f.text.Raw) }, noDecision},
	{"label opens a list of choices", func(f *features) bool { return f.choice() && f.words == 0 }, noDecision},
	{"label names the decision", (*features).choice, certain},
	{"label asks for a verdict", func(f *features) bool { return f.label.Has(lex.RoleVerdict) && f.text.Verdict() }, certain},

	{"under a heading of what is not done", (*features).refused, saysIt},
	{"a way that did not work", func(f *features) bool {
		return f.under(lex.RoleFailed) && f.section.Level > 1 && !f.nested && f.namesAttempt()
	}, saysIt},

	// The item or line above it decides.
	{"under a label of decisions", func(f *features) bool {
		return f.listed() && f.above.Has(lex.RoleDecision)
	}, saysIt},
	{"label above says otherwise", func(f *features) bool {
		return f.listed() && f.above != 0 && !f.above.Any(lex.RoleFix, lex.RoleAttempt, lex.RoleDone)
	}, noDecision},

	{"problem that was refused or rejected", func(f *features) bool {
		return f.problemItem() && f.chosen > 0 && f.text.At(f.chosen-1, lex.ClassWas)
	}, noDecision},

	{"section says otherwise", func(f *features) bool {
		return f.within(lex.RoleLesson, lex.RoleHandoff, lex.RolePlan, lex.RoleOptions,
			lex.RoleConsequence, lex.RoleTask) || f.under(lex.RoleCommit)
	}, noDecision},

	// Under a heading of decisions.
	{"first words under a heading of one decision", func(f *features) bool {
		return f.under(lex.RoleDecision) && f.prose && f.section.Has(lex.RoleOne)
	}, saysIt},
	{"paragraph under a heading of decisions", func(f *features) bool {
		return f.under(lex.RoleDecision) && f.paragraph && !f.labelled
	}, aHint},
	{"detail under a heading of decisions", func(f *features) bool {
		return f.under(lex.RoleDecision) &&
			(f.nested || f.detailOfHeading() || f.item && f.block.Intro != nil && numberedLabel().MatchString(f.block.Intro.Label))
	}, noDecision},
	{"under a heading of decisions", func(f *features) bool { return f.under(lex.RoleDecision) }, saysIt},
	{"under a heading that asks for a verdict", (*features).verdictUnderHeading, certain},
	{"first words under a topic of decisions", (*features).topicProse, saysIt},

	// Ways out of a problem.
	{"error in place of the fix", func(f *features) bool { return f.statedFix() && statesError(f.text) }, noDecision},
	{"label names the fix of a problem", func(f *features) bool { return f.fixLabel() && f.answersProblem() }, saysIt},
	{"item of a list of fixes names the fault and the act", (*features).namedFix, saysIt},
	{"first words under a heading that names the fix", (*features).fixProse, saysIt},
	{"under a heading that names the strategy", func(f *features) bool {
		return f.topItem() && f.under(lex.RoleStrategy) && !f.text.IsTicket()
	}, saysIt},
	{"under a summary", func(f *features) bool { return f.under(lex.RoleSummary) }, aHint},
}

// What the rules for locations ask of a block.

// noChoiceLabels are the roles of labels whose text is never a choice.
var noChoiceLabels = []lex.Role{
	lex.RoleReason, lex.RoleContext, lex.RoleProblem, lex.RoleCause, lex.RoleLesson, lex.RoleStatus, lex.RoleTest, lex.RoleCommit,
	lex.RoleFiles, lex.RoleTask, lex.RoleOptions, lex.RoleHandoff, lex.RolePlan, lex.RoleConsequence, lex.RoleDuration,
}

// refused: under the heading of what was decided not to be done, an item.
func (f *features) refused() bool {
	return f.under(lex.RoleRefused) && !f.nested && f.words+len(f.labelText.Words) > 2 && f.item
}

// detailOfHeading: the heading gives the choice, and the label one side of it, as
// "Risk: ..." under "Decision 2: ..."
func (f *features) detailOfHeading() bool {
	return f.section.Subject != "" && f.labelled
}

// numberedLabel matches the label of one of several decisions, which its list describes: "2. Two layers".
var numberedLabel = lazy.Pattern(`^\d+[.)] `)

// topicProse: the first words under a heading that only names the subject of a decision,
// directly under a heading of decisions, if a list gives the result.
func (f *features) topicProse() bool {
	return f.prose && f.section.Parent.Has(lex.RoleDecision) && f.section.Roles == 0 &&
		topicOnly(f.section) && f.words > 2 && f.block.OpensList()
}

// verdictUnderHeading: the first words or a label give the verdict that the heading
// asks for.
func (f *features) verdictUnderHeading() bool {
	if !f.under(lex.RoleVerdict) {
		return false
	}
	return f.prose && f.text.Verdict() || f.labelled && f.label&^(1<<lex.RoleOpen|1<<lex.RoleRefused) == 0 && f.labelText.Verdict()
}

// statedFix: the block is in the place where the log gives the fix.
func (f *features) statedFix() bool {
	return f.label.Has(lex.RoleFix) || f.label == 0 && f.prose && f.under(lex.RoleFix)
}

// fixLabel: the label names the fix, and the text gives it, or the list below it, next to the problem.
func (f *features) fixLabel() bool {
	b, other := f.block, func(c *doc.Block) bool { return c.Kind != doc.Item || c.Label != "" }
	return f.label.Has(lex.RoleFix) && (f.words > 0 || len(b.Introduced()) > 0 && b.SiblingRole(lex.RoleProblem, lex.RoleCause) != nil &&
		!slices.ContainsFunc(b.Introduced(), other))
}

// answersProblem: the fix and its problem are siblings.
func (f *features) answersProblem() bool {
	b := f.block
	return b.SiblingRole(lex.RoleProblem, lex.RoleCause, lex.RoleFailed) != nil ||
		f.under(lex.RoleProblem, lex.RoleFix, lex.RoleFinding) ||
		f.nested && b.Parent.Text.FailsAt() >= 0
}

// namedFix: an item under a heading of fixes whose label names what was wrong and whose
// text says what was done about it: "**Injection in the search**: Escape the query".
func (f *features) namedFix() bool {
	return f.topItem() && f.under(lex.RoleFix) && f.labelled && f.label == 0 &&
		!f.labelText.At(0, lex.ClassMake) && (f.text.At(0, lex.ClassMake) || f.text.At(0, lex.ClassAdopt) || f.text.Is(lex.ClassNow))
}

// fixProse: the first words under the heading of a fix whose problem is near by; a
// sentence that opens a list says nothing yet, unless it reports an action.
func (f *features) fixProse() bool {
	if !f.prose || !f.under(lex.RoleFix) || !problemNear(f.section) {
		return false
	}
	return !f.block.OpensList() || len(f.text.Sentences()) != 1 || f.text.ActLike()
}

// namesAttempt: under a heading of what failed, it names a way that was tried
// ("**WAL mode**: still two writers", "Guarding the callback did not help") rather
// than a failure.
func (f *features) namesAttempt() bool {
	b, t := f.block, f.text
	switch {
	case f.item && f.label == 0 && f.labelled:
		return f.labelText.FailsAt() < 0
	case b.Lead != "" && len(b.Lead) < len(t.Raw):
		return f.lead.FailsAt() < 0
	}
	return f.words > 3 && t.Words[0].Gerund()
}

// statesError reports whether the first sentence of a text says what was wrong and
// nothing of what was done: "The key was missing in production".
func statesError(t lex.Text) bool {
	ss := t.Sentences()
	if len(ss) == 0 {
		return false
	}
	s := ss[0]
	if s.ActLike() || s.ChosenAt() >= 0 {
		return false
	}
	for i := range s.Words {
		if i > 0 && i < 8 && s.At(i, lex.ClassWas) {
			return s.FailsAt() > i || s.At(i-1, lex.ClassErrorNoun)
		}
	}
	return false
}

// saysVerdict reports whether a status line judges: "APPROVED (with changes)", or
// any judgement where a verdict is asked for.
func saysVerdict(b *doc.Block) bool {
	t := b.Text
	if b.Section.Has(lex.RoleVerdict) {
		return t.Verdict()
	}
	if t.Verdict() && !t.BadState() && t.Capitals(0) && reviewOf(b) != "" {
		return true
	}
	return b.Section.Level > 1 && (t.At(0, lex.ClassApprove) || t.At(0, lex.ClassRefuseAct)) && t.At(0, lex.ClassVerdict) && t.Capitals(0)
}

// reviewOf is the name of the review whose status line b is, if it has one.
func reviewOf(b *doc.Block) string {
	if of := b.Parent; of != nil && of.LabelText.Is(lex.ClassReview) {
		return of.Label
	}
	return ""
}

// problemNear reports whether the section's surroundings name a problem.
func problemNear(s *doc.Section) bool {
	if s.Parent == nil {
		return false
	}
	return s.Parent.Any(lex.RoleProblem, lex.RoleCause) || slices.ContainsFunc(doc.Around(s.Parent.Subs, s.Pos), func(o *doc.Section) bool {
		return o != s && o.Any(lex.RoleProblem, lex.RoleCause, lex.RoleFailed)
	})
}
