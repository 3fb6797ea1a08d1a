package evaluate

import (
	"bytes"
	"strings"

	"episodes/internal/lazy"
	"episodes/reflexion"
)

// plainLine matches what most compilers and linters print: file:line:column: message.
var plainLine = lazy.Pattern(`^(?:vet: |\./)?([\w./\\@+-]*[\w-]\.[A-Za-z]\w{0,7}|[\w./-]*(?:Makefile|Dockerfile)):(\d+)(?::(\d+))?:? +(?:(error|warning|note|info|fatal error)\b:? *)?(.+)$`)

// matchLocation matches a line with a location. Most lines have none, which a look at
// their colons shows faster than the expression.
func matchLocation(line []byte) []string {
	for i, c := range line {
		if c == ':' && i+1 < len(line) && line[i+1] >= '0' && line[i+1] <= '9' {
			return plainLine().FindStringSubmatch(string(bytes.TrimSuffix(line, []byte("\n"))))
		}
	}
	return nil
}

// parsePlain finds errors with a location in output of no known format. Their type
// follows from their words; else it is other.
func parsePlain(data []byte) *Report {
	r := &Report{}
	for line := range bytes.Lines(data) {
		if len(r.Problems) == maxProblems {
			break
		}
		m := matchLocation(line)
		if m == nil {
			continue
		}
		p := reflexion.Problem{Type: reflexion.OtherError, File: m[1], Line: atoi(m[2]), Column: atoi(m[3]), Message: m[5]}
		switch m[4] {
		case "warning":
			p.Severity = "warning"
		case "note", "info":
			p.Severity = "info"
		}
		lower := strings.ToLower(m[5])
		switch {
		case strings.Contains(lower, "syntax error") || strings.Contains(lower, "syntaxerror"):
			p.Type = reflexion.SyntaxError
		case strings.Contains(lower, "undefined: ") || strings.Contains(lower, "cannot use ") ||
			strings.Contains(lower, "incompatible type") || strings.Contains(lower, "undeclared"):
			p.Type = reflexion.TypeError
		}
		r.add(p)
	}
	if n := len(r.Problems); n > 0 {
		r.Problems[n-1].StackTrace = lastLines([]string{plain(string(data[max(0, len(data)-maxStack):]))}, lastShown)
	}
	return r
}
