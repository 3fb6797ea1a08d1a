package rules

import (
	"strings"

	"episodes/episode"
	"episodes/extract/internal/doc"
	"episodes/extract/internal/lex"
)

// location is how much the location of a block says that it states a decision.
type location struct {
	points int
	quote  quotes
}

var (
	noDecision  = location{points: -1} // regardless of the words
	certain     = location{decisionThreshold + 1, itsLabel}
	underIt     = location{decisionThreshold, itsHeading}
	labelSaysIt = location{decisionThreshold, itsLabel}
	bySelf      = location{points: decisionThreshold}
	aHint       = location{1, itsHeading}
)

// locationRules give the points of a block's location; none where no rule holds.
var locationRules = []rule[location]{
	// What the block says by itself, in any place.
	{"label marks the option taken", func(f *features) bool { return isOption(f.labelText) && f.selected() }, bySelf},
	{"label says what is not done", func(f *features) bool { return f.label == 0 && !f.nested && labelRefuses(f.block) }, labelSaysIt},
	{"label lists entries of a tracker", func(f *features) bool {
		return f.labelText.At(0, lex.ClassTicket) && f.labelText.At(1, lex.ClassTracker)
	}, noDecision},
	{"term of acceptance", func(f *features) bool { return f.block.Box && f.section.Title.Is(lex.ClassCriteria) }, noDecision},
	{"says below a conflict which side was taken", func(f *features) bool {
		return f.nested && f.block.Parent.LabelText.Is(lex.ClassConflict) && f.text.At(0, lex.ClassKeep)
	}, bySelf},
	{"resolves a conflict", func(f *features) bool {
		return f.topItem() && f.under(lex.RoleConflict) && (f.labelled && !f.labelText.At(0, lex.ClassMake) || f.labelText.Chooses() || f.text.Chooses())
	}, underIt},
	{"status gives a verdict", func(f *features) bool { return f.label.Has(lex.RoleStatus) && saysVerdict(f.block) }, certain},
	{"label names the strategy", func(f *features) bool { return f.label.Has(lex.RoleStrategy) && f.words > 2 && !f.nested }, labelSaysIt},

	// The label decides.
	{"label says otherwise", func(f *features) bool { return f.label.Any(noChoiceLabels...) }, noDecision},
	{"lists verdicts", func(f *features) bool { return !f.under(lex.RoleDecision) && listsVerdicts(f.text) }, noDecision},
	{"goes to another branch", func(f *features) bool {
		return f.chosen == 0 && (f.text.HasAny(lex.BranchWords) || f.labelText.HasAny(lex.BranchWords))
	}, noDecision},
	{"gives a date", func(f *features) bool { return lex.IsDay(f.text.Raw) }, noDecision},
	{"label opens a list of choices", func(f *features) bool { return f.choice() && f.words == 0 }, noDecision},
	{"decision of what the log is about", func(f *features) bool { return f.choice() && f.within(lex.RoleContext) }, noDecision},
	{"label names the decision", (*features).choice, certain},
	{"label asks for a verdict", func(f *features) bool { return f.label.Has(lex.RoleVerdict) && f.text.Verdict() }, certain},
	{"label gives a verdict", func(f *features) bool {
		return f.label.Has(lex.RoleVerdict) && len(f.labelText.Words) > 1 && f.labelText.Sub(f.labelText.Words[1].Start, len(f.labelText.Raw)).Verdict()
	}, labelSaysIt},
	{"label without its verdict", func(f *features) bool { return f.label.Has(lex.RoleVerdict) }, noDecision},

	{"under a heading of what is not done", (*features).refused, underIt},
	{"a way that did not work", func(f *features) bool {
		return f.under(lex.RoleFailed) && f.section.Level > 1 && !f.nested && f.namesAttempt()
	}, bySelf},
	{"text marks the option taken", func(f *features) bool { return isOption(f.text) && f.selected() }, bySelf},

	// The item or line above it decides.
	{"nested under a label of decisions", func(f *features) bool {
		return f.nested && f.block.Parent.LabelRoles.Has(lex.RoleDecision) && f.block.Parent.Text.Empty()
	}, location{decisionThreshold, itsParentLabel}},
	{"detail of a decision", (*features).detailOfDecision, noDecision},
	{"says how things stood", (*features).stood, noDecision},
	{"under a label of decisions", func(f *features) bool { return f.listed() && f.above.Has(lex.RoleDecision) }, location{decisionThreshold, itsIntro}},
	{"item of a list of attempts says how it ended", (*features).triedItem, bySelf},
	{"under a label of the strategy", func(f *features) bool {
		return f.listed() && f.item && f.above.Has(lex.RoleStrategy) && f.text.Chooses()
	}, location{decisionThreshold, itsIntro}},
	{"label above says otherwise", func(f *features) bool {
		return f.listed() && f.above != 0 && !f.above.Any(lex.RoleFix, lex.RoleAttempt, lex.RoleDone)
	}, noDecision},

	{"section says otherwise", func(f *features) bool {
		return f.within(lex.RoleLesson, lex.RoleHandoff, lex.RolePlan, lex.RoleOptions, lex.RoleConsequence, lex.RoleTask) || f.under(lex.RoleCommit)
	}, noDecision},

	// Under a heading of decisions.
	{"content of a choice or its reasons", func(f *features) bool { return f.under(lex.RoleDecision) && (ledIn(f.block) || f.partOfHeading()) }, noDecision},
	{"first words under a heading of one decision", func(f *features) bool { return f.under(lex.RoleDecision) && f.prose && f.section.Single() }, underIt},
	{"first words under a heading of decisions", func(f *features) bool { return f.under(lex.RoleDecision) && f.prose }, location{2, itsHeading}},
	{"paragraph under a heading of decisions", func(f *features) bool { return f.under(lex.RoleDecision) && f.paragraph && !f.labelled }, aHint},
	{"detail under a heading of decisions", func(f *features) bool { return f.under(lex.RoleDecision) && (f.nested || f.detailOfHeading()) }, noDecision},
	{"found so under a heading of decisions", func(f *features) bool {
		return f.under(lex.RoleDecision) && !f.labelled && (f.text.At(1, lex.ClassEarlier) || f.text.At(2, lex.ClassEarlier) || f.text.At(0, lex.ClassNone) && f.text.Is(lex.ClassFind))
	}, noDecision},
	{"step of the work under a heading of decisions", (*features).plainStep, noDecision},
	{"asks under a heading of decisions", (*features).onlyAsks, noDecision},
	{"under a heading of decisions", func(f *features) bool { return f.under(lex.RoleDecision) }, underIt},
	{"under a heading that asks for a verdict", (*features).verdictUnderHeading, location{decisionThreshold + 1, itsHeading}},
	{"first words under a topic of decisions", (*features).topicProse, underIt},
	{"below a heading of decisions", func(f *features) bool { return f.within(lex.RoleDecision) }, location{0, itsHeading}},

	// Ways out of a problem.
	{"error in place of the fix", func(f *features) bool { return f.statedFix() && statesError(f.text) }, noDecision},
	{"fix that a review asks for", (*features).askedFor, noDecision},
	{"label names the fix of a problem", func(f *features) bool { return f.fixLabel() && f.answersProblem() }, labelSaysIt},
	{"label names an attempt with its result", func(f *features) bool {
		return f.label.Has(lex.RoleAttempt) && f.words > 0 && f.block.SiblingRole(lex.RoleResult, lex.RoleFailed) != nil
	}, labelSaysIt},
	{"item of a list of fixes names the fault and the act", (*features).namedFix, underIt},
	{"step of the fix in bold", (*features).boldStep, bySelf},
	{"first words under a heading that names the fix", (*features).fixProse, underIt},
	{"under a heading of attempts", func(f *features) bool { return f.under(lex.RoleAttempt) && (!f.item || f.block.Ordered) }, aHint},
	{"under a heading that names the strategy", func(f *features) bool { return f.topItem() && f.under(lex.RoleStrategy) && !f.text.IsTicket() }, underIt},
	{"item under a heading of attempts", func(f *features) bool { return f.topItem() && f.under(lex.RoleAttempt) }, location{2, itsHeading}},
	{"under a summary", func(f *features) bool { return f.under(lex.RoleSummary) }, aHint},
}

