package extract

import (
	"slices"
	"strings"

	"episodes/episode"
)

// decisionThreshold is the score from which a block states a decision. A place
// that says "decision" is enough by itself; elsewhere the words must say it and
// the place must allow it.
const decisionThreshold = 3

// decisions takes every block that states a choice.
func (x *extraction) decisions() {
	for _, s := range x.doc.sections {
		x.headingDecision(s)
	}
	for _, b := range x.doc.blocks {
		if b.kind == codeBlock || x.used[b] != nil || quiet(b) {
			continue
		}
		switch {
		case b.kind == rowBlock:
			x.rowDecision(b)
		default:
			x.blockDecision(b)
		}
	}
	x.returnContexts()
	x.dropEmptyChoices()
}

// dropEmptyChoices drops decisions whose choice is no act: a bare status, a
// number, a commit, nothing. A verdict keeps its name, since "approved" alone
// says not of what kind it is.
func (x *extraction) dropEmptyChoices() {
	x.facts = slices.DeleteFunc(x.facts, func(f *fact) bool {
		if f.kind != decisionFact || !emptyChoice(x.plain(f.decision.Chosen)) {
			return false
		}
		if f.block != nil && f.block.text.verdict() && f.block.labelRole.any(roleVerdict, roleDecision) {
			f.decision.Chosen = f.block.label + ": " + f.decision.Chosen
			return false
		}
		for s := f.factSection(); s != nil; s = s.parent {
			if s.has(roleVerdict) {
				f.decision.Chosen = s.title.s + ": " + f.decision.Chosen
				return false
			}
		}
		for b, used := range x.used {
			if used == f {
				delete(x.used, b)
			}
		}
		return true
	})
}

// emptyChoice reports whether a text holds nothing but status words, numbers and
// commits.
func emptyChoice(t text) bool {
	for _, w := range t.words {
		c := w.classes
		switch {
		case isNumber(w.s), isSHA(w.s, true), c.has(classGood), c.has(classBad), c.has(classHalf), c.has(classBlank), w.s == "null", w.s == "in", w.s == "yet", w.s == "fixed", w.s == "addressed", w.s == "with", w.s == "pr", w.s == "by", w.s == "commit":
		default:
			return false
		}
	}
	return true
}

// headingDecision takes "### Decision: X" and sections whose heading is the
// choice under a decision heading.
func (x *extraction) headingDecision(s *section) {
	if s.has(roleSkip) {
		return
	}
	if x.optionSelected(s) {
		return
	}
	if s.roles.has(roleFix) && s.subject != "" && s.level > 1 && !headSays(s, classRepaired) && !namesFault(x.plain(s.subject)) && !s.within(rolePlan) && len(x.plain(s.subject).words) > 1 {
		f := x.newDecision(nil, episode.Span{s.line, s.line}, x.plain(s.subject), "heading gives the solution")
		f.section, f.repair, f.decision.Type = s, true, episode.Recovery
		x.fillFromSection(f, s)
		neighbours(f, s)
		return
	}
	if s.roles.has(roleDecision) && s.subject != "" && s.level > 1 {
		f := x.newDecision(nil, episode.Span{s.line, s.line}, x.plain(s.subject), "heading says decision")
		x.fillFromSection(f, s)
		return
	}
	if s.parent != nil && s.parent.roles.has(roleVerdict) && s.level == boldLevel && s.title.verdict() {
		f := x.newDecision(nil, episode.Span{s.line, s.line}, s.title, "under heading "+quote(s.parent.title.s))
		f.section = s
		if s.prose != nil {
			f.decision.Rationale = shorten(s.prose.text.s, maxContent)
			x.used[s.prose] = f
		}
		return
	}
	if s.numbered() && s.parent.any(roleWorked, roleFailed) && s.roles&^(1<<roleWorked|1<<roleFailed|1<<roleReason) == 0 && len(s.title.words) > 2 {
		f := x.newDecision(nil, episode.Span{s.line, s.line}, s.title.sub(s.title.words[0].end, len(s.title.s)), "a way that was tried")
		f.section = s
		x.fillFromSection(f, s)
		f.decision.Outcome = episode.Success
		if s.parent.has(roleFailed) {
			f.decision.Outcome = episode.Failure
		}
		return
	}
	if x.headingRefusal(s) || x.headingQuestion(s) || x.headingVerdict(s) {
		return
	}
	// "### 2. Use X" under "## Decisions"
	if s.parent != nil && s.parent.roles.has(roleDecision) && s.roles&^(1<<roleFix|1<<roleProblem|1<<roleDecision) == 0 && s.level > 1 && !s.title.empty() {
		if topicOnly(s) {
			return
		}
		title := s.title
		if len(title.words) > 1 && isNumber(title.words[0].s) {
			title = title.sub(title.words[0].end, len(title.s))
		}
		f := x.newDecision(nil, episode.Span{s.line, s.line}, x.plain(strings.TrimLeft(title.s, ".): ")), "heading under a decisions heading")
		x.fillFromSection(f, s)
	}
}

