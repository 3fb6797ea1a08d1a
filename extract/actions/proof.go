package actions

import (
	"hash/fnv"
	"slices"
	"strconv"
	"strings"

	"episodes/internal/lazy"
	"episodes/internal/telling"
	"episodes/internal/turns"
	"episodes/reflexion/evaluate"
)

// proof is what a run shows of what it was to do.
type proof uint8

const (
	showsNothing proof = iota
	showsPass
	showsFailure
)

// prove says what a run of a shell line shows: by its exit code where that is the code of what
// it checks, else by what it printed.
func (s *step) prove() proof {
	r, kind := &s.result, s.check.kind()
	code, known := s.code()
	if known && code != 0 {
		if !s.harmless(code, r.Text) {
			return showsFailure
		}
		if !s.check.masked {
			return showsNothing
		}
		known = false
	}
	switch {
	case kind == commit && s.made != nil: // its hooks let it pass
		return showsPass
	case s.tests != nil && s.tests.bad, s.tests != nil && !known && notBuilt().MatchString(r.Text):
		return showsFailure
	case known && kind != noCheck:
		if kind == testCheck && hasNoTests(r.Text) && !goPackageOK().MatchString(r.Text) {
			return showsNothing
		}
		return showsPass
	case !(s.tests != nil && s.tests.counted()) && s.textShowsFailure(*s.check, r.Text):
		return showsFailure
	case known, s.summaryPasses(kind):
		return showsPass
	case !s.check.masked && kind != testCheck && kind != commit: // all of its output can be seen
		return showsPass
	}
	return showsNothing
}

// notBuilt matches errors of compilers; a project of which a part was not built may still sum up the tests of others.
var notBuilt = lazy.Pattern(`(?m): error [A-Z]{2,6}\d{3,5}: |^error\[E\d+\]`)

// gitRefusal matches what git says when it does not do something.
var gitRefusal = lazy.Pattern(`(?m)^ ?! \[(?:remote )?rejected\]|^(?:error|fatal): `)

// code is the exit code of what a line checks; known is false where another command's code hides
// it, and the line does not print it.
func (s *step) code() (code int, known bool) {
	r := &s.result
	if s.line.codes {
		lines := strings.Split(strings.TrimSpace(r.Text), "\n")
		if m := printedCode().FindStringSubmatch(lines[len(lines)-1]); m != nil {
			code, err := strconv.Atoi(m[1])
			return code, err == nil
		}
	}
	switch {
	case r.Exit != nil && *r.Exit != 0:
		return *r.Exit, true
	case r.State == turns.Failed:
		return 1, true
	}
	return 0, !s.check.masked && (r.Exit != nil || r.State == turns.OK)
}

// taskPrefix is what runners of tasks put in front of each line: "[lint:go] ", "web:test: ".
var taskPrefix = lazy.Pattern(`(?m)^(?:\[[\w:@/.-]+\]|[\w@/-]+:[\w-]+:|[\w-]+ +\|) `)

var printedCode = lazy.Pattern(`(?i)^(?:[^\d\n]*\b(?:exit|code|status|rc)\b\D*|\D{0,3})(\d{1,3})\D{0,3}$`)

// summaryPasses reports whether an output sums up that what was checked passes.
func (s *step) summaryPasses(kind checkKind) bool {
	text := s.result.Text
	switch {
	case s.tests != nil:
		return !s.tests.bad
	case kind == testCheck:
		return !hasNoTests(text) && saysAllPass(text)
	case kind == buildCheck:
		return s.silent && s.line.passesOn() || buildPasses().MatchString(text)
	}
	return false
}

// passesOn reports whether the filters of a line leave something of any output.
func (l shellLine) passesOn() bool {
	return !slices.ContainsFunc(l.commands, func(c command) bool {
		return c.quiet || filters[c.name] && c.name != "tail" && c.name != "head" && c.name != "tee" && c.name != "cat"
	})
}

