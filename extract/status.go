package extract

import (
	"strings"

	"episodes/episode"
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

// cellStatus reads a status cell, where a mark alone says it.
func cellStatus(c cell) episode.Outcome {
	if o := c.text.statusOf(); o.Known() {
		return o
	}
	return tickOutcome(c.tick)
}

// tickOutcome is what a status mark alone says.
func tickOutcome(t tick) episode.Outcome {
	switch t {
	case doneTick:
		return episode.Success
	case badTick:
		return episode.Failure
	}
	return episode.Unknown
}

// blockStatus reads a status line: its words, else its mark.
func blockStatus(b *block) episode.Outcome {
	o := b.text.statusOf()
	if b.text.is(classNoHelp) { // "correct, but did not resolve it"
		if o == episode.Success {
			return episode.Partial
		}
		return episode.Failure
	}
	if b.tick == badTick && o != episode.Success {
		return episode.Failure
	}
	if !o.Known() || b.tick == doneTick && o == episode.Failure {
		return tickOutcome(b.tick) // "✅ Found why the build failed"
	}
	return o
}

// endStatus reads the status word that ends a text: "… key set - RESOLVED".
func (t text) endStatus() episode.Outcome {
	if n := len(t.words); n > 2 && t.capitals(n-1) {
		return t.sub(t.words[n-1].start, len(t.s)).statusOf()
	}
	return episode.Unknown
}

// documentStatus reports whether a status line speaks of a document, such as a
// decision record that is accepted, and not of work.
func documentStatus(b *block) bool {
	if len(b.text.words) == 0 || len(b.text.words) > 3 {
		return false
	}
	return b.text.at(0, classDocState)
}

// openWork reports whether a labelled line says what was left undone.
func openWork(b *block) bool {
	return b.labelRole.has(roleOpen)
}

// opensWithStatus reports whether a line under an outcome heading states the
// outcome itself, in its first words, rather than one thing among others.
func opensWithStatus(b *block) bool {
	if b.tick != noTick {
		return b.kind == paraBlock // an item that is ticked is one of several
	}
	for i, w := range b.text.words {
		c := w.classes
		if i < 3 && (c.has(classGood) || c.has(classBad) || c.has(classHalf)) && (b.kind == paraBlock || b.section.blocks[0] == b) {
			return true
		}
	}
	return false
}
