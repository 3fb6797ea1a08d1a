package rules

import (
	"strings"

	"episodes/extract/internal/doc"
	"episodes/extract/internal/lex"
)

// failingSentence is the sentence of a longer text that reports the failure.
func failingSentence(b *doc.Block) (lex.Text, bool) {
	ss := b.Text.Sentences()
	if len(ss) < 2 || b.LabelRoles.Any(lex.RoleProblem, lex.RoleCause) {
		return lex.Text{}, false
	}
	for _, s := range ss {
		if s.StrongFail() {
			return errorClause(s), true
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
