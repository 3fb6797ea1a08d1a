package actions

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"episodes/internal/lazy"
	"episodes/internal/telling"
	"episodes/internal/turns"
	"episodes/reflexion/evaluate"
)

// verdict is what a step came to, by its result.
type verdict struct {
	failed bool
	passes bool     // it shows that it worked; neither: it shows nothing
	green  bool     // it passes, and checks something
	sums   bool     // what it printed sums up that it passes
	tests  *testRun // a test runner ran and its result can be seen
	check  *command // what the exit code and the output are about
	tells  string   // the line by which the failure is known
	made   *made    // the commit that was made
	prints []uint64 // hashes of the lines that it printed, see hashOf
	silent bool     // it printed nothing
}

// made is a commit.
type made struct{ hash, message string }

// judge finds out what a step came to. before are the lines that an earlier run of the same
// command line printed.
func (s *step) judge(before []uint64) {
	r := &s.result
	switch r.State {
	case turns.Refused, turns.NotRun, turns.Empty:
		return
	}
	switch {
	case s.call.Tool == turns.Shell:
		s.judgeShell(before)
	case saysFailed(r) || r.State == turns.Unsaid && toolRefusal().MatchString(r.Text):
		s.failed = true
		s.tells = strings.TrimPrefix(tellingLine(r.Text), "Error: ") // some agents put it before what the tool says
	default:
		s.passes = true
	}
}

// saysFailed reports whether a result says by itself, by its state or exit code, that the call
// failed.
func saysFailed(r *turns.ToolResult) bool {
	return r.State == turns.Failed || r.Exit != nil && *r.Exit != 0
}

func (s *step) judgeShell(before []uint64) {
	r := &s.result
	check := s.line.blamed(r.Text)
	if s.check = check; check == nil {
		if s.failed, s.passes = saysFailed(r), r.Exit != nil && *r.Exit == 0; s.failed {
			s.tells = tellingLine(r.Text)
		}
		return
	}
	if s.plainlyWorked() {
		s.passes = true
		return
	}
	kind := check.kind()
	var report *evaluate.Report
	if kind != noCheck || check.speaks() {
		text := r.Text
		if strings.Contains(text, "\n[…]\n") { // and with it the ends of tests
			text = begun().ReplaceAllString(text, "")
		}
		report, _ = evaluate.Parse(evaluate.Auto, []byte(text))
	}
	s.made = s.commitMade(r)
	if kind != noCheck || check.speaks() && report.Passed != nil {
		s.tests = testsOf(kind, report, cueLines(r.Text, testCues))
	}
	s.prints, s.silent = hashes(report, r.Text), strings.TrimSpace(r.Text) == ""
	switch s.prove() {
	case showsFailure:
		s.failed = true
		s.tell(report, before)
		s.blameWrapper()
	case showsPass:
		s.passes = true
		s.green = kind == testCheck || kind == buildCheck || kind == commit && s.made != nil
		s.sums = s.green && s.summaryPasses(kind)
		if kind == testCheck && s.tests == nil && saysAllPass(r.Text) {
			s.tests = &testRun{passed: untold}
		}
	}
}

// tell sets s.tells to the line of output that identifies the failure of a shell command. before
// holds the hashes of earlier outputs: a problem that is not among them is preferred.
func (s *step) tell(report *evaluate.Report, before []uint64) {
	text := s.result.Text
	if !s.check.speaks() {
		s.tells = s.line.ownWords(text, true)
	}
	s.tells = cmp.Or(s.tells, tells(report, text))
	if report != nil && slices.Contains(before, hashOf(s.tells)) {
		for _, p := range report.Problems {
			if text := problemText(p.Rule, p.Message); text != "" && !slices.Contains(before, hashOf(text)) {
				s.tells = text
				break
			}
		}
	}
	if telling.Of(s.tells) < telling.Vague && usage().MatchString(text) {
		s.tells = "shows how it is used"
	}
	if s.tests != nil && !s.tests.bad && !s.tests.counted() {
		s.tests = nil // the tests did not start
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

// ownWords returns the first message of its own in a text from a command that otherwise prints the
// texts of others ("sed: a.ts: No such file or directory"), or "". caught: also from one followed by "||".
func (l shellLine) ownWords(text string, caught bool) string {
	for line := range strings.Lines(text) {
		name, rest, found := strings.Cut(line, ": ")
		if found && telling.Of(strings.TrimSpace(rest)) >= telling.Vague && slices.ContainsFunc(l.commands, func(c command) bool { return c.name == path.Base(name) && !c.quiet && (caught || !c.caught) }) {
			return short(line)
		}
	}
	return ""
}

// plainlyWorked reports whether a line only read or moved something, and its exit code says
// that this worked.
func (s *step) plainlyWorked() bool {
	r, check := &s.result, s.check
	return check.kind() == noCheck && !check.speaks() && check.id() != ciRun && !check.masked &&
		r.Commit == "" && r.Exit != nil && !saysFailed(r)
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
	return ""
}

// takesMessage reports whether a flag of git commit is followed by the message: -m, -qam.
func takesMessage(flag string) bool {
	return flag == "--message" || strings.HasPrefix(flag, "-") && !strings.HasPrefix(flag, "--") && strings.HasSuffix(flag, "m")
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
			switch m := pushed().FindStringSubmatch(r.Text); {
			case m != nil:
				return &made{hash: m[1]}
			case filesChanged().MatchString(r.Text):
				return &made{}
			case r.State == turns.Failed:
			case !c.masked && (r.Exit != nil && *r.Exit == 0 || r.Exit == nil && r.State == turns.OK):
				if m := loggedCommit().FindStringSubmatch(r.Text); m != nil {
					return &made{hash: m[1], message: m[2]}
				}
				return &made{}
			}
		}
	}
	return nil
}

