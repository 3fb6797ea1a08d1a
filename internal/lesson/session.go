package lesson

import (
	"slices"
	"strings"

	"episodes/episode"
	"episodes/internal/corrections"
	"episodes/internal/lazy"
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
	turns []Turn            // each line with words is in one at least
	words map[string]bool   // of the log, in lower case
	text  string            // all of it, in lower case
}

// FromTurns makes a Session of a transcript. What no turn has, such as the records of a program, is the tools'.
func FromTurns(lines corrections.Lines, turns []Turn) *Session {
	covered := map[int]bool{}
	var b strings.Builder
	for _, t := range turns {
		for n := t.At[0]; n <= min(t.At[1], len(lines)); n++ {
			covered[n] = true
		}
		b.WriteString(t.Text + "\n")
	}
	turns = slices.Clone(turns)
	for i, line := range lines {
		text := decoded(line)
		b.WriteString(text + "\n")
		if !covered[i+1] {
			turns = append(turns, Turn{episode.Span{i + 1, i + 1}, ByTool, text})
		}
	}
	s := &Session{Lines: lines, turns: turns}
	s.learn(b.String())
	return s
}

var fence = lazy.Pattern("^(?:```+|~~~+)")

// FromMarkdown makes a Session of a Markdown log: of its paragraphs, lists and blocks of code.
func FromMarkdown(lines corrections.Lines) *Session {
	s := &Session{Lines: lines}
	open, block := "", false // the fence that is open; whether the line above belongs to a block
	for i, line := range lines {
		who, text := ByLog, strings.TrimSpace(line)
		mark := fence().FindString(text)
		switch {
		case open != "":
			who = ByTool
			if strings.HasPrefix(mark, open) && mark == text {
				open = ""
			}
		case mark != "":
			open, who = mark, ByTool
		case text == "":
			block = false
			continue
		case text[0] == '>', !block && (strings.HasPrefix(line, "    ") || line[0] == '\t'):
			who = ByTool
		}
		if last := len(s.turns) - 1; block && s.turns[last].Who == who {
			s.turns[last].At[1], s.turns[last].Text = i+1, s.turns[last].Text+"\n"+line
		} else {
			s.turns = append(s.turns, Turn{episode.Span{i + 1, i + 1}, who, line})
		}
		block = true
	}
	s.learn(strings.Join(lines, "\n"))
	return s
}

// isRecord reports whether a line is a record of JSON.
func isRecord(line string) bool { return strings.HasPrefix(strings.TrimSpace(line), "{") }

var (
	identity = lazy.Pattern(`"(?:\w*[uU]uid|timestamp|\w*Id|\w*_id|id|signature)":\s*"[^"]*"`)
	unescape = strings.NewReplacer(`\n`, "\n", `\t`, "\t", `\"`, `"`, `\\`, `\`)
)

// decoded is a line as it is read: a record without what only names it.
func decoded(line string) string {
	if !isRecord(line) {
		return line
	}
	return unescape.Replace(identity().ReplaceAllString(line, ""))
}

// at are the turns that have lines of these ranges.
func (s *Session) at(l Lines) (out []Turn) {
	for _, t := range s.turns {
		if slices.ContainsFunc(l, func(x episode.Span) bool { return t.At[0] <= x[1] && t.At[1] >= x[0] }) {
			out = append(out, t)
		}
	}
	return out
}

// around is the text of the turns on ranges.
func (s *Session) around(l Lines) (out string) {
	for _, t := range s.at(l) {
		out += t.Text + "\n"
	}
	return out
}

// Of is the text of ranges: the lines themselves; where these are records, the turns on them.
func (s *Session) Of(l Lines) (out string) {
	for _, x := range l {
		if text := s.Lines.Of(x); isRecord(text) {
			out += s.around(Lines{x})
		} else {
			out += text + "\n"
		}
	}
	return out
}
