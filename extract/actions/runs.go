package actions

import (
	"fmt"
	"regexp"
	"strings"

	"episodes/internal/lazy"
	"episodes/reflexion/evaluate"
)

// testRun is a run of a test runner.
type testRun struct {
	passed, failed int // untold where the runner does not say
	bad            bool
}

const untold = -1

func (t *testRun) counted() bool { return t.passed != untold || t.failed > 0 }

// String sums up a run.
func (t *testRun) String() string {
	switch {
	case t.passed != untold:
		return fmt.Sprintf("%d passed, %d failed", t.passed, max(t.failed, 0))
	case t.failed > 0:
		return fmt.Sprintf("%d failed", t.failed)
	case t.bad:
		return "failed"
	}
	return "passed"
}

// testsOf reads the result of a test runner, also of one that a hook runs. Nil where the
// text shows none.
func testsOf(kind checkKind, report *evaluate.Report, text string) *testRun {
	if report == nil {
		return nil
	}
	known := report.Passed != nil && report.Failed != nil
	switch {
	case report.Format == evaluate.GoTest && !goVerbose().MatchString(text): // it names packages, not tests
		if known && *report.Failed > 0 {
			return &testRun{untold, *report.Failed, true}
		}
		if goPackageOK().MatchString(text) {
			return &testRun{passed: untold}
		}
		return nil
	case report.Format == evaluate.GoTest && known && *report.Passed == 0 && *report.Failed > 0: // without -v only those that fail are named
		return &testRun{untold, *report.Failed, true}
	case report.Format == evaluate.Pytest && known && *report.Failed > 0:
		t := &testRun{*report.Passed, *report.Failed, true}
		if m := setupErrors().FindStringSubmatch(text); m != nil { // no tests that failed
			if t.failed -= number(m[1]); t.failed <= 0 && t.passed == 0 {
				t.passed, t.failed = untold, untold
			}
		}
		return t
	case known && *report.Passed+*report.Failed > 0:
		return &testRun{*report.Passed, *report.Failed, *report.Failed > 0}
	case kind == buildCheck || hasNoTests(text):
		return nil
	}
	lower := strings.ToLower(text)
	for _, s := range summaries {
		if t := s.read(text, lower); t != nil {
			return t
		}
	}
	return nil
}

// summary is how a test runner sums up: groups of its pattern are named for what they
// count. Sums are added where a runner prints one for each module.
type summary struct {
	cue  string // occurs in the line, in lower case
	line func() *regexp.Regexp
	adds bool
}

