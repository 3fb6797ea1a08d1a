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
	b.Grow(len(text) + 16)
	for from := 0; from < len(text); {
		to, plain := window(text, from)
		if plain {
			b.WriteString(text[from:to])
		} else {
			maskInto(&b, text[from:to])
		}
		from = to
	}
	return b.String()
}

// window is the next stretch of text from a place on: one that no mask can touch
// (plain), or one with digits or slashes and the words beside them that belong to
// a mask ("exit code 1", "5 min"). Fields are split by spaces.
func window(text string, from int) (to int, plain bool) {
	word := -1 // start of a word that may open a status, with nothing but such words since
	for i := from; i < len(text); {
		start := i
		for start < len(text) && text[start] == ' ' {
			start++
		}
		end := fieldEnd(text, start)
		field := text[start:end]
		switch {
		case touches(field):
			if word >= 0 {
				start = word
			}
			if start > from {
				return start, true
			}
			return windowEnd(text, end), false
		case opensStatus(field), word >= 0 && strings.Trim(field, ":=-") == "":
			if word < 0 {
				word = start
			}
		default:
			word = -1
		}
		i = end
	}
	return len(text), true
}

// windowEnd is where a stretch ends whose fields up to i hold digits or slashes:
// after the last such field and a unit behind it.
func windowEnd(text string, i int) int {
	for i < len(text) {
		start := i
		for start < len(text) && text[start] == ' ' {
			start++
		}
		end := fieldEnd(text, start)
		if f := text[start:end]; !touches(f) && !opensUnit(f) && !opensStatus(f) && strings.Trim(f, ":=-") != "" {
			break
		}
		i = end
	}
	return i
}

func fieldEnd(text string, i int) int {
	if n := strings.IndexByte(text[i:], ' '); n >= 0 {
		return i + n
	}
	return len(text)
}

// touches reports whether a field holds what every mask needs.
func touches(field string) bool { return strings.ContainsAny(field, "0123456789/\\") }

// opensStatus reports whether a field ends in a word that a status may open with.
func opensStatus(field string) bool {
	f := strings.ToLower(strings.TrimRight(field, ":=-"))
	return strings.HasSuffix(f, "exit") || strings.HasSuffix(f, "exited") || strings.HasSuffix(f, "code") || strings.HasSuffix(f, "status") || strings.HasSuffix(f, "http")
}

// opensUnit reports whether a field may open with the unit of the number before it.
func opensUnit(field string) bool {
	return field != "" && strings.IndexByte("mshdwKMGTBp", field[0]) >= 0
}

func maskInto(b *strings.Builder, text string) {
	last := 0
	for _, m := range maskPattern.FindAllStringSubmatchIndex(text, -1) {
		b.WriteString(text[last:m[0]])
		b.WriteString(markFor(text[m[0]:m[1]], m))
		last = m[1]
	}
	b.WriteString(text[last:])
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
