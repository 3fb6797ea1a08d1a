package evaluate

import (
	"cmp"
	"strings"

	"episodes/internal/lazy"
	"episodes/reflexion"
)

var (
	pySummary = lazy.Pattern(`(?m)^(FAILED|ERROR) (\S+?\.py)(?:::(\S+(?:\[[^\n]*?\])?))?(?: - (.*))?$`)
	pyHeading = lazy.Pattern(`(?m)^_{3,} (?:ERROR at (?:setup|teardown) of |ERROR collecting )?(?<name>.+?) _{3,}$`)
	pyError   = lazy.Pattern(`(?m)^E   (.*)$`)
	pySource  = lazy.Pattern(`(?m)^>   +(\S.*)$`)
)

// pytestFailures are the tests that pytest lists at the end, with what it printed of each.
func pytestFailures(text string, _ int) (out []reflexion.Problem) {
	bodies := map[string]string{}
	for _, s := range sections(text, pyHeading()) {
		bodies[s.in["name"]], _, _ = strings.Cut(s.body, "\n====")
	}
	for _, m := range pySummary().FindAllStringSubmatch(text, -1) {
		p := reflexion.Problem{Type: reflexion.TestFailure, File: m[2], Rule: m[3], Message: m[4]}
		if m[1] == "ERROR" {
			p.Type = reflexion.RuntimeError
		}
		name := cmp.Or(strings.ReplaceAll(m[3], "::", "."), m[2])
		function, _, _ := strings.Cut(name[strings.LastIndexByte(name, '.')+1:], "[")
		p.StackTrace = bodies[name]
		explain(&p, p.StackTrace, function, p.File)
		out = append(out, p)
	}
	return out
}

const maxSources = 3 // lines of the source that are added to a message

func pyDetails(p *reflexion.Problem, section, name, home string) {
	var lines []string
	for _, m := range pyError().FindAllStringSubmatch(section, -1) {
		lines = append(lines, m[1])
	}
	if first := strings.TrimSpace(lines[0]); first != "" && len(p.Message) <= len(first)+3 { // the summary cuts long messages
		p.Message = dedent(strings.Join(lines, "\n"))
	}
	locateLast(p, section, name, home)
	for _, m := range pySource().FindAllStringSubmatch(section, maxSources) {
		p.Message += "\n> " + m[1]
	}
}

// pyMessage is what a traceback says below its last frame, without what the test printed.
func pyMessage(trace string) string {
	trace, _, _ = strings.Cut(trace, "\nStdout:\n")
	trace, _, _ = strings.Cut(trace, "\nStderr:\n")
	lines := strings.Split(trace, "\n")
	at := len(lines) - 1
	for at > 0 && !strings.HasPrefix(lines[at], `  File "`) && !strings.HasPrefix(lines[at], "Traceback (most recent call last)") {
		at--
	}
	for at++; at < len(lines) && (strings.Trim(lines[at], "-") == "" || lines[at][0] == ' '); at++ { // the source
	}
	return strings.TrimRight(strings.Join(lines[min(at, len(lines)):], "\n"), "-\n ")
}
