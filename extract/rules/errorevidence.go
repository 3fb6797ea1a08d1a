package rules

import (
	"regexp"
	"strings"

	"episodes/episode"
	"episodes/extract/internal/doc"
	"episodes/extract/internal/lex"
)

// errorEvidence decides whether a block reports an error.
func (x *extraction) errorEvidence(b *doc.Block) (why string, cause, ok bool) {
	t := b.Text
	if t.Empty() && b.Label == "" || t.Blank() && b.Label == "" || strings.HasSuffix(t.Raw, "?") {
		return "", false, false
	}
	if b.LabelRoles == 0 && (t.IsTicket() || t.Supposed()) || t.NoError() || b.LabelText.At(0, lex.ClassNot) {
		return "", false, false
	}
	switch {
	case b.LabelRoles.Any(lex.RoleProblem, lex.RoleCause, lex.RoleFailed) && (!b.LabelText.NamesTicket() || t.StrongFail()):
		if t.Empty() || t.Blank() || len(t.Words) < 2 || t.CountOnly() || t.IsTicket() && !t.StrongFail() || t.IsCount() || t.ToBeDone() || t.DealtWith() {
			return "", false, false
		}
		if b.LabelRoles.Has(lex.RoleCause) && b.Section.Parent.Has(lex.RoleCause) && b.SiblingRole(lex.RoleProblem) != nil {
			return "", false, false // the record is the cause, the line says how it came
		}
		if strings.Contains(strings.ToLower(b.Label), "impact") && (t.FailsAt() < 0 || t.At(0, lex.ClassNegate)) {
			return "", false, false // what a thing is good for, as often as what it broke
		}
		if headField(b) && t.FailsAt() < 0 {
			return "", false, false
		}
		return "label " + quote(b.Label), b.LabelRoles.Has(lex.RoleCause), true
	case b.Kind == doc.Item && b.Parent == nil && b.Section.Has(lex.RoleProblem) && b.LabelText.Lacks():
		return "under heading " + quote(b.Section.Title.Raw), false, true
	case statedBad(b):
		return "a bad state", false, true
	case b.LabelRoles.Any(lex.RoleFix, lex.RoleLesson, lex.RoleReason, lex.RoleTask, lex.RoleStatus, lex.RoleCommit, lex.RoleOptions, lex.RoleDecision, lex.RoleFiles, lex.RoleHandoff, lex.RolePlan, lex.RoleTest, lex.RoleConsequence, lex.RoleDone, lex.RoleOutcome):
		return "", false, false
	}
	if b.Parent != nil && x.used[b.Parent] != nil {
		return "", false, false // detail of a fact
	}
	s := b.Section
	if b.Kind == doc.Item && b.Label == "" && s.Roles.Any(lex.RoleFix, lex.RoleProblem) && !t.Repaired() && x.nextIsFix(b) {
		return "stands with its solution", false, true
	}
	if s.Within(lex.RolePlan) || s.Within(lex.RoleHandoff) || s.Within(lex.RoleLesson) && !(s.Has(lex.RoleProblem) && b.Kind == doc.Item) || s.Has(lex.RoleTask) || s.Has(lex.RoleFix) || s.Has(lex.RoleCommit) || s.Within(lex.RoleOptions) || s.Within(lex.RoleConsequence) || s.Within(lex.RoleFiles) {
		return "", false, false
	}
	fails := t.FailsAt() >= 0
	if b.LabelRoles == 0 && b.Label != "" && b.Parent == nil && b.LabelText.LabelFails() && !t.Blank() && !s.Has(lex.RoleDecision) {
		return "label " + quote(b.Label), false, true
	}
	if t.Found() && b.Parent == nil && len(t.Words) <= 40 && !b.LabelRoles.Any(lex.RoleTask) {
		return "says that faults were found", false, true
	}
	if b.Intro != nil && b.Intro.LabelRoles.Any(lex.RoleProblem, lex.RoleFailed, lex.RoleCause) && b.Parent == nil {
		if f := x.used[b.Intro]; f != nil && f.Span[1] >= b.Span[0] {
			return "", false, false // taken with the line that opens the list
		}
		cause := b.Intro.LabelRoles.Has(lex.RoleCause)
		if cause && !strings.Contains(strings.ToLower(b.Intro.Label), "causes") && !fails {
			return "", false, false // one cause, described step by step
		}
		return "under label " + quote(b.Intro.Label), cause, !t.Blank() && !t.Repaired() && (!cause || len(t.Words) > 2)
	}
	if label := labelAbove(b.Intro); label.Has(lex.RoleFix) && !label.Any(lex.RoleProblem, lex.RoleFailed) {
		return "", false, false // a step of a repair
	}
	if b.Intro != nil && b.Intro.LabelRoles != 0 && !b.Intro.LabelRoles.Any(lex.RoleFinding, lex.RoleContext, lex.RoleTimeline, lex.RoleResult) && !((openWork(b.Intro) || b.Intro.LabelRoles.Has(lex.RoleDone)) && t.StrongFail()) {
		return "", false, false
	}
	if b.LabelRoles.Has(lex.RoleResult) && !s.Has(lex.RoleSkip) && len(t.Words) > 1 && !t.HasCount() {
		return "label " + quote(b.Label) + " of a failure", false, b.Tick == doc.BadTick || t.StatusOf() == episode.Failure || t.StrongFail()
	}
	if b.LabelRoles.Has(lex.RoleFinding) && fails && !t.Repaired() {
		return "label " + quote(b.Label), false, true
	}
	placed := s.Roles.Any(lex.RoleProblem, lex.RoleFailed) && !s.Roles.Any(lex.RoleFix, lex.RoleDone)
	causal := s.Roles.Has(lex.RoleCause)
	switch {
	case (placed || causal) && b.Kind == doc.Item && b.Parent == nil && b.LabelRoles == 0:
		if t.Blank() || t.Repaired() || b.Tick == doc.DoneTick {
			return "", false, false
		}
		lacks := t.Lacks() && (b.Intro == nil || b.Intro.Label == "")
		if !fails && !lacks && (causal || !listsErrors(s)) {
			return "", false, false
		}
		return "under heading " + quote(s.Title.Raw), causal, true
	case (placed || causal) && b.Kind == doc.Paragraph && s.Prose == b && b.Label == "":
		return "first words under heading " + quote(s.Title.Raw), causal, fails || causal || problemAlone(s) && len(t.Words) > 4 && !t.Repaired() && !b.OpensList()
	case t.Reported() && b.Parent == nil && !s.Any(lex.RoleDone, lex.RoleTest):
		return "says that it was reported", false, true
	case b.LabelRoles.Has(lex.RoleFinding) && s.Has(lex.RoleFinding) && t.Is(lex.ClassOff) && !t.Repaired():
		return "a finding that differs from what was thought", false, true
	case s.Has(lex.RoleFinding) && b.Kind == doc.Item && b.Parent == nil && fails && !t.Repaired() && b.Tick != doc.DoneTick && len(t.Words) <= 30:
		return "finding that says " + quote(t.Words[t.FailsAt()].Lower), false, true
	case s.Has(lex.RoleFinding) && b.Kind == doc.Item && b.Parent == nil && x.graded(b):
		return "graded finding", false, !t.Repaired() && b.Tick != doc.DoneTick
	case (s.Has(lex.RoleSummary) || s.Has(lex.RoleContext)) && b.Kind == doc.Paragraph && s.Prose == b && t.OpensWithError():
		return "first words under heading " + quote(s.Title.Raw), false, true
	case !fails || b.Tick == doc.DoneTick && t.Repaired() || t.Repaired() || len(t.Words) > 60 && !hasErrorSentence(b):
		return "", false, false
	case beforeChoice(b):
		return "stands before the section's decision", false, true
	case s.Has(lex.RoleTimeline) || s.Has(lex.RoleContext) || s.Has(lex.RoleFinding) || s.Has(lex.RoleSummary):
		return "says " + quote(t.Words[t.FailsAt()].Lower), false, t.StrongFail()
	}
	return "says " + quote(t.Words[t.FailsAt()].Lower), false, b.Parent == nil && t.StrongFail()
}