// namesFault reports whether what a heading gives as its fix is the name of the
// fault: "Fix 1: Broken link in the manual".
func namesFault(t text) bool {
	return t.failsAt() >= 0 && !t.actLike() && !t.repaired() && t.contrast() == "" && t.chosenAt() < 0
}

// topicOnly reports whether a heading names what the choices under it are about
// ("Technical choices", "Scope") rather than a choice.
func topicOnly(s *section) bool {
	t := s.title
	if t.at(0, classWhy) {
		return true // "When to split a bundle"
	}
	if len(t.words) > 4 || isNumber(t.words[0].s) || t.at(0, classAdopt) || t.at(0, classMake) || t.at(0, classChoose) || t.hasCode() || t.contrast() != "" || s.subject != "" {
		return false
	}
	told := false
	for _, b := range s.blocks {
		if b.labelRole.any(roleChosen, roleDecision) && !b.text.empty() && (b.text.blank() || b.placeholder()) {
			return true // it is still to be chosen
		}
		told = told || b.labelRole.any(roleReason, roleChosen, roleDecision, roleOptions, roleRejected, roleContext)
	}
	return !told
}

// headingRefusal takes "### Group 2: X — DEFERRED" and "### Phase 4: X [SKIPPED]",
// where the section goes on to say why.
func (x *extraction) headingRefusal(s *section) bool {
	n := len(s.title.words)
	if s.level < 2 || n < 2 || s.within(rolePlan) || !s.title.at(n-1, classRefuseAct) || !s.title.capitals(n-1) {
		return false
	}
	w := s.title.words[n-1]
	from := 0
	if isNumber(s.title.words[0].s) {
		from = s.title.words[1].start // "1. Review of the index (REJECTED)"
	}
	what := s.title.sub(from, w.start)
	f := x.newDecision(nil, episode.Span{s.line, s.line}, x.plain(sentenceCase(w.s)+": "+strings.TrimRight(what.s, " [(—–-⏭⏸\ufe0f")), "heading says "+quote(w.s))
	f.section = s
	x.fillFromSection(f, s)
	return true
}

// headingVerdict takes "### APPROVED FOR MERGE" and "### Review by the critic
// (REJECTED)": a judgement in capitals.
func (x *extraction) headingVerdict(s *section) bool {
	t := s.title
	if s.level < 2 || s.within(rolePlan) || s.within(roleSkip) || s.roles.any(roleTest, roleStatus, roleOutcome) {
		return false
	}
	for i := range t.words {
		if i > 0 && !strings.HasSuffix(t.s[:t.words[i].start], "(") || !t.at(i, classVerdict) || !t.at(i, classApprove) && !t.at(i, classRefuse) || !t.capitals(i) {
			continue
		}
		if isNumber(t.words[0].s) {
			t = t.sub(t.words[0].end+1, len(t.s))
		}
		f := x.newDecision(nil, episode.Span{s.line, s.line}, t, "heading gives a verdict")
		f.section = s
		x.fillFromSection(f, s)
		return true
	}
	return false
}

