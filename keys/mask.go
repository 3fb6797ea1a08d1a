package keys

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// masks are the kinds of text that differ between two wordings of the same fact, in
// the order in which they are tried at each position. The first two have no mark,
// because they are kept: an exit status says what went wrong, and so does a rule
// code such as MD032, E402 or TS2304.
var masks = []struct{ mark, pattern string }{
	{"", `\b(?i:exit(?:ed)?(?: (?:code|status))?|http|status(?: code)?|code)[ :=-]+\d{1,5}\b`},
	{"", `\b[A-Z]{1,6}-?\d{2,5}\b`},
	{"‹url›", `\b[a-z][a-z0-9+.-]*://[^\s)\]>"'` + "`" + `]+`},
	{"‹uuid›", `\b[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}\b`},
	{"‹time›",
		`\b\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?(?:\.\d+)?(?:Z|[+-]\d{2}:?\d{2})?)?\b|\b\d{1,2}:\d{2}(?::\d{2})?\b`},
	{"‹path›", `(?:[A-Za-z]:)?(?:[\w.@~-]*[/\\])+[\w.@~-]+(?::\d+){0,2}`},
	{"‹path›", `\b[\w-]+\.[a-z][a-z0-9]{0,4}:\d+(?::\d+)?\b`}, // a file with its line
	{"‹ref›", `#\d+\b`},
	{"‹ver›", `\bv\d+(?:\.\d+)*(?:-[\w.]+)?\b|\b\d+\.\d+\.\d+(?:-[\w.]+)?\b`},
	{"‹hash›", `\b[0-9a-f]{7,64}\b`},
	{"‹num›",
		`\b\d+(?:[.,]\d+)*(?:(?:ms|s|m|h|d|%|x|[KMGT]i?B|[kKMG])| (?:ms|s|secs?|seconds?|mins?|minutes?|h|hours?|days?|weeks?|[KMGT]i?B|percent))?\b`},
}

// maskPattern matches any of the masks, each in a group of its own.
var maskPattern = sync.OnceValue(func() *regexp.Regexp {
	groups := make([]string, len(masks))
	for i, m := range masks {
		groups[i] = "(" + m.pattern + ")"
	}
	return regexp.MustCompile(strings.Join(groups, "|"))
})

// Mask replaces what differs between two wordings of the same fact (URLs, ids,
// times, paths, references, versions, hashes, numbers) with marks such as ‹num›.
// Rule codes and exit statuses stay, joined into one word.
func Mask(text string) string {
	if !strings.ContainsAny(text, `0123456789/\`) { // every mask contains one of these
		return text
	}
	var b strings.Builder
	last := 0
	eachMask(text, func(mark string, from, to int) {
		b.WriteString(text[last:from])
		b.WriteString(replacement(mark, text[from:to]))
		last = to
	})
	b.WriteString(text[last:])
	return b.String()
}

// eachMask calls f for every masked part of text, in order.
func eachMask(text string, f func(mark string, from, to int)) {
	for _, m := range maskPattern().FindAllStringSubmatchIndex(text, -1) {
		group := slices.IndexFunc(m[2:], func(at int) bool { return at >= 0 }) / 2
		f(masks[group].mark, m[0], m[1])
	}
}

// names returns the parts that Mask takes out of a text and that name a thing: a
// file by the last part of its path, a reference, a version, a hash; not numbers
// and times.
func names(text string) []string {
	var out []string
	eachMask(text, func(mark string, from, to int) {
		switch name := strings.ToLower(text[from:to]); mark {
		case "‹path›", "‹url›":
			name = strings.TrimRight(name, `/\`)
			out = append(out, name[strings.LastIndexAny(name, `/\`)+1:])
		case "‹ref›", "‹ver›", "‹uuid›":
			out = append(out, name)
		case "‹hash›":
			if hasDigit(name) {
				out = append(out, name)
			}
		}
	})
	return out
}

func replacement(mark, match string) string {
	switch {
	case mark == "":
		return " " + joinStatus(match) + " "
	case mark == "‹hash›" && !hasDigit(match):
		return match // a plain word such as "defaced"
	default:
		return " " + mark + " "
	}
}

// joinStatus makes one token of "exit code 1", so that tokenising keeps it whole.
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

func hasDigit(s string) bool { return strings.ContainsAny(s, "0123456789") }
