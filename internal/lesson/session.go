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
	ByTool // what a tool printed; in Markdown quotes and code
	ByCall // what a tool was called with; the turn behind it is its result if that is a tool's
)

// Turn is a part of a log in which one speaks.
type Turn struct {
	At    episode.Span
	Who   Who
	Text  string // as it is read, not as the file spells it
	Edits []Edit // that it made
}

// Session is what a lesson is held to.
type Session struct {
	Lines corrections.Lines // as they are kept, redacted
	turns []Turn
	on    [][]int         // for each line the turns that have it
	words map[string]bool // of the log, in lower case
	text  string          // all of it, in lower case
	dir   string          // in which the session worked, with slashes; "" if that is not known
}

// FromTurns makes a Session of a transcript. What no turn has, such as the records of a program, is the tools'.
func FromTurns(lines corrections.Lines, turns []Turn) *Session {
	s := &Session{Lines: lines, on: make([][]int, len(lines)), words: map[string]bool{}}
	var b strings.Builder
	add := func(t Turn) {
		for n := max(1, t.At[0]); n <= min(t.At[1], len(lines)); n++ {
			s.on[n-1] = append(s.on[n-1], len(s.turns))
		}
		s.turns = append(s.turns, t)
		b.WriteString(t.Text + "\n")
	}
	for _, t := range turns {
		add(t)
	}
	for i, line := range lines {
		if text := decoded(line); s.on[i] == nil && strings.TrimSpace(text) != "" {
			add(Turn{At: episode.Span{i + 1, i + 1}, Who: ByTool, Text: text})
		} else {
			b.WriteString(text + "\n")
		}
	}
	text := ungroup(b.String())
	s.text = strings.ToLower(text)
	for _, w := range atoms(text) {
		for _, p := range append(piece().FindAllString(w, -1), w) {
			s.words[strings.ToLower(p)] = true
		}
	}
	return s
}

var fence = lazy.Pattern("^(?:```+|~~~+)")

// FromMarkdown makes a Session of a Markdown log: of its paragraphs, lists and blocks of code.
func FromMarkdown(lines corrections.Lines) *Session {
	var turns []Turn
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
		if last := len(turns) - 1; block && turns[last].Who == who {
			turns[last].At[1] = i + 1
		} else {
			turns = append(turns, Turn{At: episode.Span{i + 1, i + 1}, Who: who})
		}
		block = true
	}
	for i := range turns {
		turns[i].Text = lines.Of(turns[i].At)
	}
	return FromTurns(lines, turns)
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

// at are the turns that have lines of these ranges, which are in the log, and the results of calls.
func (s *Session) at(l Lines) (out []Turn) {
	var on []int
	for _, x := range l {
		for _, turns := range s.on[x[0]-1 : x[1]] {
			on = append(on, turns...)
		}
	}
	for _, i := range on {
		if s.turns[i].Who == ByCall && i+1 < len(s.turns) && s.turns[i+1].Who == ByTool {
			on = append(on, i+1)
		}
	}
	slices.Sort(on)
	for _, i := range slices.Compact(on) {
		out = append(out, s.turns[i])
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
