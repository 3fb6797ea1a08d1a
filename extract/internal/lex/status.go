package lex

import (
	"strings"

	"episodes/episode"
)

// StatusOf reads a status text. The first words decide; a text that names no
// state is unknown.
func (t Text) StatusOf() episode.Outcome {
	if strings.IndexByte(t.Raw, '_') >= 0 {
		t = t.lex.Text(strings.ReplaceAll(t.Raw, "_", " ")) // IN_PROGRESS
	}
	if len(t.Words) <= 8 && (strings.Contains(t.Raw, " / ") || strings.Contains(t.Raw, " | ")) {
		return episode.Unknown // the choices that a template leaves
	}
	if t.State() != "" {
		return episode.Unknown
	}
	if ss := t.Sentences(); len(ss) > 1 {
		if o := ss[0].StatusOf(); o.Known() || len(ss[0].Words) > 2 {
			return o
		}
	}
	if o := t.stateWords().outcome(t); o.Known() {
		return o
	}
	return episode.Unknown
}

// State reads the state of work that is not to be judged, where the first words of a
// status give one: "Cancelled", "READY FOR IMPLEMENTATION", "Superseded by ADR 12".
func (t Text) State() episode.State {
	if strings.Contains(t.Raw, " / ") || strings.Contains(t.Raw, " | ") {
		return "" // the choices that a template leaves
	}
	for i := range t.Words[:min(len(t.Words), 4)] {
		switch {
		case t.takenBack(i):
			return ""
		case t.At(i, ClassSuperseded):
			return episode.Superseded
		case t.At(i, ClassCancelled):
			return episode.Cancelled
		case t.At(i, ClassDeferred):
			return episode.Deferred
		case t.At(i, ClassPlanned):
			return episode.Planned
		case t.At(i, ClassGood) || t.At(i, ClassBad) || t.At(i, ClassHalf):
			return ""
		}
	}
	return ""
}

// stateWords are the first words of a text that name a good, a bad and a half-way
// state; -1: none.
type stateWords struct{ good, bad, half int }

func (t Text) stateWords() stateWords {
	s := stateWords{-1, -1, -1}
	for i := range t.Words[:min(len(t.Words), 12)] {
		negated := t.takenBack(i)
		switch good := t.At(i, ClassGood) && s.good < 0; {
		case (t.At(i, ClassHalf) || good && negated) && s.half < 0: // "not complete"
			s.half = i
		case good && !negated:
			s.good = i
		case t.At(i, ClassBad) && s.bad < 0 && !negated && !t.qualifies(i):
			s.bad = i
		}
	}
	if t.underway() {
		s.half = 0
	}
	return s
}

// qualifies reports whether the noun at word i only qualifies the next one: "failure scenarios".
func (t Text) qualifies(i int) bool {
	return i+1 < len(t.Words) && t.At(i, ClassErrorNoun) && t.gapAfter(i) == " " && !t.At(i+1, ClassPrep)
}

// takenBack reports whether the words before word i take it back: "not complete".
func (t Text) takenBack(i int) bool { return t.Negated(i) || i > 0 && t.At(i-1, ClassNot) }

// underway reports whether a text says that work goes on.
func (t Text) underway() bool {
	return t.Is(ClassUnderway) || strings.HasPrefix(t.Raw, "⏳") || strings.HasPrefix(t.Raw, "🔄")
}

// outcome is what the words of a state in t say: of several, the first one.
func (s stateWords) outcome(t Text) episode.Outcome {
	switch {
	case s.half >= 0 && (s.good < 0 || s.half < s.good+3) && (s.bad < 0 || s.half < s.bad):
		if s.good == 0 && s.half > 0 && (s.half > 1 || strings.ContainsAny(t.Raw[t.Words[0].End:t.Words[s.half].Start], "-–—;,.")) && !t.Is(ClassCondition) {
			return episode.Success // "Done - open: the docs"
		}
		return episode.Partial
	case s.bad >= 0 && (s.good < 0 || s.bad < s.good):
		return episode.Failure
	case s.good >= 0 && t.At(s.good, ClassVerdict) && t.Is(ClassDeferred): // "Plan ready, the work is deferred"
		return episode.Partial
	case s.good >= 0:
		return episode.Success
	}
	return episode.Unknown
}

// EndStatus reads the status word that ends a text: "… key set - RESOLVED".
func (t Text) EndStatus() episode.Outcome {
	if n := len(t.Words); n > 2 && t.Capitals(n-1) {
		return t.Sub(t.Words[n-1].Start, len(t.Raw)).StatusOf()
	}
	return episode.Unknown
}

// Blank reports whether a text says only that there is nothing.
func (t Text) Blank() bool {
	if len(t.Words) == 0 {
		return true
	}
	if len(t.Words) > 3 && !t.At(0, ClassBlank) && t.Raw[0]|0x20 != 'n' {
		return false
	}
	s := strings.Trim(strings.ToLower(t.Raw), " .-*_")
	if rest, ok := strings.CutPrefix(s, notApplicable[0]); s == "" || s == "…" || ok && (rest == "" || !IsLetter(FirstRune(rest))) {
		return true
	}
	if end := t.Words[0].End; t.Words[0].Classes.Has(ClassBlank) &&
		strings.TrimLeft(t.Raw[end:], " ") != t.Raw[end:] && strings.ContainsAny(t.Raw[end+1:end+2], "-(") {
		return true // "None - all went well"
	}
	return len(t.Words) <= 3 && t.At(0, ClassBlank)
}

// DoneAt returns the index of the verb that reports something made: at the start of
// the text, after its subject ("X was added to Y"), or after "I" or "we"; -1 if there
// is no such verb.
func (t Text) DoneAt() int {
	if len(t.Words) > 2 && t.Raw[0] == '[' && t.At(0, ClassGood) && t.Capitals(0) { // "[COMPLETE] Created ..."
		rest := t.Sub(t.Words[1].Start, len(t.Raw))
		if i := rest.DoneAt(); i >= 0 {
			return i + 1
		}
		return -1
	}
	switch {
	case t.At(0, ClassMake):
		if t.At(0, ClassRoutine) && len(t.Words) < 7 {
			return -1
		}
		return 0
	case t.At(0, ClassFirst):
		for i := 1; i < 4; i++ {
			if t.At(i, ClassMake) {
				return i
			}
		}
		return -1
	case len(t.Words) > 30, t.At(0, ClassNone): // "No side effects identified"
		return -1
	}
	for i := 1; i < len(t.Words) && i < 12; i++ {
		if t.At(i, ClassFail) || undone.Has(t.Words[i].Lower) {
			return -1
		}
		if t.At(i, ClassMake) && (t.participleEnds(i) || t.opensAfterThing(i)) {
			return i
		}
	}
	return -1
}

// opensAfterThing reports whether word i follows the name of a thing and opens a
// statement about it: "Lexer (lexer.go): Added ...", "`lexer.go`: added ...".
func (t Text) opensAfterThing(i int) bool {
	gap := t.gapAfter(i - 1)
	return i <= 6 && (gap == "): " || gap == ": " && t.Words[i-1].Code)
}
