package keys

import (
	"regexp"
	"strings"
)

// The masks, in the order in which they are tried at each place. What a mask
// matches differs between two tellings of the same fact.
var masks = []struct{ mark, pattern string }{
	{"", `\b(?i:exit(?:ed)?(?: (?:code|status))?|http|status(?: code)?|code)[ :=-]+\d{1,5}\b`}, // kept: says what went wrong
	{"", `\b[A-Z]{1,6}-?\d{2,5}\b`}, // kept: rule codes such as MD032, E402, TS2304
	{"‹url›", `\b[a-z][a-z0-9+.-]*://[^\s)\]>"'` + "`" + `]+`},
	{"‹uuid›", `\b[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}\b`},
	{"‹time›", `\b\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?(?:\.\d+)?(?:Z|[+-]\d{2}:?\d{2})?)?\b|\b\d{1,2}:\d{2}(?::\d{2})?\b`},
	{"‹path›", `(?:[A-Za-z]:)?(?:[\w.@~-]*[/\\])+[\w.@~-]+(?::\d+){0,2}`},
	{"‹path›", `\b[\w-]+\.[a-z][a-z0-9]{0,4}:\d+(?::\d+)?\b`},
	{"‹ref›", `#\d+\b`},
	{"‹ver›", `\bv\d+(?:\.\d+)*(?:-[\w.]+)?\b|\b\d+\.\d+\.\d+(?:-[\w.]+)?\b`},
	{"‹hash›", `\b[0-9a-f]{7,64}\b`},
	{"‹num›", `\b\d+(?:[.,]\d+)*(?:(?:ms|s|m|h|d|%|x|[KMGT]i?B|[kKMG])| (?:ms|s|secs?|seconds?|mins?|minutes?|h|hours?|days?|weeks?|[KMGT]i?B|percent))?\b`},
}

var maskPattern = func() *regexp.Regexp {
	alts := make([]string, len(masks))
	for i, m := range masks {
		alts[i] = "(" + m.pattern + ")"
	}
	return regexp.MustCompile(strings.Join(alts, "|"))
}()

// Mask replaces what differs between tellings of the same fact (URLs, ids,
// times, paths, references, versions, hashes, numbers) with marks such as ‹num›.
// Rule codes and exit statuses stay, joined into one word.
func Mask(text string) string {
	if !strings.ContainsAny(text, "0123456789/\\") { // every mask needs one of these
		return text
	}
	var b strings.Builder
	last := 0
	for _, m := range maskPattern.FindAllStringSubmatchIndex(text, -1) {
		b.WriteString(text[last:m[0]])
		b.WriteString(markFor(text[m[0]:m[1]], m))
		last = m[1]
	}
	b.WriteString(text[last:])
	return b.String()
}

func markFor(match string, groups []int) string {
	for i, m := range masks {
		if groups[2+2*i] < 0 {
			continue
		}
		switch {
		case m.mark == "":
			return " " + joinStatus(match) + " "
		case m.mark == "‹hash›" && !mixed(match):
			return match // a plain word such as "defaced", or a number
		default:
			return " " + m.mark + " "
		}
	}
	return match
}

// joinStatus makes one token of "exit code 1", so that it survives tokenising.
func joinStatus(s string) string {
	f := strings.FieldsFunc(s, func(r rune) bool { return r == ' ' || r == ':' || r == '=' || r == '-' })
	if len(f) < 2 {
		return s
	}
	word := strings.ToLower(f[0])
	if strings.HasPrefix(word, "exit") {
		word = "exit"
	}
	return word + "-" + f[len(f)-1]
}

// mixed reports whether a hex run has a digit, so that it is not a word.
func mixed(s string) bool { return strings.ContainsAny(s, "0123456789") }
