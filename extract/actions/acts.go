package actions

import (
	"path"
	"slices"
	"strings"

	"episodes/internal/turns"
)

// Act is one call of a session, for those who compare what an agent did with what it knew.
type Act struct {
	Time, Ended string   // RFC 3339, of call and result, or ""
	Sub         string   // the sub-agent that acted; "": the session's own
	Does        string   // equal for like calls; "" for those that only look
	Runs        []string // the simple commands of a shell line
	Changes     []string // base names of changed files
	Lines       []string // the beginning of the new text, without indentation
	Failed      bool
	Key         string // of what failed, as in episodes, or ""
}

// How much of a call an Act has.
const (
	mostRuns  = 8
	mostLines = 16
)

// Acts are the calls of the session, in the order of the file.
func (b *Builder) Acts() []Act {
	var out []Act
	for _, s := range b.steps {
		if s.role == turns.Call && s.result.State != turns.Refused && s.result.State != turns.NotRun {
			out = append(out, s.act())
		}
	}
	return out
}

// Act is the call, as far as it is known yet.
func (l *Live) Act() Act {
	if l.s.call.Tool == turns.Shell && l.s.line.commands == nil {
		l.s.line = parseShell(turns.Start(l.s.call.Command, mostParsed))
	}
	return l.s.act()
}

func (s *step) act() Act {
	a := Act{Time: s.time, Ended: s.until, Sub: s.sub, Failed: s.failed}
	if s.failed {
		a.Key = failureKey(s)
	}
	switch {
	case s.call.Tool == turns.Shell:
		a.Runs = s.line.texts()
		a.Does = strings.Join(a.Runs, "; ")
		for _, c := range s.line.commands {
			for _, f := range c.rewrites() {
				a.Changes = append(a.Changes, path.Base(f))
			}
		}
	case s.edits():
		for _, f := range s.call.Files {
			a.Changes = append(a.Changes, path.Base(f))
		}
		a.Does = "change " + strings.Join(a.Changes, " ")
		for line := range strings.Lines(turns.Start(s.call.New, kept)) {
			if line = PutLine(strings.TrimLeft(line, "+")); line != "" && len(a.Lines) < mostLines {
				a.Lines = append(a.Lines, line)
			}
		}
	}
	return a
}

// Changes reports whether a call changes a file, as far as it shows that.
func Changes(c turns.ToolCall) bool {
	s := step{call: c}
	if c.Tool == turns.Shell {
		s.line = parseShell(turns.Start(c.Command, mostParsed))
	}
	return s.edits() || len(s.act().Changes) > 0
}

// rewrites are the files that a command writes, as far as its line shows them: that of a redirection or
// a script, and those that it edits in place.
func (c command) rewrites() (files []string) {
	if c.writes != "" {
		files = append(files, c.writes)
	}
	inPlace := slices.ContainsFunc(c.args, func(a string) bool { return strings.HasPrefix(a, "-i") || a == "--in-place" })
	if on := c.targets(); inPlace && (c.name == "sed" || c.name == "perl") && len(on) > 1 {
		files = append(files, on[1:]...) // behind the script
	}
	return files
}

// PutLine is a line of an edit as facts of episodes quote it.
func PutLine(line string) string { return turns.Start(oneLine(line), editBytes) }

// Commands are the simple commands that a shell line runs, each as one text.
func Commands(line string) []string {
	return parseShell(turns.Start(line, mostParsed)).texts()
}

func (l shellLine) texts() (out []string) {
	for _, c := range l.commands[:min(mostRuns, len(l.commands))] {
		out = append(out, turns.Start(oneLine(c.name+" "+strings.Join(c.args, " ")), tellingBytes))
	}
	return out
}

// OnlyLooks reports whether all commands of a shell line only show, search or move files.
func OnlyLooks(line string) bool {
	commands := parseShell(turns.Start(line, mostParsed)).commands
	return len(commands) > 0 && !slices.ContainsFunc(commands, func(c command) bool { return !c.looks() })
}

// IsProgram reports whether a word is the name of a program that is understood, and not also an ordinary word.
func IsProgram(word string) bool {
	_, wraps := wrappers[word]
	return (wraps || known(word) || packageTools[word]) && !verbs[word]
}
