package lex

import (
	"strings"

	"episodes/episode"
)

// ChosenAt finds a verb of choice used of the writer's own act, or -1.
func (t Text) ChosenAt() int {
	if !t.Classes.Has(ClassChoose) {
		return -1
	}
	for i := range t.Words {
		if !t.At(i, ClassChoose) || i > 0 && t.Capitals(i) && !t.Capitals(i-1) { // the state of a thing: "all APPROVED changes"
			continue
		}
		if i == 0 || i > 0 && t.At(i-1, ClassSubject) || i < 4 && !t.Words[0].Code && t.Raw[0] >= 'A' && t.Raw[0] <= 'Z' {
			return i
		}
	}
	return -1
}

// Contrast returns the words that set one option against another, or "".
func (t Text) Contrast() string {
	if p := t.Prefers(); p != "" {
		return p
	}
	for _, p := range negations {
		if strings.Contains(t.Raw, p) {
			return strings.Trim(p, " ,(")
		}
	}
	return ""
}

// Prefers returns the words that set the option taken before another, or "".
func (t Text) Prefers() string {
	if i := t.Index(ClassContrast); i >= 0 && !t.deviates() {
		return t.Words[i].Lower + " " + t.Words[i+1].Lower
	}
	if i := t.Index(ClassOver); i > 0 && i+1 < len(t.Words) && t.ChosenAt() >= 0 {
		return t.Words[i].Lower
	}
	return ""
}

// deviates reports whether the sentence that sets one thing against another reports a
// failure: "it failed since the tool read B instead of A" is no choice.
func (t Text) deviates() bool {
	if !t.Classes.Has(ClassFail) {
		return false
	}
	for _, s := range t.Sentences() {
		if s.Is(ClassContrast) {
			return s.FailsAt() >= 0 && !s.Repaired() && s.ChosenAt() < 0
		}
	}
	return false
}

// Refusal finds a participle that says that a thing is not done now: "X deferred
// to the next release", or -1.
func (t Text) Refusal() int {
	if !t.Classes.Has(ClassRefuseAct) || len(t.Words) > 30 {
		return -1
	}
	for i := range t.Words {
		if t.At(i, ClassRefuseAct) && t.At(i, ClassChoose) && i > 0 && t.participleEnds(i) && !IsNumber(t.Words[i-1].Lower) {
			return i
		}
	}
	return -1
}

// participleEnds reports whether the participle at word i ends a statement
// ("X was added to Y", "X added."), rather than describing a thing.
func (t Text) participleEnds(i int) bool {
	if i > 0 && (t.At(i-1, ClassSpoils) || t.At(i-1, ClassNegate)) {
		return false
	}
	if i+1 < len(t.Words) && strings.HasSuffix(t.Words[i+1].Lower, adverbEnding) {
		i++
	}
	if i+1 == len(t.Words) || t.At(i+1, ClassPrep) {
		return true
	}
	return strings.ContainsAny(t.Raw[t.Words[i].End:t.Words[i+1].Start], ".,;:()-–—。、・）")
}

// ByMeans reports whether the writer says by what means the work was done: "I
// implemented X by introducing Y".
func (t Text) ByMeans() bool {
	if !t.At(0, ClassFirst) && !t.At(0, ClassMake) || len(t.Words) > 60 {
		return false
	}
	act := -1
	for i := 0; i < len(t.Words); i++ {
		switch {
		case act < 0 && i < 4 && t.At(i, ClassMake):
			act = i
		case act > 0 && t.At(i, ClassBy) && i+1 < len(t.Words):
			return true
		}
	}
	return false
}

// Verdict reports whether a text is a judgement: approve, reject and the like. That a
// thing is blocked is its state.
func (t Text) Verdict() bool {
	if t.State() == episode.Planned {
		return false
	}
	for i := range 4 {
		if t.At(i, ClassVerdict) && !(i > 0 && t.At(i-1, ClassHas)) {
			return true
		}
	}
	return t.At(0, ClassMark)
}

// ActLike reports whether a label states an act: it opens with a verb of choice
// or of making.
func (t Text) ActLike() bool {
	return len(t.Words) > 1 && (t.At(0, ClassAdopt) || t.At(0, ClassChoose) || t.At(0, ClassMake))
}

// Imperative reports whether a text opens with a verb and its object: "Poll the mailbox".
func (t Text) Imperative() bool {
	return len(t.Words) > 2 && t.At(1, ClassArticle) &&
		!t.Words[0].Code && !t.Words[0].Any(ClassPrep, ClassSpoils, ClassSubject, ClassWhy, ClassBefore, ClassNegate, ClassBy, ClassOver)
}

// LeadIn cuts off the words at the end of a text that open its list.
func (t Text) LeadIn() (string, bool) {
	n := len(t.Words)
	for n > 1 && t.At(n-1, ClassLeadIn) {
		n--
	}
	if !strings.HasSuffix(t.Raw, ":") || n == len(t.Words) {
		return t.Raw, false
	}
	return strings.TrimRight(t.Raw[:t.Words[n].Start], " ,;"), true
}
