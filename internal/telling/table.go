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
	{Noise, cues("exit code|://|console|# |traceback|at |throw |│|┃| seconds)|node:internal|node.js v|  |plugins: |@|> |-h|ing directory|npm e"), lazy.Pattern(`^(?:(?:Error: )?Exit code:? ?\d+|https?://\S+|● Console|console\.\w+|# \S.*|\S+: (?:: )?# \S.*|Traceback \(most recent call last\):|\s*at \S.*|throw .*|[│┃].*[│┃]` +
		`|\W*[\w-]+ \([\d.]+ seconds\)|node:internal\S*|file:///\S+:\d+|Node\.js v\d\S*|-{1,2}[a-zA-Z][\w-]*(?:, --[\w-]+)?(?:[ =]\S+)? {2,}\S.*|plugins: .*|[\w.-]+@[\w.-]+:[^$#]*[$#]` +
		`|> (?:[a-z]|@)\S*(?: .*)?|(?:info )?(?:See|Visit|Read more|For more information\b.*|Learn more.*|Documentation):? +https?://\S+.*` +
		`|(?:Try|Run) ['"]?[\w. -]+ (?:--help|-h)\b.*|(?:gmake|make)(?:\[\d+\])?: (?:Leaving|Entering) directory.*|npm (?:ERR!|error) (?:code|errno|path|A complete log|command sh)\b.*)$`)},
	{Stop, cues("exit|lifecycle|fail|error|returned"), lazy.Pattern(`^(?:(?:Error: )?Process completed with exit code\s*\d*\.?|error: script \S+ exited with code \d*` +
		`|(?:Warning: |ERROR:? )?(?:error )?(?:Process|[Ss]cript|[Cc]ommand|Task|The command)\b.* (?:completed|failed|exited|returned|with)\b.* (?:code|status)\b[: ]*\d*\)?\.?` +
		`|(?:error:? )?exit(?:ed)?(?: with)?(?: code| status)[: ]*\d+\.?|(?:ERROR|error:?) (?:task|recipe \S+) failed.*|.*\bELIFECYCLE\b.*|npm (?:ERR!|error) Lifecycle\b.*` +
		`|FAIL(?:\t\S+\t\S+| \[build failed\])?|(?:gmake|make)(?:\[\d+\])?: \*\*\* .*Error \d+.*|\[?error\]? Command failed with exit code \d+\.?)$`)},
	{Warning, cues("warn|⚠"), lazy.Pattern(`(?i)^(?:(?:\S+: )?(?:npm )?\[?warn(?:ing)?(?:[\]:!]| \S)|⚠|\d+:\d+ +warning +)`)},
	{Warning, cues("warning: |deprecationwarning|futurewarning|userwarning|falling back"), lazy.Pattern(`(?i): (?:\w+)?warning: |\b(?:Deprecation|Future|User)Warning\b|\bfalling back to\b`)},
	{Vague, cues("fail|error|could not |complete|exited|problem"), lazy.Pattern(`(?i)^(?:\W* *)?(?:error|fatal|failure)?:? *(?:build failed\b.*|failed to push some refs.*|could not (?:apply|compile)\b.*|failed to solve\b.*` +
		`|process ".*" did not complete successfully.*|(?:command|script|process|task|tests?) \S* ?(?:failed|completed with|exited)\b.*|execution failed for task .*|\d+ errors?\b.*|\d+ problems? \(.*|failed with exit code \d+.*)$`)},
	{Vague, cues("fail|error|panicked|wrong"), lazy.Pattern(`(?i)^(?:(?:error|failed)[^:]*:$|[A-Z ]+ ERROR ?:$|ERROR in \S+$|\W*What went wrong:$|thread '.*' (?:\(\d+\) )?panicked at \S+:$|test \S.* \.\.\. FAILED$|test result: FAILED|\W*(?:Tests?(?: Suites| Files)?:? +)?\d+ (?:tests? |specs? |failed, )?(?:failed|failing|failures?)\b.*$|✖ failing tests:$|FAIL:? +\S+$|CMake Error at .*:$)`)},
	{Vague, cues("returned non-zero|(pre-receive|introduced new"), lazy.Pattern(`(?i)returned non-zero exit status \d+\.?$|\(pre-receive hook declined\)$|\bintroduced new \w+ errors?\b`)},
	{Named, cues("error|exception|exit|fail|panic|●|✕|✗|×|! [|conflict|: |e  "), lazy.Pattern(`^(?:(?:E +|- [A-Z]\d+ |\[-\] +|\d+\) +|Caused by: |Uncaught )?(?:[A-Za-z_]\w*\.)*[A-Z]\w*(?:Error|Exception|Exit|Failure)\b(?: [\[(]\w+[\])])?: ?\S` +
		`|(?:[a-z_]\w*\.)+[A-Z]\w+: \S|E {2,}\S|--- FAIL|FAILED \S|panic: |(?:●|✕|✗|×) \S|error\[E\d+\]|! \[(?:remote )?rejected\]|CONFLICT |PHP \w+ error: )`)},
	{Named, cues("error ts|error)|exception)"), lazy.Pattern(`\berror TS\d+: |:in .*: .*\(\w+(?:Error|Exception)\)$`)},
	{Reported, cues("error|fatal|err!|err_|vulnerabilities|:"), lazy.Pattern(`(?i)^(?:(?:\S+: )?(?:(?:error|fatal|err_\w+)\b[:! ]|npm err! )|\d+:\d+ +error +|\d+ vulnerabilities\b|curl: \(\d+\)|[A-Z]{2,5}-\d{3,6}: \S` +
		`|[^\s:]\S*(?::\d+(?::\d+)?:?|: line \d+:|:\[\d+,\d+\]) \S|Failure/Error: )`)},
	{Reported, cues(": error|: fatal error|err_|<tool_use_error>"), lazy.Pattern(`(?i): (?:fatal )?error\b|\bERR_[A-Z_]+\b|<tool_use_error>`)},
	{Complaint, cues("not |no |fatal|ignored by|cannot|n't|unable|fail|denied|refused|unde|unk|unrecognized|unexpected|invalid|missing|time|timed|exist|conflict|unsupported|mismatch|expected|must |error|✖"), lazy.Pattern(`(?i)\b(?:not found|no such|no \S+ found|cannot|can't|could not|couldn't|unable to|fail(?:s|ed|ing|ure|ures)?|errors?|fatal|denied|refused|undefined|unknown|unrecognized|unexpected|invalid|missing|timed? ?out|not permitted|not allowed|not defined|not supported|does not exist|doesn't exist|already exists|conflict|not recognized|unsupported|mismatch|expected|has not been|no tests? (?:files? )?found|no rule to make|not ok|ignored by|must )\b|^✖ \S`)},
}

func cues(list string) []string { return strings.Split(list, "|") }

// heads matches lines that are followed by what they announce.
var heads = lazy.Pattern(`(?i)panicked at \S+:$|^error during build:$|What went wrong:$|^ERROR in \S+$|^CMake Error at .*:$|^\d+ failing$`)

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
