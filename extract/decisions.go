package extract

import (
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
		if b.kind == codeBlock || x.used[b] != nil || x.quiet(b) {
			continue
		}
		switch {
		case b.kind == rowBlock:
			x.rowDecision(b)
		default:
			x.blockDecision(b)
		}
	}
}

// quiet reports whether b stands where nothing of this session is told:
// protocol lists, references, file lists, plans, templates.
func (x *extraction) quiet(b *block) bool {
	if b.inProtocol() || b.placeholder() || b.labelRole.any(roleWho, roleDate, roleBase) {
		return true
	}
	return false
}

// inProtocol reports whether b is part of a protocol: it stands right under such
// a heading, or it is one of its ticked steps further down. A section that
// merely follows a protocol heading, at a deeper level, is none.
func (b *block) inProtocol() bool {
	if b.section.has(roleSkip) {
		return true
	}
	return b.section.within(roleSkip) && (b.tick != noTick || b.kind == rowBlock && b.table.names(roleStatus))
}

// placeholder reports whether a block is what a template leaves behind: a mark
// such as {{name}}, or nothing but bracketed words.
func (b *block) placeholder() bool {
	s := b.full()
	if strings.Contains(s, "{{") || strings.HasPrefix(s, "<!--") {
		return true
	}
	rest := s
	brackets := 0
	for {
		i := strings.IndexByte(rest, '[')
		if i < 0 {
			break
		}
		j := strings.IndexByte(rest[i:], ']')
		if j < 0 {
			break
		}
		brackets++
		rest = rest[:i] + rest[i+j+1:]
	}
	return brackets > 0 && !strings.ContainsFunc(strings.TrimPrefix(rest, b.label), isLetter)
}

func isLetter(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r > 0x7f && r != '—' && r != '–' && r != '→'
}

// blank reports whether a text says only that there is nothing.
func (x *extraction) blank(t text) bool {
	if len(t.words) == 0 {
		return true
	}
	if s := strings.Trim(strings.ToLower(t.s), " .-*_"); s == "n/a" || s == "" || s == "…" {
		return true
	}
	return len(t.words) <= 3 && (x.lex.class(t.words[0]).has(classBlank) || t.has("not applicable") || t.has("none yet"))
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
	if s.roles.has(roleDecision) && s.subject != "" && s.level > 1 {
		f := x.newDecision(nil, episode.Span{s.line, s.line}, plain(s.subject), "heading says decision")
		x.fillFromSection(f, s)
		return
	}
	// "### 2. Use X" under "## Decisions"
	if s.parent != nil && s.parent.roles.has(roleDecision) && s.roles&^(1<<roleFix|1<<roleCommit|1<<roleTest|1<<roleProblem) == 0 && s.level > 1 && !s.title.empty() {
		title := s.title
		if len(title.words) > 1 && isNumber(title.words[0].s) {
			title = title.sub(title.words[0].end, len(title.s))
		}
		f := x.newDecision(nil, episode.Span{s.line, s.line}, plain(strings.TrimLeft(title.s, ".): ")), "heading under a decisions heading")
		x.fillFromSection(f, s)
	}
}

// optionSelected takes "Option C — selected": one of several sections that each
// stand for an option, whose title or short text says that it was taken.
func (x *extraction) optionSelected(s *section) bool {
	if !isOption(s.title) || s.parent == nil {
		return false
	}
	selected := x.saysSelected(s.title)
	span := episode.Span{s.line, s.line}
	for _, b := range s.blocks {
		if !selected && b.kind == paraBlock && len(b.text.words) <= 30 && x.saysSelected(b.text) {
			selected = true
			span[1] = b.span[1]
		}
	}
	if !selected {
		return false
	}
	f := x.newDecision(nil, span, s.title, "option marked as taken")
	for _, o := range x.doc.sections {
		if o.parent == s.parent && isOption(o.title) && o != s {
			f.dec.Options = append(f.dec.Options, shorten(o.title.s, 160))
		}
	}
	if s.parent.roles.has(roleOptions) && s.parent.parent != nil && s.parent.parent.level > 1 {
		f.dec.Context = s.parent.parent.title.s
	}
	x.fillFromSection(f, s)
	return true
}

func isOption(t text) bool {
	switch t.first() {
	case "option", "alternative", "alternativ", "optie", "вариант":
		return len(t.words) > 1
	}
	return false
}

