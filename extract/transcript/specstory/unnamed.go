package specstory

import (
	"bytes"
	"slices"
	"strings"

	"episodes/episode"
	"episodes/internal/lazy"
	"episodes/internal/turns"
)

// section is what stands between two separators in the turn of an agent. In sessions of IDEs of spring and summer 2025
// tools have no name: each is a section of its own, in which nothing else stands.
type section struct {
	acted  bool // a tool is before it in the session
	fences []fence
	ticks  string // what closes the open fence
	others int    // lines outside of fences
}

type fence struct {
	lang string
	at   episode.Span
	text turns.Text
}

var (
	anyFence   = lazy.Pattern("^(`{3,})(.*?) *$")
	searchPart = lazy.Pattern(`(?s)^<details>\s*<summary>(?:(?:Grep search for|Searched codebase) "(.+?)"|Listed (?:directory )?(.+?)) • .*\n</details>$`)
)

// add takes a line of the section.
func (s *section) add(n int, line []byte) {
	switch m := anyFence().FindSubmatch(line); {
	case s.ticks != "":
		f := &s.fences[len(s.fences)-1]
		if f.at[1] = n; string(line) == s.ticks {
			s.ticks = ""
		} else {
			f.text.Add(line)
		}
	case m != nil:
		s.ticks, s.fences = string(m[1]), append(s.fences, fence{lang: string(m[2]), at: episode.Span{n, n}})
	case len(bytes.TrimSpace(line)) > 0:
		s.others++
	}
}

// tool is the tool that a section with a text is: a command and its output, the name of a file, a search, an edit of which
// nothing is shown; where the agent has used tools, also a command alone or diffs.
func (s *section) tool(text string) *turns.ToolCall {
	file, read := strings.CutPrefix(text, "Read file: ")
	search, n := searchPart().FindStringSubmatch(text), len(s.fences)
	switch {
	case s.ticks != "":
	case search != nil:
		return &turns.ToolCall{Name: "search", Tool: turns.Search, Text: search[1] + search[2]}
	case read && s.others == 1 && n == 0:
		return &turns.ToolCall{Name: "read", Tool: turns.Read, Files: []string{file}}
	case s.others > 0 || n == 0:
	case n == 1 && strings.TrimSpace(strings.TrimPrefix(text, emptyFence)) == emptyFence:
		return &turns.ToolCall{Name: "edit", Tool: turns.Edit, Dropped: true}
	case shells[s.fences[0].lang] && (n == 1 && s.acted || n == 2 && s.fences[1].lang == ""):
		return &turns.ToolCall{Name: "run", Tool: turns.Shell, Command: s.fences[0].text.String()}
	case s.acted && !slices.ContainsFunc(s.fences, func(f fence) bool { return f.lang != "diff" }):
		patch := ""
		for _, f := range s.fences {
			patch += "@@\n" + f.text.String() + "\n"
		}
		return &turns.ToolCall{Name: "edit", Tool: turns.Edit, New: patch}
	}
	return nil
}
