package extract

import (
	"slices"
	"strings"

	"episodes/episode"
)

// newDecision starts a decision from the text that states the choice.
func (x *extraction) newDecision(b *block, span episode.Span, t text, why string) *fact {
	f := x.add(&fact{coreFact: coreFact{kind: decisionFact, span: span, content: t.s, why: why}, block: b})
	f.decision = episode.Decision{Type: decisionType(b, t), Outcome: episode.Unknown}
	x.splitReason(f, t.s)
	return f
}

// reasonMarks open the reason inside a text that states a choice.
var reasonMarks = []string{" because ", " since ", " due to ", " so that ", " to avoid ", " to prevent ", " to keep ", " eftersom ", " omdat ", " weil ", " потому что "}

// splitReason cuts the reason off a text and sets Chosen and Rationale: the
// first sentence states the choice, what follows explains it.
func (x *extraction) splitReason(f *fact, s string) {
	chosen, rest := s, ""
	ss := x.plain(s).sentences()
	if len(ss) > 1 && len(ss[0].words) > 1 {
		chosen = ss[0].s
		rest = strings.TrimLeft(strings.TrimPrefix(strings.TrimLeft(s, " ,;:—–-"), chosen), " .;!?")
	}
	if f.decision.Outcome == episode.Unknown {
		f.decision.Outcome = x.ownOutcome(ss)
	}
	at := len(chosen)
	reason := ""
	for _, m := range reasonMarks {
		if i := strings.Index(chosen[:at], m); i > 0 && len(x.plain(chosen[:i]).words) > 0 && (m != nameOrReason || x.complete(chosen[:i])) {
			at = i
			reason = chosen[i+len(m):]
			if m == " so that " || strings.HasPrefix(m, " to ") {
				reason = strings.TrimSpace(chosen[i:])
			}
		}
	}
	f.decision.Chosen = shorten(strings.Trim(chosen[:at], " ,;:—–-."), maxContent)
	if reason == "" {
		reason = rest
	}
	if i := strings.Index(reason, "Date:"); i >= 0 {
		reason = reason[:i]
	}
	if i := strings.Index(reason, "Date/Author:"); i >= 0 {
		reason = reason[:i]
	}
	if r := shorten(strings.Trim(reason, " ,;:—–-"), maxContent); r != "" {
		f.decision.Rationale = r
	}
}

// nameOrReason is the mark that is a name as well, of a flag or a column.
const nameOrReason = " since "

// complete reports whether a text can end where it does: in "a window for `since`" no
// reason begins after "for".
func (x *extraction) complete(s string) bool {
	t := x.plain(s)
	n := len(t.words)
	return n > 0 && !t.at(n-1, classLeadIn)
}

// ownOutcome reads what a decision came to where its own text goes on to say so:
// "raised the limit; the job failed again".
func (x *extraction) ownOutcome(sentences []text) episode.Outcome {
	for i, t := range sentences {
		if i == 0 {
			continue
		}
		if t.is(classWorkedOut) {
			return episode.Success
		}
		if t.strongFail() || t.first() == "failed" || t.is(classNoGood) {
			return episode.Failure
		}
	}
	return episode.Unknown
}

// addNested reads the labelled children of a decision: rationale, alternatives,
// outcome. Other children are its detail.
func (x *extraction) addNested(f *fact, b *block) {
	for _, c := range b.children {
		switch {
		case c.labelRole.has(roleReason):
			f.decision.Rationale = partText(c)
		case c.labelRole.any(roleOptions, roleRejected):
			addOptions(f, c)
		case c.labelRole.any(roleContext, roleProblem):
			f.decision.Context = partText(c)
		case c.labelRole.any(roleOutcome, roleResult, roleStatus):
			f.decision.Outcome = blockStatus(c)
		default:
			continue
		}
		x.used[c] = f
	}
}

