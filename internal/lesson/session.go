package lesson

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"episodes/episode"
	"episodes/internal/corrections"
)

// Who speaks in a part of a log.
type Who uint8

// Those who speak.
const (
	ByLog    Who = iota // a Markdown log, outside of quotes and code
	ByPerson            // a user's turn
	ByAgent
	ByTool // what a tool was called with or printed; in Markdown quotes and code
)

// Turn is a part of a log in which one speaks.
type Turn struct {
	At   episode.Span
	Who  Who
	Text string // as it is read, not as the file spells it
}

// Session is what a lesson is held to.
type Session struct {
	Lines corrections.Lines // as they are kept, redacted
	turns []Turn            // by their first lines; each line is in one at least
	words vocabulary
}

// FromTurns makes a Session of a transcript. Lines that are in no turn, such as records of the program and heads above a
// turn, belong to the turn behind them where the file is text, and stand by themselves where each is a record.
func FromTurns(lines corrections.Lines, turns []Turn) *Session {
	s := &Session{Lines: lines, turns: slices.Clone(turns)}
	slices.SortStableFunc(s.turns, func(a, b Turn) int { return a.At[0] - b.At[0] })
	last, n := 0, len(s.turns) // last: line that is in a turn so far
	for i := range n {
		t := &s.turns[i]
		first := t.At[0]
		for last++; last < first && last <= len(lines); last++ {
			if isRecord(lines[last-1]) {
				s.turns = append(s.turns, Turn{episode.Span{last, last}, ByTool, decoded(lines[last-1])})
			} else {
				t.At[0] = min(t.At[0], last)
			}
		}
		last = max(last-1, t.At[1])
	}
	for last++; last <= len(lines); last++ {
		s.turns = append(s.turns, Turn{episode.Span{last, last}, ByTool, decoded(lines[last-1])})
	}
	slices.SortStableFunc(s.turns, func(a, b Turn) int { return a.At[0] - b.At[0] })
	for _, line := range lines {
		s.words.add(decoded(line))
	}
	for _, t := range turns {
		s.words.add(t.Text)
	}
	return s
}

// isRecord reports whether a line is a record of JSON.
func isRecord(line string) bool { return strings.HasPrefix(strings.TrimSpace(line), "{") }

// FromMarkdown makes a Session of a Markdown log: of its paragraphs, lists and blocks of code.
func FromMarkdown(lines corrections.Lines) *Session {
	s := &Session{Lines: lines}
	fence, open := "", false // of the block of code that is open
	who := ByLog
	for i, line := range lines {
		s.words.add(line)
		trimmed := strings.TrimSpace(line)
		now := ByLog
		switch mark := fenceOf(trimmed); {
		case fence != "":
			now = ByTool
			if mark != "" && strings.HasPrefix(mark, fence) && strings.Trim(trimmed, mark[:1]) == "" {
				fence = ""
			}
		case mark != "":
			fence, now, open = mark, ByTool, false
		case trimmed == "":
			open = false
			continue
		case strings.HasPrefix(trimmed, ">"), !open && strings.HasPrefix(line, "    "), !open && strings.HasPrefix(line, "\t"):
			now = ByTool
		}
		if last := len(s.turns) - 1; open && now == who {
			s.turns[last].At[1], s.turns[last].Text = i+1, s.turns[last].Text+"\n"+line
		} else {
			s.turns = append(s.turns, Turn{episode.Span{i + 1, i + 1}, now, line})
		}
		open, who = true, now
	}
	return s
}

// fenceOf is the mark that a fence of code begins with, or "".
func fenceOf(line string) string {
	for _, c := range []string{"`", "~"} {
		if rest := strings.TrimLeft(line, c); len(line)-len(rest) >= 3 {
			return line[:len(line)-len(rest)]
		}
	}
	return ""
}

// identity are the members of JSON whose values only name a record: no text has its words from there.
var identity = []string{"uuid", "parentUuid", "timestamp", "sessionId", "id", "tool_use_id", "requestId", "signature", "messageId", "promptId", "leafUuid"}

// decoded is the text of a line of JSON, with the texts in it as they are read; other lines are as they are.
func decoded(line string) string {
	if !isRecord(line) {
		return line
	}
	var v any
	if json.Unmarshal([]byte(line), &v) != nil {
		return line
	}
	var b strings.Builder
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case string:
			b.WriteString(v + "\n")
		case []any:
			for _, x := range v {
				walk(x)
			}
		case map[string]any:
			for _, k := range slices.Sorted(maps.Keys(v)) {
				if !slices.Contains(identity, k) {
					b.WriteString(k + " ")
					walk(v[k])
				}
			}
		case nil:
		default:
			n, _ := json.Marshal(v)
			b.WriteString(string(n) + "\n")
		}
	}
	walk(v)
	return b.String()
}

// at calls f with the turns that have lines of these ranges.
func (s *Session) at(l Lines) (out []Turn) {
	for _, t := range s.turns {
		if slices.ContainsFunc(l, func(x episode.Span) bool { return t.At[0] <= x[1] && t.At[1] >= x[0] }) {
			out = append(out, t)
		}
	}
	return out
}

// said is the text of turns, of those that keep accepts.
func said(turns []Turn, keep func(Who) bool) string {
	var b strings.Builder
	for _, t := range turns {
		if keep == nil || keep(t.Who) {
			b.WriteString(t.Text + "\n")
		}
	}
	return b.String()
}

// Of is the text of ranges: of Markdown the lines themselves, of a transcript of JSON the turns on them.
func (s *Session) Of(l Lines) string {
	var b strings.Builder
	for _, x := range l {
		text := s.Lines.Of(x)
		if isRecord(text) {
			text = said(s.at(Lines{x}), nil)
		}
		b.WriteString(text + "\n")
	}
	return b.String()
}
