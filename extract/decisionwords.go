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

// chosenAt finds a verb of choice used of the writer's own act, or -1.
func (t text) chosenAt() int {
	if !t.classes.has(classChoose) {
		return -1
	}
	for i := range t.words {
		if !t.at(i, classChoose) {
			continue
		}
		if i == 0 || i > 0 && t.at(i-1, classSubject) || i < 4 && !t.words[0].code && t.s[0] >= 'A' && t.s[0] <= 'Z' {
			return i
		}
	}
	return -1
}

// contrast returns the words that set one option against another, or "".
func (t text) contrast() string {
	if i := t.index(classContrast); i >= 0 && !t.deviates() {
		return t.words[i].s + " " + t.words[i+1].s
	}
	if t.chosenAt() >= 0 {
		if i := t.find("over"); i > 0 && i+1 < len(t.words) {
			return "over"
		}
	}
	if strings.Contains(t.s, "not ") && (strings.Contains(t.s, "(not ") || strings.Contains(t.s, ", not ")) {
		return "not"
	}
	return ""
}

// deviates reports whether the sentence that sets one thing against another tells of a
// failure: "it failed since the tool read B instead of A" is no choice.
func (t text) deviates() bool {
	if !t.classes.has(classFail) {
		return false
	}
	for _, s := range t.sentences() {
		if s.is(classContrast) {
			return s.failsAt() >= 0 && !s.repaired() && !s.at(0, classAdopt) && s.chosenAt() < 0
		}
	}
	return false
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

// routes returns the verb with which a text gives work to several agents, or "".
func (t text) routes() string {
	if !t.classes.has(classAgents) || len(t.words) > 30 {
		return ""
	}
	for i := range 3 {
		if !t.at(i, classLaunch) {
			continue
		}
		for j := i + 1; j < len(t.words) && j < i+7; j++ {
			if t.at(j, classAgents) {
				return t.words[i].s
			}
		}
	}
	return ""
}

// refusal finds a participle that says that a thing is not done now: "X deferred
// to the next release", or -1.
func (t text) refusal() int {
	if !t.classes.has(classRefuseAct) || len(t.words) > 30 {
		return -1
	}
	for i := range t.words {
		if t.at(i, classRefuseAct) && t.at(i, classChoose) && i > 0 && t.participleEnds(i) && !isNumber(t.words[i-1].s) {
			return i
		}
	}
	return -1
}

// participleEnds reports whether the participle at word i ends a statement
// ("X was added to Y", "X added."), rather than describing a thing.
func (t text) participleEnds(i int) bool {
	if i > 0 && (t.at(i-1, classSpoils) || t.at(i-1, classNegate)) {
		return false
	}
	if i+1 < len(t.words) && strings.HasSuffix(t.words[i+1].s, "ly") {
		i++
	}
	if i+1 == len(t.words) || t.at(i+1, classPrep) {
		return true
	}
	return strings.ContainsAny(t.s[t.words[i].end:t.words[i+1].start], ".,;:()-–—。、・）")
}

// fixedIt reports whether a text says which act ended a fault: "Clearing the
// cache fixed it", "The test was fixed by pinning the clock".
func (t text) fixedIt() bool {
	if len(t.words) < 4 || len(t.words) > 20 || !t.classes.has(classRepaired) {
		return false
	}
	gerund := !t.words[0].code && strings.HasSuffix(t.words[0].s, "ing")
	for i := 1; i < len(t.words); i++ {
		if !t.at(i, classRepaired) {
			continue
		}
		if gerund && i > 1 && !t.at(i-1, classSpoils) {
			return true
		}
		if i+2 < len(t.words) && t.words[i+1].s == "by" && strings.HasSuffix(t.words[i+2].s, "ing") {
			return true
		}
	}
	return false
}

// byMeans reports whether the writer says by what means the work was done: "I
// implemented X by introducing Y".
func (t text) byMeans() bool {
	if !t.at(0, classFirst) && !t.at(0, classMake) || len(t.words) > 60 {
		return false
	}
	act := -1
	for i := 0; i < len(t.words); i++ {
		switch {
		case act < 0 && i < 4 && t.at(i, classMake):
			act = i
		case act > 0 && t.words[i].s == "by" && i+1 < len(t.words) && strings.HasSuffix(t.words[i+1].s, "ing"):
			return true
		}
	}
	return false
}

// purpose reports whether a text says what its act is to prevent.
func (t text) purpose() bool {
	return t.is(classPurpose)
}

// verdict reports whether a text is a judgement: approve, reject and the like.
func (t text) verdict() bool {
	for i := range 4 {
		if t.at(i, classVerdict) {
			return true
		}
	}
	return t.at(0, classMark) && t.capitals(0)
}
