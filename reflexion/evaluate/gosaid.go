package evaluate

import (
	"slices"
	"strings"

	"episodes/internal/lazy"
	"episodes/reflexion"
)

// goEntry is what a test said at one place, or printed.
type goEntry struct {
	place []string // of goPlace; nil: printed
	lines []string
}

// text is what was said there; of an assertion by testify without the trace.
func (e *goEntry) text() string {
	text := strings.TrimSpace(e.lines[0] + "\n" + dedent(strings.Join(e.lines[1:], "\n")))
	if at := errorTrace().FindStringIndex(text); at != nil {
		text = testifyLine().ReplaceAllString(strings.TrimLeft(text[at[1]:], " \t"), "")
		text, _, _ = strings.Cut(text, "\nTest:")
	}
	return text
}

func entries(output []string) (out []goEntry) {
	indent := 0
	for _, line := range output {
		line = strings.TrimRight(line, "\n")
		if goResult().MatchString(line) || strings.HasPrefix(line, "=== ") {
			indent = 0
			continue
		}
		if m := goPlace().FindStringSubmatch(line); m != nil {
			indent = len(line) - len(strings.TrimLeft(line, " \t"))
			out = append(out, goEntry{m, []string{m[3]}})
			continue
		}
		within := indent > 0 && (strings.TrimSpace(line) == "" || strings.HasPrefix(line, strings.Repeat(" ", indent+1)))
		if n := len(out); n > 0 && (within || out[n-1].place == nil && indent == 0) {
			out[n-1].lines = append(out[n-1].lines, line)
			continue
		}
		indent = 0
		out = append(out, goEntry{nil, []string{line}})
	}
	return out
}

var (
	goPair    = lazy.Pattern(`(?is)\b(?:got|have|actual|received|found|returned|was|is)\b.*\b(?:want|wanted|expected)\b|\b(?:want|wanted|expected|should)\b.*\b(?:got|have|actual|received|found|was|is|be|but)\b|=.*, want\b|[-+] ?(?:got|want)|!=|≠|\bmismatch|not equal`)
	goFailing = lazy.Pattern(`(?i)\b(?:fail\w*|err\w*|unexpected|must|cannot|missing|invalid|differs?|expected|want|should|no|not)\b`)
)

const (
	maxEntry = 600 // bytes of an assertion: what is longer is rather a dump
	lineHead = 100 // bytes of a line that show what it is
)

// weight is how likely an entry is a failed assertion: log lines have the same form.
func (e *goEntry) weight(last bool) int {
	if e.place == nil {
		return 0
	}
	text := e.text()
	head := text
	if len(e.lines) > 1 {
		var b strings.Builder
		for _, l := range e.lines {
			b.WriteString(l[:min(len(l), lineHead)] + "\n")
		}
		head = b.String()
	}
	switch {
	case strings.Contains(strings.Join(e.lines, "\n"), "Error Trace:"):
		return 4
	case goPair().MatchString(head), strings.Contains(text, raceFound):
		return 3
	case goFailing().MatchString(reflexion.FirstLine(head)) && len(text) <= maxEntry:
		return 2
	case last: // where a test ends by it
		return 1
	}
	return 0
}

const raceFound = "race detected during execution of test"

// problem is the failure of a test: its assertions, the likeliest first, and what else it said.
func (t *goTest) problem(otherwise string) reflexion.Problem {
	p := reflexion.Problem{Type: reflexion.TestFailure, Rule: t.name}
	if i := slices.IndexFunc(t.output, panics); i >= 0 {
		p.Type = reflexion.RuntimeError
		p.Message = strings.TrimSuffix(strings.TrimSpace(t.output[i]), " [recovered, repanicked]")
		parts := slices.Clone(t.output[i:])
		for _, e := range entries(t.output[:i]) {
			parts = append(parts, strings.Join(e.lines, "\n")+"\n")
		}
		p.StackTrace = strings.Join(parts, "")
		locate(&p, strings.Join(t.output[i+1:], ""), "")
		return p
	}
	all := entries(t.output)
	weights, best, last := make([]int, len(all)), 0, true
	for i := len(all) - 1; i >= 0; i-- {
		weights[i] = all[i].weight(last)
		best, last = max(best, weights[i]), last && all[i].place == nil
	}
	var message, rest []string
	for i := range all {
		if best > 0 && (weights[i] == best || best < 3 && weights[i] > 0) {
			if message = append(message, all[i].text()); weights[i] == best && p.File == "" {
				p.File, p.Line = all[i].where()
			}
			continue
		}
		rest = append(rest, all[i].lines...)
	}
	if len(message) == 0 {
		message, rest = rest, nil
	}
	p.StackTrace = strings.Join(rest, "\n")
	if race := raceReport().FindString(strings.Join(t.output, "")); race != "" && best == 3 && strings.Contains(message[0], raceFound) {
		race = race[:strings.LastIndexByte(race, '\n')+1]
		message, p.File, p.Line = []string{race}, "", 0
		locate(&p, race, "")
	}
	if p.Message = strings.TrimSpace(strings.Join(message, "\n")); p.Message == "" {
		p.Message = t.name + " " + otherwise
	}
	return p
}

var (
	errorTrace = lazy.Pattern(`(?s)^.*?Error Trace:(.*?)\n\s*Error:`)
	// testifyLine is what begins each further line of its messages.
	testifyLine = lazy.Pattern(`(?m)^\t?(?: {8,}\t)?`)
	goTestFile  = lazy.Pattern(`(\S+_test\.go):(\d+)`)
)

// where is the place of an assertion: of one by testify the last of its trace.
func (e *goEntry) where() (string, int) {
	if m := errorTrace().FindStringSubmatch(strings.Join(e.lines, "\n")); m != nil {
		if all := goTestFile().FindAllStringSubmatch(m[1], -1); all != nil {
			return all[len(all)-1][1], atoi(all[len(all)-1][2])
		}
	}
	return e.place[1], atoi(e.place[2])
}