// What the rules for locations ask of a block.

// noChoiceLabels are the roles of labels whose text is never a choice.
var noChoiceLabels = []lex.Role{
	lex.RoleReason, lex.RoleContext, lex.RoleProblem, lex.RoleCause, lex.RoleLesson, lex.RoleStatus, lex.RoleTest, lex.RoleCommit,
	lex.RoleFiles, lex.RoleTask, lex.RoleOptions, lex.RoleHandoff, lex.RolePlan, lex.RoleConsequence, lex.RoleDuration,
}

// selected: the text says in a few words that the option was taken.
func (f *features) selected() bool { return f.words < 15 && saysSelected(f.text) }

// refused: under the heading of what was decided not to be done, an item or, where
// there are none, the first words.
func (f *features) refused() bool {
	return f.under(lex.RoleRefused) && !f.nested && f.words+len(f.labelText.Words) > 2 && (f.item || f.prose && !f.section.HasItems)
}

// stood: "main had two entries" describes an earlier state, "we had to" does not.
func (f *features) stood() bool {
	return f.words > 2 && f.text.At(1, lex.ClassHad) && !f.text.At(1, lex.ClassHadTo)
}

// partOfHeading: the heading gives the choice, and this opens or continues what it
// contains.
func (f *features) partOfHeading() bool {
	return f.section.Subject != "" && !f.labelled && (f.block.OpensList() || f.intro != nil && f.intro.Label == "")
}

