package extract

import (
	"regexp"
	"strings"

	"episodes/episode"
)

// errorPlace decides whether a block tells of an error.
func (x *extraction) errorPlace(b *block) (why string, cause, ok bool) {
	t := b.text
	if t.empty() && b.label == "" || t.blank() && b.label == "" || strings.HasSuffix(t.s, "?") {
		return "", false, false
	}
	if b.labelRole == 0 && (t.isTicket() || t.supposed()) || t.noFault() || b.labelText.at(0, classNot) {
		return "", false, false
	}
	switch {
	case b.labelRole.any(roleProblem, roleCause, roleFailed) && (!b.labelText.namesTicket() || t.strongFail()):
		if t.empty() || t.blank() || len(t.words) < 2 || t.countOnly() || t.isTicket() && !t.strongFail() || t.isCount() || t.toBeDone() || t.dealtWith() {
			return "", false, false
		}
		if b.labelRole.has(roleCause) && b.section.parent.has(roleCause) && b.siblingRole(roleProblem) != nil {
			return "", false, false // the record is the cause, the line says how it came
		}
		if strings.Contains(strings.ToLower(b.label), "impact") && (t.failsAt() < 0 || t.at(0, classNegate)) {
			return "", false, false // what a thing is good for, as often as what it broke
		}
		if headField(b) && t.failsAt() < 0 {
			return "", false, false
		}
		return "label " + quote(b.label), b.labelRole.has(roleCause), true
	case b.kind == itemBlock && b.parent == nil && b.section.has(roleProblem) && b.labelText.lacks():
		return "under heading " + quote(b.section.title.s), false, true
	case statedBad(b):
		return "a bad state", false, true
	case b.labelRole.any(roleFix, roleLesson, roleReason, roleTask, roleStatus, roleCommit, roleOptions, roleDecision, roleFiles, roleHandoff, rolePlan, roleTest, roleConsequence, roleDone, roleOutcome):
		return "", false, false
	}
	if b.parent != nil && x.used[b.parent] != nil {
		return "", false, false // detail of a fact
	}
	s := b.section
	if b.kind == itemBlock && b.label == "" && s.roles.any(roleFix, roleProblem) && !t.repaired() && x.nextIsFix(b) {
		return "stands with its solution", false, true
	}
	if s.within(rolePlan) || s.within(roleHandoff) || s.within(roleLesson) && !(s.has(roleProblem) && b.kind == itemBlock) || s.has(roleTask) || s.has(roleFix) || s.has(roleCommit) || s.within(roleOptions) || s.within(roleConsequence) || s.within(roleFiles) {
		return "", false, false
	}
	fails := t.failsAt() >= 0
	if b.labelRole == 0 && b.label != "" && b.parent == nil && b.labelText.labelFails() && !t.blank() && !s.has(roleDecision) {
		return "label " + quote(b.label), false, true
	}
	if t.found() && b.parent == nil && len(t.words) <= 40 && !b.labelRole.any(roleTask) {
		return "says that faults were found", false, true
	}
	if b.intro != nil && b.intro.labelRole.any(roleProblem, roleFailed, roleCause) && b.parent == nil {
		if f := x.used[b.intro]; f != nil && f.span[1] >= b.span[0] {
			return "", false, false // told with the line that opens the list
		}
		cause := b.intro.labelRole.has(roleCause)
		if cause && !strings.Contains(strings.ToLower(b.intro.label), "causes") && !fails {
			return "", false, false // one cause, told step by step
		}
		return "under label " + quote(b.intro.label), cause, !t.blank() && !t.repaired() && (!cause || len(t.words) > 2)
	}
	if label := labelAbove(b.intro); label.has(roleFix) && !label.any(roleProblem, roleFailed) {
		return "", false, false // a step of a repair
	}
	if b.intro != nil && b.intro.labelRole != 0 && !b.intro.labelRole.any(roleFinding, roleContext, roleTimeline, roleResult) && !((openWork(b.intro) || b.intro.labelRole.has(roleDone)) && t.strongFail()) {
		return "", false, false
	}
	if b.labelRole.has(roleResult) && !s.has(roleSkip) && len(t.words) > 1 && !t.hasCount() {
		return "label " + quote(b.label) + " of a failure", false, b.tick == badTick || t.statusOf() == episode.Failure || t.strongFail()
	}
	if b.labelRole.has(roleFinding) && fails && !t.repaired() {
		return "label " + quote(b.label), false, true
	}
	placed := s.roles.any(roleProblem, roleFailed) && !s.roles.any(roleFix, roleDone)
	causal := s.roles.has(roleCause)
	switch {
	case (placed || causal) && b.kind == itemBlock && b.parent == nil && b.labelRole == 0:
		if t.blank() || t.repaired() || b.tick == doneTick {
			return "", false, false
		}
		lacks := t.lacks() && (b.intro == nil || b.intro.label == "")
		if !fails && !lacks && (causal || !listsFaults(s)) {
			return "", false, false
		}
		return "under heading " + quote(s.title.s), causal, true
	case (placed || causal) && b.kind == paraBlock && s.prose == b && b.label == "":
		return "first words under heading " + quote(s.title.s), causal, fails || causal || problemAlone(s) && len(t.words) > 4 && !t.repaired() && !b.opensList()
	case t.reported() && b.parent == nil && !s.any(roleDone, roleTest):
		return "says that it was reported", false, true
	case b.labelRole.has(roleFinding) && s.has(roleFinding) && t.is(classOff) && !t.repaired():
		return "a finding that differs from what was thought", false, true
	case s.has(roleFinding) && b.kind == itemBlock && b.parent == nil && fails && !t.repaired() && b.tick != doneTick && len(t.words) <= 30:
		return "finding that says " + quote(t.words[t.failsAt()].s), false, true
	case s.has(roleFinding) && b.kind == itemBlock && b.parent == nil && x.graded(b):
		return "graded finding", false, !t.repaired() && b.tick != doneTick
	case (s.has(roleSummary) || s.has(roleContext)) && b.kind == paraBlock && s.prose == b && t.opensWithFault():
		return "first words under heading " + quote(s.title.s), false, true
	case !fails || b.tick == doneTick && t.repaired() || t.repaired() || len(t.words) > 60 && !tellsFault(b):
		return "", false, false
	case beforeChoice(b):
		return "stands before the section's decision", false, true
	case s.has(roleTimeline) || s.has(roleContext) || s.has(roleFinding) || s.has(roleSummary):
		return "says " + quote(t.words[t.failsAt()].s), false, t.strongFail()
	}
	return "says " + quote(t.words[t.failsAt()].s), false, b.parent == nil && t.strongFail()
}