// surroundings fills context, reason and outcome from the labelled lines that
// stand with a decision: the problem it answers, its rationale, its result.
func (x *extraction) surroundings(f *fact, b *block) {
	if f.decision.Context == "" && b.section.roles.has(roleDecision) && b.section.subject == "" {
		if up := b.section.parent; up != nil && up.level > 1 && up.roles.has(roleProblem) && !up.title.empty() {
			f.decision.Context = up.title.s
		}
	}
	group := b.group()
	// Lines of one record follow each other; a second line of the same role
	// starts the next record.
	at := slices.Index(group, b)
	if at < 0 {
		return
	}
	var options []*block
	for i := at - 1; i >= 0; i-- {
		o := group[i]
		if o.labelRole&b.labelRole != 0 && !o.labelRole.has(roleProblem) {
			break
		}
		if o.labelRole.any(roleProblem, roleContext, roleCause) && !tellsImpact(o) && f.decision.Context == "" && !o.text.empty() {
			f.decision.Context = shorten(o.text.s, maxContent)
		}
		if o.labelRole.has(roleOptions) {
			options = append(options, o)
		}
	}
	for _, o := range slices.Backward(options) { // as the log counts them
		addOptions(f, o)
	}
	for _, o := range group[at+1:] {
		if o.labelRole&b.labelRole != 0 || o.labelRole.any(roleProblem) {
			break
		}
		switch {
		case o.labelRole.has(roleReason) && f.decision.Rationale == "":
			f.decision.Rationale = partText(o)
		case o.labelRole.any(roleRejected, roleOptions):
			addOptions(f, o)
			x.used[o] = f
		case (o.labelRole.any(roleResult, roleStatus) || o.labelRole.has(roleOutcome) && b.section.level > 1) && f.decision.Outcome == episode.Unknown:
			f.decision.Outcome = blockStatus(o)
		case o.labelRole.has(roleFailed) && !o.text.blank():
			f.decision.Outcome = episode.Failure
		}
	}
}

// neighbours reads the sections before a decision's own that stand beside it:
// the options that were considered, and the problem or question they answer.
func neighbours(f *fact, s *section) {
	if s.roles.has(roleOptions) && len(f.decision.Options) == 0 {
		sectionOptions(f, s)
	}
	if !s.roles.any(roleDecision, roleFix, roleOptions, roleAttempt) && s.level != boldLevel {
		return
	}
	if s.parent == nil {
		return
	}
	for i := s.pos - 1; i >= max(s.pos-reach, 0); i-- {
		o := s.parent.subs[i]
		if o.roles.any(roleDecision) {
			break
		}
		if o.roles.has(roleOptions) && len(f.decision.Options) == 0 {
			sectionOptions(f, o)
		}
		if o.roles.any(roleProblem, roleContext) && f.decision.Context == "" {
			f.decision.Context = firstStatement(o)
			f.borrowed = f.decision.Context != ""
		}
	}
}

// returnContexts takes a question back that several decisions borrowed from the
// same place: one question has one answer.
func (x *extraction) returnContexts() {
	count := map[string]int{}
	for _, f := range x.facts {
		if f.borrowed {
			count[f.decision.Context]++
		}
	}
	for _, f := range x.facts {
		if f.borrowed && count[f.decision.Context] > 1 && f.block != nil && !f.block.labelRole.any(roleAttempt, roleFix, roleDecision, roleChosen) {
			f.decision.Context = ""
		}
	}
}

// firstStatement is what a problem or context section states first: the text of
// its first block, cut at the end of the first sentence.
func firstStatement(s *section) string {
	for _, b := range s.blocks {
		if b.kind == codeBlock || b.kind == rowBlock || b.text.empty() || b.placeholder() || b.text.blank() {
			continue
		}
		if b.label != "" && !b.labelRole.any(roleProblem, roleContext) {
			continue
		}
		for _, t := range b.text.sentences() {
			return shorten(t.s, maxContent)
		}
	}
	return ""
}

// decisionType tells the kind of a choice from the place and the words.
func decisionType(b *block, t text) episode.DecisionType {
	if b != nil {
		if b.labelRole.any(roleFix, roleAttempt) || b.section.roles.any(roleFix, roleFailed, roleConflict) || b.section.has(roleAttempt) && problemNear(b.section) || b.section.within(roleProblem) && !b.section.has(roleDecision) || b.under(roleFix) {
			return episode.Recovery
		}
		if b.labelRole.has(roleVerdict) {
			return episode.Design
		}
	}
	first := t.first()
	switch {
	case t.is(classHand):
		return episode.Routing
	case t.at(0, classRevert) || t.has("workaround"):
		return episode.Recovery
	case first == "test" || first == "verify" || t.is(classTestAct):
		return episode.Testing
	case t.at(0, classImplement):
		return episode.Implementation
	}
	return episode.Design
}

// fixOf splits a text that stands as a fix and opens with the cause: "caused by
// the backup, which holds a lock; backup moved to 04:30".
func fixOf(t text) (cause, act text) {
	for _, m := range []string{"caused by", "due to", "because of", "root cause", "the cause was"} {
		if !t.phraseAt(0, m) {
			continue
		}
		start := t.words[strings.Count(m, " ")].end
		if i := strings.IndexAny(t.s[start:], ";"); i >= 0 {
			return t.sub(start, start+i), t.sub(start+i, len(t.s))
		}
		return t.sub(start, len(t.s)), text{}
	}
	return text{}, t
}