// detailOfHeading: the heading gives the choice, and the label one side of it, as
// "Risk: ..." under "Decision 2: ..."
func (f *features) detailOfHeading() bool {
	return f.section.Subject != "" && f.labelled && !f.choice() && !f.label.Any(lex.RoleVerdict, lex.RoleFix)
}

// listsVerdicts reports whether a text lists the verdicts that there are: "APPROVED,
// REJECTED".
func listsVerdicts(t lex.Text) bool {
	for i := 0; i+1 < len(t.Words); i++ {
		gap := strings.TrimSpace(t.Raw[t.Words[i].End:t.Words[i+1].Start])
		if t.At(i, lex.ClassVerdict) && t.Capitals(i) && t.Capitals(i+1) && (gap == "," || gap == "/") {
			return true
		}
	}
	return false
}

// plainStep: it reports in a few words a step that follows every change, and gives neither
// a reason nor another way: "Updated the manual".
func (f *features) plainStep() bool {
	return f.under(lex.RoleDecision) && !f.labelled && f.text.At(0, lex.ClassRoutine) && f.words <= aFewWords && f.contrast == "" && !f.text.Purpose()
}

// onlyAsks: its label names what is looked at, and its text the question, of which nothing
// is said to be decided: "Investigation focus: why the index is rebuilt".
func (f *features) onlyAsks() bool {
	return f.under(lex.RoleDecision) && f.labelled && f.label == 0 && f.text.At(0, lex.ClassWhy) && !f.labelText.ActLike() && !f.labelText.At(0, lex.ClassChoose) &&
		f.contrast == "" && len(f.text.Sentences()) == 1 && !strings.Contains(f.text.Raw, ",")
}

