// Package telling finds the lines of a tool's output that show what went wrong.
package telling

import "episodes/internal/lazy"

// Level is how specific a line is about what went wrong.
type Level uint8

// Noise is a line that tools print around any error. Complaint has words of failure,
// Reported is marked by a tool as an error, Named is an error with a name of its own. Plain
// is any other line.
const (
	Noise Level = iota
	Plain
	Complaint
	Reported
	Named
)

var (
	named     = lazy.Pattern(`^(?:E +|\[-\] +|\s*\d+\) +)?(?:[a-z_]+\.)*[A-Z]\w*(?:Error|Exception|Exit|Warning|Failure)\b(?: \[\w+\])?: ?\S|^--- FAIL|^FAILED \S|^panic: |^\s*(?:●|✕|✗|×) \S|^error\[E\d+\]|\berror TS\d+: `)
	reported  = lazy.Pattern(`(?i)^(?:\S+: )?(?:(?:error|fatal|err_\w+)\b[:! ]|npm err!)|: (?:fatal )?error\b|##\[error\]|^::error|^[^\s:]\S*:\d+(?::\d+)?:? \S|\bERR_[A-Z_]+\b|<tool_use_error>`)
	complaint = lazy.Pattern(`(?i)\b(?:not found|no such|cannot|can't|could not|couldn't|unable to|fail(?:s|ed|ing|ure|ures)?|errors?|denied|refused|undefined|unknown|unrecognized|unexpected|invalid|missing|timed? ?out|not permitted|not allowed|does not exist|doesn't exist|already exists|conflict|not recognized|unsupported|mismatch|expected|has not been|must )\b`)
	noise     = lazy.Pattern(`^(?:# \S|Exit code:? ?\d+|Error: Exit code \d+|Process completed with exit code\s*\d*\.?|error: script \S+ exited with code \d*|(?:##\[error\])?(?:Process|Script|Command|Task|The command|error Command|ERROR:? Command)\b.* (?:completed|failed|exited|returned)\b.* (?:code|status)[: ]+\d+\.?|(?:error:? )?exit(?:ed)?(?: with)?(?: code| status)[: ]*\d+\.?|(?:ERROR|error:?) (?:task|recipe \S+) failed.*|.*\bELIFECYCLE\b.*|info Visit https?://\S+.*|FAIL(?:\t\S+\t\S+| \[build failed\])?|(?:gmake|make)(?:\[\d+\])?: (?:\*\*\* .*Error \d+.*|Leaving directory.*)|npm (?:ERR!|error) (?:code|errno|path|A complete log|Lifecycle|command sh)\b.*|Traceback \(most recent call last\):|\s*at \S.*|\s*at (?:async )?\S+ \(.*\)|node:internal\S*|file:///\S+:\d+|Node\.js v\d\S*|(?:See|Visit|Read more|For more information\b.*|Learn more.*|Documentation):? +https?://\S+|(?:Try|Run) ['"]?[\w. -]+ (?:--help|-h)\b.*|-{1,2}[a-zA-Z][\w-]*(?:, --[\w-]+)?(?:[ =]\S+)? {2,}\S.*|=+|-+|\s*\^+\s*|\[…\])$`)
)

// Of returns the level of a line.
func Of(line string) Level {
	switch {
	case noise().MatchString(line):
		return Noise
	case named().MatchString(line):
		return Named
	case reported().MatchString(line):
		return Reported
	case complaint().MatchString(line):
		return Complaint
	}
	return Plain
}
