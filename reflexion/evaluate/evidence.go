package evaluate

import (
	"path"
	"slices"
	"strings"

	"episodes/internal/lazy"
	"episodes/reflexion"
)

// The evidence of a failed test: the message of its problem is the assertion, as printed, with a
// diff where a report has two values; its stack trace is all else that the test printed.

const maxShownValue = 200 // bytes of a line that is shown whole in a diff

// difference shows two values as the lines in which they differ; "" where they do not.
func difference(want, have string) string {
	want, have = strings.TrimRight(want, "\n"), strings.TrimRight(have, "\n")
	if want == have {
		return ""
	}
	a, b := strings.Split(want, "\n"), strings.Split(have, "\n")
	for len(a) > 1 && len(b) > 1 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for len(a) > 1 && len(b) > 1 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	if len(a) == 1 && len(b) == 1 {
		a[0], b[0] = whereTheyDiffer(a[0], b[0])
	}
	return "- " + strings.Join(a, "\n- ") + "\n+ " + strings.Join(b, "\n+ ")
}

// whereTheyDiffer cuts two long lines to the part in which they differ.
func whereTheyDiffer(a, b string) (string, string) {
	if len(a) <= maxShownValue && len(b) <= maxShownValue {
		return a, b
	}
	x, y, same := []rune(a), []rune(b), 0
	for same < min(len(x), len(y)) && x[same] == y[same] {
		same++
	}
	from := max(0, same-maxShownValue/4)
	part := func(s []rune) string {
		out := string(s[min(from, len(s)):min(from+maxShownValue, len(s))])
		if from > 0 {
			out = "…" + out
		}
		if len(s) > from+maxShownValue {
			out += "…"
		}
		return out
	}
	return part(x), part(y)
}

var diffLine = lazy.Pattern(`(?m)^\s*[-+](?:\s*\S|\s{2})`)

// withDifference adds to a message how two values differ, unless it has a diff.
func withDifference(message, want, have string) string {
	if want == "" && have == "" || diffLine().MatchString(message) {
		return message
	}
	return strings.TrimSpace(message + "\n" + difference(want, have))
}

type frame struct {
	file         string
	line, column int
	in           string
}

var (
	framePlace = lazy.Pattern(`(?:^|[\s('"❯])((?:file://)?(?:[A-Za-z]:)?[\w./\\@+$-]+\.(?:[cm]?[jt]sx?|vue|go|py|rb|rs|java|kts?|scala|groovy|php|cs|swift|exs?|dart)):(\d+)(?::(\d+))?`)
	pyFrame    = lazy.Pattern(`File "([^"\n]+)", line (\d+)(?:, in (\S+))?`)
	library    = lazy.Pattern(`node_modules|^node:|site-packages|/lib/python|/gems/|/vendor/|/rustc/|^<|(?:^|/src/)(?:testing|runtime)/|/testify/`)
	asserts    = lazy.Pattern(`(?i)assert|expect`)
)

// frames are the places of a stack trace outside of libraries, in its order.
func frames(trace string) (out []frame) {
	for line := range strings.Lines(trace) {
		f := frame{}
		if m := pyFrame().FindStringSubmatch(line); m != nil {
			f = frame{file: m[1], line: atoi(m[2]), in: m[3]}
		} else if m := framePlace().FindStringSubmatch(line); m != nil {
			f = frame{file: m[1], line: atoi(m[2]), column: atoi(m[3])}
			if _, in, ok := strings.Cut(line, ": in "); ok { // pytest --tb=short
				f.in = strings.TrimSpace(in)
			}
		}
		if f.file != "" && !library().MatchString(f.file) {
			out = append(out, f)
		}
	}
	return out
}

// locate fills in the place of a failure from its stack trace, the innermost frame first: that of
// an assertion is in the file of the test (home, or ""), any other is the first.
func locate(p *reflexion.Problem, trace, home string) {
	all := frames(trace)
	i := 0
	if home != "" && asserts().MatchString(p.Message+trace) {
		i = max(0, slices.IndexFunc(all, func(f frame) bool { return sameName(f.file, home) }))
	}
	if i < len(all) {
		p.File, p.Line, p.Column = all[i].file, all[i].line, all[i].column
	}
}