// topicProse: the first words under a heading that only names the subject of a decision,
// directly under a heading of decisions, if a list gives the result.
func (f *features) topicProse() bool {
	return f.prose && f.section.Parent.Has(lex.RoleDecision) && f.section.Roles == 0 && topicOnly(f.section) && f.words > 2 && f.block.OpensList()
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

// fixLabel: the label names the fix, and the text gives it.
func (f *features) fixLabel() bool { return f.label.Has(lex.RoleFix) && f.words > 0 }

// askedFor: among findings, the label gives as the fix what is to be done, and nothing says
// that it was.
func (f *features) askedFor() bool {
	return f.fixLabel() && f.within(lex.RoleFinding) && f.text.At(0, lex.ClassAdopt) && !f.text.Words[0].Past() &&
		f.block.SiblingRole(lex.RoleStatus, lex.RoleResult, lex.RoleCommit) == nil
}

// answersProblem: the fix and its problem are siblings.
func (f *features) answersProblem() bool {
	b := f.block
	return b.SiblingRole(lex.RoleProblem, lex.RoleCause, lex.RoleFailed) != nil || f.under(lex.RoleProblem, lex.RoleFix, lex.RoleFinding) ||
		f.nested && (b.Parent.Tick != doc.NoTick || b.Parent.Text.FailsAt() >= 0)
}

// namedFix: an item under a heading of fixes whose label names what was wrong and whose
// text says what was done about it: "**Injection in the search**: Escape the query".
func (f *features) namedFix() bool {
	return f.topItem() && f.under(lex.RoleFix) && f.labelled && f.label == 0 && !f.labelText.At(0, lex.ClassMake) && (f.text.At(0, lex.ClassMake) || f.text.At(0, lex.ClassAdopt)) && !f.done
}

// boldStep: a numbered act in bold, under the heading of a fix, with items that
// explain it.
func (f *features) boldStep() bool {
	b := f.block
	return f.under(lex.RoleFix) && b.Ordered && !f.nested && b.Lead != "" && b.Lead == b.Text.Raw && len(b.Children) > 0 && f.text.ActLike()
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
	return f.words > 3 && (t.Words[0].Gerund() || t.ActLike()) && f.fails != 0
}

// statesError reports whether the first sentence of a text says what was wrong and
// nothing of what was done: "The key was missing in production".
func statesError(t lex.Text) bool {
	ss := t.Sentences()
	if len(ss) == 0 {
		return false
	}
	s := ss[0]
	if s.ActLike() || s.ChosenAt() >= 0 || s.Contrast() != "" || s.Words[0].PastAct() {
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
	switch of := b.Parent; {
	case of != nil && of.LabelText.Is(lex.ClassReview):
		return of.Label
	case of != nil && of.Text.Is(lex.ClassReview):
		return episode.Shorten(of.Text.Raw, episode.MaxContent)
	case of == nil && b.Section.Level > 1 && b.Section.Title.Is(lex.ClassReview) && !b.Section.Title.Is(lex.ClassTracker):
		return b.Section.Title.Raw
	}
	return ""
}

// labelRefuses reports whether a label says that its subject is not done:
// "Phase 4 skipped: …", "Deferred items".
func labelRefuses(b *doc.Block) bool {
	l := b.LabelText
	i := l.Index(lex.ClassRefuseAct)
	return i >= 0 && len(l.Words) > 1 && !l.At(0, lex.ClassWhy) && (i == len(l.Words)-1 || b.Text.Empty() && len(b.Introduces) > 0) && !b.Section.Within(lex.RolePlan) && !b.Section.Any(lex.RoleTest)
}

// ledIn reports whether b is an item of a list that gives what a thing contains or
// its reasons: "Put off because:".
func ledIn(b *doc.Block) bool {
	if b.Kind != doc.Item || b.Intro == nil || b.Intro.Label != "" {
		return false
	}
	_, ok := b.Intro.Text.LeadIn()
	return ok
}

// problemNear reports whether the section's surroundings name a problem.
func problemNear(s *doc.Section) bool {
	if s.Parent == nil {
		return false
	}
	for _, o := range doc.Around(s.Parent.Subs, s.Pos) {
		if o != s && o.Roles.Any(lex.RoleProblem, lex.RoleCause, lex.RoleFailed) {
			return true
		}
	}
	return s.Parent.Roles.Any(lex.RoleProblem, lex.RoleCause)
}
