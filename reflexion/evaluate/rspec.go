package evaluate

import (
	"bytes"
	"errors"
	"strings"

	"episodes/internal/lazy"
	"episodes/reflexion"
)

// What rspec prints by default, and as documentation.
var (
	rspecTotal   = lazy.Pattern(`(?m)^(\d+) examples?, (\d+) failures?(?:, (\d+) pending)?(?:, (\d+) errors? occurred outside of examples)?$`)
	rspecHeading = lazy.Pattern(`(?m)^(  \d+\) \S.*|An error occurred (?:while loading|in an?) .+)$`)
	rspecFrame   = lazy.Pattern(`(?m)^ *# (\S+?\.rb):(\d+)`)
)

func sniffRSpec(data []byte) bool {
	return bytes.Contains(data, []byte(" example")) && rspecTotal().Match(data)
}

func parseRSpec(data []byte) (*Report, error) {
	text := string(data)
	totals := rspecTotal().FindAllStringSubmatch(text, -1)
	if totals == nil {
		return nil, errors.New("no line with totals")
	}
	r := &Report{}
	var ran, failed, outside int
	for _, m := range totals {
		ran, failed, r.Skipped, outside = ran+atoi(m[1]), failed+atoi(m[2]), r.Skipped+atoi(m[3]), outside+atoi(m[4])
	}
	r.tests(max(0, ran-failed-r.Skipped), failed+outside)
	// Pending examples are listed with headings like those of failures.
	if _, after, found := strings.Cut(text, "\nFailures:\n"); found {
		before, _, _ := strings.Cut(text, "\nPending:")
		text = before[:min(len(before), strings.Index(text, "\nFailures:\n"))] + after
	} else if failed == 0 && outside == 0 {
		return r, nil
	}
	text, _, _ = strings.Cut(text, "\nFinished in ")
	for _, p := range rspecFailures(text) {
		r.add(p)
	}
	return r, nil
}

func rspecFailures(text string) (out []reflexion.Problem) {
	for _, s := range sections(text, rspecHeading()) {
		p := reflexion.Problem{Type: reflexion.TestFailure, StackTrace: strings.Trim(s.body, "\n")}
		if strings.HasPrefix(s.name, " ") {
			_, p.Rule, _ = strings.Cut(s.name, ") ")
		} else { // outside of examples
			p.Type, p.Rule = reflexion.RuntimeError, strings.TrimSuffix(s.name, ".")
		}
		message, _, _ := strings.Cut(s.body, "\n     # ")
		message, _, _ = strings.Cut(message, "\n# ")
		p.Message = dedented(message)
		for _, f := range rspecFrame().FindAllStringSubmatch(s.body, -1) {
			if !strings.Contains(f[1], "/gems/") {
				p.File, p.Line = strings.TrimPrefix(f[1], "./"), atoi(f[2])
				break
			}
		}
		out = append(out, p)
	}
	return out
}

// dedented is a text without the spaces around its lines, and without empty lines.
func dedented(text string) string {
	var out []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			out = append(out, line)
		}
	}
	return strings.Join(out, "\n")
}