// beforeChoice reports whether b stands in a short record: a section that contains
// one labelled decision, further down.
func beforeChoice(b *doc.Block) bool {
	if len(b.Section.Blocks) > 12 {
		return false
	}
	n, after := 0, false
	for _, o := range b.Section.Blocks {
		if o.LabelRoles.Any(lex.RoleDecision, lex.RoleChosen) && !o.Text.Empty() {
			n++
			after = o.Index > b.Index
		}
	}
	return n == 1 && after
}

// nextIsFix reports whether the next line of b's list is labelled as its solution.
func (x *extraction) nextIsFix(b *doc.Block) bool {
	next := b.Index + 1
	return next < len(x.doc.Blocks) && x.doc.Blocks[next].Section == b.Section && x.doc.Blocks[next].Parent == b.Parent && x.doc.Blocks[next].LabelRoles.Has(lex.RoleFix)
}

// listsErrors reports whether every item under a heading is an error by what the
// heading says; "Problem" may also contain the story around one.
func listsErrors(s *doc.Section) bool {
	return !s.Title.Is(lex.ClassStory) && s.Subject == "" // a heading that names its problem is about one
}

// statedBad reports whether the state of a thing is given as a bad one: "Memory
// check: FAILURE", "Status: BLOCKED by the rate limit". That of the session itself
// is its outcome.
func statedBad(b *doc.Block) bool {
	if b.Section.Level < 3 || b.LabelRoles.Any(lex.RoleOutcome, lex.RoleResult) || b.Section.Within(lex.RolePlan) {
		return false
	}
	t := stateOf(b)
	return t.BadState() && !t.Is(lex.ClassRepaired)
}

