package actions

import (
	"path"
	"strings"

	"episodes/internal/lazy"
	"episodes/internal/turns"
	"episodes/reflexion/evaluate"
)

// verdict is what a step came to, by its result.
type verdict struct {
	failed bool
	green  bool     // it checks something, ran, and what it checks holds
	tests  *testRun // a test runner ran and its result can be seen
	check  *command // what the exit code and the output are about
	tells  string   // the line by which the failure is known
	made   *made    // the commit that was made
}

// made is a commit.
type made struct{ hash, message string }

// judge finds out what a step came to.
func (s *step) judge() {
	r := &s.result
	switch r.State {
	case turns.Refused, turns.NotRun, turns.Empty:
		return
	}
	if s.call.Tool == turns.Shell {
		s.judgeShell()
	} else if saysFailed(r) || r.State == turns.Unsaid && toolRefusal().MatchString(r.Text) {
		s.failed = true
		s.tells = strings.TrimPrefix(tellingLine(r.Text), "Error: ") // some agents put it before what the tool says
	}
}

// saysFailed reports whether a result says by itself, by its state or exit code, that the call
// failed.
func saysFailed(r *turns.ToolResult) bool {
	return r.State == turns.Failed || r.Exit != nil && *r.Exit != 0
}

func (s *step) judgeShell() {
	r := &s.result
	check := s.line.blamed(r.Text)
	if s.check = check; check == nil {
		if s.failed = saysFailed(r); s.failed {
			s.tells = tellingLine(r.Text)
		}
		return
	}
	if s.plainlyWorked() {
		return
	}
	kind := check.kind()
	var report *evaluate.Report
	if kind != noCheck || check.speaks() {
		report, _ = evaluate.Parse(evaluate.Auto, []byte(r.Text))
	}
	s.made = s.commitMade(r)
	if kind != noCheck || check.speaks() && report.Passed != nil {
		s.tests = testsOf(kind, report, cueLines(r.Text, testCues))
	}
	if s.failed = s.shellFailed(); s.failed {
		defer s.blameWrapper()
		if s.tells = s.line.ownWords(check, r.Text); s.tells == "" {
			s.tells = telling(report, r.Text)
		}
		if rank(s.tells) == tellsNothing && usage().MatchString(r.Text) {
			s.tells = "shows how it is used"
		}
		if s.tests != nil && !s.tests.bad && !s.tests.counted() {
			s.tests = nil // the tests did not start
		}
		return
	}
	switch kind {
	case testCheck, buildCheck:
		s.green = goPackageOK().MatchString(r.Text) || !hasNoTests(r.Text)
		if kind == testCheck && s.green && s.tests == nil && saysAllPass(r.Text) {
			s.tests = &testRun{passed: untold}
		}
	case commit:
		s.green = s.made != nil
	}
}

// blameWrapper gives a failure to the program that runs others where it complains that it
// does not know the other: "xyz go test": unknown command "go".
func (s *step) blameWrapper() {
	c := *s.check
	if c.via != "" && unknownWord().MatchString(s.tells) && quotesWord(s.tells, c.name) {
		s.check = &command{name: c.via, args: append([]string{c.name}, c.args...)}
	}
}

// ownWords returns the first message of its own from a command that otherwise prints the
// texts of others ("sed: a.ts: No such file or directory"), or "".
func (l shellLine) ownWords(check *command, text string) string {
	if check.speaks() {
		return ""
	}
	for line := range strings.Lines(text) {
		name, rest, found := strings.Cut(line, ": ")
		if !found || !complaint().MatchString(rest) {
			continue
		}
		for _, c := range l.commands {
			if path.Base(name) == c.name && !c.quiet {
				return short(line)
			}
		}
	}
	return ""
}

// plainlyWorked reports whether a line only read or moved something, and its exit code says
// that this worked.
func (s *step) plainlyWorked() bool {
	r, check := &s.result, s.check
	return check.kind() == noCheck && !check.speaks() && check.id() != ciRun && !s.line.hides && r.Commit == "" && r.Exit != nil && !saysFailed(r)
}

