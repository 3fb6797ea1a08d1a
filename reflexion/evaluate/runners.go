package evaluate

import (
	"cmp"
	"errors"
	"regexp"
	"slices"
	"strings"

	"episodes/internal/lazy"
	"episodes/reflexion"
)

type pattern = func() *regexp.Regexp

// A runner is a tool that tests or compiles. The named groups of its patterns are what is read.
type runner struct {
	cues   []string  // each line with totals, signs or complaints contains one
	totals []summary // the first that is found counts
	signs  pattern   // lines by which it is known where it ran no tests

	failures pattern // headings of failed tests: name; error, where it is one; part, of a list of some kind
	end      pattern // what follows the text of a failure
	outside  pattern // failures that are not among the tests that ran
	frame    pattern // of a trace: file, line; in, the method that is to be one of the test's class

	// complaints are errors: file, line, column, severity, rule, message; name, of a failed test.
	complaints pattern
	said       pattern // what tests printed, in which nothing is a complaint

	// failed finds the failed tests without headings.
	failed func(text string, n int) []reflexion.Problem
	// text is what is printed for people.
	text func(data []byte) string
}

var cargo = runner{
	cues: []string{"test result: ", "error[", "warning[", `{"reason":`, "   Compiling ", "    Finished `",
		"error: could not compile `"},
	totals: []summary{{line: lazy.Pattern(
		`(?m)^test result: \w+\. (?<passed>\d+) passed; (?<failed>\d+) failed; (?<skipped>\d+) ignored`)}},
	signs: lazy.Pattern("(?m)^(?:(?:error|warning)\\[[A-Z]\\d+\\]: |error: could not compile `|   Compiling |    Finished `|\\{\"reason\": ?\")"),
	complaints: lazy.Pattern(`(?m)^(?<severity>error|warning)(?:\[(?<rule>[\w:]*)\])?: (?<message>.*)` +
		`(?:(?:\n .*)*?\n *--> (?<file>.+?):(?<line>\d+):(?<column>\d+)$)?`),
	said:   lazy.Pattern(`(?ms)^---- .+? stdout ----$.*?(?:^failures:$|\z)`),
	failed: cargoFailures,
	text:   cargoText,
}

var maven = runner{
	cues: []string{"[INFO] BUILD ", "Tests run: ", "[INFO] No tests to run.", "[INFO] Tests are skipped."},
	totals: []summary{
		{line: mavenTotals(`$`)}, // of modules
		{line: mavenTotals(`,`)}, // of the classes of a module that ended before its totals
		{line: lazy.Pattern(`(?m)^\[INFO\] (?:No tests to run\.|Tests are skipped\.)`)},
	},
	signs: lazy.Pattern(`(?m)^\[INFO\] BUILD (?:SUCCESS|FAILURE)`),
	failures: lazy.Pattern(`(?m)^\[ERROR\] +(?:(?<method>\w+)\((?<class>[\w.$]+)\)|(?<name>[\w.$]+(?:\[[^\n]*?\])?))(?: +--)?` +
		` +Time elapsed: \S+ s +<<< (?:FAILURE|(?<error>ERROR))!.*$`),
	end:        lazy.Pattern(`\n\[`),
	frame:      lazy.Pattern(`(?m)^\s+at (?<in>[\w.$/]+)\((?<file>\w+\.(?:java|kt|groovy|scala)):(?<line>\d+)\)`),
	complaints: lazy.Pattern(`(?m)^\[ERROR\] (?<file>/?\S[^\n]*?\.(?:java|kt|groovy|scala)):\[(?<line>\d+),(?<column>\d+)\] (?:error: )?(?<message>.+)$`),
}

func mavenTotals(end string) pattern {
	return lazy.Pattern(`(?m)^(?:\[\w+\] +)?Tests run: (?<total>\d+), Failures: (?<failed>\d+), Errors: (?<failed>\d+), Skipped: (?<skipped>\d+)` + end)
}

var pytest = runner{
	cues: []string{"ed in ", "s in ", "or in ", "un in ", "ng in ", "ran in "},
	totals: []summary{{last: true, line: lazy.Pattern(`(?m)^(?:=+ )?(?:(?<list>(?:\d+ (?:failed|passed|skipped|errors?|xfailed|xpassed|warnings?|deselected|rerun)(?:, )?)+)|` +
		`no tests ran) in [\d.]+s`)}},
	failed: pytestFailures,
}

var unittest = runner{ // also of Django's test command
	cues: []string{"Ran ", "OK", "FAILED", "NO TESTS RAN"},
	totals: []summary{{line: lazy.Pattern(
		`(?m)^Ran (?<total>\d+) tests? in [\d.]+s\s+^(?:OK|FAILED|NO TESTS RAN)(?: \((?<list>[^)\n]*)\))?`)}},
	failures: lazy.Pattern(`(?m)^(?:FAIL|(?<error>ERROR)|(?<message>UNEXPECTED SUCCESS)): (?<name>\S.*)$`),
	end:      lazy.Pattern(`\n====|\nRan `),
	outside:  lazy.Pattern(`(?m)^ERROR: (?:setUp|tearDown)(?:Class|Module) \(`),
}

