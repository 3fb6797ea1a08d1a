package evaluate

import (
	"bytes"
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"episodes/internal/lazy"
	"episodes/internal/proc"
	"episodes/reflexion"
)

// checkers are commands that print plain lines, or nothing on success.
var checkers = map[reflexion.VerificationType][]string{
	reflexion.TypeCheck: {"tsc", "vue-tsc", "mypy", "pyright", "go build", "javac"},
	reflexion.Lint: {"eslint", "markdownlint", "markdownlint-cli2", "stylelint", "shellcheck", "hadolint", "yamllint",
		"go vet", "staticcheck", "golangci-lint", "ruff check", "flake8", "pylint"},
}

// starters are programs that start the program named by their next argument.
var starters = lazy.Words("npx pnpx bunx pnpm yarn bun exec dlx env command time python python3 poetry uv run bundle php")

// commands are the programs of a command line, without those that start them, with arguments.
func commands(s proc.Spec) (out [][]string) {
	for _, words := range segments(s) {
		for len(words) > 1 &&
			(starters()[words[0]] || strings.HasPrefix(words[0], "-") || strings.Contains(words[0], "=")) {
			words = words[1:]
		}
		if len(words) > 0 {
			out = append(out, append([]string{strings.TrimSuffix(filepath.Base(words[0]), ".exe")}, words[1:]...))
		}
	}
	return out
}

// segments are the words of the commands of a line, without regard to quotes.
func segments(s proc.Spec) (out [][]string) {
	if len(s.Args) > 2 && s.Args[1] == "-c" && slices.Contains([]string{"sh", "bash"}, filepath.Base(s.Args[0])) {
		s.Shell = s.Args[2]
	}
	if s.Shell == "" {
		return [][]string{s.Args}
	}
	for _, part := range strings.FieldsFunc(s.Shell, func(r rune) bool { return strings.ContainsRune(";&|()\n", r) }) {
		out = append(out, strings.Fields(part))
	}
	return out
}

var (
	testCommand = lazy.Pattern(`^(?:unittest|rspec|phpunit)(?: |$)|^(?:cargo|dotnet) test(?: |$)|` +
		`^mvn[wd]? (?:.* )?(?:test|verify|integration-test)(?: |$)|^\S*gtest| --gtest_`)
	noTestCommand = lazy.Pattern(` (?:--version|--help|--list-tests|--no-run|--gtest_list_tests)(?: |$)|^dotnet .* -t(?: |$)`)
)

// runsTests reports whether a command runs tests, by the names of its programs.
func runsTests(s proc.Spec) bool {
	return slices.ContainsFunc(commands(s), func(words []string) bool {
		line := strings.Join(words, " ")
		return testCommand().MatchString(line) && !noTestCommand().MatchString(line)
	})
}

// subject is what a verifier checks: by its type, else by its programs, if it is one thing.
func (v Verifier) subject() (found reflexion.VerificationType) {
	switch v.Type {
	case reflexion.TypeCheck, reflexion.Compilation:
		return reflexion.TypeCheck
	case reflexion.Lint:
		return v.Type
	}
	for _, words := range commands(v.Command) {
		for subject, programs := range checkers {
			if !slices.Contains(programs, words[0]) && !slices.Contains(programs, strings.Join(words[:min(len(words), 2)], " ")) {
				continue
			}
			if found != "" && found != subject {
				return ""
			}
			found = subject
		}
	}
	return found
}

// measure counts the errors in plain lines, for a verifier that checks types or style. One that
// failed without naming a location measured nothing. Where the exit code is 0 its lines inform.
func (r *Report) measure(subject reflexion.VerificationType, exit int) {
	n := map[string]int{}
	types := map[reflexion.VerificationType]reflexion.ErrorType{reflexion.TypeCheck: reflexion.TypeError, reflexion.Lint: reflexion.LintError}
	for i := range r.Problems {
		p := &r.Problems[i]
		if exit == 0 && p.Severity == "error" {
			p.Severity = "info"
		}
		if p.Type == reflexion.OtherError {
			p.Type = cmp.Or(types[subject], p.Type)
		}
		n[p.Severity]++
	}
	switch errs := n["error"]; {
	case exit != 0 && errs == 0:
	case subject == reflexion.TypeCheck:
		r.TypeErrors = &errs
	case subject == reflexion.Lint:
		r.lint(errs, n["warning"])
	}
}

// covered matches the share of covered statements, by coverage.py or Istanbul.
var covered = lazy.Pattern(`(?m)^(?:TOTAL(?:\s+\d+){2,4}\s+|All files\s*\|\s*)(\d+(?:\.\d+)?)(?:%|\s*\|)`)

func coverage(output []byte) *float64 {
	if m := covered().FindStringSubmatch(plain(string(linesWith(output, "TOTAL", "All files")))); m != nil {
		return percent(m[1])
	}
	return nil
}

var (
	// plainLine matches what most compilers and linters print: file:line:column: message.
	plainLine   = lazy.Pattern(`^(?:vet: |\./)?([\w./\\@+-]*[\w-]\.[A-Za-z]\w{0,7}|[\w./-]*(?:Makefile|Dockerfile)):(\d+)(?::(\d+))?:? +(?:(error|warning|note|info|fatal error)\b:? *)?(.+)$`)
	plainSyntax = lazy.Pattern(`(?i)syntax ?error`)
	plainType   = lazy.Pattern(`(?i)undefined: |cannot use |incompatible type|undeclared`)
)

// matchLocation matches a line with a location. Most have none, which colons show faster.
func matchLocation(line []byte) []string {
	for i, c := range line {
		if c == ':' && i+1 < len(line) && line[i+1] >= '0' && line[i+1] <= '9' {
			return plainLine().FindStringSubmatch(string(bytes.TrimSuffix(line, []byte("\n"))))
		}
	}
	return nil
}

// parsePlain finds errors with a location in output of no known format.
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
		switch {
		case plainSyntax().MatchString(m[5]):
			p.Type = reflexion.SyntaxError
		case plainType().MatchString(m[5]):
			p.Type = reflexion.TypeError
		}
		r.add(p)
	}
	if n := len(r.Problems); n > 0 {
		r.Problems[n-1].StackTrace = lastLines([]string{plain(string(data[max(0, len(data)-maxStack):]))}, lastShown)
	}
	return r
}
