package extract

import (
	"episodes/episode"
)

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