func (x *extraction) saysSelected(t text) bool {
	for i, w := range t.words {
		switch w.s {
		case "selected", "chosen", "adopted", "accepted", "vald", "gekozen", "выбран":
			if !x.negated(t, i) {
				return true
			}
		}
	}
	return false
}

// fillFromSection reads the labelled parts of a decision's own section.
func (x *extraction) fillFromSection(f *fact, s *section) {
	for _, b := range s.blocks {
		switch {
		case b.labelRole.any(roleChosen, roleDecision) && !b.text.empty():
			if f.dec.Context == "" {
				f.dec.Context = f.dec.Chosen
			}
			f.dec.Chosen = shorten(b.text.s, maxContent)
			f.span = b.span
			x.used[b] = f
		case b.labelRole.has(roleReason):
			f.dec.Rationale = x.partText(b)
			x.used[b] = f
		case b.labelRole.any(roleContext, roleProblem):
			f.dec.Context = shorten(x.partText(b), maxContent)
		case b.labelRole.has(roleOptions) || b.labelRole.has(roleRejected):
			x.addOptions(f, b)
			x.used[b] = f
		case b.labelRole.any(roleStatus, roleOutcome, roleResult) && f.dec.Outcome == episode.Unknown:
			f.dec.Outcome = x.statusOf(b.text)
		}
	}
	x.options(f)
}

// partText is the text of a labelled block, with the items it introduces.
func (x *extraction) partText(b *block) string {
	if !b.text.empty() {
		return shorten(b.text.s, maxContent)
	}
	var parts []string
	for _, c := range x.introduced(b) {
		parts = append(parts, c.full())
	}
	return shorten(strings.Join(parts, "; "), maxContent)
}

// introduced are the top items of the list that b opens.
func (x *extraction) introduced(b *block) []*block {
	var out []*block
	for _, c := range b.children {
		if c.kind == itemBlock {
			out = append(out, c)
		}
	}
	if len(out) > 0 {
		return out
	}
	for _, c := range b.section.blocks {
		if c.intro == b && c.parent == nil {
			out = append(out, c)
		}
	}
	return out
}