// beforeChoice reports whether b stands in a short record: a section that holds
// one labelled decision, further down.
func beforeChoice(b *block) bool {
	if len(b.section.blocks) > 12 {
		return false
	}
	n, after := 0, false
	for _, o := range b.section.blocks {
		if o.labelRole.any(roleDecision, roleChosen) && !o.text.empty() {
			n++
			after = o.index > b.index
		}
	}
	return n == 1 && after
}

// nextIsFix reports whether the next line of b's list is labelled as its solution.
func (x *extraction) nextIsFix(b *block) bool {
	next := b.index + 1
	return next < len(x.doc.blocks) && x.doc.blocks[next].section == b.section && x.doc.blocks[next].parent == b.parent && x.doc.blocks[next].labelRole.has(roleFix)
}

// listsFaults reports whether every item under a heading is a fault by what the
// heading says; "Problem" may also hold the story around one.
func listsFaults(s *section) bool {
	return !s.title.is(classStory) && s.subject == "" // a heading that names its problem tells of one
}

// statedBad reports whether the state of a thing is given as a bad one: "Memory
// check: FAILURE", "Status: BLOCKED by the rate limit". That of the session itself
// is its outcome.
func statedBad(b *block) bool {
	if b.section.level < 3 || b.labelRole.any(roleOutcome, roleResult) || b.section.within(rolePlan) {
		return false
	}
	t := stateOf(b)
	return t.badState() && !t.is(classRepaired)
}

// problemAlone reports whether a heading names one problem and nothing else.
func problemAlone(s *section) bool {
	return s.level > 1 && len(s.title.words) <= 3 && s.roles.has(roleProblem) && s.roles&^(1<<roleProblem|1<<roleOpen) == 0 && len(s.subs) == 0
}

// graded reports whether an item opens with how grave it is, or with the number
// of a finding: "P1: …", "C2: …".
func (x *extraction) graded(b *block) bool {
	if gradeEnd.MatchString(b.text.s) {
		return true
	}
	name := b.label
	if name == "" {
		i := strings.IndexAny(b.text.s, ":：")
		if i <= 0 || i > 16 {
			return false
		}
		name = b.text.s[:i]
	}
	t := x.plain(name)
	if t.at(0, classGrade) {
		return len(t.words) <= 2
	}
	return len(t.words) <= 3 && gradePattern.MatchString(name)
}

// gradeEnd matches "… (P0 Critical)".
var gradeEnd = regexp.MustCompile(`\(P\d(?: [A-Z][a-z]+)?\)$`)

var gradePattern = regexp.MustCompile(`^[A-Z]{1,8}(?:-[A-Z]+)*-?\d{1,4}$`)

// headField reports whether b is one of the fields at the head of a log (date,
// branch, issue), which name the work and tell nothing of it.
func headField(b *block) bool {
	if b.section.level > 1 || len(b.text.words) > 15 {
		return false
	}
	for _, o := range b.group() {
		if d := o.span[0] - b.span[1]; d >= -3 && d <= 3 && o.labelRole.any(roleWho, roleDate, roleBase) {
			return true
		}
	}
	return false
}

// labelAbove are the roles of the label that stands alone above the line that opens a
// list: "**Fix**:", then "Each job now does its own part:".
func labelAbove(intro *block) roleSet {
	if intro == nil || intro.label != "" || intro.intro == nil || !intro.intro.text.empty() {
		return 0
	}
	return intro.intro.labelRole
}
