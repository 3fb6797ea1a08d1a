package evaluate

import (
	"bytes"
	"errors"
	"strings"

	"episodes/internal/lazy"
	"episodes/reflexion"
)

// What dotnet test prints: a line of totals for each project, or for all of them, and the
// errors of the compiler as MSBuild writes them.
var (
	dotnetProject = lazy.Pattern(`(?m)^ *(?:Passed|Failed|Skipped)! +- Failed: +(\d+), Passed: +(\d+), Skipped: +(\d+), Total: +\d+`)
	dotnetAll     = lazy.Pattern(`(?m)^ *Test summary: total: (\d+), failed: (\d+), succeeded: (\d+), skipped: (\d+)`)
	dotnetOld     = lazy.Pattern(`(?m)^Total tests: (\d+)(?:\s+^ +Passed: (\d+))?(?:\s+^ +Failed: (\d+))?(?:\s+^ +Skipped: (\d+))?`)
	dotnetNone    = lazy.Pattern(`(?m)^ *No test (?:is available in|matches the given testcase filter)`)
	dotnetHeading = lazy.Pattern(`(?m)^ +Failed (\S.*?) \[(?:< )?\d[^\]\n]*\]$`)
	dotnetPlace   = lazy.Pattern(`(?m)^ +at .* in (\S.*?):line (\d+)`)
	dotnetTest    = lazy.Pattern(`(?m)^ *(\S.*?)\((\d+)\): error TESTERROR:\s+(\S+) \([^)\n]*\): (?:Error Message: )?(.*)$`)
	dotnetCompile = lazy.Pattern(`(?m)^ *(\S[^\n(]*?)\((\d+),(\d+)\): error ((?:CS|FS|BC|MSB)\w*\d+): (.+?)(?: \[[^\]\n]+\])?$`)
	dotnetEnd     = lazy.Pattern(`(?m)^ *Build (?:succeeded|FAILED)\b`)
)

func sniffDotnet(data []byte) bool {
	for _, word := range []string{"!  - Failed:", "Test summary: total:", "Total tests: ", "No test ",
		"): error CS", "): error FS", "): error BC"} {
		if bytes.Contains(data, []byte(word)) {
			_, err := parseDotnet(data)
			return err == nil
		}
	}
	return false
}

func parseDotnet(data []byte) (*Report, error) {
	text := string(data)
	r := &Report{}
	n := dotnetErrors(r, text)
	passed, failed, tested := dotnetCounts(r, text)
	if !tested && n == 0 && !dotnetEnd().MatchString(text) {
		return nil, errors.New("no totals, and no end of a build")
	}
	if tested {
		r.tests(passed, failed)
		dotnetFailures(r, text)
	}
	if n > 0 || !tested {
		r.TypeErrors = &n
	}
	return r, nil
}

func dotnetCounts(r *Report, text string) (passed, failed int, known bool) {
	count := func(all [][]string, pass, fail, skip int) bool {
		for _, m := range all {
			passed, failed, r.Skipped = passed+atoi(m[pass]), failed+atoi(m[fail]), r.Skipped+atoi(m[skip])
		}
		return len(all) > 0
	}
	known = count(dotnetProject().FindAllStringSubmatch(text, -1), 2, 1, 3) ||
		count(dotnetAll().FindAllStringSubmatch(text, -1), 3, 2, 4) ||
		count(dotnetOld().FindAllStringSubmatch(text, -1), 2, 3, 4) ||
		dotnetNone().MatchString(text)
	return passed, failed, known
}

// dotnetErrors adds the errors of the compiler, which are listed again at the end.
func dotnetErrors(r *Report, text string) int {
	seen := map[string]bool{}
	for _, m := range dotnetCompile().FindAllStringSubmatch(text, -1) {
		key := strings.Join(m[1:], "\x00")
		if seen[key] {
			continue
		}
		seen[key] = true
		p := reflexion.Problem{Type: reflexion.TypeError, File: m[1], Line: atoi(m[2]), Column: atoi(m[3]), Rule: m[4], Message: m[5]}
		if strings.HasSuffix(m[5], " expected") {
			p.Type = reflexion.SyntaxError
		}
		r.add(p)
	}
	return len(seen)
}

func dotnetFailures(r *Report, text string) {
	for _, s := range sections(text, dotnetHeading()) {
		body := s.body
		if end := dotnetProject().FindStringIndex(body); end != nil {
			body = body[:end[0]]
		}
		_, message, found := strings.Cut(body, "Error Message:")
		if !found {
			message = body
		}
		message, _, _ = strings.Cut(message, "\n  Stack Trace:")
		message, _, _ = strings.Cut(message, "\n  Standard Output Messages:")
		p := reflexion.Problem{Type: reflexion.TestFailure, Rule: s.name, Message: dedented(message),
			StackTrace: strings.Trim(body, "\n")}
		if m := dotnetPlace().FindStringSubmatch(body); m != nil {
			p.File, p.Line = m[1], atoi(m[2])
		}
		r.add(p)
	}
	for _, m := range dotnetTest().FindAllStringSubmatch(text, -1) {
		r.add(reflexion.Problem{Type: reflexion.TestFailure, File: m[1], Line: atoi(m[2]), Rule: m[3], Message: m[4]})
	}
}
