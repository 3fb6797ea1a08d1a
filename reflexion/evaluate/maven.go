package evaluate

import (
	"bytes"
	"errors"
	"slices"
	"strings"

	"episodes/internal/lazy"
	"episodes/reflexion"
)

// What Maven prints: the results of its plugins surefire and failsafe, and the errors of
// its compiler.
var (
	mavenBuild   = lazy.Pattern(`(?m)^\[INFO\] BUILD (?:SUCCESS|FAILURE)`)
	mavenTotal   = lazy.Pattern(`(?m)^(?:\[\w+\] +)?Tests run: (\d+), Failures: (\d+), Errors: (\d+), Skipped: (\d+)(,.*)?$`)
	mavenNone    = lazy.Pattern(`(?m)^\[INFO\] (?:No tests to run\.|Tests are skipped\.)`)
	mavenHeading = lazy.Pattern(`(?m)^\[ERROR\] +(?:(\w+)\(([\w.$]+)\)|([\w.$]+(?:\[[^\n]*?\])?))(?: +--)? +Time elapsed: \S+ s +<<< (FAILURE|ERROR)!.*$`)
	mavenFrame   = lazy.Pattern(`(?m)^\s+at ([\w.$/]+)\((\w+\.(?:java|kt|groovy|scala)):(\d+)\)`)
	mavenCompile = lazy.Pattern(`(?m)^\[ERROR\] (/?\S[^\n]*?\.(?:java|kt|groovy|scala)):\[(\d+),(\d+)\] (?:error: )?(.+)$`)
)

func sniffMaven(data []byte) bool {
	return bytes.Contains(data, []byte("[INFO] BUILD ")) && mavenBuild().Match(data) ||
		bytes.Contains(data, []byte("Tests run: ")) && mavenTotal().Match(data)
}

func parseMaven(data []byte) (*Report, error) {
	text := string(data)
	r := &Report{}
	n := mavenCompileErrors(r, text)
	passed, failed, tested := mavenCounts(r, text)
	if !tested && !mavenBuild().MatchString(text) {
		return nil, errors.New("no results of tests, and no end of a build")
	}
	if tested {
		r.tests(passed, failed)
		mavenFailures(r, text)
	}
	if n > 0 || !tested {
		r.TypeErrors = &n
	}
	return r, nil
}

// mavenCounts adds up the totals of the modules, or of the classes of a module that ended
// before its totals.
func mavenCounts(r *Report, text string) (passed, failed int, known bool) {
	known = mavenNone().MatchString(text)
	all := mavenTotal().FindAllStringSubmatch(text, -1)
	whole := slices.ContainsFunc(all, func(m []string) bool { return m[5] == "" })
	for _, m := range all {
		if known = true; whole && m[5] != "" {
			continue
		}
		bad, skipped := atoi(m[2])+atoi(m[3]), atoi(m[4])
		passed, failed, r.Skipped = passed+max(0, atoi(m[1])-bad-skipped), failed+bad, r.Skipped+skipped
	}
	return passed, failed, known
}

// mavenCompileErrors adds the errors of the compiler, which Maven lists twice.
func mavenCompileErrors(r *Report, text string) int {
	seen := map[string]bool{}
	for _, m := range mavenCompile().FindAllStringSubmatch(text, -1) {
		if seen[m[0]] {
			continue
		}
		seen[m[0]] = true
		p := reflexion.Problem{Type: reflexion.TypeError, File: m[1], Line: atoi(m[2]), Column: atoi(m[3]), Message: m[4]}
		if strings.HasSuffix(m[4], " expected") || strings.Contains(m[4], "illegal start of") ||
			strings.Contains(m[4], "reached end of file") {
			p.Type = reflexion.SyntaxError
		}
		r.add(p)
	}
	return len(seen)
}

func mavenFailures(r *Report, text string) {
	all := mavenHeading().FindAllStringSubmatch(text, -1)
	for i, at := range mavenHeading().FindAllStringIndex(text, -1) {
		m := all[i]
		class, name := m[2], m[2]+"."+m[1]
		if m[3] != "" {
			name = m[3]
			class = name[:max(0, strings.LastIndexByte(name, '.'))]
		}
		body := strings.TrimLeft(text[at[1]:], "\n")
		if end := strings.Index(body, "\n["); end >= 0 {
			body = body[:end]
		}
		p := reflexion.Problem{Type: reflexion.TestFailure, Rule: name, StackTrace: body, Message: beforeTrace(body)}
		if m[4] == "ERROR" {
			p.Type = reflexion.RuntimeError
		}
		for _, f := range mavenFrame().FindAllStringSubmatch(body, -1) { // the innermost frame of the test itself
			if class == "" || strings.HasPrefix(f[1], class+".") {
				p.File, p.Line = f[2], atoi(f[3])
				break
			}
		}
		r.add(p)
	}
}