var rspec = runner{
	cues: []string{" example"},
	totals: []summary{{line: lazy.Pattern(`(?m)^(?<total>\d+) examples?, (?<failed>\d+) failures?(?:, (?<skipped>\d+) pending)?` +
		`(?:, (?<failed>(?<outside>\d+)) errors? occurred outside of examples)?$`)}},
	failures: lazy.Pattern(`(?m)^(?:(?<part>Pending|Failures):.*|  \d+\) (?<name>\S.*)|(?<error>An error occurred (?:while loading|in an?) .+?)\.?)$`),
	end:      lazy.Pattern(`\nFinished in `),
	frame:    lazy.Pattern(`(?m)^ *# (?:\./)?(?<file>\S+?\.rb):(?<line>\d+)`),
}

var phpunit = runner{
	cues: []string{"ssertion", "No tests executed!"},
	totals: []summary{
		{line: lazy.Pattern(`(?m)^(?:OK \((?<total>\d+) tests?, \d+ assertions?\)|Tests: (?<total>\d+), Assertions: \d+(?<list>.*)$)`)},
		{line: lazy.Pattern(`(?m)^No tests executed!`)},
	},
	failures: lazy.Pattern(`(?m)^(?:There (?:was|were) \d+ (?<part>\S.*?):|\d+\) (?<name>\S+::\S.*))$`),
	end:      lazy.Pattern(`\n(?:--\n|FAILURES!|ERRORS!|Tests: )`),
	frame:    lazy.Pattern(`(?m)^(?<file>\S.*?\.php):(?<line>\d+)$`),
}

var dotnet = runner{
	cues: []string{"!  - Failed:", "Test summary: total:", "Total tests: ", "Passed: ", "Failed: ", "Skipped: ", "No test ",
		"): error CS", "): error FS", "): error BC"},
	totals: []summary{
		{line: lazy.Pattern(`(?m)^ *(?:Passed|Failed|Skipped)! +- Failed: +(?<failed>\d+), Passed: +(?<passed>\d+), Skipped: +(?<skipped>\d+), Total: +\d+`)},
		{line: lazy.Pattern(`(?m)^ *Test summary: total: \d+, failed: (?<failed>\d+), succeeded: (?<passed>\d+), skipped: (?<skipped>\d+)`)},
		{line: lazy.Pattern(`(?m)^Total tests: \d+(?:\s+^ +Passed: (?<passed>\d+))?(?:\s+^ +Failed: (?<failed>\d+))?(?:\s+^ +Skipped: (?<skipped>\d+))?`)},
		{line: lazy.Pattern(`(?m)^ *No test (?:is available in|matches the given testcase filter)`)},
	},
	signs:    lazy.Pattern(`(?m)^ *Build (?:succeeded|FAILED)\b`),
	failures: lazy.Pattern(`(?m)^ +Failed (?<name>\S.*?) \[(?:< )?\d[^\]\n]*\]$(?:\s+Error Message:)?`),
	end:      lazy.Pattern(`(?m)^ *(?:Passed|Failed|Skipped)! +- `),
	frame:    lazy.Pattern(`(?m)^ +at .* in (?<file>\S.*?):line (?<line>\d+)`),
	complaints: lazy.Pattern(`(?m)^ *(?<file>\S[^\n(]*?)\((?<line>\d+)(?:,(?<column>\d+)\): error (?<rule>(?:CS|FS|BC|MSB)\w*\d+): (?<message>.+?)(?: \[[^\]\n]+\])?|` +
		`\): error TESTERROR:\s+(?<name>\S+) \([^)\n]*\): (?:Error Message: )?(?<message>.*))$`),
}

// jsText is the text output of jest, vitest, node and mocha.
var jsText = runner{
	cues: []string{"Tests", " passing", " pending", " failing", "ℹ "},
	totals: []summary{
		{line: lazy.Pattern(`(?m)^Tests: +(?<list>.*\d+ total)$`)},
		{line: lazy.Pattern(`(?m)^ +Tests +(?<list>.*) \(\d+\)$`)},
		{line: lazy.Pattern(`(?m)^ℹ pass (?<passed>\d+)(?:\s+ℹ fail (?<failed>\d+))?(?:\s+ℹ cancelled (?<failed>\d+))?(?:\s+ℹ skipped (?<skipped>\d+))?$`)},
		{line: lazy.Pattern(`(?m)^ +(?<passed>\d+) passing\b.*(?:\n +(?<skipped>\d+) pending)?(?:\n +(?<failed>\d+) failing)?$`)},
	},
	failed: jsFailures,
}

var tsc = runner{
	cues:  []string{"error TS", "warning TS"},
	signs: lazy.Pattern(`\A\s*\z|Found 0 errors`),
	complaints: lazy.Pattern(`(?m)^(?:(?<file>.+?)(?:\((?<line>\d+),(?<column>\d+)\):|:(?<line>\d+):(?<column>\d+) -) )?` +
		`(?<severity>error|warning) (?<rule>TS\d+): (?<message>.*)$`),
}

