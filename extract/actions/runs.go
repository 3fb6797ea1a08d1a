package actions

import (
	"fmt"
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
		return &testRun{*report.Passed, *report.Failed, true}
	case report.Format == evaluate.Totals && (kind == buildCheck || hasNoTests(text)):
		return nil
	case known && *report.Passed+*report.Failed > 0:
		return &testRun{*report.Passed, *report.Failed, *report.Failed > 0}
	}
	return nil
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
	plainOK     = lazy.Pattern(`(?im)^ok\b|\bOK[.!)]*$|\ball (?:\S+ )?(?:tests?|specs?|checks?|assertions?) (?:have )?(?:pass|ok|succe)|^BUILD SUCCESS`)
)