var summaries = []summary{
	{"- failed:", lazy.Pattern(`(?m)^(?:Passed|Failed)!\s+- Failed:\s+(?P<failed>\d+), Passed:\s+(?P<passed>\d+)`), true},                                   // dotnet test
	{"test summary:", lazy.Pattern(`(?m)^Test summary: total: (?P<total>\d+), failed: (?P<failed>\d+),.* skipped: (?P<skipped>\d+)`), false},                // dotnet test of SDK 9
	{"tests run:", lazy.Pattern(`(?m)Tests run: (?P<total>\d+), Failures: (?P<failed>\d+), Errors: (?P<failed>\d+), Skipped: (?P<skipped>\d+)\s*$`), false}, // Surefire, its last line
	{"tests completed", lazy.Pattern(`(?m)^(?P<total>\d+) tests completed, (?P<failed>\d+) failed`), true},                                                  // Gradle
	{"ran ", lazy.Pattern(`(?ms)^Ran (?P<total>\d+) tests? in [\d.]+s$.*?^(?:OK|FAILED)(?: \((?:failures=(?P<failed>\d+))?(?:, )?(?:errors=(?P<failed>\d+))?(?:, )?(?:skipped=(?P<skipped>\d+))?.*?\))?$`), false},
	{"example", lazy.Pattern(`(?m)^(?P<total>\d+) examples?, (?P<failed>\d+) failures?(?:, (?P<skipped>\d+) pending)?`), false},                               // RSpec
	{"assertions", lazy.Pattern(`(?m)^(?P<total>\d+) runs, \d+ assertions, (?P<failed>\d+) failures, (?P<failed>\d+) errors, (?P<skipped>\d+) skips`), false}, // minitest
	{"ok (", lazy.Pattern(`(?m)^OK \((?P<total>\d+) tests?, \d+ assertions?\)`), false},                                                                       // PHPUnit
	{"assertions:", lazy.Pattern(`(?m)^Tests: (?P<total>\d+), Assertions: \d+(?:, Errors: (?P<failed>\d+))?(?:, Failures: (?P<failed>\d+))?`), false},         // PHPUnit
	{"test", lazy.Pattern(`(?m)^(?:(?P<total>\d+) doctests?, )?(?P<total>\d+) tests?, (?P<failed>\d+) failures?`), true},                                      // ExUnit
	{"tests passed", lazy.Pattern(`(?m)^\d+% tests passed, (?P<failed>\d+) tests? failed out of (?P<total>\d+)`), false},                                      // CTest
	{"executed ", lazy.Pattern(`Executed (?P<total>\d+) tests?, with (?:\d+ tests? skipped and )?(?P<failed>\d+) failures?`), false},                          // XCTest
	{"passed", lazy.Pattern(`(?m)^(?:ok|FAILED) \| (?P<passed>\d+) passed.*?\| (?P<failed>\d+) failed`), false},                                               // Deno
	{"summary [", lazy.Pattern(`(?m)^ *Summary \[.*\] (?P<total>\d+) tests? run: (?P<passed>\d+) passed(?:.*?, (?P<failed>\d+) failed)?`), false},             // cargo nextest
	{"[  passed  ]", lazy.Pattern(`(?m)^\[  PASSED  \] (?P<passed>\d+) tests?\.(?:\n\[  FAILED  \] (?P<failed>\d+) tests?)?`), true},                          // GoogleTest
	{": ", lazy.Pattern(`\+(?P<passed>\d+)(?: ~\d+)?(?: -(?P<failed>\d+))?: (?:All tests passed|Some tests failed)`), false},                                  // Dart
	{"pass", lazy.Pattern(`(?im)^[ =#*✓✗-]*(?:tests?:? +)?(?P<passed>\d+) (?:tests? )?pass(?:ed|ing|es)?\b.*?(?:\n?[ =*,;|✓✗-]*(?P<failed>\d+) (?:tests? )?fail(?:ed|ing|ures?)?\b.*)?$`), false},
	{"fail", lazy.Pattern(`(?im)^[ =#*✓✗-]*(?:tests?:? +)?(?P<failed>\d+) (?:tests? )?fail(?:ed|ing|ures?)\b.*?(?:\n?[ =*,;|✓✗-]*(?P<passed>\d+) (?:tests? )?pass(?:ed|ing)?\b.*)?$`), false},
}

func (s summary) read(text, lower string) *testRun {
	if !strings.Contains(lower, s.cue) {
		return nil
	}
	all := s.line().FindAllStringSubmatch(text, -1)
	if len(all) == 0 {
		return nil
	}
	if !s.adds {
		all = all[len(all)-1:]
	}
	n := map[string]int{}
	for _, m := range all {
		for i, group := range s.line().SubexpNames() {
			n[group] += number(m[i])
		}
	}
	if n["passed"] == 0 && n["total"] > 0 {
		n["passed"] = max(n["total"]-n["failed"]-n["skipped"], 0)
	}
	if n["passed"]+n["failed"] == 0 {
		return nil
	}
	return &testRun{n["passed"], n["failed"], n["failed"] > 0}
}

func number(s string) (n int) {
	for _, r := range s {
		if r >= '0' && r <= '9' && n < 1e8 {
			n = n*10 + int(r-'0')
		}
	}
	return n
}

// hasNoTests reports whether a runner says that there was nothing to run.
func hasNoTests(text string) bool { return noTests.in(text, strings.ToLower(text)) }

// saysAllPass reports whether a text says without counts that tests pass.
func saysAllPass(text string) bool {
	return plainOK().MatchString(text) && strings.TrimSpace(text) != ""
}

var (
	noTests     = phraseOf("no test|ran 0|collected 0", `(?i)\bno tests? (?:files? )?(?:found|ran|to run|were run)|no test files\]|ran 0 tests|collected 0 items`)
	goVerbose   = lazy.Pattern(`(?m)^\s*--- (?:PASS|SKIP)|^=== RUN|^\{"Time"`)
	goPackageOK = lazy.Pattern(`(?m)^ok\s+\S+\s`)
	setupErrors = lazy.Pattern(`\b(\d+) errors? in [\d.]+s`)
	plainOK     = lazy.Pattern(`(?im)^ok\b|\bOK[.!)]*$|\ball (?:\S+ )?(?:tests?|specs?|checks?|assertions?) (?:have )?(?:pass|ok|succe)|^BUILD SUCCESS`)
)
