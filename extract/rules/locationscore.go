package rules

import (
	"strings"

	"episodes/extract/internal/doc"
	"episodes/extract/internal/facts"
	"episodes/extract/internal/lex"
)

// locationScore is how much the location of a block says that it is a decision; -1
// means that it cannot be one.
func (x *extraction) locationScore(b *doc.Block) (int, string) {
	s := b.Section
	if isOption(b.LabelText) && saysSelected(b.Text) && len(b.Text.Words) < 15 {
		return 3, "option marked as taken"
	}
	if b.Text.At(0, lex.ClassRoute) && b.Text.Is(lex.ClassAgent) && len(b.Text.Words) < 20 && !s.Within(lex.RolePlan) {
		return 3, "hands the work on"
	}
	if b.LabelRoles == 0 && b.Parent == nil && b.Kind != doc.Row && labelRefuses(b) {
		return 3, "label " + quote(b.Label)
	}
	if s.Has(lex.RoleConflict) && b.Kind == doc.Item && b.Parent == nil && (b.Label != "" || b.Text.Chooses()) {
		return 3, "under heading " + quote(s.Title.Raw)
	}
	if b.LabelRoles.Has(lex.RoleStatus) && saysVerdict(b) {
		return 4, "label " + quote(b.Label)
	}
	if b.LabelRoles.Has(lex.RoleStrategy) && len(b.Text.Words) > 2 && b.Parent == nil {
		return 3, "label " + quote(b.Label)
	}
	switch {
	case b.LabelRoles.Any(lex.RoleReason, lex.RoleContext, lex.RoleProblem, lex.RoleCause, lex.RoleLesson, lex.RoleStatus, lex.RoleTest, lex.RoleCommit, lex.RoleFiles, lex.RoleTask, lex.RoleOptions, lex.RoleHandoff, lex.RolePlan, lex.RoleConsequence, lex.RoleDuration):
		return -1, ""
	case b.LabelRoles.Any(lex.RoleDecision, lex.RoleChosen):
		if b.Text.Empty() {
			return -1, "" // opens a list
		}
		return 4, "label " + quote(b.Label)
	case b.LabelRoles.Has(lex.RoleVerdict):
		if b.Text.Verdict() {
			return 4, "label " + quote(b.Label)
		}
		return -1, ""
	}
	if s.Has(lex.RoleRefused) && b.Kind != doc.Code && b.Parent == nil && len(b.Text.Words) > 2 && (b.Kind == doc.Item || s.Prose == b && !s.HasItems) {
		return 3, "under heading " + quote(s.Title.Raw)
	}
	if s.Has(lex.RoleFailed) && s.Level > 1 && b.Parent == nil && x.namesAttempt(b) {
		return 3, "a way that did not work"
	}
	if isOption(b.Text) && saysSelected(b.Text) && len(b.Text.Words) < 15 {
		return 3, "option marked as taken"
	}
	if b.Parent != nil {
		if b.Parent.LabelRoles.Any(lex.RoleDecision) && b.Parent.Text.Empty() {
			return 3, "under label " + quote(b.Parent.Label)
		}
		if x.used[b.Parent] != nil && x.used[b.Parent].Kind == facts.Decision {
			return -1, "" // detail of a decision
		}
	}
	if len(b.Text.Words) > 2 && b.Text.Words[1].Lower == "had" && b.Text.Words[2].Lower != "to" {
		return -1, "" // "main had two entries" is how things stood
	}
	if b.Intro != nil && b.Parent == nil {
		if b.Intro.LabelRoles.Has(lex.RoleDecision) {
			return 3, "under label " + quote(b.Intro.Label)
		}
		if b.Intro.LabelRoles.Has(lex.RoleAttempt) && b.Kind == doc.Item {
			return 3, "under label " + quote(b.Intro.Label)
		}
		if b.Intro.LabelRoles != 0 && !b.Intro.LabelRoles.Any(lex.RoleFix, lex.RoleAttempt, lex.RoleDone) {
			return -1, ""
		}
	}
	if s.Within(lex.RoleLesson) || s.Within(lex.RoleHandoff) || s.Within(lex.RolePlan) || s.Within(lex.RoleOptions) || s.Within(lex.RoleConsequence) || s.Within(lex.RoleTask) || s.Has(lex.RoleCommit) {
		return -1, ""
	}
	if s.Has(lex.RoleDecision) {
		if ledIn(b) || s.Subject != "" && b.Label == "" && (b.OpensList() || b.Intro != nil && b.Intro.Label == "") {
			return -1, "" // what the choice contains, or its reasons
		}
		if b.Kind == doc.Paragraph && b.Label == "" && s.Prose == b && s.Single() {
			return 3, "first words under heading " + quote(s.Title.Raw)
		}
		if b.Kind == doc.Paragraph && b.Label == "" {
			if s.Prose != b {
				return 1, "under heading " + quote(s.Title.Raw)
			}
			return 2, "under heading " + quote(s.Title.Raw)
		}
		if b.Parent != nil || b.Label != "" && !b.LabelRoles.Any(lex.RoleDecision, lex.RoleChosen, lex.RoleVerdict, lex.RoleFix) && s.Subject != "" {
			return -1, "" // a detail, as "Risk: ..." under "Decision 2: ..."
		}
		return 3, "under heading " + quote(s.Title.Raw)
	}
	if s.Has(lex.RoleVerdict) && (s.Prose == b && b.Text.Verdict() || b.LabelRoles&^(1<<lex.RoleOpen|1<<lex.RoleRefused) == 0 && b.Label != "" && b.LabelText.Verdict()) {
		return 4, "first words under heading " + quote(s.Title.Raw)
	}
	if s.Within(lex.RoleDecision) {
		return 0, "within " + quote(s.Title.Raw)
	}
	if (b.LabelRoles.Has(lex.RoleFix) || b.LabelRoles == 0 && s.Has(lex.RoleFix) && s.Prose == b) && statesError(b.Text) {
		return -1, "" // the cause, stated where the way out should stand
	}
	if b.LabelRoles.Has(lex.RoleFix) && !b.Text.Empty() {
		if hasProblem(b) || s.Roles.Has(lex.RoleFix) || b.Parent != nil && b.Parent.Text.FailsAt() >= 0 {
			return 3, "label " + quote(b.Label) + " of a problem"
		}
		return 2, "label " + quote(b.Label)
	}
	if b.LabelRoles.Has(lex.RoleAttempt) && !b.Text.Empty() && b.SiblingRole(lex.RoleResult, lex.RoleFailed) != nil {
		return 3, "label " + quote(b.Label) + " with a result"
	}
	if s.Has(lex.RoleFix) && b.Ordered && b.Parent == nil && b.Lead != "" && b.Lead == b.Text.Raw && len(b.Children) > 0 && b.Text.ActLike() {
		return 3, "a part of the solution"
	}
	if s.Has(lex.RoleFix) || s.Has(lex.RoleAttempt) && (b.Kind != doc.Item || b.Ordered) {
		if b.Kind == doc.Paragraph && b.Label == "" && s.Prose == b && s.Roles.Has(lex.RoleFix) && problemNear(s) && !(b.OpensList() && len(b.Text.Sentences()) == 1 && !b.Text.ActLike()) {
			return 3, "first words under heading " + quote(s.Title.Raw)
		}
		return 1, "under heading " + quote(s.Title.Raw)
	}
	if s.Has(lex.RoleStrategy) && b.Kind == doc.Item && b.Parent == nil && !b.Text.IsTicket() {
		return 3, "under heading " + quote(s.Title.Raw)
	}
	if s.Has(lex.RoleAttempt) && b.Kind == doc.Item && !b.Ordered && b.Parent == nil {
		return 2, "under heading " + quote(s.Title.Raw)
	}
	if s.Has(lex.RoleSummary) {
		return 1, "under heading " + quote(s.Title.Raw)
	}
	return 0, "words"
}

