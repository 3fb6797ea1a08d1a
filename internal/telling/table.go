package telling

import (
	"regexp"
	"slices"
	"strings"

	"episodes/internal/lazy"
)

// Level is how specific a line is about what went wrong.
type Level uint8

// The levels, from least to most specific.
const (
	Noise     Level = iota // frames, separators, echoes of commands
	Stop                   // that, or where, a run stopped
	Plain                  // any other line
	Warning                // a tool marks it as a warning
	Vague                  // that something failed, and not what
	Complaint              // it has words of failure
	Reported               // marked as an error, or with a place in a file
	Named                  // an error with a name of its own, or a failed test
)

// rule gives lines a level. A line that matches contains one of the cues, in lower case: looking
// for these first is ten times as fast as the pattern.
type rule struct {
	level   Level
	cues    []string
	pattern func() *regexp.Regexp
}

// table holds the rules; the first that matches a line decides. A pattern is fast if it is
// anchored as a whole, and short enough for regexp to backtrack (500 instructions).
var table = []rule{
	{Noise, cues("exit code|://|console|# |traceback|at |throw |node:internal|  |@|> |-h|ing directory|npm e"), lazy.Pattern(`^(?:(?:Error: )?Exit code:? ?\d+|https?://\S+|● Console|# \S.*|\S+: (?:: )?# \S.*|Traceback \(most recent call last\):|\s*at \S.*|throw .*` +
		`|node:internal\S*|--?[a-zA-Z].* {2,}\S.*|\S+@\S+:[^$#]*[$#]` +
		`|> (?:[a-z]|@)\S*(?: .*)?|(?:See|Visit|Read|For|Learn|Please report)\b.* https?://.*` +
		`|(?:Try|Run) .* (?:--help|-h)\b.*|g?make\S* (?:Leav|Enter)ing directory.*|npm (?:ERR!|error)(?: (?:code|errno|path|A complete log|command sh)\b.*)?)$`)},
	// what passed, what stands above the words of a hook or test, progress
	{Noise, cues("ok|pass|✓|✔|✅|skipped|to-date|=== |..|- |❯|%]|failure"), lazy.Pattern(`^(?:(?:ok|PASS|--- PASS:|✓|✔|✅|=== [A-Z]+)(?:\W.*)?|\d+\.\.\d+|.*(?:\.{3}(?:\(.*\))?(?:Passed|Skipped)| \.\.\. ok| UP-TO-DATE)|- (?:hook id|exit code|duration): .*|\S+ ❯|[.FEsx]* *\[ *\d+%\]|There w\w+ \d+ failures?:)$`)},
	{Stop, cues("exit|lifecycle|fail|error|returned"), lazy.Pattern(`^(?:(?:(?i:warning|error):? )?(?:Process|[Ss]cript|[Cc]ommand|Task|The command)\b.* (?:completed|failed|exited|returned|with)\b.* (?:code|status)\b[: ]*\d*\)?\.?` +
		`|(?:error:? )?exit(?:ed)?(?: with)?(?: code| status)[: ]*\d+\.?|(?:ERROR|error:?) (?:task|recipe \S+) failed.*|.*\b(?:ELIFECYCLE|Lifecycle script)\b.*` +
		`|FAIL(?:\t.*)?|g?make\S* \*\*\* .*Error \d.*|.*(?:ld|Child) returned .*status.*|.*Error is not recoverable.*)$`)},
	{Plain, []string{"usage: ", "+ ", "|", "│"}, lazy.Pattern(`(?i)^(?:(?:error: )?usage: |\++ \S|(?:> )?\d+ ?[|│])`)}, // also commands that a shell repeats and lines of source
	{Warning, cues("warn|⚠|falling back"), lazy.Pattern(`(?i)^(?:(?:\S+: )?(?:npm )?\[?warn(?:ing)?(?:[\]:!]| \S)|⚠|\d+:\d+ +warning +|.*(?:: \w*warning: |\b(?:level=warn|(?:Deprecation|Future|User)Warning\b|falling back to\b)))`)},
	{Vague, cues("fail|error|could not |complete|exited|problem"), lazy.Pattern(`(?i)^\W*(?:error|fatal|failure)?:? *(?:build failed|failed to push some refs|could not (?:apply|compile)|failed to solve` +
		`|process ".*" did not complete successfully|(?:command|script|process|task|tests?) \S* ?(?:failed|completed with|exited)\b|execution failed for task|\d+ errors?\b|\d+ problems? \(|failed with exit code)`)},
	{Vague, cues("fail|error|panicked|wrong|issue|✕|× |non-zero|(pre-receive"), lazy.Pattern(`(?i)^(?:(?:error|failed)[^:]*:$|.*\b(?:validation failed[^:]*|failed|error|issues?|went wrong) ?:$|ERROR in \S+(?: \d+:\d+)?$|thread '.*panicked at \S+:$|test \S.* \.\.\. FAILED$|test result: FAILED|\W*(?:Tests?(?: Suites| Files)?:? +)?\d+ (?:tests? |specs? |failed, )?(?:failed|failing|failures?)\b|FAIL:? +\S+$|CMake Error at .*:$` +
		`|✕ |× .* \d+m?s$|.*\.{3}Failed$|\d+\) (?:Failure|Error):$|TypeError: fetch failed|Code style issues |.*(?:returned non-zero exit status \d+\.?$|\(pre-receive hook declined\)$|\bintroduced new \w+ errors?\b))`)},
	{Named, cues("error|fail|●|✗|×|! [|: |e  "), lazy.Pattern(`^(?:(?:E +|\d+\) +|Caused by: |Uncaught )?(?:[A-Za-z_]\w*\.)*[A-Z]\w*(?:Error|Exception|Exit|Failure)\b(?: [\[(]\w+[\])])?: ?\S` +
		`|(?:[a-z_]\w*\.)+[A-Z]\w+: \S|E {2,}\S|--- FAIL|FAILED \S|panic: |(?:●|✗|×) \S|error\[E\d+\]|! \[(?:remote )?rejected\]|PHP \w+ error: |.*(?:\berror TS\d+: |:in .*: .*\(\w+(?:Error|Exception)\)$))`)},
	{Reported, cues("error|fatal|err!|err_|:| line "), lazy.Pattern(`(?i)^(?:(?:\S+: )?(?:(?:error|fatal|err_\w+)\b[:! ]|npm err! )|\d+:\d+ +error +|curl: \(\d+\)` +
		`|[^\s:<]\S*(?::\d+(?::\d+)?:?|: line \d+:|:\[\d+,\d+\]) \S|Failure/Error: |message: ['"]|.*(?: at \S+ line \d+\.$|: (?:fatal )?error\b|\bERR_[A-Z_]+\b|\blevel=error))`)},
	{Complaint, cues("not |no |fatal|ignored by|cannot|n't|unable|fail|fault|denied|refused|unde|unk|unre|unsu|invalid|missing|time|exist|conflict|mismatch|expected|must |error|✖"), lazy.Pattern(`(?i)\b(?:not (?:found|permitted|allowed|defined|supported|recognized|exist|ok)|no such|no (?:\S+|test files) found|there is no|cannot|can't|could not|couldn't|unable to|fail(?:s|ed|ing|ure|ures)?|segmentation fault|errors?|fatal|denied|refused|un(?:defined|known|recognized|expected|supported)|invalid|missing|timed? ?out|doesn't exist|already exists|conflict|mismatch|expected|has not been|no rule to make|ignored by|must )\b|^✖ \S`)},
}

func cues(list string) []string { return strings.Split(list, "|") }

// heads matches vague lines that are followed by what they announce.
var heads = lazy.Pattern(`(?i):$|^ERROR in |\bfailing$|\.{3}Failed$|command failed: `)

// tested matches a line that only names a failed test.
var tested = lazy.Pattern(`^(?:--- FAIL: \S+(?: \([\d.]+s\))?|FAILED \S+|[●✕] .*)$`)

// Of returns the level of a line, without the space around it.
func Of(line string) Level {
	if line != "" && strings.IndexFunc(line, inWord) < 0 {
		return Noise
	}
	lower := strings.ToLower(line)
	for i := range table {
		if r := &table[i]; r.has(lower) && r.pattern().MatchString(line) {
			return r.level
		}
	}
	return Plain
}

func (r *rule) has(lower string) bool {
	return slices.ContainsFunc(r.cues, func(c string) bool { return strings.Contains(lower, c) })
}

// inWord is \w of patterns.
func inWord(r rune) bool {
	return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '_'
}