// blockDecision scores one block.
func (x *extraction) blockDecision(b *block) {
	if b.text.empty() && b.label == "" || b.struck {
		return
	}
	place, why := x.decisionPlace(b)
	if place < 0 {
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
	f := x.newDecision(b, b.span, t, why)
	if b.label != "" && !b.labelRole.any(roleDecision, roleChosen, roleFix, roleVerdict, roleAttempt, roleRejected) {
		// In a list of decisions, "**Use X**: Y" gives the choice and why, and
		// "**Scope**: Y" what is settled and how.
		if label := plain(b.label); t.empty() || x.reasonLike(t) || x.actLike(label) || len(label.words) >= 4 {
			f.dec.Chosen, f.dec.Rationale = b.label, shorten(t.s, maxContent)
		} else {
			f.dec.Context = b.label
		}
	} else if t.empty() {
		f.dec.Chosen = b.label
	}
	if b.lead != "" && len(b.lead) < len(t.s) && len(plain(b.lead).words) > 2 {
		rest := strings.Trim(strings.TrimPrefix(t.s, b.lead), " .:—–-")
		f.dec.Chosen = strings.TrimRight(b.lead, ".:")
		if f.dec.Rationale == "" {
			f.dec.Rationale = shorten(rest, maxContent)
		}
	}
	f.repair = b.labelRole.has(roleFix)
	x.addNested(f, b)
	x.surroundings(f, b)
	x.neighbours(f, b.section)
	x.namedOption(f)
	x.options(f)
}

// sentenceDecision takes the sentence of a longer text that says by itself that
// one way was taken.
func (x *extraction) sentenceDecision(b *block) {
	ss := b.text.sentences()
	if len(ss) < 2 {
		return
	}
	for _, t := range ss {
		i := x.chosenAt(t)
		if i < 0 || !strongChoice[t.words[i].s] || len(t.words) > 40 || len(t.words) < 4 {
			continue
		}
		f := x.newDecision(nil, t.span(b.span), t, "sentence says "+quote(t.words[i].s))
		f.section = b.section
		x.options(f)
		return
	}
}

// decisionPlace is how much the place of a block says that it is a decision; -1
// means that it cannot be one.
func (x *extraction) decisionPlace(b *block) (int, string) {
	s := b.section
	switch {
	case b.labelRole.any(roleReason, roleContext, roleProblem, roleCause, roleLesson, roleStatus, roleTest, roleCommit, roleFiles, roleTask, roleOptions, roleHandoff, rolePlan, roleConsequence, roleDuration):
		return -1, ""
	case b.labelRole.any(roleDecision, roleChosen):
		if b.text.empty() {
			return -1, "" // opens a list
		}
		return 4, "label " + quote(b.label)
	case b.labelRole.has(roleVerdict):
		if x.verdict(b.text) {
			return 4, "label " + quote(b.label)
		}
		return -1, ""
	}
	if b.parent != nil {
		if b.parent.labelRole.any(roleDecision) && b.parent.text.empty() {
			return 3, "under label " + quote(b.parent.label)
		}
		if x.used[b.parent] != nil && x.used[b.parent].kind == decisionFact {
			return -1, "" // detail of a decision
		}
	}
	if b.intro != nil && b.parent == nil {
		if b.intro.labelRole.has(roleDecision) {
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
		if b.kind == paraBlock && b.label == "" && s.firstProse() == b && s.single() {
			return 3, "first words under heading " + quote(s.title.s)
		}
		if b.kind == paraBlock && b.label == "" {
			if s.firstProse() != b {
				return 1, "under heading " + quote(s.title.s)
			}
			return 2, "under heading " + quote(s.title.s)
		}
		if b.parent != nil {
			return -1, ""
		}
		return 3, "under heading " + quote(s.title.s)
	}
	if s.within(roleDecision) {
		return 0, "within " + quote(s.title.s)
	}
	if b.labelRole.has(roleFix) && !b.text.empty() {
		if x.hasProblem(b) || s.roles.has(roleFix) {
			return 3, "label " + quote(b.label) + " of a problem"
		}
		return 2, "label " + quote(b.label)
	}
	if b.labelRole.has(roleAttempt) && !b.text.empty() && x.siblingRole(b, roleResult, roleFailed) != nil {
		return 3, "label " + quote(b.label) + " with a result"
	}
	if s.has(roleFix) || s.has(roleAttempt) && (b.kind != itemBlock || b.ordered) {
		if b.kind == paraBlock && b.label == "" && s.firstProse() == b && s.roles.has(roleFix) && x.problemNear(s) {
			return 3, "first words under heading " + quote(s.title.s)
		}
		return 1, "under heading " + quote(s.title.s)
	}
	if s.has(roleAttempt) && b.kind == itemBlock && !b.ordered && b.parent == nil {
		return 2, "under heading " + quote(s.title.s)
	}
	if s.has(roleSummary) {
		return 1, "under heading " + quote(s.title.s)
	}
	return 0, "words"
}

// single reports whether a heading announces one decision, as in a decision
// record, rather than a list.
func (s *section) single() bool {
	switch nameOf(s.title) {
	case "decision", "decision outcome", "the decision", "beslut", "beslutet", "besluit", "entscheidung", "решение", "決定":
		return true
	}
	return false
}

// hasProblem reports whether a labelled block stands in one group with a problem.
func (x *extraction) hasProblem(b *block) bool {
	return x.siblingRole(b, roleProblem, roleCause, roleFailed) != nil || b.section.roles.any(roleProblem) || b.parent != nil && b.parent.tick != noTick
}

// siblingRole finds a block of the same group (list item or section without
// deeper headings) whose label has one of the roles.
func (x *extraction) siblingRole(b *block, rs ...role) *block {
	for _, o := range x.group(b) {
		if o != b && o.labelRole.any(rs...) {
			return o
		}
	}
	return nil
}

// group are the blocks that stand with b: the children of its list item, else
// the blocks of its section that stand at the same depth.
func (x *extraction) group(b *block) []*block {
	if b.parent != nil {
		return b.parent.children
	}
	return b.section.blocks
}

// problemNear reports whether the section's surroundings name a problem.
func (x *extraction) problemNear(s *section) bool {
	if s.parent == nil {
		return false
	}
	for _, o := range x.doc.sections {
		if o.parent == s.parent && o != s && o.roles.any(roleProblem, roleCause, roleFailed) {
			return true
		}
	}
	return s.parent.roles.any(roleProblem, roleCause)
}

// firstProse is the first paragraph of a section, if any.
func (s *section) firstProse() *block {
	for _, b := range s.blocks {
		if b.kind == paraBlock && b.label == "" && b.parent == nil {
			return b
		}
	}
	return nil
}

// decisionWords is how much the words of a block say that it is a decision.
func (x *extraction) decisionWords(b *block) (int, string) {
	t := b.text
	score, tell := 0, ""
	if i := x.chosenAt(t); i >= 0 {
		score += 2
		tell = "says " + quote(t.words[i].s)
		if strongChoice[t.words[i].s] && len(t.words) <= 40 {
			score++
		}
	}
	if p := x.contrast(t); p != "" {
		score++
		if p != "not" && x.repaired(t) {
			score++
		}
		if tell == "" {
			tell = "contrast " + quote(p)
		} else {
			tell += ", contrast " + quote(p)
		}
	}
	if len(t.words) > 0 && x.lex.at(t, 0, classAdopt) {
		score++
	}
	if (x.repaired(t) || b.section.has(roleAttempt)) && x.purpose(t) {
		score++
		tell += " with its purpose"
	}
	if x.doneWithResult(b) {
		score += 2
		tell += " with its result"
	}
	if len(t.words) > 70 {
		score--
	}
	return score, tell
}

// strongChoice are verbs that say by themselves that one way was taken and
// another was not.
var strongChoice = map[string]bool{"chose": true, "decided": true, "opted": true, "switched": true, "deferred": true, "declined": true, "abandoned": true,
	"settled": true, "went": true, "valde": true, "beslutade": true, "koos": true, "besloot": true, "entschieden": true}

// chosenAt finds a verb of choice used of the writer's own act, or -1.
func (x *extraction) chosenAt(t text) int {
	for i := range t.words {
		if !x.lex.at(t, i, classChoose) {
			continue
		}
		if i == 0 || i > 0 && isSubject(t.words[i-1].s) || i < 4 && !t.words[0].code && t.s[0] >= 'A' && t.s[0] <= 'Z' {
			return i
		}
	}
	return -1
}

func isSubject(w string) bool {
	switch w {
	case "we", "i", "team", "user", "agent", "was", "were", "vi", "jag", "wij", "ik", "wir", "ich", "мы", "and", "been", "has", "have", "is", "all":
		return true
	}
	return false
}

// contrast returns the words that set one option against another, or "".
func (x *extraction) contrast(t text) string {
	for _, p := range []string{"instead of", "rather than", "in favor of", "in favour of", "as opposed to", "istället för", "i stället för", "in plaats van"} {
		if t.has(p) {
			return p
		}
	}
	if i := t.find("over"); i > 0 && i+1 < len(t.words) && x.chosenAt(t) >= 0 {
		return "over"
	}
	if strings.Contains(t.s, "(not ") || strings.Contains(t.s, ", not ") {
		return "not"
	}
	return ""
}

// doneWithResult reports whether a block states an act in bold and goes on with
// what came of it: "**Purged the cache.** Failed: …".
func (x *extraction) doneWithResult(b *block) bool {
	lead := plain(b.lead)
	if b.lead == "" || len(lead.words) < 2 || !x.repaired(lead) || len(b.lead) >= len(b.text.s) {
		return false
	}
	rest := plain(b.text.s[min(len(b.lead), len(b.text.s)):])
	for i, w := range rest.words {
		if i > 8 {
			break
		}
		switch w.s {
		case "failed", "worked", "fixed", "helped", "solved", "effect", "wrong", "right", "better", "worse", "broke":
			return true
		}
	}
	return false
}

// purpose reports whether a text says what its act is to prevent.
func (x *extraction) purpose(t text) bool {
	for _, p := range []string{"to prevent", "to avoid", "to stop", "to keep", "to ensure", "so that", "för att", "om te", "um zu"} {
		if t.has(p) {
			return true
		}
	}
	return false
}

// verdict reports whether a text is a judgement: approve, reject and the like.
func (x *extraction) verdict(t text) bool {
	for i, w := range t.words {
		if i > 3 {
			break
		}
		switch w.s {
		case "approve", "approved", "reject", "rejected", "accept", "accepted", "needs", "revise", "revision", "proceed", "block", "disagree", "ready", "merge", "conditional", "warn", "pass", "fail", "go", "no-go", "defer", "decline":
			return true
		}
	}
	return false
}

func quote(s string) string { return `"` + shorten(s, 40) + `"` }