// buildPasses matches how builders, linters and installers sum up that nothing is wrong.
var buildPasses = lazy.Pattern(`(?im)^\s*Finished\b.* in |\bBUILD SUCCESS|\bBuild succeeded|\bbuilt in \d|\bcompiled successfully|\bcompiled \S* ?in \d|(?:^|[^\d.])0 (?:errors?|issues|problems|vulnerabilities|offenses)\b|\bno (?:issues|errors|problems|offenses|lint(?:ing)? errors|type errors|warnings or errors|fixes (?:needed|applied))\b|\ball (?:checks|files) (?:passed|pass|use|formatted)|^All matched files|^(?:added|changed|removed|audited) \d+ packages?|^up to date\b|^Already up.to.date|^Successfully (?:installed|built|tagged)|^Requirement already satisfied|^Done in \d|^✨ +Done|^Lockfile is up to date|\bfiles? (?:left|already) (?:unchanged|formatted)|^✓ `)

// hashes returns the hashes of a report's problems and of the lines of an output. Of a long output
// it covers the first and the last lines, and the informative lines between them.
func hashes(report *evaluate.Report, text string) (out []uint64) {
	if report != nil {
		for _, p := range report.Problems[:min(mostHashes, len(report.Problems))] {
			out = append(out, hashOf(problemText(p.Rule, p.Message)))
		}
	}
	n := strings.Count(text, "\n")
	i := 0
	for line := range strings.Lines(text) {
		if i++; i <= mostHashes/4 || i > n-mostHashes/4 || len(out) < 2*mostHashes &&
			telling.Of(strings.TrimSpace(line)) >= telling.Vague {
			out = append(out, hashOf(line))
		}
	}
	return out
}

const mostHashes = 64

// hashOf is the same for lines that differ in spaces and figures only.
func hashOf(line string) uint64 {
	h := fnv.New64a()
	for _, r := range line {
		if r > ' ' && (r < '0' || r > '9') {
			h.Write([]byte{byte(r), byte(r >> 8)})
		}
	}
	return h.Sum64()
}

// harmless reports whether an exit code other than 0 is an answer and no failure.
func (s *step) harmless(code int, text string) bool {
	if len(s.line.commands) == 0 || code == 130 { // 130: stopped by hand
		return code == 130
	}
	for i := range s.line.commands {
		if c := &s.line.commands[i]; c.kind() != noCheck && !c.masked {
			return false
		}
	}
	last := s.line.commands[len(s.line.commands)-1]
	switch {
	case searches[last.name], last.id() == "git grep":
		return code == 1 && !shellError().MatchString(text) || code == 2 && strings.Count(text, "\n") > 1
	case questions[last.name]:
		return true
	case comparisons[last.name], s.silent && slices.ContainsFunc(s.line.commands, func(c command) bool { return comparisons[c.name] }):
		return code == 1 // what is behind it did not run
	case last.name == "git" && gitQuestion().MatchString(strings.Join(own("git", last.args, 0), " ")):
		return code == 1
	case lookups[last.name] && last.quiet:
		return true
	}
	return false
}

// textShowsFailure reports whether the output of a command whose exit code says nothing
// shows that it failed.
func (s *step) textShowsFailure(check command, text string) bool {
	if questions[check.name] {
		return false
	}
	if s.complains(text) {
		return true
	}
	if text = cueLines(text, failureCues); text == "" {
		return false
	}
	text = taskPrefix().ReplaceAllString(text, "")
	if shellError().MatchString(text) || windowsError().MatchString(text) {
		return true
	}
	switch id := check.id(); {
	case check.kind() == commit:
		return false
	case strings.HasPrefix(id, "gh run"):
		return ciFailure().MatchString(text)
	case check.name == "git" && !check.quotes() && gitRefusal().MatchString(text):
		return true
	case check.kind() == noCheck && !check.speaks():
		return false
	case check.kind() == noCheck && s.result.Exit != nil && !check.masked:
		return false
	}
	return strongFailure().MatchString(text) || usage().MatchString(text) && !check.asksHelp()
}

// complains reports whether one of the commands of the line reports its own failure.
func (s *step) complains(text string) bool {
	if s.result.Exit != nil && !s.check.masked {
		return false
	}
	lines := strings.Split(strings.TrimSpace(text), "\n")
	if check := s.check; len(lines) <= fewLines && complaintStart().MatchString(lines[0]) && !check.quotes() {
		return true
	}
	if n := len(lines); n > 2*edgeLines {
		lines = append(lines[:edgeLines], lines[n-edgeLines:]...)
	}
	return s.line.ownWords(strings.Join(lines, "\n"), false) != ""
}

// A complaint is at the start or the end of an output, or is all of it.
const (
	edgeLines = 3
	fewLines  = 6
)
