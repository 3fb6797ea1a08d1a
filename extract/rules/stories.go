package rules

import (
	"strings"

	"episodes/episode"
	"episodes/extract/internal/doc"
	"episodes/extract/internal/facts"
	"episodes/extract/internal/lex"
	"episodes/keys"
)

// stories takes the repairs that prose tells: after a sentence that says what
// failed, one in which the writer says what was done about it ("I released the
// lock before the index build").
func (x *extraction) stories() {
	for _, b := range x.doc.Blocks {
		if b.Kind != doc.Paragraph || b.Label != "" || b.Parent != nil || quiet(b) {
			continue
		}
		fault := x.used[b]
		if fault == nil || fault.Kind != facts.Event || fault.Event != episode.Error {
			continue
		}
		if s := b.Section; s.Within(lex.RolePlan) || s.Within(lex.RoleHandoff) || s.Within(lex.RoleLesson) || s.Within(lex.RoleOptions) {
			continue
		}
		for _, t := range b.Text.Sentences() {
			if line := int(t.Words[0].Line); line < fault.Span[0] || line == fault.Span[0] && t.StrongFail() {
				continue
			}
			act, ok := ownAct(t)
			if !ok {
				continue
			}
			d := x.newDecision(nil, t.Span(b.Span), act, because("the writer says what was done about the fault", ""))
			d.section = b.Section
			d.Decision.Type = episode.Recovery
			d.Decision.Context = keys.Clause(fault.Content)
			x.join(fault, d, episode.Causes, false, "the act that the paragraph tells after the fault")
			x.join(d, fault, episode.Prevents, false, "the act that the paragraph tells after the fault")
			options(d)
			break
		}
	}
}

// hasErrorSentence reports whether a long paragraph has a sentence of its own for the
// error.
func hasErrorSentence(b *doc.Block) bool {
	t, ok := failingSentence(b)
	return ok && b.Kind == doc.Paragraph && len(t.Words) <= 40
}

// ownAct is the act of the writer that a sentence tells, without its subject:
// "Instead I did X: I made Y" is about making Y.
func ownAct(t lex.Text) (lex.Text, bool) {
	for i := len(t.Words) - 2; i >= 0; i-- {
		if !t.At(i, lex.ClassFirst) {
			continue
		}
		if v := t.Words[i+1]; v.Classes.Has(lex.ClassMake) && len(t.Words)-i > 3 && lex.StartsClause(t.Raw[:t.Words[i].Start]) {
			return t.Sub(v.Start, len(t.Raw)), true
		}
	}
	return lex.Text{}, false
}

// errorClause is the clause of a sentence that says what failed: "the rollout
// starts a migration for each, and the migration job timed out" is about the job.
func errorClause(t lex.Text) lex.Text {
	from := 0
	for {
		to, next := len(t.Raw), len(t.Raw)
		for _, m := range lex.ClauseJoiners {
			if i := strings.Index(t.Raw[from:], m); i >= 0 && from+i < to {
				to, next = from+i, from+i+len(m)
			}
		}
		if c := t.Sub(from, to); c.StrongFail() {
			return withoutLead(c)
		}
		if next >= len(t.Raw) {
			return t
		}
		from = next
	}
}

// withoutLead drops a short adverbial that opens a clause: "With that, X failed".
func withoutLead(t lex.Text) lex.Text {
	i := strings.Index(t.Raw, ", ")
	if i <= 0 {
		return t
	}
	if lead, rest := t.Sub(0, i), t.Sub(i+2, len(t.Raw)); len(lead.Words) <= 3 && !lead.StrongFail() && rest.StrongFail() {
		return rest
	}
	return t
}
