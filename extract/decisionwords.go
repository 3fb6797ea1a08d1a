package extract

import (
	"strings"
)

// decisionWords is how much the words of a block say that it is a decision.
func (x *extraction) decisionWords(b *block) (int, string) {
	t := b.text
	score, tell := 0, ""
	if i := t.chosenAt(); i >= 0 {
		score += 2
		tell = "says " + quote(t.words[i].s)
		if t.at(i, classSettle) && len(t.words) <= 40 {
			score++
		}
	}
	if p := t.contrast(); p != "" {
		score++
		if p != "not" && t.repaired() {
			score++
		}
		if tell == "" {
			tell = "contrast " + quote(p)
		} else {
			tell += ", contrast " + quote(p)
		}
	}
	if len(t.words) > 0 && t.at(0, classAdopt) {
		score++
	}
	if (t.repaired() || b.section.has(roleAttempt)) && t.purpose() {
		score++
		tell += " with its purpose"
	}
	if w := t.routes(); w != "" {
		score += 3
		tell += " says " + quote(w) + " of agents"
	}
	if i := t.refusal(); i >= 0 && !b.section.any(roleOutcome, roleStatus, roleTimeline) {
		score += 3
		tell += " says " + quote(t.words[i].s)
	}
	if t.at(0, classRevert) && len(t.words) < 25 {
		score += 3
		tell += " goes back"
	}
	if t.at(0, classRefuseAct) && len(t.words) > 3 && (strings.Contains(t.s, ": ") || t.is(classExplain)) {
		score += 3
		tell += " says why it was left out"
	}
	if t.at(0, classReady) {
		score += 3
		tell += " judges the change"
	}
	if i := t.index(classNow); i > 0 && i < 12 && b.section.has(roleFix) && b.parent == nil {
		score += 2
		tell += " says what is so now"
	}
	if t.fixedIt() {
		score += 3
		tell += " says what fixed it"
	}
	if t.is(classWayOut) || t.byMeans() {
		score += 3
		tell += " says how it was solved"
	}
	if x.doneWithResult(b) {
		score += 3
		tell += " with its result"
	}
	if len(t.words) > 70 {
		score--
	}
	return score, tell
}

// pastAct reports whether a word is a verb in the past tense, by its ending
// where the vocabulary does not know it.
func pastAct(w word) bool {
	c := w.classes
	return c.has(classMake) || !w.code && !c.has(classFail) && len(w.s) > 4 && strings.HasSuffix(w.s, "ed")
}

// doneWithResult reports whether a block states an act in bold and goes on with
// what came of it: "**Purged the cache.** Failed: …".
func (x *extraction) doneWithResult(b *block) bool {
	lead := x.plain(b.lead)
	if b.lead == "" || len(lead.words) < 2 || !lead.repaired() && !pastAct(lead.words[0]) || len(b.lead) >= len(b.text.s) {
		return false
	}
	rest := x.plain(b.text.s[min(len(b.lead), len(b.text.s)):])
	for i, w := range rest.words {
		if i > 8 {
			break
		}
		if w.classes.has(classEffect) {
			return true
		}
	}
	return false
}
