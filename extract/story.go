package extract

import (
	"strings"

	"episodes/episode"
	"episodes/keys"
)

// stories takes the repairs that prose tells: after a sentence that says what
// failed, one in which the writer says what was done about it ("I released the
// lock before the index build").
func (x *extraction) stories() {
	for _, b := range x.doc.blocks {
		if b.kind != paraBlock || b.label != "" || b.parent != nil || quiet(b) {
			continue
		}
		fault := x.used[b]
		if fault == nil || fault.kind != eventFact || fault.event != episode.Error {
			continue
		}
		if s := b.section; s.within(rolePlan) || s.within(roleHandoff) || s.within(roleLesson) || s.within(roleOptions) {
			continue
		}
		for _, t := range b.text.sentences() {
			if line := int(t.words[0].line); line < fault.span[0] || line == fault.span[0] && t.strongFail() {
				continue
			}
			act, ok := ownAct(t)
			if !ok {
				continue
			}
			d := x.newDecision(nil, t.span(b.span), act, "the writer says what was done about the fault")
			d.section = b.section
			d.decision.Type = episode.Recovery
			d.decision.Context = keys.Clause(fault.content)
			x.join(fault, d, episode.Causes, false, "the act that the paragraph tells after the fault")
			x.join(d, fault, episode.Prevents, false, "the act that the paragraph tells after the fault")
			options(d)
			break
		}
	}
}

// tellsFault reports whether a long paragraph has a sentence of its own for the
// fault.
func tellsFault(b *block) bool {
	t, ok := failingSentence(b)
	return ok && b.kind == paraBlock && len(t.words) <= 40
}

// ownAct is the act of the writer that a sentence tells, without its subject:
// "Instead I did X: I made Y" tells of making Y.
func ownAct(t text) (text, bool) {
	for i := len(t.words) - 2; i >= 0; i-- {
		if !t.at(i, classFirst) {
			continue
		}
		if v := t.words[i+1]; v.classes.has(classMake) && len(t.words)-i > 3 && startsClause(t.s[:t.words[i].start]) {
			return t.sub(v.start, len(t.s)), true
		}
	}
	return text{}, false
}

// faultClause is the clause of a sentence that says what failed: "the rollout
// starts a migration for each, and the migration job timed out" is about the job.
func faultClause(t text) text {
	from := 0
	for {
		to, next := len(t.s), len(t.s)
		for _, m := range []string{", and ", ", but ", "; ", ", och ", ", men ", ", en ", ", maar "} {
			if i := strings.Index(t.s[from:], m); i >= 0 && from+i < to {
				to, next = from+i, from+i+len(m)
			}
		}
		if c := t.sub(from, to); c.strongFail() {
			return withoutLead(c)
		}
		if next >= len(t.s) {
			return t
		}
		from = next
	}
}

// withoutLead drops a short adverbial that opens a clause: "With that, X failed".
func withoutLead(t text) text {
	i := strings.Index(t.s, ", ")
	if i <= 0 {
		return t
	}
	if lead, rest := t.sub(0, i), t.sub(i+2, len(t.s)); len(lead.words) <= 3 && !lead.strongFail() && rest.strongFail() {
		return rest
	}
	return t
}