// shellFailed reports whether a line failed: by its exit code, else by what it put out.
func (s *step) shellFailed() bool {
	r, kind := &s.result, s.check.kind()
	switch {
	case saysFailed(r) && r.Exit == nil:
		return !s.harmless(1, r.Text)
	case saysFailed(r):
		return !s.harmless(*r.Exit, r.Text)
	case kind == commit && s.made != nil:
		return false // its hooks let it pass
	case s.tests != nil && (s.tests.bad || s.tests.counted()):
		return s.tests.bad
	case r.Exit == nil && r.State == turns.Unsaid, s.line.hides, kind == noCheck:
		return s.textShowsFailure(*s.check, r.Text)
	}
	return false
}

// commitMade finds the commit that a line made, with its subject.
func (s *step) commitMade(r *turns.ToolResult) *made {
	m := s.commitShown(r)
	if m != nil && m.message == "" {
		m.message = s.subject()
	}
	return m
}

// subject is the first line of the message that a commit is given; "" where the line does
// not have it.
func (s *step) subject() string {
	for _, c := range s.line.commands {
		if c.kind() != commit {
			continue
		}
		for i, a := range c.args[:max(0, len(c.args)-1)] {
			if takesMessage(a) {
				return firstSentence(c.args[i+1])
			}
		}
	}
	if m := hereSubject().FindStringSubmatch(s.call.Command); m != nil {
		return firstSentence(m[1])
	}
	return ""
}

// commitShown finds the commit that a line made by what it put out.
func (s *step) commitShown(r *turns.ToolResult) *made {
	if r.Commit != "" {
		return &made{hash: r.Commit}
	}
	for _, c := range s.line.commands {
		if c.id() == "git init" {
			return nil // a repository made for a trial
		}
	}
	for _, c := range s.line.commands {
		if c.kind() == commit {
			if m := commitLine().FindStringSubmatch(r.Text); m != nil {
				return &made{hash: m[1], message: m[2]}
			}
			if m := s.logged(r.Text); m != nil {
				return m
			}
			switch m := pushed().FindStringSubmatch(r.Text); {
			case m != nil:
				return &made{hash: m[1]}
			case filesChanged().MatchString(r.Text):
				return &made{}
			case nothingToCommit().MatchString(r.Text) || r.State == turns.Failed:
			case r.Exit != nil && *r.Exit == 0 && !s.line.hides, r.Exit == nil && r.State == turns.OK && !s.line.hides:
				if m := loggedCommit().FindStringSubmatch(r.Text); m != nil {
					return &made{hash: m[1], message: m[2]}
				}
				return &made{}
			}
		}
	}
	return nil
}

