package evaluate

import (
	"bytes"
	"regexp"
	"slices"

	"episodes/internal/lazy"
)

// summary is how a test runner sums up a run: the groups of its pattern are named for what they
// count. A group "only" says that the line is printed only when a test failed.
type summary struct {
	cue  string // occurs in the line, in lower case
	line func() *regexp.Regexp
	adds bool // the runner prints one for each module
}

// summaries are those of runners whose reports have no format of their own.
var summaries = []summary{
	{"tests completed", lazy.Pattern(`(?m)^(?P<total>\d+) tests completed, (?P<failed>\d+) failed(?P<only>)`), true},                                          // Gradle
	{"assertions", lazy.Pattern(`(?m)^(?P<total>\d+) runs, \d+ assertions, (?P<failed>\d+) failures, (?P<failed>\d+) errors, (?P<skipped>\d+) skips`), false}, // minitest
	{"test", lazy.Pattern(`(?m)^(?:(?P<total>\d+) doctests?, )?(?P<total>\d+) tests?, (?P<failed>\d+) failures?`), true},                                      // ExUnit
	{"tests passed", lazy.Pattern(`(?m)^\d+% tests passed, (?P<failed>\d+) tests? failed out of (?P<total>\d+)`), false},                                      // CTest
	{"executed ", lazy.Pattern(`Executed (?P<total>\d+) tests?, with (?:\d+ tests? skipped and )?(?P<failed>\d+) failures?`), false},                          // XCTest
	{"passed", lazy.Pattern(`(?m)^(?:ok|FAILED) \| (?P<passed>\d+) passed.*?\| (?P<failed>\d+) failed`), false},                                               // Deno
	{"summary [", lazy.Pattern(`(?m)^ *Summary \[.*\] (?P<total>\d+) tests? run: (?P<passed>\d+) passed(?:.*?, (?P<failed>\d+) failed)?`), false},             // cargo nextest
	{"tests ", lazy.Pattern(`\+(?P<passed>\d+)(?: ~\d+)?(?: -(?P<failed>\d+))?: (?:All tests passed|Some tests failed)`), false},                              // Dart
	{"pass", lazy.Pattern(`(?im)^[ =#*✓✗-]*(?:tests?:? +)?(?P<passed>\d+) (?:tests? )?pass(?:ed|ing|es)?\b.*?(?:\n?[ =*,;|✓✗-]*(?P<failed>\d+) (?:tests? )?fail(?:ed|ing|ures?)?\b.*)?$`), false},
	{"fail", lazy.Pattern(`(?im)^[ =#*✓✗-]*(?:tests?:? +)?(?P<failed>\d+) (?:tests? )?fail(?:ed|ing|ures?)\b.*?(?:\n?[ =*,;|✓✗-]*(?P<passed>\d+) (?:tests? )?pass(?:ed|ing)?\b.*)?$`), false},
}

// summaryWords are words of which each line of a summary contains one, in lower case.
var summaryWords = [][]byte{[]byte("test"), []byte("pass"), []byte("fail"), []byte("runs, ")}

// summedUp counts tests by the lines in which runners sum up their runs, where no format does.
// It reports whether there are any.
func (r *Report) summedUp(data []byte) bool {
	lines, cues := make([]byte, 0, len(data)), map[string]bool{} // not grown: a flood has many
	for line := range bytes.Lines(data) {
		lower := bytes.ToLower(line)
		if slices.ContainsFunc(summaryWords, func(w []byte) bool { return bytes.Contains(lower, w) }) {
			lines = append(lines, line...)
			for _, s := range summaries {
				cues[s.cue] = cues[s.cue] || bytes.Contains(lower, []byte(s.cue))
			}
		}
	}
	for _, s := range summaries {
		if cues[s.cue] && s.read(r, lines) {
			return true
		}
	}
	return false
}

func (s summary) read(r *Report, text []byte) bool {
	all := s.line().FindAllSubmatch(text, -1)
	if !s.adds {
		all = all[max(0, len(all)-1):]
	}
	n := map[string]int{}
	for _, m := range all {
		for i, group := range s.line().SubexpNames() {
			n[group] = n[group] + atoi(string(m[i]))
		}
	}
	passed := n["passed"]
	if passed == 0 && n["total"] > 0 {
		passed = max(n["total"]-n["failed"]-n["skipped"], 0)
	}
	if passed+n["failed"] == 0 {
		return false
	}
	r.tests(passed, n["failed"])
	r.Skipped = n["skipped"]
	r.Partial = s.line().SubexpIndex("only") > 0 || n["passed"]+n["total"] == 0 // a run that passes may count none
	return true
}
