package rules

import (
	"strings"

	"episodes/extract/internal/doc"
	"episodes/extract/internal/lex"
)

// wordScore is how much the words of a block say that it is a decision.
func (x *extraction) wordScore(b *doc.Block) (int, string) {
	t := b.Text
	score, tell := 0, ""
	if i := t.ChosenAt(); i >= 0 {
		score += 2
		tell = "says " + quote(t.Words[i].Lower)
		if t.At(i, lex.ClassSettle) && len(t.Words) <= 40 {
			score++
		}
	}
	if p := t.Contrast(); p != "" {
		score++
		if p != "not" && t.Repaired() {
			score++
		}
		if tell == "" {
			tell = "contrast " + quote(p)
		} else {
			tell += ", contrast " + quote(p)
		}
	}
	if len(t.Words) > 0 && t.At(0, lex.ClassAdopt) {
		score++
	}
	if (t.Repaired() || b.Section.Has(lex.RoleAttempt)) && t.Purpose() {
		score++
		tell += " with its purpose"
	}
	if w := t.Routes(); w != "" {
		score += 3
		tell += " says " + quote(w) + " of agents"
	}
	if i := t.Refusal(); i >= 0 && !b.Section.Any(lex.RoleOutcome, lex.RoleStatus, lex.RoleTimeline) {
		score += 3
		tell += " says " + quote(t.Words[i].Lower)
	}
	if t.At(0, lex.ClassRevert) && len(t.Words) < 25 {
		score += 3
		tell += " goes back"
	}
	if t.At(0, lex.ClassRefuseAct) && len(t.Words) > 3 && (strings.Contains(t.Raw, ": ") || t.Is(lex.ClassExplain)) {
		score += 3
		tell += " says why it was left out"
	}
	if t.At(0, lex.ClassReady) {
		score += 3
		tell += " judges the change"
	}
	if i := t.Index(lex.ClassNow); i > 0 && i < 12 && b.Section.Has(lex.RoleFix) && b.Parent == nil {
		score += 2
		tell += " says what is so now"
	}
	if t.FixedIt() {
		score += 3
		tell += " says what fixed it"
	}
	if t.Is(lex.ClassWayOut) || t.ByMeans() {
		score += 3
		tell += " says how it was solved"
	}
	if x.doneWithResult(b) {
		score += 3
		tell += " with its result"
	}
	if len(t.Words) > 70 {
		score--
	}
	return score, tell
}

// pastAct reports whether a word is a verb in the past tense, by its ending
// where the vocabulary does not know it.
func pastAct(w lex.Word) bool {
	c := w.Classes
	return c.Has(lex.ClassMake) || !w.Code && !c.Has(lex.ClassFail) && len(w.Lower) > 4 && strings.HasSuffix(w.Lower, "ed")
}

// doneWithResult reports whether a block states an act in bold and goes on with
// what came of it: "**Purged the cache.** Failed: …".
func (x *extraction) doneWithResult(b *doc.Block) bool {
	lead := x.plain(b.Lead)
	if b.Lead == "" || len(lead.Words) < 2 || !lead.Repaired() && !pastAct(lead.Words[0]) || len(b.Lead) >= len(b.Text.Raw) {
		return false
	}
	rest := x.plain(b.Text.Raw[min(len(b.Lead), len(b.Text.Raw)):])
	for i, w := range rest.Words {
		if i > 8 {
			break
		}
		if w.Classes.Has(lex.ClassEffect) {
			return true
		}
	}
	return false
}
