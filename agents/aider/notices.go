package aider

import (
	"strings"

	"episodes/episode"
	"episodes/internal/lazy"
	"episodes/internal/turns"
)

var (
	startedMark  = lazy.Pattern(`^(?:Aider v|\$ aider\b)`)
	appliedMark  = lazy.Pattern(`^Applied edit to (.+)$`)
	commitMark   = lazy.Pattern(`^Commit ([0-9a-f]{7,40})(?: (.*))?$`)
	runMark      = lazy.Pattern(`^Running (.+)$`)
	skippedMark  = lazy.Pattern(`^Skipping edits to (\S.*)$`)
	refuseMark   = lazy.Pattern(`^Run shell commands?\? .*: ?(?:n|no|d|don't)$`)
	lintMark     = lazy.Pattern(`^#+ Running: (.+)$`)
	mismatchMark = lazy.Pattern(`^(?:The LLM did not conform to the edit format\.|# \d+ SEARCH/REPLACE blocks? failed to match)`)
	goesOnMark   = lazy.Pattern(`^(?:Attempt to fix|Add) .*\?.*: ?(?:y|yes|a|all)$`) // the model answers
	questionMark = lazy.Pattern(`\((?:Y|y)\)es/\(N\)o|\[[yY]/[nN]`)
)

const (
	lintedMark = "# Fix any errors below, if possible."
	stopMark   = "^C"
	tokensMark = "Tokens: "
)

// mostAsked is how many lines of aider before a question are kept with it.
const mostAsked = 20

// report is a message of aider over several lines: the findings of the linter, or the reason why an
// edit could not be applied.
type report struct {
	at      episode.Span
	lint    bool
	command string
	text    turns.Text
}

// notice parses a line that aider itself wrote.
func (r *reader) notice(n int, text string) {
	r.flush()
	r.unfence()
	at := episode.Span{n, n}
	if r.puts(n, strings.TrimPrefix(text, " ")) {
		return
	}
	text = strings.TrimSpace(text)
	if startedMark().MatchString(text) {
		r.begun, r.done = true, true
	}
	if r.report != nil && !r.ends(text) {
		r.report.at[1] = n
		r.report.text.AddLine(n, []byte(text))
		if m := lintMark().FindStringSubmatch(text); m != nil && r.report.command == "" {
			r.report.command = m[1]
		}
		return
	}
	r.settle()
	r.done = r.done || strings.HasPrefix(text, tokensMark) || appliedMark().MatchString(text) || commitMark().MatchString(text)
	r.done = r.done && !goesOnMark().MatchString(text)
	m, state := appliedMark().FindStringSubmatch(text), turns.OK
	if m == nil {
		m, state = skippedMark().FindStringSubmatch(text), turns.Refused
	}
	switch {
	case m != nil:
		c, of := r.changes(m[1])
		if c == nil {
			c, of = &turns.ToolCall{Name: "edit", Tool: turns.Edit}, at
		}
		c.Files = []string{m[1]}
		r.hold(turns.Turn{Role: turns.Call, At: of, Call: c})
		r.hold(turns.Turn{Role: turns.Result, At: at, Result: &turns.ToolResult{ID: c.ID, State: state, Text: text}})
	case text == lintedMark, mismatchMark().MatchString(text):
		r.report = &report{at: at, lint: text == lintedMark}
		if !r.report.lint {
			r.report.text.AddLine(n, []byte(text))
		}
	case strings.HasPrefix(text, stopMark):
		if !r.done { // else it is about leaving aider
			r.hold(turns.Turn{Role: turns.Stop, At: at})
		}
		r.done = true
	case commitMark().MatchString(text):
		m := commitMark().FindStringSubmatch(text)
		r.shell(at, "commit", "git commit")
		r.hold(turns.Turn{Role: turns.Result, At: at, Result: &turns.ToolResult{State: turns.OK, Text: "[" + m[1] + "] " + m[2]}}) // in the form that git prints
	case runMark().MatchString(text):
		r.shell(at, "run", runMark().FindStringSubmatch(text)[1])
		r.asked = nil
	case refuseMark().MatchString(text) && len(r.asked) > 0:
		r.shell(at, "run", strings.Join(r.asked, "\n"))
		r.hold(turns.Turn{Role: turns.Result, At: at, Result: &turns.ToolResult{State: turns.Refused}})
		r.asked = nil
	case questionMark().MatchString(text), strings.HasPrefix(text, tokensMark):
		r.asked = nil
	case text != "" && len(r.asked) < mostAsked:
		r.asked = append(r.asked, text)
	}
}

// shell holds the call of a command.
func (r *reader) shell(at episode.Span, name, command string) {
	r.hold(turns.Turn{Role: turns.Call, At: at, Call: &turns.ToolCall{Name: name, Tool: turns.Shell, Command: command}})
}

// run is a command that the human runs from the chat. Versions of 2023 log its output, in a fenced
// block.
type run struct {
	at      episode.Span
	command string
	open    bool // within the fence
	text    turns.Text
}

var ownRun = lazy.Pattern(`^(?:/run |/test |!)\s*(\S.*)`)

// puts reports whether a line of aider is output of the human's own command.
func (r *reader) puts(n int, text string) bool {
	p := &r.ran
	switch fence := strings.TrimSpace(text) == "```"; {
	case p.command == "":
		return false
	case !p.open && fence:
		p.open = true
		r.shell(p.at, "run", p.command)
		p.at = episode.Span{n, n}
	case !p.open:
		r.ran = run{}
		return false
	case fence:
		p.at[1] = n
		r.hold(turns.Turn{Role: turns.Result, At: p.at, Lines: p.text.Lines(p.text.String()), Result: &turns.ToolResult{Text: p.text.String()}})
		r.ran = run{}
	default:
		p.text.AddLine(n, []byte(strings.TrimRight(text, " ")))
	}
	return true
}

// ends reports whether a line of aider ends its current report.
func (r *reader) ends(text string) bool {
	return questionMark().MatchString(text) || strings.HasPrefix(text, tokensMark) || strings.HasPrefix(text, stopMark) || text == lintedMark && !r.report.lint ||
		!r.report.lint && (appliedMark().MatchString(text) || commitMark().MatchString(text))
}

// settle emits a report that has ended.
func (r *reader) settle() {
	p := r.report
	if p == nil {
		return
	}
	r.report = nil
	call := turns.Turn{Role: turns.Call, At: episode.Span{p.at[0], p.at[0]}, Call: &turns.ToolCall{Name: "lint", Tool: turns.Shell, Command: p.command}}
	if !p.lint {
		if c, of := r.changes(""); c != nil {
			call.Call, call.At = c, of
		} else {
			call.Call = &turns.ToolCall{Name: "edit", Tool: turns.Edit}
		}
	}
	r.hold(call)
	text := strings.TrimSpace(p.text.String())
	r.hold(turns.Turn{Role: turns.Result, At: p.at, Lines: p.text.Lines(text), Result: &turns.ToolResult{ID: call.Call.ID, State: turns.Failed, Text: text}})
}
