package extract

import "strings"

// decisionPlace is how much the place of a block says that it is a decision; -1
// means that it cannot be one.
func (x *extraction) decisionPlace(b *block) (int, string) {
	s := b.section
	if isOption(b.labelText) && saysSelected(b.text) && len(b.text.words) < 15 {
		return 3, "option marked as taken"
	}
	if b.text.at(0, classRoute) && b.text.is(classAgent) && len(b.text.words) < 20 && !s.within(rolePlan) {
		return 3, "hands the work on"
	}
	if b.labelRole == 0 && b.parent == nil && b.kind != rowBlock && labelRefuses(b) {
		return 3, "label " + quote(b.label)
	}
	if s.has(roleConflict) && b.kind == itemBlock && b.parent == nil && (b.label != "" || b.text.chooses()) {
		return 3, "under heading " + quote(s.title.s)
	}
	if b.labelRole.has(roleStatus) && saysVerdict(b) {
		return 4, "label " + quote(b.label)
	}
	if b.labelRole.has(roleStrategy) && len(b.text.words) > 2 && b.parent == nil {
		return 3, "label " + quote(b.label)
	}
	switch {
	case b.labelRole.any(roleReason, roleContext, roleProblem, roleCause, roleLesson, roleStatus, roleTest, roleCommit, roleFiles, roleTask, roleOptions, roleHandoff, rolePlan, roleConsequence, roleDuration):
		return -1, ""
	case b.labelRole.any(roleDecision, roleChosen):
		if b.text.empty() {
			return -1, "" // opens a list
		}
		return 4, "label " + quote(b.label)
	case b.labelRole.has(roleVerdict):
		if b.text.verdict() {
			return 4, "label " + quote(b.label)
		}
		return -1, ""
	}
	if s.has(roleRefused) && b.kind != codeBlock && b.parent == nil && len(b.text.words) > 2 && (b.kind == itemBlock || s.prose == b && !s.items) {
		return 3, "under heading " + quote(s.title.s)
	}
	if s.has(roleFailed) && s.level > 1 && b.parent == nil && x.namesAttempt(b) {
		return 3, "a way that did not work"
	}
	if isOption(b.text) && saysSelected(b.text) && len(b.text.words) < 15 {
		return 3, "option marked as taken"
	}
	if b.parent != nil {
		if b.parent.labelRole.any(roleDecision) && b.parent.text.empty() {
			return 3, "under label " + quote(b.parent.label)
		}
		if x.used[b.parent] != nil && x.used[b.parent].kind == decisionFact {
			return -1, "" // detail of a decision
		}
	}
	if len(b.text.words) > 2 && b.text.words[1].s == "had" && b.text.words[2].s != "to" {
		return -1, "" // "main had two entries" is how things stood
	}
	if b.intro != nil && b.parent == nil {
		if b.intro.labelRole.has(roleDecision) {
			return 3, "under label " + quote(b.intro.label)
		}
		if b.intro.labelRole.has(roleAttempt) && b.kind == itemBlock {
			return 3, "under label " + quote(b.intro.label)
		}
		if b.intro.labelRole != 0 && !b.intro.labelRole.any(roleFix, roleAttempt, roleDone) {
			return -1, ""
		}
	}
	if s.within(roleLesson) || s.within(roleHandoff) || s.within(rolePlan) || s.within(roleOptions) || s.within(roleConsequence) || s.within(roleTask) || s.has(roleCommit) {
		return -1, ""
	}
	if s.has(roleDecision) {
		if ledIn(b) || s.subject != "" && b.label == "" && (b.opensList() || b.intro != nil && b.intro.label == "") {
			return -1, "" // what the choice holds, or its reasons
		}
		if b.kind == paraBlock && b.label == "" && s.prose == b && s.single() {
			return 3, "first words under heading " + quote(s.title.s)
		}
		if b.kind == paraBlock && b.label == "" {
			if s.prose != b {
				return 1, "under heading " + quote(s.title.s)
			}
			return 2, "under heading " + quote(s.title.s)
		}
		if b.parent != nil || b.label != "" && !b.labelRole.any(roleDecision, roleChosen, roleVerdict, roleFix) && s.subject != "" {
			return -1, "" // a detail, as "Risk: ..." under "Decision 2: ..."
		}
		return 3, "under heading " + quote(s.title.s)
	}
	if s.has(roleVerdict) && (s.prose == b && b.text.verdict() || b.labelRole&^(1<<roleOpen|1<<roleRefused) == 0 && b.label != "" && b.labelText.verdict()) {
		return 4, "first words under heading " + quote(s.title.s)
	}
	if s.within(roleDecision) {
		return 0, "within " + quote(s.title.s)
	}
	if (b.labelRole.has(roleFix) || b.labelRole == 0 && s.has(roleFix) && s.prose == b) && statesFault(b.text) {
		return -1, "" // the cause, told where the way out should stand
	}
	if b.labelRole.has(roleFix) && !b.text.empty() {
		if hasProblem(b) || s.roles.has(roleFix) || b.parent != nil && b.parent.text.failsAt() >= 0 {
			return 3, "label " + quote(b.label) + " of a problem"
		}
		return 2, "label " + quote(b.label)
	}
	if b.labelRole.has(roleAttempt) && !b.text.empty() && b.siblingRole(roleResult, roleFailed) != nil {
		return 3, "label " + quote(b.label) + " with a result"
	}
	if s.has(roleFix) && b.ordered && b.parent == nil && b.lead != "" && b.lead == b.text.s && len(b.children) > 0 && b.text.actLike() {
		return 3, "a part of the solution"
	}
	if s.has(roleFix) || s.has(roleAttempt) && (b.kind != itemBlock || b.ordered) {
		if b.kind == paraBlock && b.label == "" && s.prose == b && s.roles.has(roleFix) && problemNear(s) && !(b.opensList() && len(b.text.sentences()) == 1 && !b.text.actLike()) {
			return 3, "first words under heading " + quote(s.title.s)
		}
		return 1, "under heading " + quote(s.title.s)
	}
	if s.has(roleStrategy) && b.kind == itemBlock && b.parent == nil && !b.text.isTicket() {
		return 3, "under heading " + quote(s.title.s)
	}
	if s.has(roleAttempt) && b.kind == itemBlock && !b.ordered && b.parent == nil {
		return 2, "under heading " + quote(s.title.s)
	}
	if s.has(roleSummary) {
		return 1, "under heading " + quote(s.title.s)
	}
	return 0, "words"
}

