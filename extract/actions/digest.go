package actions

import (
	"cmp"
	"fmt"
	"strings"
	"unicode/utf8"

	"episodes/internal/lazy"
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
	say := func(who, text string) string { return who + ": " + d.said(oneLine(text)) }
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
	case s.made != nil:
		return callText(s) + " → commit " + s.made.hash
	case s.tests != nil && s.tests.counted():
		return callText(s) + " → " + s.tests.String()
	case s.green && s.sums:
		return callText(s) + " → passes"
	case s.green: // nothing but its exit code says so
		return callText(s) + " → no error reported"
	case s.call.Tool == turns.Edit || s.call.Tool == turns.Write:
		return editText(s, "")
	case !d.all || s.call.Tool == turns.Read || s.call.Tool == turns.Search || s.call.Tool == turns.Plan:
		return ""
	}
	return turns.Start(callText(s), callBytes/2)
}

// causes is how much more is kept of a turn that names a cause.
const causes = 3

// said is what is kept of a turn: its beginning, and where it names a cause, the sentence that does.
func (d digest) said(text string) string {
	cut := turns.Start(text, d.words)
	if cut == text {
		return text
	}
	m := causal().FindStringIndex(text)
	if m == nil {
		return cut + "…"
	}
	at := m[0]
	if at < (causes-1)*d.words {
		return ended(turns.Start(text, causes*d.words), text)
	}
	from := 1 + max(strings.LastIndex(text[:at], ". "), strings.LastIndex(text[:at], "。")+2, at-d.words)
	for !utf8.RuneStart(text[from]) {
		from++
	}
	return cut + " … " + ended(turns.Start(strings.TrimSpace(text[from:]), (causes-1)*d.words), text[from:])
}

// causal matches how a turn names the cause of something.
var causal = lazy.Pattern(`(?i)\b(?:root cause|because|caused by|due to|the (?:problem|issue|cause|reason|culprit) (?:is|was)|turn(?:s|ed) out|that'?s why|this is why)\b`)

func ended(cut, text string) string {
	if len(cut) < len(strings.TrimSpace(text)) {
		return cut + "…"
	}
	return cut
}

// callBytes is how much of a call is kept.
const callBytes = 120

func callText(s *step) string {
	text := cmp.Or(s.call.Command, s.call.Text)
	if text == "" && len(s.call.Files) > 0 {
		text = s.call.Files[0]
	}
	text = oneLine(text)
	if cut := turns.Start(text, callBytes); cut != text {
		text = cut + "…"
	}
	return s.call.Name + " " + text
}