// statesError reports whether the first sentence of a text says what was wrong and
// nothing of what was done: "The key was missing in production".
func statesError(t lex.Text) bool {
	ss := t.Sentences()
	if len(ss) == 0 {
		return false
	}
	s := ss[0]
	if s.ActLike() || s.ChosenAt() >= 0 || s.Contrast() != "" || pastAct(s.Words[0]) {
		return false
	}
	for i := range s.Words {
		if i > 0 && i < 8 && t.At(i, lex.ClassHas) && (s.Words[i].Lower == "was" || s.Words[i].Lower == "were") {
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
		return facts.Shorten(of.Text.Raw, facts.MaxContent)
	case of == nil && b.Section.Level > 1 && b.Section.Title.Is(lex.ClassReview):
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

// namesAttempt reports whether a block under a heading of what failed names a way
// that was tried ("**WAL mode**: still two writers", "Guarding the callback did
// not help") rather than a failure.
func (x *extraction) namesAttempt(b *doc.Block) bool {
	t := b.Text
	if b.Kind == doc.Item && b.LabelRoles == 0 && b.Label != "" {
		return b.LabelText.FailsAt() < 0
	}
	if b.Lead != "" && len(b.Lead) < len(t.Raw) {
		return x.plain(b.Lead).FailsAt() < 0
	}
	return len(t.Words) > 3 && !t.Words[0].Code && (strings.HasSuffix(t.Words[0].Lower, "ing") || t.ActLike()) && t.FailsAt() != 0
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

// hasProblem reports whether a labelled block stands in one group with a problem.
func hasProblem(b *doc.Block) bool {
	return b.SiblingRole(lex.RoleProblem, lex.RoleCause, lex.RoleFailed) != nil || b.Section.Roles.Any(lex.RoleProblem) || b.Parent != nil && b.Parent.Tick != doc.NoTick
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