// harmless reports whether an exit code other than 0 is an answer and no failure.
func (s *step) harmless(code int, text string) bool {
	if len(s.line.commands) == 0 || code == 130 { // 130: stopped by hand
		return code == 130
	}
	for i := range s.line.commands {
		if c := &s.line.commands[i]; c.kind() != noCheck && !c.caught {
			return false
		}
	}
	last := s.line.commands[len(s.line.commands)-1]
	for i := len(s.line.commands) - 2; i >= 0 && filters[last.name] && !searches[last.name] && s.line.commands[i].feeds; i-- {
		last = s.line.commands[i] // with pipefail the code may be that of any of a pipe
	}
	switch {
	case searches[last.name], last.id() == "git grep":
		return code == 1 && !shellError().MatchString(text) || code == 2 && strings.Count(text, "\n") > 1
	case last.name == "which" || last.name == "type" || last.name == "command" || last.name == "where":
		return true
	case comparisons[last.name]:
		return code == 1
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
	if s.complains(text) {
		return true
	}
	if text = cueLines(text, failureCues); text == "" {
		return false
	}
	if (shellError().MatchString(text) || windowsError().MatchString(text)) && !onlyQuiet(s.line) {
		return true
	}
	switch id := check.id(); {
	case check.kind() == commit || s.line.onlyAsks():
		return false
	case strings.HasPrefix(id, "gh run"):
		return ciFailure().MatchString(text)
	case check.kind() == noCheck && !check.speaks():
		return false
	case check.kind() == noCheck && s.result.Exit != nil && !s.line.hides:
		return false
	}
	return strongFailure().MatchString(text) || usage().MatchString(text) && !check.asksHelp()
}

// onlyAsks reports whether all commands of a line ask what a program is or does.
func (l shellLine) onlyAsks() bool {
	for _, c := range l.commands {
		if !c.asksAbout() && !filters[c.name] && !lookups[c.name] {
			return false
		}
	}
	return true
}

// complains reports whether one of the commands of the line reports its own failure.
func (s *step) complains(text string) bool {
	if s.result.Exit != nil && !s.line.hides {
		return false
	}
	lines := strings.Split(strings.TrimSpace(text), "\n")
	if check := s.check; len(lines) <= fewLines && complaintStart().MatchString(lines[0]) && !check.quotes() {
		return true
	}
	for i, l := range lines {
		if i >= edgeLines && i < len(lines)-edgeLines {
			continue
		}
		name, rest, found := strings.Cut(l, ": ")
		if !found || !complaint().MatchString(rest) {
			continue
		}
		for _, c := range s.line.commands {
			if c.name == name && !c.quiet && !c.caught {
				return true
			}
		}
	}
	return false
}

// A complaint is at the start or the end of an output, or is all of it.
const (
	edgeLines = 3
	fewLines  = 6
)

func onlyQuiet(l shellLine) bool {
	for _, c := range l.commands {
		if !c.quiet {
			return false
		}
	}
	return true
}

var (
	commitLine      = lazy.Pattern(`(?m)^\[[^\]\n]*?\b([0-9a-f]{7,40})\] ?(.*)$`)
	hereSubject     = lazy.Pattern(`git commit[^\n]*<<-?\s*['"]?\w+['"]?\n\s*(\S[^\n]*)`)
	filesChanged    = lazy.Pattern(`\b\d+ files? changed\b`)
	pushed          = lazy.Pattern(`(?m)^ +[0-9a-f]{7,40}\.\.([0-9a-f]{7,40}) +\S+ -> `)
	loggedCommit    = lazy.Pattern(`(?m)^([0-9a-f]{7,40}) (\S.*)$`)
	nothingToCommit = lazy.Pattern(`(?i)nothing (?:added )?to commit|no changes added`)
	gitQuestion     = lazy.Pattern(`^(?:diff|check-ignore|merge-base|show-ref|rev-parse|config|cat-file|ls-remote|symbolic-ref)\b`)
	windowsError    = lazy.Pattern(`(?m)^'?\S+'? is not recognized as (?:an internal or external|the name of|a name of)|^(?:\S+ : )?The term '.*' is not recognized`)
	shellError      = lazy.Pattern(`(?m)^\(eval\):\d+: .+|^(?:/?(?:usr/)?(?:bin/)?(?:ba|z|da)?sh: (?:line \d+: |\d+: )?)?(?:command not found: \S+|\S+: (?:command )?not found|zsh: command not found.*|no matches found: .*)$`)
	complaintStart  = lazy.Pattern(`(?i)^(?:error|failed|fatal)\b`)
	ciFailure       = lazy.Pattern(`(?i)##\[error\]|\bexit(?:ed)?(?: with)?(?: code| status)[: ]+[1-9]|(?:^|\t|\s)(?:X|✗) |\bfailed after\b|release failed`)
	toolRefusal     = lazy.Pattern(`(?i)^(?:error\b|failed\b|<tool_use_error>|invalid (?:arguments|tool|input)|tool call error)|your proposed edit has introduced new syntax error|no replacement was performed|did not appear verbatim`)
	usage           = lazy.Pattern(`(?m)^usage: |^Usage: .*[\[<]|^Usage:$`)
	// strongFailure are lines that tools put out when they fail, and seldom else.
	strongFailure = lazy.Pattern(`(?m)^(?:error|fatal|panic|npm ERR!|npm error|ERROR)(?:[:\[ ]|$)|^ *Traceback \(most recent call last\)|^--- FAIL|^FAIL(?:ED)?\b|^make(?:\[\d+\])?: \*\*\*|: error(?: [A-Z]+\d+)?: |^error\[E\d+\]|^\s*[A-Z]\w*(?:Error|Exception): \S|\bexit status [1-9]\d*$|(?i:^found [1-9]\d* errors?)|^E   |(?i:\bcommand failed\b)|^✖ \d+ problems? \([1-9]\d* error|\bBUILD FAIL(?:ED|URE)\b|\*\* \w+ FAILED \*\*|^Code style issues|^[1-9]\d* issues:|\b[1-9]\d* offenses? detected|^CMake Error|^Exception in thread |^thread '.*' (?:\(\d+\) )?panicked at|^SyntaxError|unrecognized subcommand|\bsyntax error\b`)
)
