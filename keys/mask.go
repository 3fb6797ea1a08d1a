package keys

import (
	"strings"
)

// Mask replaces what differs between tellings of the same fact (URLs, ids,
// times, paths, references, versions, hashes, numbers) with marks such as ‹num›.
// Rule codes and exit statuses stay, joined into one word.
func Mask(text string) string {
	if !touches(text) {
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
func touches(field string) bool {
	for i := 0; i < len(field); i++ {
		if c := field[i]; c >= '/' && c <= '9' || c == '\\' {
			return true
		}
	}
	return false
}

// opensStatus reports whether a field ends in a word that a status may open with.
func opensStatus(field string) bool {
	if field == "" || strings.IndexByte("tdespTDESP:=-", field[len(field)-1]) < 0 {
		return false
	}
	f := strings.ToLower(strings.TrimRight(field, ":=-"))
	return strings.HasSuffix(f, "exit") || strings.HasSuffix(f, "exited") || strings.HasSuffix(f, "code") || strings.HasSuffix(f, "status") || strings.HasSuffix(f, "http")
}

// opensUnit reports whether a field may open with the unit of the number before it.
func opensUnit(field string) bool {
	return field != "" && strings.IndexByte("mshdwKMGTBp", field[0]) >= 0
}

func maskInto(b *strings.Builder, text string) {
	last := 0
	eachMask(text, func(mark string, from, to int) {
		b.WriteString(text[last:from])
		b.WriteString(markFor(mark, text[from:to]))
		last = to
	})
	b.WriteString(text[last:])
}

// eachMask calls f with the masks of text, in order.
func eachMask(text string, f func(mark string, from, to int)) {
	m := masker{s: text}
	for i := 0; i < len(text); {
		mark, end := m.at(i)
		if end <= i {
			i++
			continue
		}
		f(mark, i, end)
		i = end
	}
}

// names lists what Mask takes out of a text that names a thing: a file by its last
// part, a reference, a version, a hash; not figures and times.
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
			if mixed(name) {
				out = append(out, name)
			}
		}
	})
	return out
}

func markFor(mark, match string) string {
	switch {
	case mark == "":
		return " " + joinStatus(match) + " "
	case mark == "‹hash›" && !mixed(match):
		return match // a plain word such as "defaced", or a number
	default:
		return " " + mark + " "
	}
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