// statesFault reports whether the first sentence of a text says what was wrong and
// nothing of what was done: "The key was missing in production".
func statesFault(t text) bool {
	ss := t.sentences()
	if len(ss) == 0 {
		return false
	}
	s := ss[0]
	if s.actLike() || s.chosenAt() >= 0 || s.contrast() != "" || pastAct(s.words[0]) {
		return false
	}
	for i := range s.words {
		if i > 0 && i < 8 && t.at(i, classHas) && (s.words[i].s == "was" || s.words[i].s == "were") {
			return s.failsAt() > i || s.at(i-1, classFaultNoun)
		}
	}
	return false
}

// saysVerdict reports whether a status line judges: "APPROVED (with changes)", or
// any judgement where a verdict is asked for.
func saysVerdict(b *block) bool {
	t := b.text
	if b.section.has(roleVerdict) {
		return t.verdict()
	}
	if t.verdict() && !t.badState() && t.capitals(0) && reviewOf(b) != "" {
		return true
	}
	return b.section.level > 1 && (t.at(0, classApprove) || t.at(0, classRefuseAct)) && t.at(0, classVerdict) && t.capitals(0)
}

// reviewOf is the name of the review whose status line b is, if it has one.
func reviewOf(b *block) string {
	switch of := b.parent; {
	case of != nil && of.labelText.is(classReview):
		return of.label
	case of != nil && of.text.is(classReview):
		return shorten(of.text.s, maxContent)
	case of == nil && b.section.level > 1 && b.section.title.is(classReview):
		return b.section.title.s
	}
	return ""
}

// labelRefuses reports whether a label says that its subject is not done:
// "Phase 4 skipped: …", "Deferred items".
func labelRefuses(b *block) bool {
	l := b.labelText
	i := l.index(classRefuseAct)
	return i >= 0 && len(l.words) > 1 && !l.at(0, classWhy) && (i == len(l.words)-1 || b.text.empty() && len(b.governs) > 0) && !b.section.within(rolePlan) && !b.section.any(roleTest)
}

// namesAttempt reports whether a block under a heading of what failed names a way
// that was tried ("**WAL mode**: still two writers", "Guarding the callback did
// not help") rather than a failure.
func (x *extraction) namesAttempt(b *block) bool {
	t := b.text
	if b.kind == itemBlock && b.labelRole == 0 && b.label != "" {
		return b.labelText.failsAt() < 0
	}
	if b.lead != "" && len(b.lead) < len(t.s) {
		return x.plain(b.lead).failsAt() < 0
	}
	return len(t.words) > 3 && !t.words[0].code && (strings.HasSuffix(t.words[0].s, "ing") || t.actLike()) && t.failsAt() != 0
}

// ledIn reports whether b is an item of a list that gives what a thing holds or
// its reasons: "Put off because:".
func ledIn(b *block) bool {
	if b.kind != itemBlock || b.intro == nil || b.intro.label != "" {
		return false
	}
	_, ok := b.intro.text.leadIn()
	return ok
}

// hasProblem reports whether a labelled block stands in one group with a problem.
func hasProblem(b *block) bool {
	return b.siblingRole(roleProblem, roleCause, roleFailed) != nil || b.section.roles.any(roleProblem) || b.parent != nil && b.parent.tick != noTick
}

// problemNear reports whether the section's surroundings name a problem.
func problemNear(s *section) bool {
	if s.parent == nil {
		return false
	}
	for _, o := range around(s.parent.subs, s.pos) {
		if o != s && o.roles.any(roleProblem, roleCause, roleFailed) {
			return true
		}
	}
	return s.parent.roles.any(roleProblem, roleCause)
}
