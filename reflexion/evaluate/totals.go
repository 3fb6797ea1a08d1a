package evaluate

import (
	"strings"

	"episodes/internal/lazy"
)

// summary is how a runner sums up: the groups of its pattern are named for what they count. list
// has counts with their words, and "only" marks a line that is printed when a test failed.
type summary struct {
	cue  string // occurs in the text; "": anything can
	line pattern
	last bool // only the last counts: the runner does not print one for each module
}

// summaries are those of runners whose reports have no format of their own.
var summaries = []summary{
	{"tests completed", lazy.Pattern(`(?m)^(?<total>\d+) tests completed, (?<failed>\d+) failed(?<only>)`), false},                                       // Gradle
	{"assertions", lazy.Pattern(`(?m)^(?<total>\d+) runs, \d+ assertions, (?<failed>\d+) failures, (?<failed>\d+) errors, (?<skipped>\d+) skips`), true}, // minitest
	{"test", lazy.Pattern(`(?m)^(?:(?<total>\d+) doctests?, )?(?<total>\d+) tests?, (?<failed>\d+) failures?`), false},                                   // ExUnit
	{"tests passed", lazy.Pattern(`(?m)^\d+% tests passed, (?<failed>\d+) tests? failed out of (?<total>\d+)`), true},                                    // CTest
	{"Executed ", lazy.Pattern(`Executed (?<total>\d+) tests?, with (?:\d+ tests? skipped and )?(?<failed>\d+) failures?`), true},                        // XCTest
	{"passed", lazy.Pattern(`(?m)^(?:ok|FAILED) \| (?<passed>\d+) passed.*?\| (?<failed>\d+) failed`), true},                                             // Deno
	{"Summary [", lazy.Pattern(`(?m)^ *Summary \[.*\] \d+ tests? run: (?<passed>\d+) passed(?:.*?, (?<failed>\d+) failed)?`), true},                      // cargo nextest
	{"tests ", lazy.Pattern(`\+(?<passed>\d+)(?: ~\d+)?(?: -(?<failed>\d+))?: (?:All tests passed|Some tests failed)`), true},                            // Dart
	{"", lazy.Pattern(`(?im)^[ =#*✓✗-]*(?:tests?:? +)?(?<passed>\d+) (?:tests? )?pass(?:ed|ing|es)?\b.*?(?:\n?[ =*,;|✓✗-]*(?<failed>\d+) (?:tests? )?fail(?:ed|ing|ures?)?\b.*)?$`), true},
	{"", lazy.Pattern(`(?im)^[ =#*✓✗-]*(?:tests?:? +)?(?<failed>\d+) (?:tests? )?fail(?:ed|ing|ures?)\b.*?(?:\n?[ =*,;|✓✗-]*(?<passed>\d+) (?:tests? )?pass(?:ed|ing)?\b.*)?$`), true},
}

var summaryWords = []string{"test", "pass", "fail", "runs, ", "Test", "Pass", "Fail", "TEST", "PASS", "FAIL"}

func (r *Report) summedUp(data []byte) bool {
	lines := string(linesWith(data, summaryWords...))
	for _, s := range summaries {
		if n := s.count(lines, 0); n["passed"]+n["failed"] > 0 {
			r.tests(n["passed"], n["failed"])
			r.Skipped = n["skipped"]
			r.Partial = s.line().SubexpIndex("only") > 0 || n["passed"]+n["total"] == 0 // a run that passes may count none
			return true
		}
	}
	return false
}

var counted = map[string]string{"passed": "passed", "xpassed": "passed", "failed": "failed", "failures": "failed",
	"error": "failed", "errors": "failed", "unexpected successes": "failed", "skipped": "skipped", "xfailed": "skipped",
	"expected failures": "skipped", "incomplete": "skipped", "todo": "skipped"}

// countIn matches a count in a list: "2 failed", "Errors: 2", "expected failures=2".
var countIn = lazy.Pattern(`(\d+) ([a-z]+)|([a-z][a-z ]*)(?:=|: )(\d+)`)

// count counts the tests of a text; nil where no line sums up. So many failures are no tests.
func (s *summary) count(text string, outside int) map[string]int {
	if !strings.Contains(text, s.cue) {
		return nil
	}
	all := s.line().FindAllStringSubmatch(text, -1)
	if s.last {
		all = all[max(0, len(all)-1):]
	}
	if all == nil {
		return nil
	}
	n := map[string]int{"outside": outside}
	for _, m := range all {
		for i, group := range s.line().SubexpNames() {
			n[group] += atoi(m[i])
			if group == "list" {
				for _, c := range countIn().FindAllStringSubmatch(strings.ToLower(m[i]), -1) {
					n[counted[c[2]+c[3]]] += atoi(c[1] + c[4])
				}
			}
		}
	}
	if n["total"] > 0 {
		n["passed"] = max(0, n["total"]-max(0, n["failed"]-n["outside"])-n["skipped"])
	}
	return n
}
