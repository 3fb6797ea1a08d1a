package actions

import (
	"cmp"
	"strings"
	"unicode"

	"episodes/internal/lazy"
	levels "episodes/internal/telling"
	"episodes/internal/turns"
	"episodes/reflexion/evaluate"
)

// telling is the line by which a failure of a check is known: what its report names first,
// else a line of its output.
func telling(report *evaluate.Report, text string) string {
	traced := strings.Contains(text, traceback) && report != nil && report.Format != evaluate.Pytest // warnings precede it
	if report != nil && len(report.Problems) > 0 && !traced {
		p := report.Problems[0]
		if text := problemText(p.Rule, p.Message); text != "" && !strings.Contains(p.Message, "# ") {
			return text
		}
	}
	return tellingLine(text)
}

// problemText returns the message of a problem in a report on one line, shortened, with its rule.
func problemText(rule, message string) string {
	m := oneLine(message)
	switch {
	case rule == "" || strings.Contains(message, rule):
		return short(m)
	case m == "":
		return rule
	}
	return short(rule + ": " + m)
}

// How informative a line is about what went wrong, from most to least.
const (
	namesError = iota // an exception, a failed test
	saysError         // "error: …", a place in a file
	complains         // "cannot", "no such", "denied"
	tellsNothing
)

// rank returns how informative a line is.
func rank(line string) int {
	lower := strings.ToLower(line)
	switch {
	case containsAny(lower, exceptionCues) && exceptionLine().MatchString(line):
		return namesError
	case containsAny(lower, errorCues) && errorLine().MatchString(line), strings.Contains(line, ":") && placeLine().MatchString(line):
		return saysError
	case containsAny(lower, complaintCues) && complaint().MatchString(line):
		return complains
	}
	return tellsNothing
}

var (
	exceptionCues = strings.Split("error|exception|exit|fail|panic: |●|✕|✗|×|! [|conflict", "|")
	errorCues     = strings.Split("error|fatal|err!|err_|vulnerabilities", "|")
	complaintCues = strings.Split("not |no such|no test|ignored by|cannot|n't|unable|fail|denied|refused|unde|unk|unrecognized|unexpected|invalid|missing|time|timed|exist|conflict|unsupported|mismatch|expected|must ", "|")
)

var (
	exceptionLine = lazy.Pattern(`^(?:E +|- [A-Z]\d+ )?(?:[a-z_]+\.)*[A-Z]\w*(?:Error|Exception|Exit|Failure)\b(?: \[\w+\])?: ?\S|^--- FAIL|^FAILED \S|^panic: |^\s*(?:●|✕|✗|×) \S|^error\[E\d+\]|\berror TS\d+: |^! \[(?:remote )?rejected\]|^CONFLICT `)
	errorLine     = lazy.Pattern(`(?i)^(?:\S+: |#\d+ )?(?:(?:error|fatal|err_\w+)\b[:! ]|npm err! )|: (?:fatal )?error\b|##\[error\]|\bERR_[A-Z_]+\b|<tool_use_error>|^\d+ vulnerabilities\b`)
	placeLine     = lazy.Pattern(`^\S+:\d+(?::\d+)?:? \S`)
	complaint     = lazy.Pattern(`(?i)\b(?:not found|no such|cannot|can't|could not|couldn't|unable to|failed|failure|denied|refused|undefined|unknown|unrecognized|unexpected|invalid|missing|timed? ?out|not permitted|not allowed|not defined|does not exist|doesn't exist|already exists|conflict|not recognized|unsupported|mismatch|expected|has not been|no tests? (?:files? )?found|ignored by|must )\b`)
	// vague lines say that something failed, and others what.
	vague = lazy.Pattern(`(?i)^(?:\W* *)?(?:error|fatal)?:? *(?:build failed\b.*|failed to push some refs.*|could not (?:apply|compile)\b.*|failed to solve\b.*|(?:command|script|process|task|tests?) \S* ?(?:failed|completed with|exited)\b.*|\d+ errors?\b.*|failed with exit code \d+.*)$|^make(?:\[\d+\])?: \*\*\*|^(?:error|failed)[^:]*:$`)
	noise = lazy.Pattern(`^(?:https?://\S+|● Console|console\.\w+|# \S.*|\S+: (?:: )?# \S.*|Exit code:? ?\d+|Error: Exit code \d+|npm (?:ERR!|error) (?:code|errno|path|A complete log|Lifecycle|command sh)\b.*|Traceback \(most recent call last\):|\s*at \S.*|throw .*|[│┃].*[│┃]|\W*[\w-]+ \([\d.]+ seconds\)|=+|-+|\s*\^+\s*|\[…\]|\W+)$`)
)

// traceback begins the trace of an exception of Python.
const traceback = "Traceback (most recent call last)"

// tellingLine returns the line that identifies a failure, the first of the most
// informative ones, or "" if the output is empty.
func tellingLine(text string) string {
	traced := strings.Contains(text, traceback)
	var best [tellsNothing]string   // the first line of each rank
	var vaguer [tellsNothing]string // the same, of lines that only say that something failed
	// The last line, one that only says where the run stopped, and the line before that.
	last, stop, stopped := "", "", ""
	for line := range strings.Lines(taskPrefix().ReplaceAllString(text, "")) {
		line = strings.TrimFunc(line, framing)
		if line == "" || noise().MatchString(line) || warns().MatchString(line) {
			continue
		}
		if levels.Of(line) == levels.Noise {
			if stop = line; stopped == "" {
				stopped = last
			}
			continue
		}
		last = line
		r := rank(line)
		if r == tellsNothing {
			continue
		}
		to := &best[r]
		if vague().MatchString(line) {
			to = &vaguer[r]
		}
		if *to == "" || traced && r == namesError { // the last line of a trace names the error
			*to = line
		}
	}
	return short(cmp.Or(cmp.Or(best[:]...), stopped, cmp.Or(vaguer[:]...), last, stop))
}

// framing reports whether a rune only frames a line: of boxes and spinners.
func framing(r rune) bool {
	return unicode.IsSpace(r) || unicode.Is(unicode.Braille, r) || '─' <= r && r <= '╿'
}

// warns matches warnings.
var warns = lazy.Pattern(`(?i)^(?:\S+: )?(?:npm )?warn(?:ing)?\b[:! ]|^⚠|: (?:\w+)?warning: |\b(?:Deprecation|Future|User)Warning\b|\bfalling back to\b`)

// tellingBytes is how much of a telling line is kept.
const tellingBytes = 240

func short(s string) string {
	s = strings.TrimSuffix(strings.TrimPrefix(oneLine(s), "<tool_use_error>"), "</tool_use_error>")
	if cut := turns.Start(s, tellingBytes); cut != s {
		return strings.TrimSpace(cut) + "…"
	}
	return s
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