// sameName reports whether two paths, or the name of a class and a path, may mean one file.
func sameName(a, b string) bool {
	a, b = path.Base(strings.ReplaceAll(a, `\`, "/")), path.Base(strings.ReplaceAll(b, `\`, "/"))
	return a == b || strings.TrimSuffix(a, path.Ext(a)) == b[strings.LastIndexByte(b, '.')+1:]
}

// locateLast is locate for traces with the innermost frame last. That of an assertion is in the
// function of the test, or else the first in its file.
func locateLast(p *reflexion.Problem, trace, test, home string) {
	all := frames(trace)
	if len(all) == 0 {
		return
	}
	f := all[len(all)-1]
	if strings.HasPrefix(p.Message, "assert") || strings.Contains(firstWord(p.Message), "Assertion") {
		if i := slices.IndexFunc(all, func(x frame) bool { return x.in == test }); i >= 0 && test != "" {
			f = all[i]
		} else if i := slices.IndexFunc(all, func(x frame) bool { return home != "" && sameName(x.file, home) }); i >= 0 {
			f = all[i]
		}
	}
	p.File, p.Line, p.Column = f.file, f.line, 0
}

func firstWord(s string) string {
	word, _, _ := strings.Cut(s, " ")
	return word
}

// explain fills in what the text of a failed test says: the message, of which a report may give a
// part elsewhere, and the place. test is the name of its function, home its file or class.
func explain(p *reflexion.Problem, text, test, home string) {
	switch {
	case pyError().MatchString(text):
		pyDetails(p, text, test, home)
	case strings.Contains(text, "Traceback (most recent call last)"):
		p.Message = pyMessage(text)
		locateLast(p, text, test, home)
	default:
		p.Message = whole(p.Message, beforeTrace(text))
		locate(p, text, home)
	}
	if strings.Contains(p.Message, "SyntaxError: ") || strings.Contains(p.Message, "IndentationError: ") {
		p.Type = reflexion.SyntaxError
	}
}

// whole is a message that a report gives in an attribute and before the trace: the text
// where the attribute says nothing, or is the text without its line ends.
func whole(attribute, text string) string {
	squeezed := func(s string) string { return strings.Join(strings.Fields(s), "") }
	if len(strings.Fields(attribute)) <= 2 && text != "" ||
		strings.Contains(text, "\n") && strings.Contains(squeezed(text), squeezed(attribute)) {
		return text
	}
	return attribute
}

// traceLine begins what follows a message: a frame, or an excerpt of the source.
var traceLine = lazy.Pattern(`(?m)^\s*(?:at .*[:(].*|❯ .*:\d+:\d+.*|>?\s*\d+ ?\| .*|# \S+\.rb:\d+.*|\S.*\.php:\d+|` +
	`(?:Stack Trace|Standard Output Messages):)$`)

// beforeTrace is the message of a failure, without its indentation.
func beforeTrace(s string) string {
	if loc := traceLine().FindStringIndex(s); loc != nil {
		s = s[:loc[0]]
	}
	return dedent(s)
}

// dedent removes the indentation that all lines of a text share, and blank lines around it.
func dedent(s string) string {
	lines := strings.Split(strings.Trim(s, "\n"), "\n")
	most := -1
	for _, l := range lines {
		if text := strings.TrimLeft(l, " "); text != "" && (most < 0 || len(l)-len(text) < most) {
			most = len(l) - len(text)
		}
	}
	for i, l := range lines {
		lines[i] = strings.TrimRight(l[min(len(l), max(most, 0)):], " \r\t")
	}
	return strings.Trim(strings.Join(lines, "\n"), "\n")
}

func lastLines(texts []string, n int) string {
	lines := strings.Split(strings.TrimSpace(strings.Join(texts, "")), "\n")
	return strings.Join(lines[max(0, len(lines)-n):], "\n")
}