// rowVerdict takes a row that gives a judgement: who judged is the question, the
// other cells say why.
func (x *extraction) rowVerdict(b *block, v int) {
	t := b.cells[v].text
	if !t.verdict() && !t.at(0, classMark) || len(t.words) > 15 {
		return
	}
	f := x.newDecision(b, b.span, t, "column "+quote(b.table.columns[v].name))
	for i, c := range b.cells {
		switch {
		case i == v || c.text.empty():
		case f.decision.Context == "":
			f.decision.Context = shorten(c.text.s, maxContent)
			f.decision.Chosen = shorten(f.decision.Context+": "+f.decision.Chosen, maxContent)
		case f.decision.Rationale == "":
			f.decision.Rationale = shorten(c.text.s, maxContent)
		}
	}
}

// rowRefusal takes a row whose state says that its subject was left out, with
// the reason in another cell.
func (x *extraction) rowRefusal(b *block) {
	for i, c := range b.table.columns {
		if i >= len(b.cells) || !c.roles.any(roleStatus, roleResult, roleOutcome) {
			continue
		}
		t := b.cells[i].text
		if i == 0 || !t.at(0, classRefuseAct) || len(t.words) > 4 || b.inProtocol() { // states in the first column are a tally of them
			return
		}
		f := x.newDecision(b, b.span, t, "column "+quote(c.name)+" says "+quote(t.words[0].s))
		f.decision.Chosen = shorten(t.s+": "+b.cells[0].text.s, maxContent)
		if last := b.cells[len(b.cells)-1].text; len(b.cells)-1 > i {
			f.decision.Rationale = shorten(last.s, maxContent)
		}
		return
	}
}

// rowDecision takes a table row whose columns say that it is a decision.
func (x *extraction) rowDecision(b *block) {
	cols := b.table.columns
	at := func(rs ...role) int {
		for i, c := range cols {
			if i < len(b.cells) && c.roles.any(rs...) {
				return i
			}
		}
		return -1
	}
	if b.section.within(roleOptions) && at(roleChosen) < 0 {
		return
	}
	what := at(roleDecision, roleChosen)
	if v := at(roleVerdict); what < 0 && v >= 0 {
		x.rowVerdict(b, v)
		return
	}
	problem, repair := at(roleProblem, roleCause), false
	if what < 0 {
		if fix := at(roleFix); fix >= 0 && problem >= 0 && len(b.cells[fix].text.words) > 1 && !b.cells[fix].text.blank() {
			what, repair = fix, true
		}
	}
	place := "column "
	if what < 0 && at(roleReason) >= 0 { // what comes with a reason was chosen
		what = at(roleFix, roleAttempt)
	}
	if what < 0 && b.section.has(roleDecision) && len(cols) > 1 {
		what, place = 0, "table under "+quote(b.section.title.s)+", column "
	}
	if what < 0 && b.section.has(roleRefused) {
		what = 0
	}
	if what < 0 {
		x.rowRefusal(b)
		return
	}
	if what >= len(b.cells) || b.cells[what].text.empty() || b.cells[what].text.blank() {
		return
	}
	choice := b.cells[what].text
	if repair {
		cause, act := fixOf(choice)
		if !cause.empty() {
			x.event(episode.Error, b, b.span, cause.s, "the fix names the cause").cause = true
		}
		if choice = act; choice.empty() {
			return
		}
	}
	f := x.newDecision(b, b.span, choice, place+quote(cols[what].name))
	if repair {
		f.repair = true
		f.decision.Type = episode.Recovery
		f.decision.Context = shorten(b.cells[problem].text.s, maxContent)
	}
	for i, c := range cols {
		if i >= len(b.cells) || i == what || b.cells[i].text.empty() {
			continue
		}
		t := b.cells[i].text
		switch {
		case c.roles.has(roleReason):
			f.decision.Rationale = shorten(t.s, maxContent)
		case c.roles.any(roleOptions, roleRejected):
			f.decision.Options = append(f.decision.Options, splitList(t.s)...)
		case c.roles.any(roleContext) && f.decision.Context == "":
			f.decision.Context = shorten(t.s, maxContent)
		case c.roles.any(roleOutcome, roleResult, roleStatus):
			f.decision.Outcome = cellStatus(b.cells[i])
		}
	}
	options(f)
}