func (k *runner) sniff(data []byte) bool {
	lines := linesWith(data, k.cues...)
	return slices.ContainsFunc(k.totals, func(s summary) bool { return s.line().Match(lines) }) ||
		len(lines) > 0 && (k.signs != nil && k.signs().Match(lines) ||
			k.complaints != nil && k.complaints().Match(lines))
}

func (k *runner) parse(data []byte) (*Report, error) {
	r, text := &Report{}, string(data)
	if k.text != nil {
		text = k.text(data)
	}
	errs, complained := k.complain(r, text)
	outside := 0
	if k.outside != nil {
		outside = len(k.outside().FindAllString(text, -1))
	}
	lines := string(linesWith(data, k.cues...))
	for _, s := range k.totals {
		if n := s.count(lines, outside); n != nil && r.Passed == nil {
			r.tests(n["passed"], n["failed"])
			r.Skipped = n["skipped"]
		}
	}
	tested := r.Passed != nil
	if !tested && !complained && (k.signs == nil || !k.signs().MatchString(text)) {
		return nil, errors.New("no line with totals, and no end of a build")
	}
	if tested || k.failed != nil { // the totals may be cut off
		failures := k.headed
		if k.failed != nil {
			failures = k.failed
		}
		r.add(failures(text, or0(r.Failed))...)
	}
	if errs > 0 || !tested {
		r.TypeErrors = &errs
	}
	return r, nil
}

var (
	// syntax matches the rule and message of an error of a parser.
	syntax = lazy.Pattern(`(?i)^TS1\d{3}: |^: expected | expected$|illegal start of|reached end of file|syntax ?error|IndentationError`)
	// sumsUp matches what is said of other errors.
	sumsUp = lazy.Pattern("^(?:could not compile|aborting due to|test failed, to rerun|`.*` \\(.*\\) generated|.* targets? failed)")
)

// complain adds what a compiler reports, once, and returns how many errors it found.
func (k *runner) complain(r *Report, text string) (errs int, found bool) {
	if k.complaints == nil {
		return 0, false
	}
	if k.said != nil {
		text = k.said().ReplaceAllString(text, "")
	}
	seen := map[string]bool{}
	for _, m := range k.complaints().FindAllStringSubmatch(text, -1) {
		in, key := groups(k.complaints(), m), strings.Join(m[1:], "\x00")
		found = true
		if seen[key] || sumsUp().MatchString(in["message"]) {
			continue
		}
		seen[key] = true
		p := reflexion.Problem{Type: reflexion.TypeError, File: in["file"], Line: atoi(in["line"]), Column: atoi(in["column"]),
			Severity: in["severity"], Rule: in["rule"], Message: in["message"]}
		switch rule, coded := in["rule"]; {
		case in["name"] != "":
			p.Type, p.Rule = reflexion.TestFailure, in["name"]
		case p.Severity == "warning":
			p.Type = reflexion.LintError
		case coded && rule == "", syntax().MatchString(rule + ": " + p.Message): // a parser's errors may have no code
			p.Type = reflexion.SyntaxError
		}
		if p.Severity != "warning" && p.Type != reflexion.TestFailure {
			errs++
		}
		r.add(p)
	}
	return errs, found
}

func (k *runner) headed(text string, _ int) (out []reflexion.Problem) {
	part := "failures"
	for _, s := range sections(text, k.failures()) {
		if s.in["part"] != "" {
			part = strings.ToLower(s.in["part"])
			continue
		}
		body := strings.TrimLeft(s.body, "\n")
		if at := k.end().FindStringIndex(body); at != nil {
			body = body[:at[0]]
		}
		p := reflexion.Problem{Type: reflexion.TestFailure, Rule: s.in["name"], StackTrace: strings.Trim(body, "-\n"), Message: s.in["message"]}
		switch {
		case s.in["error"] != "" || strings.Contains(part, "error"):
			p.Type = reflexion.RuntimeError
		case !strings.Contains(part, "failure"): // tests that were skipped, or are risky
			continue
		}
		if s.in["method"] != "" {
			p.Rule = s.in["class"] + "." + s.in["method"]
		}
		explain(&p, p.StackTrace, firstWord(p.Rule), "")
		if k.frame != nil {
			k.locate(&p, body)
		}
		p.Rule = cmp.Or(p.Rule, s.in["error"])
		out = append(out, p)
	}
	return out
}

// locate finds the innermost frame outside of libraries, or in the class of the test.
func (k *runner) locate(p *reflexion.Problem, trace string) {
	class := p.Rule[:strings.LastIndexByte(p.Rule, '.')+1]
	p.File, p.Line, p.Column = "", 0, 0
	for _, m := range k.frame().FindAllStringSubmatch(trace, -1) {
		if in := groups(k.frame(), m); !library().MatchString(in["file"]) && (in["in"] == "" || strings.HasPrefix(in["in"], class)) {
			p.File, p.Line = in["file"], atoi(in["line"])
			return
		}
	}
}

func groups(re *regexp.Regexp, m []string) map[string]string {
	out := map[string]string{}
	for i, name := range re.SubexpNames() {
		out[name] = cmp.Or(out[name], m[i])
	}
	return out
}
