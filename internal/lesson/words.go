package lesson

import (
	"slices"
	"strings"
	"unicode"

	"episodes/internal/lazy"
	"episodes/keys"
)

// vocabulary are the words of a log.
type vocabulary struct {
	words map[string]bool
	text  strings.Builder // in lower case
}

func (v *vocabulary) add(text string) {
	if v.words == nil {
		v.words = map[string]bool{}
	}
	text = ungroup(text)
	v.text.WriteString(strings.ToLower(text) + "\n")
	for _, w := range atoms(text) {
		low := strings.ToLower(w)
		v.words[low] = true
		for _, p := range pieces(w) {
			v.words[strings.ToLower(p)] = true
		}
	}
}

// ungroup takes the commas out of large numbers.
func ungroup(text string) string {
	return grouped().ReplaceAllStringFunc(text, func(m string) string { return strings.ReplaceAll(m, ",", "") })
}

func isAtom(r rune) bool {
	return r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r)) || r == '_'
}

// atoms are the words of code that a text could have: letters, digits and low lines of ASCII.
func atoms(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return !isAtom(r) })
}

var (
	grouped = lazy.Pattern(`\b\d{1,3}(?:,\d{3})+\b`)
	camel   = lazy.Pattern(`[A-Z]+(?:[a-z]+|\b|_)|[a-z]+|\d+`)
)

// pieces are the words within an atom.
func pieces(atom string) []string {
	if !strings.ContainsAny(atom, "_0123456789") && strings.ToLower(atom[1:]) == atom[1:] {
		return nil
	}
	return camel().FindAllString(strings.ReplaceAll(atom, "_", " "), -1)
}

// has reports whether a log has a part of a code word, in whatever case, as one or as many. Of a long one the log may have
// more.
func (v *vocabulary) has(part string) bool {
	low := strings.ToLower(part)
	if v.words[low] || v.words[low+"s"] || v.words[strings.TrimSuffix(low, "s")] {
		return true
	}
	return len(low) > 6 && codeAtom(part) && v.begins(low)
}

// begins reports whether a word of the log begins with a part.
func (v *vocabulary) begins(part string) bool {
	text := v.text.String()
	for from := 0; ; {
		i := strings.Index(text[from:], part)
		if i < 0 {
			return false
		}
		if i += from; i == 0 || !isAtom(rune(text[i-1])) || strings.Contains(part, "_") {
			return true
		}
		from = i + 1
	}
}

var (
	number      = lazy.Pattern(`^[~≈<>=+#$-]*(\d[\d,]*)(?:\.\d+)?([a-zA-Z%°×]{0,3})\+?$`)
	version     = lazy.Pattern(`\d+(?:\.\d+)+`)
	placeholder = lazy.Pattern(`<[^<>\n]{1,40}>|\{[^{}\n]{1,40}\}|\[[A-Za-z-]{1,30}\]|\b[A-Z]+s?\b|\bv[A-Z]\b|…|\bYYYY-MM-DD\b|\bn/a\b|\b[ei]\.[eg]\.|\bvs\.|\betc\.`)
	ticked      = lazy.Pattern("`[^`\n]+`")
	extension   = lazy.Pattern(`^[\w-][\w./-]*\.[a-z][a-z0-9]{0,4}$`)
)

// codeWords are the words of a text that look like code, without the marks around them.
func codeWords(text string) (out []string) {
	for _, m := range ticked().FindAllString(text, -1) {
		for _, w := range atoms(m) {
			if len(w) > 2 {
				out = append(out, w)
			}
		}
	}
	for f := range strings.FieldsSeq(strings.ReplaceAll(text, "`", " ")) {
		f = strings.Trim(f, "\"'“”‘’«»「」『』()[]{},;:!?。、，；：…*")
		f = strings.TrimRight(f, ".\"')]")
		if f != "" && looksLikeCode(f) {
			out = append(out, f)
		}
	}
	return out
}

