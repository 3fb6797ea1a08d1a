package rules

import (
	"strings"

	"episodes/episode"
	"episodes/extract/internal/doc"
	"episodes/extract/internal/lex"
	"episodes/keys"
)

// cellStatus reads a status cell, where a mark alone says it.
func cellStatus(c doc.Cell) episode.Outcome {
	if c.Text.State() == episode.Deferred { // of several, this one is left
		return episode.Partial
	}
	if o := c.Text.StatusOf(); o.Known() {
		return o
	}
	return tickOutcome(c.Tick)
}

// tickOutcome is what a status mark alone says.
func tickOutcome(t doc.Tick) episode.Outcome {
	switch t {
	case doc.DoneTick:
		return episode.Success
	case doc.BadTick:
		return episode.Failure
	}
	return episode.Unknown
}

// blockStatus reads a status line: its words, else its mark.
func blockStatus(b *doc.Block) episode.Outcome {
	o := b.Text.StatusOf()
	if b.Text.Is(lex.ClassNoHelp) { // "correct, but did not resolve it"
		if o == episode.Success {
			return episode.Partial
		}
		return episode.Failure
	}
	if b.Tick == doc.BadTick {
		return episode.Failure
	}
	if !o.Known() || b.Tick == doc.DoneTick && o == episode.Failure {
		return tickOutcome(b.Tick) // "✅ Found why the build failed"
	}
	return o
}

// documentState reports whether a status is that of a document, such as a decision record
// that is accepted, and not of work.
func documentState(t lex.Text) bool {
	if len(t.Words) == 0 || !t.At(0, lex.ClassDocState) {
		return false
	}
	rest := strings.TrimLeft(t.Raw[t.Words[0].End:], " *")
	return len(t.Words) <= 3 || strings.IndexAny(rest, ",(—–-;:.") == 0
}

// decisionStatus reads the labelled status of a decision: that it is accepted says
// nothing of how it turned out.
func decisionStatus(b *doc.Block) episode.Outcome {
	if documentState(b.Text) {
		return episode.Unknown
	}
	return blockStatus(b)
}

// opensWithStatus reports whether a line under an outcome heading states the
// outcome itself, in its first words, rather than one thing among others.
func opensWithStatus(b *doc.Block) bool {
	if b.Tick != doc.NoTick {
		return b.Kind == doc.Paragraph // an item that is ticked is one of several
	}
	for i, w := range b.Text.Words {
		if i < 3 && w.Any(lex.ClassGood, lex.ClassBad, lex.ClassHalf) &&
			(b.Kind == doc.Paragraph || b.Section.Blocks[0] == b) {
			return true
		}
	}
	return false
}

// state reads what the log says about itself where it reports no finished work: the last
// status in its front matter, above its sections, or under a heading of the status.
func (x *extraction) state() {
	ended := false
	for i := range len(x.doc.Meta) + len(x.doc.Blocks) {
		b := x.doc.At(i)
		s := b.Section
		if b.Kind == doc.Code || b.Kind == doc.Row || b.Placeholder() || b.Parent != nil ||
			s != nil && (s.Within(lex.RoleSkip) || !x.newest.contains(b.Span[0])) {
			continue
		}
		head := s.Head()
		switch {
		case head && b.LabelText.FirstIs(lex.ClassSuperseded) && (len(b.LabelText.Words) == 1 || b.LabelText.At(1, lex.ClassBy)) && !b.Text.Blank():
			x.draft.State, x.draft.SupersededBy = episode.Superseded, keys.Clause(b.Text.Raw)
		case head && b.LabelRoles.Any(lex.RoleStatus, lex.RoleOutcome), s != nil && s.Level == 2 && s.Has(lex.RoleStatus) && b.Label == "" && s.Blocks[0] == b:
			state := b.Text.State()
			if state == episode.Planned && ended { // "ready for" what comes next
				continue
			}
			ended = head && blockStatus(b).Known()
			x.isRecord = documentState(b.Text) && b.Text.At(0, lex.ClassApprove)
			x.draft.State, x.draft.SupersededBy = state, ""
			if x.draft.State == episode.Superseded {
				x.draft.SupersededBy = replacement(b.Text)
			}
		}
	}
}

// replacement is what a text says took the place of its subject: "superseded by the
// second queue".
func replacement(t lex.Text) string {
	i := t.Index(lex.ClassSuperseded)
	if i < 0 || !t.At(i+1, lex.ClassBy) || i+2 >= len(t.Words) {
		return ""
	}
	return strings.TrimSpace(t.Raw[t.Words[i+2].Start:])
}
