// Package telling finds the lines of a tool's output that show what went wrong.
//
//	table.go   what a line says by itself
//	telling.go the lines of an output, and the one that says best what went wrong
package telling

import (
	"encoding/json"
	"regexp"
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
	lead   = lazy.Pattern(`^(?:==\d+==\s?|(?:[^\t]*\t[^\t]*\t\x{feff}?|\s*)(?:\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d[.,\d]*(?:Z|[+-]\d\d:?\d\d)?|\[?\d\d:\d\d:\d\d[.,\d]*\]?|#\d+(?: \d+\.\d+)?)\s)`)
	prompt = lazy.Pattern(`^(?:\([\w.-]+\) )?(?:\S+@\S+:[^$#]*[$#]|PS [^>]*>|[A-Z]:\\[^>]*>|[$❯➜])\s+(\S.*)$`)
	// mark matches what runners and loggers put in front of a line.
	mark = lazy.Pattern(`^(?:##\[(\w+)\]|::(\w+)\b[^:]*::|\[(command)\]|\[((?i:error|fatal|warn(?:ing)?|info|debug|trace))\] |<tool_use_(error)>)`)
	// bad matches what shows that a JSON value is of a failure, messages what it says: the first, else the second.
	bad      = lazy.Pattern(`^\{\s*"detail"|"(?:is_?[eE]rror|err(?:or)?s?)" *: *(?:true|"[^"]|[[{]\s*[^\s\]}])|"(?:success|ok)" *: *false|"status" *: *"?[45]\d\d\b|"level" *: *(?:[56]0|"(?i:error|fatal)")`)
	messages = [...]func() *regexp.Regexp{says(`message`), says(`detail|error|msg|text|reason`)}
	// task matches what runners of tasks put in front of a line: "[lint:go] ", "web:test: ".
	task = lazy.Pattern(`^(?:\[[\w:@/.-]+\]|[\w@/-]+:[\w-]+:|[a-zA-Z][\w-]* +\|) +(\S.*)$`)
)

// says matches the first value that a JSON value has under one of the keys.
func says(keys string) func() *regexp.Regexp {
	return lazy.Pattern(`"(?:` + keys + `)" *: *("(?:[^"\\]|\\.)+")`)
}

// Read splits an output into its lines. Empty lines are left out, and of groups that a runner
// folds, and of what it says for debugging, those that report nothing.
func Read(output string) []Line {
	r := reader{}
	if m := message(output); m != "" && len(output) < mostJSON {
		return []Line{{Text: m, Level: Named}}
	}
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
	word, s := marked(bare(s))
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
	l.Text = strings.TrimFunc(strings.TrimSuffix(l.Text, "</tool_use_error>"), framing)
	if m := message(l.Text); m != "" {
		l.Text, least = m, Named
	}
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
		if l.Level != Vague || most == Plain {
			l.Level = max(min(l.Level, most), least)
		}
		r.heads = l.Level == Vague && (r.heads || heads().MatchString(l.Text))
		if l.Level == Complaint && len(l.Text) > mostLine {
			l.Text = part(l.Text)
		}
	}
	r.points(l.Text)
	if !r.folded && (word != "group" || l.Command) || l.Level == Stop || l.Level >= Vague {
		r.lines = append(r.lines, l)
	}
	r.folded = (r.folded || word == "group") && l.Level != Stop // where nobody saw its end
}

// points takes the line in front of the place that a compiler points to for a reported one.
func (r *reader) points(text string) {
	if n := len(r.lines) - 1; n >= 0 && strings.HasPrefix(text, "--> ") && r.lines[n].Level != Warning {
		r.lines[n].Level = max(Reported, r.lines[n].Level)
	}
}

// bare returns a line without colours, time stamp and the space behind it.
func bare(s string) string {
	if strings.Contains(s, "\x1b") {
		s = ansi().ReplaceAllString(s, "")
	}
	s = strings.TrimRight(s, "\r\n\t ")
	if at := strings.TrimLeft(s, " \t["); at != "" && (strings.Contains("0123456789#=", at[:1]) || strings.Contains(at, "Z ")) {
		s = lead().ReplaceAllString(s, "")
	}
	return s
}

// part returns the part of a line, between quotes, brackets and commas, that complains.
func part(line string) string {
	for _, p := range strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune("\"{}<>,;", r) }) {
		if table[len(table)-1].pattern().MatchString(p) {
			return strings.TrimFunc(p, framing)
		}
	}
	return line
}

// marked returns the word of the mark in front of a line, in lower case, and the rest.
func marked(s string) (word, rest string) {
	if s == "" || !strings.ContainsRune("#:[<", rune(s[0])) {
		return "", s
	}
	m := mark().FindStringSubmatch(s)
	if m == nil {
		return "", s
	}
	return strings.ToLower(m[1] + m[2] + m[3] + m[4] + m[5]), s[len(m[0]):]
}

// framing reports whether a rune only frames a line: of boxes and spinners.
func framing(r rune) bool {
	return unicode.IsSpace(r) || unicode.Is(unicode.Braille, r) || '─' <= r && r <= '╿'
}

// Best returns the index of the line that says best what went wrong: the first that pytest marks, else the first of
// the most specific ones; of a trace the last, which names the error; of a failed test the line that says how it
// failed. Where no line is specific, it is the one before the run stopped. The result is -1 if no line says anything.
func Best(lines []Line) int {
	first := slices.Repeat([]int{-1}, int(Named)+1)
	traced := slices.ContainsFunc(lines, func(l Line) bool { return strings.HasPrefix(l.Text, "Traceback ") })
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
	marked := slices.IndexFunc(lines, func(l Line) bool { return l.Level == Named && strings.HasPrefix(l.Text, "E  ") })
	for _, i := range []int{marked, first[Named], first[Reported], first[Complaint], stopped, first[Vague], last, first[Warning], first[Stop]} {
		if i >= 0 {
			return how(lines, i)
		}
	}
	return -1
}

// how returns the line next to the name of a failed test that says how it failed, behind it or in front of it;
// any other line is its own.
func how(lines []Line, named int) int {
	for _, step := range []int{1, -1} {
		other := false // a line that names no test
		for i := named; i >= 0 && i < len(lines) && lines[i].Level != Stop && !strings.HasPrefix(lines[i].Text, "=== "); i += step {
			switch names := tested().MatchString(lines[i].Text); {
			case names && other:
				return named
			case !names && (i == named || lines[i].Level >= Reported):
				return i
			default:
				other = !names
			}
		}
	}
	return named
}

// A JSON value of several lines is read as one up to a length; of a long line that complains the part around the
// complaint is kept.
const mostJSON, mostLine = 4096, 400

// message returns what a JSON value says of a failure; "" if the text is none, or says none.
func message(text string) (said string) {
	text = strings.TrimSpace(text)
	if text == "" || text[0] != '{' && text[0] != '[' || !bad().MatchString(text) {
		return ""
	}
	for _, p := range messages {
		if m := p().FindStringSubmatch(text); m != nil && json.Unmarshal([]byte(m[1]), &said) == nil {
			return In(said)
		}
	}
	return ""
}

// In returns the line of an output that says best what went wrong; "" if no line says anything.
func In(output string) string {
	lines := Read(output)
	if i := Best(lines); i >= 0 {
		return lines[i].Text
	}
	return ""
}