var (
	begun          = lazy.Pattern(`(?m)^=== RUN .*\n`)
	commitLine     = lazy.Pattern(`(?m)^\[[^\]\n]*?\b([0-9a-f]{7,40})\] ?(.*)$`)
	filesChanged   = lazy.Pattern(`\b\d+ files? changed\b`)
	pushed         = lazy.Pattern(`(?m)^ +[0-9a-f]{7,40}\.\.([0-9a-f]{7,40}) +\S+ -> `)
	loggedCommit   = lazy.Pattern(`(?m)^([0-9a-f]{7,40}) (\S.*)$`)
	gitQuestion    = lazy.Pattern(`^(?:diff|check-ignore|merge-base|show-ref|rev-parse|config|cat-file|ls-remote|symbolic-ref)\b`)
	windowsError   = lazy.Pattern(`(?m)^'?\S+'? is not recognized as (?:an internal or external|the name of|a name of)|^(?:\S+ : )?The term '.*' is not recognized`)
	shellError     = lazy.Pattern(`(?m)^\(eval\):\d+: .+|^(?:/?(?:usr/)?(?:bin/)?(?:ba|z|da)?sh: (?:line \d+: |\d+: )?)?(?:command not found: \S+|\S+: (?:command )?not found|zsh: command not found.*|no matches found: .*)$|^\S+: line \d+: \S+: command not found$`)
	complaintStart = lazy.Pattern(`(?i)^(?:error|failed|fatal)\b`)
	ciFailure      = lazy.Pattern(`(?i)##\[error\]|\bexit(?:ed)?(?: with)?(?: code| status)[: ]+[1-9]|(?:^|\t|\s)(?:X|✗) |\bfailed after\b|release failed`)
	toolRefusal    = lazy.Pattern(`(?i)^(?:error\b|failed\b|<tool_use_error>|invalid (?:arguments|tool|input)|tool call error)|your proposed edit has introduced new syntax error|no replacement was performed|did not appear verbatim`)
	usage          = lazy.Pattern(`(?m)^usage: |^Usage: .*[\[<]|^Usage:$`)
	// strongFailure are lines that tools put out when they fail, and seldom else.
	strongFailure = lazy.Pattern(`(?m)^(?:error|fatal|panic|npm ERR!|npm error|ERROR)(?:[:\[ ]|$)|^ *Traceback \(most recent call last\)|^--- FAIL|^FAIL(?:ED)?\b|^make(?:\[\d+\])?: \*\*\*|: error(?: [A-Z]+\d+)?: |^error\[E\d+\]|^\s*[A-Z]\w*(?:Error|Exception): \S|\bexit status [1-9]\d*$|(?i:^found [1-9]\d* errors?)|^E   |(?i:\bcommand failed\b)|^✖ \d+ problems? \([1-9]\d* error|\bBUILD FAIL(?:ED|URE)\b|\*\* \w+ FAILED \*\*|^Code style issues|^[1-9]\d* issues:|\b[1-9]\d* offenses? detected|^\W*[1-9]\d* (?:[\w-]+ ){0,3}(?:failed|failing|failures?)\b|^CMake Error|^Exception in thread |^thread '.*' (?:\(\d+\) )?panicked at|^SyntaxError|unrecognized subcommand|\bsyntax error\b`)
)
