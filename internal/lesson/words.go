package lesson

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"episodes/internal/lazy"
	"episodes/keys"
)

// atoms are the words of code that a text could have.
func atoms(text string) []string { return atom().FindAllString(text, -1) }

var (
	atom    = lazy.Pattern(`\w+`)
	piece   = lazy.Pattern(`[A-Z]*[a-z]+|[A-Z]+|\d+`)
	grouped = lazy.Pattern(`\b\d{1,3}(?:,\d{3})+\b`)
	number  = lazy.Pattern(`^(\d+)[a-zA-Z]{0,3}$`)
	version = lazy.Pattern(`\d+(?:\.\d+)+`)
	// placeholder is what stands for other words.
	placeholder = lazy.Pattern(`<[^<>\n]{1,40}>|\{[^{}\n]{1,40}\}|\[[A-Za-z-]{1,30}\]|\b[A-Z]+s?\b|\bv[A-Z]\b|…|\bn/a\b|\b[ei]\.[eg]\.`)
	ticked      = lazy.Pattern("`[^`\n]+`")
	// codeAtom is an atom that is code by itself: with a low line or capital within, or with digits.
	codeAtom = lazy.Pattern(`\w_\w|[a-z][A-Z]|\d\d|[A-Za-z]{2}\d|\d[A-Za-z]{2}|[A-Za-z]\d[A-Za-z]`)
	// pathLike is a path, a flag or a name with a place.
	pathLike = lazy.Pattern(`^--\w|[_@\\=]\w|::|^[.~]*/\w|/.*/|^[\w-][\w./-]*\.[a-z][a-z0-9]{0,4}$|\d\.\d`)
)

// ungroup takes the commas out of large numbers.
func ungroup(text string) string {
	return grouped().ReplaceAllStringFunc(text, func(m string) string { return strings.ReplaceAll(m, ",", "") })
}

// codeWords are the words of a text that look like code: identifiers, paths, flags, versions, numbers of two or more digits,
// and what stands in marks of code.
func codeWords(text string) (out []string) {
	for _, m := range ticked().FindAllString(text, -1) {
		for _, w := range atoms(m) {
			if len(w) > 2 {
				out = append(out, w)
			}
		}
	}
	for f := range strings.FieldsSeq(strings.ReplaceAll(text, "`", " ")) {
		f = strings.TrimRight(strings.Trim(f, "\"'“”‘’«»「」『』()[]{},;:!?。、，；：…*"), ".")
		if isCode(f) {
			out = append(out, f)
		}
	}
	return out
}

func isCode(w string) bool { return codeAtom().MatchString(w) || pathLike().MatchString(w) }

// gap stands for a placeholder.
const gap = "\x00"

// foreign refuses texts with a code word of which a part does not occur in the log.
func (s *Session) foreign(texts ...string) *Reason {
	no := func(word string) *Reason {
		return refuse(Foreign, "%q does not occur in the session: use its own words.", word)
	}
	text := placeholder().ReplaceAllString(strings.Join(texts, "\n"), gap)
	for _, w := range codeWords(ungroup(text)) {
		for _, v := range version().FindAllString(w, -1) {
			if !regexp.MustCompile(`(?:^|[^a-z0-9]|\bv)` + regexp.QuoteMeta(v) + `(?:\D|$)`).MatchString(s.text) {
				return no(v)
			}
		}
		for _, part := range atoms(version().ReplaceAllString(w, " ")) {
			low, m, code := strings.ToLower(part), number().FindStringSubmatch(part), codeAtom().MatchString(part)
			switch {
			case len(part) < 2, s.words[low], m != nil && (len(m[1]) < 2 || s.words[m[1]]):
			case m == nil && strings.Contains(s.text, keys.Stem(low)) && (len(part) > 6 || !code && len(part) > 2):
			case code && stands(part), m == nil && !code && strings.Contains(w, gap):
			default:
				return no(part)
			}
		}
	}
	return nil
}

// fillers are words that names are made of which stand for any name.
var fillers = keys.SetOf("test name my your some any foo bar baz example sample new old file path string value id key dir folder branch")

// stands reports whether a name stands for any, as TestName and NEW_STRING do.
func stands(name string) bool {
	return !slices.ContainsFunc(piece().FindAllString(name, -1), func(w string) bool { return !fillers[strings.ToLower(w)] })
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
	slices.Sort(out)
	return slices.Compact(out)
}

// spaceless reports whether a letter is of a script without spaces, or with endings that no stem leaves off.
func spaceless(r rune) bool {
	return r == 'ー' || unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

var foreignLetter = lazy.Pattern(`[^\x00-\x7f\x{2010}-\x{206f}\x{2190}-\x{27bf}]`)

// otherLanguage reports whether a text is not English, as its letters show.
func otherLanguage(text string) bool {
	return len(foreignLetter().FindAllString(text, -1))*60 > len(text)
}
