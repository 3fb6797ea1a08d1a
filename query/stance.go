package query

import (
	"strings"
	"unicode"

	"episodes/internal/lazy"
	"episodes/keys"
)

var (
	failWords = keys.SetOf(`fail fails failed failing failure failures error errors broken red`)
	passWords = keys.SetOf(`pass passed passes passing green succeeded success`)
)

// otherResult reports whether one text is about a failure and the other only about a check
// that passed.
func otherResult(a, b string) bool {
	fails, passes := result(a)
	fails2, passes2 := result(b)
	return fails && !passes && passes2 && !fails2 || fails2 && !passes2 && passes && !fails
}

func result(text string) (fails, passes bool) {
	none := false
	for _, token := range strings.FieldsFunc(strings.ToLower(text),
		func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		switch {
		case failWords[token] && none:
			passes = true // 0 errors
		case failWords[token]:
			fails = true
		case passWords[token]:
			passes = true
		}
		none = token == "0" || token == "no"
	}
	return fails, passes
}

// IsVerdict reports whether a text is a reviewer's verdict, not what was done about it:
// "critic: NEEDS REVISION", "Review (APPROVED with conditions)", "Rejected".
func IsVerdict(text string) bool { return verdictText().MatchString(text) }

var verdictText = lazy.Pattern(`^(?:[^:()]{1,60}(?:: |\()){0,2}\W*(?:APPROVED?|ACCEPT(?:ED)?|REJECT(?:ED)?|BLOCK(?:ED)?|NEEDS[ _]REVISION|PASS(?:ED)?|CONDITIONAL|LGTM)\b` +
	`|^(?i:(?:[^:]{1,60}: ){0,2}\W*(?:PR \S+ )?\W*(?:approved?|accept(?:ed)?|reject(?:ed)?|blocked|needs revision|lgtm|pass(?:ed)?|fail(?:ed)?|ready (?:for|to) merge|no changes needed)(?: (?:with |w/)\w+)?)\W*$`)
