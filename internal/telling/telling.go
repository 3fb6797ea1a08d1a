// Package telling finds the lines of a tool's output that show what went wrong.
//
//	table.go   what a line says by itself
//	telling.go the lines of an output, and the one that says best what went wrong
package telling

import (
	"slices"
	"strings"
	"unicode"

	"episodes/internal/lazy"
)

// Line is a line of an output.
type Line struct {
	Task  string // of a runner's task, such as "[lint:go]", or ""
	Text  string // without colours, time stamp, prompt, task and frame
	Level Level
	// Command: it is a command that was given or, as noise, that a runner repeats.
	Command bool
}

var (
	ansi = lazy.Pattern("\x1b\\[[0-9;?]*[A-Za-z]")
	// lead matches time stamps, with the job and the step in front of them, and numbers of steps.
	lead   = lazy.Pattern(`^(?:[^\t]*\t[^\t]*\t\x{feff}?|\s*)(?:\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}:\d{2}(?:[.,]\d+)?(?:Z|[+-]\d{2}:?\d{2})?|\[?\d{2}:\d{2}:\d{2}(?:[.,]\d+)?\]?|#\d+(?: \d+\.\d+)?)\s`)
	prompt = lazy.Pattern(`^(?:\([\w.-]+\) )?(?:[\w.-]+@[\w.-]+:[^$#]*[$#]|PS [^>]*>|[A-Z]:\\[^>]*>|[$❯➜])\s+(\S.*)$`)
	// mark matches what runners and loggers put in front of a line.
	mark = lazy.Pattern(`^(?:##\[(\w+)\]|::(\w+)\b[^:]*::|\[(command)\]|\[((?i:error|fatal|warn|warning|info|debug|trace))\] )`)
	// task matches what runners of tasks put in front of a line: "[lint:go] ", "web:test: ".
	task = lazy.Pattern(`^(?:\[[\w:@/.-]+\]|[\w@/-]+:[\w-]+:|[a-zA-Z][\w-]* +\|) +(\S.*)$`)
)

// Read splits an output into its lines. Empty lines are left out, and of groups that a runner
// folds, and of what it says for debugging, those that report nothing.
func Read(output string) []Line {
	r := reader{}
	for s := range strings.Lines(output) {
		r.line(s)
	}
	return r.lines
}

type reader struct {
	lines  []Line
	folded bool // in a group
	heads  bool // the line before announces this one
}

func (r *reader) line(s string) {
	if strings.Contains(s, "\x1b") {
		s = ansi().ReplaceAllString(s, "")
	}
	s = strings.TrimRight(s, "\r\n\t ")
	if at := strings.TrimLeft(s, " \t["); at != "" && (at[0] >= '0' && at[0] <= '9' || at[0] == '#' || strings.Contains(at, "Z ")) {
		s = lead().ReplaceAllString(s, "")
	}
	word, s := marked(s)
	l := Line{Text: s, Command: word == "command"}
	least, most := Noise, Named
	switch word {
	case "error", "fatal":
		least = Reported
	case "warn", "warning":
		least, most = Warning, Warning
	case "info", "notice":
		most = Plain
	case "group":
		l.Text, l.Command = strings.CutPrefix(s, "Run ")
	case "endgroup":
		r.folded = false
		return
	case "debug", "trace", "section":
		return
	case "":
		if m := prompt().FindStringSubmatch(s); m != nil {
			l.Text, l.Command = m[1], true
		} else if m := task().FindStringSubmatch(s); m != nil {
			l.Task, l.Text = strings.TrimSpace(strings.TrimSuffix(s, m[1])), m[1]
		}
	}
	echo := strings.HasPrefix(l.Text, "> ")
	l.Text = strings.TrimFunc(l.Text, framing)
	switch l.Level = Of(l.Text); {
	case l.Text == "":
		return
	case l.Command:
		l.Level = Plain
	case l.Level == Noise:
		l.Command = echo
	case l.Level > Stop:
		if r.heads {
			least = max(least, Reported)
		}
		if l.Level = min(l.Level, most); l.Level != Vague {
			l.Level = max(l.Level, least)
		}
		r.heads = l.Level == Vague && heads().MatchString(l.Text)
	}
	if !r.folded && (word != "group" || l.Command) || l.Level == Stop || l.Level >= Vague {
		r.lines = append(r.lines, l)
	}
	r.folded = (r.folded || word == "group") && l.Level != Stop // where nobody saw its end
}

// marked returns the word of the mark in front of a line, in lower case, and the rest.
func marked(s string) (word, rest string) {
	if s == "" || !strings.ContainsRune("#:[", rune(s[0])) {
		return "", s
	}
	m := mark().FindStringSubmatch(s)
	if m == nil {
		return "", s
	}
	return strings.ToLower(m[1] + m[2] + m[3] + m[4]), s[len(m[0]):]
}

// framing reports whether a rune only frames a line: of boxes and spinners.
func framing(r rune) bool {
	return unicode.IsSpace(r) || unicode.Is(unicode.Braille, r) || '─' <= r && r <= '╿'
}

// Best returns the index of the line that says best what went wrong: the first of the most
// specific ones; of a trace the last, which names the error. Where no line is specific, it is
// the one before the run stopped. The result is -1 if no line says anything.
func Best(lines []Line) int {
	first := [Named + 1]int{}
	for i := range first {
		first[i] = -1
	}
	traced := slices.ContainsFunc(lines, func(l Line) bool { return strings.HasPrefix(l.Text, "Traceback (most recent call last)") })
	last, stopped := -1, -1
	for i, l := range lines {
		if l.Command || l.Level == Noise {
			continue
		}
		if first[l.Level] < 0 || l.Level == Named && traced {
			first[l.Level] = i
		}
		switch l.Level {
		case Stop:
			if stopped < 0 {
				stopped = last
			}
		case Warning:
		default:
			last = i
		}
	}
	for _, i := range []int{first[Named], first[Reported], first[Complaint], stopped, first[Vague], last, first[Warning], first[Stop]} {
		if i >= 0 {
			return i
		}
	}
	return -1
}

// In returns the line of an output that says best what went wrong; "" if no line says anything.
func In(output string) string {
	lines := Read(output)
	if i := Best(lines); i >= 0 {
		return lines[i].Text
	}
	return ""
}