func sentenceCase(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// headingQuestion takes "Why X over Y?" under a decisions heading: the question
// names the choice, what stands under it are the reasons.
func (x *extraction) headingQuestion(s *section) bool {
	if !strings.HasSuffix(s.title.s, "?") || !s.parent.within(roleDecision) || len(s.title.words) < 2 {
		return false
	}
	t := s.title
	if s.roles.has(roleReason) {
		t = t.sub(t.words[0].end, len(t.s))
	}
	f := x.newDecision(nil, episode.Span{s.line, s.line}, x.plain(strings.TrimRight(t.s, "?")), "question under a decisions heading")
	f.section = s
	f.decision.Context = s.title.s
	x.fillFromSection(f, s)
	var why []string
	for _, b := range s.blocks {
		if b.kind == itemBlock && b.parent == nil && len(why) < reach && x.used[b] == nil && b.labelRole == 0 {
			why = append(why, b.full())
			x.used[b] = f
		}
	}
	if f.decision.Rationale == "" {
		f.decision.Rationale = shorten(strings.Join(why, "; "), maxContent)
	}
	options(f)
	return true
}

// fillFromSection reads the labelled parts of a decision's own section.
func (x *extraction) fillFromSection(f *fact, s *section) {
	for _, b := range s.blocks {
		switch {
		case b.labelRole.any(roleChosen, roleDecision) && !b.text.empty():
			if f.decision.Context == "" {
				f.decision.Context = f.decision.Chosen
			}
			x.splitReason(f, b.text.s)
			f.span = b.span
			x.used[b] = f
		case b.labelRole.has(roleReason):
			f.decision.Rationale = partText(b)
			x.used[b] = f
		case b.labelRole.any(roleContext, roleProblem):
			f.decision.Context = shorten(partText(b), maxContent)
		case b.labelRole.has(roleOptions) || b.labelRole.has(roleRejected):
			addOptions(f, b)
			x.used[b] = f
		case b.labelRole.any(roleStatus, roleOutcome, roleResult) && f.decision.Outcome == episode.Unknown:
			f.decision.Outcome = b.text.statusOf()
			x.used[b] = f
		}
	}
	options(f)
}

// partText is the text of a labelled block, with the items it introduces.
func partText(b *block) string {
	if !b.text.empty() {
		return shorten(b.text.s, maxContent)
	}
	return listText(b)
}

// listText joins the items that a block introduces.
func listText(b *block) string {
	var parts []string
	for _, c := range around(b.introduced(), 0) {
		parts = append(parts, c.full())
	}
	return shorten(strings.Join(parts, "; "), maxContent)
}

// blockDecision scores one block.
func (x *extraction) blockDecision(b *block) {
	if b.text.empty() && b.label == "" || b.struck {
		return
	}
	place, why := x.decisionPlace(b)
	if place < 0 || !b.text.empty() && b.text.blank() {
		return
	}
	words, tell := x.decisionWords(b)
	if place+words < decisionThreshold {
		x.sentenceDecision(b)
		return
	}
	if tell != "" {
		why += ", " + tell
	}
	t := b.text
	if place < decisionThreshold && b.label == "" && b.lead == "" {
		t = fromChoice(t)
	}
	if b.section.has(roleFix) && b.section.prose == b {
		t = actOf(t)
	}
	x.takeDecision(b, t, why)
}

// takeDecision makes a decision of a block and of what stands with it.
func (x *extraction) takeDecision(b *block, t text, why string) *fact {
	rest, opens := t.leadIn()
	if opens {
		t = t.sub(0, len(rest))
	}
	f := x.newDecision(b, b.span, t, why)
	if opens && f.decision.Rationale == "" {
		f.decision.Rationale = listText(b)
	}
	if b.section.has(roleRefused) && !b.labelRole.any(roleDecision, roleChosen) {
		f.decision.Chosen = shorten(b.section.title.s+": "+f.decision.Chosen, maxContent)
	}
	if b.label != "" && !b.labelRole.any(roleStatus, roleResult, roleOutcome, roleStrategy, roleDecision, roleChosen, roleFix, roleVerdict, roleAttempt, roleRejected) {
		// In a list of decisions, "**Use X**: Y" gives the choice and why, and
		// "**Scope**: Y" what is settled and how.
		if label := b.labelText; t.empty() || t.reasonLike() || label.actLike() || len(label.words) >= 4 || b.section.has(roleVerdict) && label.verdict() {
			f.decision.Chosen, f.decision.Rationale = b.label, shorten(t.s, maxContent)
		} else {
			f.decision.Context = b.label
		}
	} else if t.empty() {
		f.decision.Chosen = b.label
	}
	if b.lead != "" && len(b.lead) < len(t.s) && len(x.plain(b.lead).words) > 2 {
		rest := strings.Trim(strings.TrimPrefix(t.s, b.lead), " .:—–-")
		f.decision.Chosen = strings.TrimRight(b.lead, ".:")
		if !opens { // what follows the bold part is one piece, whatever its first sentence is
			f.decision.Rationale = shorten(rest, maxContent)
		}
	}
	if f.decision.Context == "" && b.labelRole.has(roleStatus) && !b.section.has(roleVerdict) {
		f.decision.Context = reviewOf(b) // what was judged
	}
	f.repair = b.labelRole.has(roleFix)
	if b.section.has(roleFailed) && f.decision.Outcome == episode.Unknown {
		f.decision.Outcome = episode.Failure
	}
	x.topicDecision(f, b)
	x.addNested(f, b)
	x.surroundings(f, b)
	neighbours(f, b.section)
	x.namedOption(f)
	options(f)
	return f
}

// topicDecision reads an item that gives only the topic, in bold, and says below
// it what was chosen: the topic is the question, the nested line the choice.
func (x *extraction) topicDecision(f *fact, b *block) {
	topic := b.label
	if topic == "" && b.lead == b.text.s {
		topic = b.lead
	}
	if t := x.plain(topic); topic == "" || b.label != "" && !b.text.empty() || t.actLike() || len(t.words) > 6 {
		return
	}
	for _, c := range b.children {
		t := c.text
		if x.used[f.block] == f && x.used[c] == nil && f.decision.Context == strings.TrimRight(topic, ".:") && c.kind == itemBlock && t.actLike() {
			more := x.newDecision(c, c.span, t, "nested under the topic "+quote(topic))
			more.decision.Context = f.decision.Context
			options(more)
			continue
		}
		if c.kind != itemBlock || t.empty() || c.labelRole.any(roleReason, roleOptions, roleRejected, roleContext) {
			continue
		}
		if t.chosenAt() < 0 && !t.at(0, classAdopt) && !t.at(0, classMake) && !c.labelRole.any(roleChosen, roleDecision) {
			continue
		}
		f.decision.Context = strings.TrimRight(topic, ".:")
		f.decision.Rationale = ""
		x.splitReason(f, t.s)
		f.span[1] = max(f.span[1], c.span[1])
		x.used[c] = f
	}
}

// actOf is the part of a fix from the sentence on that says what was done: what
// stands before it may retell the fault ("X built the name from Y, so …. Now the
// name comes from Z").
func actOf(t text) text {
	ss := t.sentences()
	for i, s := range ss {
		if i == 0 && s.actLike() {
			return t
		}
		if i > 0 && (s.has("now") || s.actLike()) && strings.Contains(ss[0].s, ", so ") {
			if at := strings.Index(t.s, s.s); at > 0 {
				return t.sub(at, len(t.s))
			}
		}
	}
	return t
}

// fromChoice is the part of a text from the sentence on that says the choice:
// what stands before it leads up to it.
func fromChoice(t text) text {
	ss := t.sentences()
	for i, s := range ss {
		if s.chosenAt() < 0 && s.contrast() == "" {
			continue
		}
		if at := strings.Index(t.s, s.s); i > 0 && at > 0 {
			return t.sub(at, len(t.s))
		}
		break
	}
	return t
}

// sentenceDecision takes the sentence of a longer text that says by itself that
// one way was taken.
func (x *extraction) sentenceDecision(b *block) {
	if !b.text.classes.has(classSettle) {
		return
	}
	ss := b.text.sentences()
	if len(ss) < 2 {
		return
	}
	for _, t := range ss {
		i := t.chosenAt()
		if i < 0 || !t.at(i, classSettle) || len(t.words) > 40 || len(t.words) < 4 {
			continue
		}
		f := x.newDecision(nil, t.span(b.span), t, "sentence says "+quote(t.words[i].s))
		f.section = b.section
		options(f)
		return
	}
}

func quote(s string) string { return `"` + shorten(s, 40) + `"` }
