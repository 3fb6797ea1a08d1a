package rules

import (
	"slices"
	"strings"

	"episodes/episode"
	"episodes/extract/internal/lex"
	"episodes/keys"
)

// givenAsCause is the rule of an error that a sentence gives as the cause of another.
const givenAsCause = "sentence gives it as the cause of another error"

// statedCauses splits sentences that give the cause of an error. The cause
// becomes a fact of its own, unless the log has stated it before.
func (x linker) statedCauses() {
	for _, f := range slices.Clone(x.facts) {
		if !f.isError() {
			continue
		}
		effect, cause, ok := splitCause(f.Content)
		if !ok {
			continue
		}
		if x.sim == nil {
			x.sim = x.likeness()
		}
		c := x.alike(f, f.Span[0], cause)
		if c == nil {
			if t := x.plain(cause); len(t.Words) > 25 || !statesFault(t) {
				continue
			}
			c = x.event(episode.Error, nil, f.Span, cause, givenAsCause)
			c.section = f.factSection()
		}
		if e := x.plain(effect); e.At(len(e.Words)-1, lex.ClassHas) { // "the failure was | due to …"
			effect = strings.TrimRight(e.Raw[:e.Words[len(e.Words)-1].Start], " ")
		}
		f.Content = effect
		f.text = x.plain(effect)
		x.link(c, f, episode.Causes, true)
	}
}

// statesFault reports whether a cause is a fault of its own and not only the name of a
// thing: it says that something failed or is missing, or it is what a program reported.
func statesFault(t lex.Text) bool {
	return len(t.Words) > 1 && (t.StrongFail() || t.At(0, lex.ClassLack) || lex.ErrorConstant(t.Raw) ||
		t.StatusOf() == episode.Failure || t.FailsAt() >= 0 && t.Is(lex.ClassHas))
}

// splitCause splits "X because Y".
func splitCause(s string) (effect, cause string, ok bool) {
	for _, m := range lex.CauseMarks {
		if i := strings.Index(s, m); i > 0 {
			cause = keys.Clause(s[i+len(m):])
			effect = strings.Trim(s[:i], " ,;:")
			return effect, cause, len(strings.Fields(effect)) >= 2 && cause != ""
		}
	}
	return "", "", false
}

// alike finds the error that says the same as a text on a line.
func (x linker) alike(not *fact, line int, s string) *fact {
	var best *fact
	at := sameFact
	words := x.sim.words.of(s)
	for _, e := range near(x.sim.errors, line) {
		if e.fact == not {
			continue
		}
		if v := x.sim.share(words, e.words); v >= at {
			best, at = e.fact, v
		}
	}
	return best
}
