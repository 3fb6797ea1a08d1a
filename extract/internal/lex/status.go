package lex

import (
	"strings"

	"episodes/episode"
)

// StatusOf reads a status text. The first words decide; a text that names no
// stateOf is unknown.
func (t Text) StatusOf() episode.Outcome {
	if strings.IndexByte(t.Raw, '_') >= 0 {
		t = t.lex.Text(strings.ReplaceAll(t.Raw, "_", " ")) // IN_PROGRESS
	}
	if len(t.Words) <= 8 && (strings.Contains(t.Raw, " / ") || strings.Contains(t.Raw, " | ")) {
		return episode.Unknown // the choices that a template leaves
	}
	if ss := t.Sentences(); len(ss) > 1 {
		if o := ss[0].StatusOf(); o.Known() || len(ss[0].Words) > 2 {
			return o
		}
	}
	good, bad, half := -1, -1, -1
	for i, w := range t.Words {
		if i > 11 {
			break
		}
		c := w.Classes
		neg := t.Negated(i) || i > 0 && t.At(i-1, ClassNot)
		switch {
		case c.Has(ClassHalf) && half < 0:
			half = i
		case c.Has(ClassGood) && good < 0:
			if neg {
				if half < 0 {
					half = i
				}
			} else {
				good = i
			}
		case c.Has(ClassBad) && bad < 0 && !neg:
			bad = i
		}
	}
	if t.Is(ClassUnderway) || strings.HasPrefix(t.Raw, "⏳") || strings.HasPrefix(t.Raw, "🔄") {
		half = 0
	}
	switch {
	case half >= 0 && (good < 0 || half < good+3) && (bad < 0 || half < bad):
		if good == 0 && half > 0 && (half > 1 || strings.ContainsAny(t.Raw[t.Words[0].End:t.Words[half].Start], "-–—;,.")) && !t.Is(ClassCondition) {
			return episode.Success
		}
		return episode.Partial
	case bad >= 0 && (good < 0 || bad < good):
		return episode.Failure
	case good >= 0:
		return episode.Success
	case strings.HasPrefix(t.Raw, "✅") || strings.HasPrefix(t.Raw, "✓"):
		return episode.Success
	case strings.HasPrefix(t.Raw, "❌"):
		return episode.Failure
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
	if rest, ok := strings.CutPrefix(s, "n/a"); s == "" || s == "…" || ok && (rest == "" || !IsLetter(FirstRune(rest))) {
		return true
	}
	if end := t.Words[0].End; t.Words[0].Classes.Has(ClassBlank) && strings.TrimLeft(t.Raw[end:], " ") != t.Raw[end:] && strings.ContainsAny(t.Raw[end+1:end+2], "-(") {
		return true // "None - all went well"
	}
	return len(t.Words) <= 3 && t.At(0, ClassBlank)
}

// DoneAt finds the verb with which a text says that something was made: at its
// start, after its subject ("X was added to Y"), or said of the writer; -1 when
// it does not.
func (t Text) DoneAt() int {
	if t.At(0, ClassMake) {
		if t.At(0, ClassRoutine) && len(t.Words) < 7 {
			return -1
		}
		return 0
	}
	if t.At(0, ClassFirst) {
		for i := 1; i < 4; i++ {
			if t.At(i, ClassMake) {
				return i
			}
		}
		return -1
	}
	if len(t.Words) > 30 {
		return -1
	}
	for i := 1; i < len(t.Words) && i < 12; i++ {
		if t.At(i, ClassFail) || t.Words[i].Lower == "not" || t.Words[i].Lower == "already" {
			return -1
		}
		if t.At(i, ClassMake) && (t.participleEnds(i) || i <= 6 && strings.HasPrefix(t.Raw[t.Words[i-1].End:], "): ") && t.Words[i].Start <= t.Words[i-1].End+4) { // "Lexer (lexer.go): Added ..."
			return i
		}
	}
	return -1
}