// problemAlone reports whether a heading names one problem and nothing else.
func problemAlone(s *doc.Section) bool {
	return s.Level > 1 && len(s.Title.Words) <= 3 && s.Roles.Has(lex.RoleProblem) && s.Roles&^(1<<lex.RoleProblem|1<<lex.RoleOpen) == 0 && len(s.Subs) == 0
}

// graded reports whether an item opens with how grave it is, or with the number
// of a finding: "P1: …", "C2: …".
func (x *extraction) graded(b *doc.Block) bool {
	if gradeEnd.MatchString(b.Text.Raw) {
		return true
	}
	name := b.Label
	if name == "" {
		i := strings.IndexAny(b.Text.Raw, ":：")
		if i <= 0 || i > 16 {
			return false
		}
		name = b.Text.Raw[:i]
	}
	t := x.plain(name)
	if t.At(0, lex.ClassGrade) {
		return len(t.Words) <= 2
	}
	return len(t.Words) <= 3 && gradePattern.MatchString(name)
}

// gradeEnd matches "… (P0 Critical)".
var gradeEnd = regexp.MustCompile(`\(P\d(?: [A-Z][a-z]+)?\)$`)

var gradePattern = regexp.MustCompile(`^[A-Z]{1,8}(?:-[A-Z]+)*-?\d{1,4}$`)

// headField reports whether b is one of the fields at the head of a log (date,
// branch, issue), which name the work and tell nothing of it.
func headField(b *doc.Block) bool {
	if b.Section.Level > 1 || len(b.Text.Words) > 15 {
		return false
	}
	for _, o := range b.Group() {
		if d := o.Span[0] - b.Span[1]; d >= -3 && d <= 3 && o.LabelRoles.Any(lex.RoleWho, lex.RoleDate, lex.RoleBase) {
			return true
		}
	}
	return false
}

// labelAbove are the roles of the label that stands alone above the line that opens a
// list: "**Fix**:", then "Each job now does its own part:".
func labelAbove(intro *doc.Block) lex.RoleSet {
	if intro == nil || intro.Label != "" || intro.Intro == nil || !intro.Intro.Text.Empty() {
		return 0
	}
	return intro.Intro.LabelRoles
}