// looksLikeCode reports whether a word is an identifier, a path, a flag, a version, or a number of two or more digits.
func looksLikeCode(w string) bool {
	switch {
	case strings.HasPrefix(w, "--") && len(w) > 3, strings.ContainsAny(w, "_@\\=") && len(w) > 2, strings.Contains(w, "::"):
		return true
	case extension().MatchString(w), strings.Count(w, "/") > 1, strings.HasPrefix(w, "/"), strings.HasPrefix(w, "./"), strings.HasPrefix(w, "~/"):
		return true
	}
	for _, a := range atoms(w) {
		if codeAtom(a) {
			return true
		}
	}
	return false
}

// codeAtom reports whether an atom by itself is code: it has digits, a low line or capitals within.
func codeAtom(a string) bool {
	if strings.Contains(strings.Trim(a, "_"), "_") {
		return true
	}
	letters, digits, upper, lower := 0, 0, false, false // upper: a capital after a small letter
	for _, r := range a {
		switch {
		case unicode.IsDigit(r):
			digits++
		case unicode.IsUpper(r):
			letters++
			upper = upper || lower
		default:
			letters++
			lower = true
		}
	}
	return upper || digits > 1 || digits > 0 && letters > 1
}

// gap stands for a placeholder.
const gap = "\x00"

// foreign returns a code word of a text of which a part does not occur in the log, or "".
func (s *Session) foreign(text string) string {
	text = placeholder().ReplaceAllStringFunc(text, func(m string) string {
		if strings.ContainsAny(m, "<{") || !strings.ContainsAny(m, "_0123456789") {
			return gap
		}
		return m
	})
	for _, w := range codeWords(ungroup(text)) {
		for _, v := range version().FindAllString(w, -1) {
			if !within(s.words.text.String(), v) {
				return v
			}
		}
		for _, part := range atoms(version().ReplaceAllString(w, " ")) {
			m := number().FindStringSubmatch(part)
			switch {
			case m != nil && (len(m[1]) < 2 || s.words.has(m[1])), len(part) < 2, s.words.has(part):
			case m == nil && !codeAtom(part) && (strings.Contains(w, gap) || s.plainly(part)), stands(part):
			default:
				return part
			}
		}
	}
	return ""
}

// fillers are words that names are made of which stand for any name.
var fillers = keys.SetOf("test name my your some any foo bar baz example sample new old file path string value id key dir folder branch")

// stands reports whether a name stands for any, as TestName and NEW_STRING do.
func stands(name string) bool {
	p := pieces(name)
	return len(p) > 1 && !slices.ContainsFunc(p, func(w string) bool { return !fillers[strings.ToLower(w)] })
}

// plainly reports whether a part of a code word is a plain word that the log has in another form.
func (s *Session) plainly(part string) bool {
	stem := keys.Stem(strings.ToLower(part))
	return len(stem) > 2 && strings.Contains(s.words.text.String(), stem)
}

// within reports whether a text has a version that no digit goes on before or behind.
func within(text, part string) bool {
	digit := func(at int) bool { return at >= 0 && at < len(text) && text[at] >= '0' && text[at] <= '9' }
	for from := 0; ; {
		i := strings.Index(text[from:], part)
		if i < 0 {
			return false
		}
		i += from
		if !digit(i-1) && !digit(i+len(part)) {
			return true
		}
		from = i + 1
	}
}

// stems are what two texts on one matter share: words without endings, and pairs of letters where a script has no spaces.
func stems(text string) []string {
	out := keys.Words(text)
	var last rune
	for _, r := range text {
		if !spaceless(r) {
			r = 0
		}
		if r != 0 && last != 0 {
			out = append(out, string([]rune{last, r}))
		}
		last = r
	}
	return slices.Compact(slices.Sorted(slices.Values(out)))
}

// spaceless reports whether a letter is of a script without spaces, or with endings that no stem leaves off.
func spaceless(r rune) bool {
	return r == 'ー' || unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// english are words that English text has many of.
var english = keys.SetOf("the of and to is in not with for a an it was that this are be")

// otherLanguage reports whether one text is English and the other is not.
func otherLanguage(a, b string) bool { return isEnglish(a) != isEnglish(b) }

func isEnglish(text string) bool {
	n, all := 0, 0
	for w := range strings.FieldsSeq(strings.ToLower(text)) {
		all++
		if english[strings.Trim(w, ",.;:()\"'")] {
			n++
		}
	}
	for _, r := range text {
		if spaceless(r) {
			all++
		}
	}
	return n*14 >= all
}
