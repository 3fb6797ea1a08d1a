package actions

import (
	"fmt"

	"episodes/internal/turns"
)

// DigestLine sums up one record of a transcript in one line.
type DigestLine struct {
	Record int // 1-based, in the unit of the format's spans
	Text   string
}

// Digest sums up a session for a reader: what was said, what was run and the results. It
// takes at most budget bytes for a session of any length: first texts are shortened, then
// calls that merely worked are left out, then the middle.
func (b *Builder) Digest(budget int) []DigestLine {
	for _, d := range []digest{{300, true}, {200, true}, {200, false}, {120, false}, {80, false}} {
		if lines, size := d.lines(b.steps); size <= budget {
			return lines
		}
	}
	lines, size := digest{80, false}.lines(b.steps)
	for from := len(lines) / 3; size > budget && from < len(lines); { // the beginning and the end say most
		size -= lineSize(lines[from])
		lines = append(lines[:from], lines[from+1:]...)
	}
	return lines
}

// digest is how much of each kind of record is kept.
type digest struct {
	words int  // bytes of what is said
	all   bool // also calls that worked and check or change nothing
}

func lineSize(l DigestLine) int { return len(l.Text) + 8 }

func (d digest) lines(steps []*step) (out []DigestLine, size int) {
	for _, s := range steps {
		if text := d.text(s); text != "" {
			l := DigestLine{s.shows()[0], text}
			if s.role != turns.Call || !s.failed {
				l.Record = s.at[0]
			}
			out = append(out, l)
			size += lineSize(l)
		}
	}
	return out, size
}

func (d digest) text(s *step) string {
	say := func(who, text string) string {
		text = oneLine(text)
		if cut := turns.Start(text, d.words); cut != text {
			text = cut + "…"
		}
		return who + ": " + text
	}
	switch {
	case s.role == turns.User:
		return say("user", s.text)
	case s.role == turns.Agent:
		return say("agent", s.text)
	case s.role == turns.Stop:
		return "the user stopped the agent"
	case s.result.State == turns.Refused:
		return "refused by the user: " + callText(s)
	case s.failed:
		return fmt.Sprintf("%s → failed: %s", callText(s), s.tells)
	case s.green:
		return callText(s) + " → passes"
	case s.made != nil:
		return callText(s) + " → commit " + s.made.hash
	case s.call.Tool == turns.Edit || s.call.Tool == turns.Write:
		return editText(s, "")
	case !d.all || s.call.Tool == turns.Read || s.call.Tool == turns.Search || s.call.Tool == turns.Plan:
		return ""
	}
	return callText(s)
}

// callBytes is how much of a call is kept.
const callBytes = 120

func callText(s *step) string {
	text := s.call.Command
	if text == "" {
		text = s.call.Text
	}
	if text == "" && len(s.call.Files) > 0 {
		text = s.call.Files[0]
	}
	text = oneLine(text)
	if cut := turns.Start(text, callBytes); cut != text {
		text = cut + "…"
	}
	return s.call.Name + " " + text
}
