package extract

import (
	"episodes/episode"
	"strings"
)

// statusOf reads a status text. The first words decide; a text that names no
// stateOf is unknown.
func (t text) statusOf() episode.Outcome {
	if strings.IndexByte(t.s, '_') >= 0 {
		t = t.lex.text(strings.ReplaceAll(t.s, "_", " ")) // IN_PROGRESS
	}
	if len(t.words) <= 8 && (strings.Contains(t.s, " / ") || strings.Contains(t.s, " | ")) {
		return episode.Unknown // the choices that a template leaves
	}
	if ss := t.sentences(); len(ss) > 1 {
		if o := ss[0].statusOf(); o.Known() || len(ss[0].words) > 2 {
			return o
		}
	}
	good, bad, half := -1, -1, -1
	for i, w := range t.words {
		if i > 11 {
			break
		}
		c := w.classes
		neg := t.negated(i) || i > 0 && t.at(i-1, classNot)
		switch {
		case c.has(classHalf) && half < 0:
			half = i
		case c.has(classGood) && good < 0:
			if neg {
				if half < 0 {
					half = i
				}
			} else {
				good = i
			}
		case c.has(classBad) && bad < 0 && !neg:
			bad = i
		}
	}
	if t.is(classUnderway) || strings.HasPrefix(t.s, "⏳") || strings.HasPrefix(t.s, "🔄") {
		half = 0
	}
	switch {
	case half >= 0 && (good < 0 || half < good+3) && (bad < 0 || half < bad):
		if good == 0 && (half > 1 || strings.ContainsAny(t.s[t.words[0].end:t.words[half].start], "-–—;,.")) && !t.is(classCondition) {
			return episode.Success
		}
		return episode.Partial
	case bad >= 0 && (good < 0 || bad < good):
		return episode.Failure
	case good >= 0:
		return episode.Success
	case strings.HasPrefix(t.s, "✅") || strings.HasPrefix(t.s, "✓"):
		return episode.Success
	case strings.HasPrefix(t.s, "❌"):
		return episode.Failure
	}
	return episode.Unknown
}

// endStatus reads the status word that ends a text: "… key set - RESOLVED".
func (t text) endStatus() episode.Outcome {
	if n := len(t.words); n > 2 && t.capitals(n-1) {
		return t.sub(t.words[n-1].start, len(t.s)).statusOf()
	}
	return episode.Unknown
}

// blank reports whether a text says only that there is nothing.
func (t text) blank() bool {
	if len(t.words) == 0 {
		return true
	}
	if len(t.words) > 3 && !t.at(0, classBlank) && t.s[0]|0x20 != 'n' {
		return false
	}
	s := strings.Trim(strings.ToLower(t.s), " .-*_")
	if rest, ok := strings.CutPrefix(s, "n/a"); s == "" || s == "…" || ok && (rest == "" || !isLetter(firstRune(rest))) {
		return true
	}
	if end := t.words[0].end; t.words[0].classes.has(classBlank) && strings.TrimLeft(t.s[end:], " ") != t.s[end:] && strings.ContainsAny(t.s[end+1:end+2], "-(") {
		return true // "None - all went well"
	}
	return len(t.words) <= 3 && t.at(0, classBlank)
}

// doneAt finds the verb with which a text says that something was made: at its
// start, after its subject ("X was added to Y"), or said of the writer; -1 when
// it does not.
func (t text) doneAt() int {
	if t.at(0, classMake) {
		if t.at(0, classRoutine) && len(t.words) < 7 {
			return -1
		}
		return 0
	}
	if t.at(0, classFirst) {
		for i := 1; i < 4; i++ {
			if t.at(i, classMake) {
				return i
			}
		}
		return -1
	}
	if len(t.words) > 30 {
		return -1
	}
	for i := 1; i < len(t.words) && i < 12; i++ {
		if t.at(i, classFail) || t.words[i].s == "not" || t.words[i].s == "already" {
			return -1
		}
		if t.at(i, classMake) && (t.participleEnds(i) || i <= 6 && strings.HasPrefix(t.s[t.words[i-1].end:], "): ") && t.words[i].start <= t.words[i-1].end+4) { // "Lexer (lexer.go): Added ..."
			return i
		}
	}
	return -1
}
