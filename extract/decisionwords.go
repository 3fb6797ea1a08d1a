package extract

import (
	"strings"
)

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
		score += 3
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

// pastAct reports whether a word is a verb in the past tense, by its ending
// where the vocabulary does not know it.
func (x *extraction) pastAct(w word) bool {
	c := x.lex.class(w)
	return c.has(classMake) || !w.code && !c.has(classFail) && len(w.s) > 4 && strings.HasSuffix(w.s, "ed")
}

// doneWithResult reports whether a block states an act in bold and goes on with
// what came of it: "**Purged the cache.** Failed: …".
func (x *extraction) doneWithResult(b *block) bool {
	lead := plain(b.lead)
	if b.lead == "" || len(lead.words) < 2 || !x.repaired(lead) && !x.pastAct(lead.words[0]) || len(b.lead) >= len(b.text.s) {
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
