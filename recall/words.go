package recall

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"episodes/internal/lazy"
	"episodes/keys"
)

// longest is the length in bytes of the longest term. Longer words are ignored.
const longest = 64

// terms calls f with the terms of a text in order: the stems of its words, the parts of identifiers, and names as a whole
// (rule codes, exit states, flags, identifiers and files, which are more specific than their parts), without numbers, hashes, times and
// versions. The last element of a path is a name; its folders are terms only if folders is
// true.
func terms(text string, folders bool, f func(string)) {
	if strings.ContainsAny(text, "0123456789") {
		text = joinStates(text)
	}
	s := splitter{folders: folders, f: f}
	for i := 0; i < len(text); {
		n := chunk(text[i:])
		if n > 0 {
			s.token(text[i : i+n])
			i += n
			continue
		}
		_, size := utf8.DecodeRuneInString(text[i:])
		i += size
	}
}

// between are the characters, other than white space, that separate words.
const between = "`\"'“”‘’(){}[]<>|,;!?*„«»…=、。「」・"

// chunk returns the length of the word at the start of text, or 0. Letters of scripts without
// spaces and of others are different words.
func chunk(text string) int {
	first, dense := true, false
	for i, r := range text {
		if r <= ' ' || unicode.IsSpace(r) || strings.ContainsRune(between, r) || r >= '─' && r <= '╿' {
			return i
		}
		if is := unspaced(r); first {
			first, dense = false, is
		} else if is != dense {
			return i
		}
	}
	return len(text)
}

var (
	status = lazy.Pattern(`(?i)\b(?:(exit)(?:ed)?(?: with)?(?: (?:code|status))?|(http)(?:/[\d.]+)?(?: ?(?:code|status|error))*|(status)(?: code)?)[ :=-]+(\d{1,3})\b`)
	// reply matches a status of HTTP with its standard text.
	reply  = lazy.Pattern(`\b([45]\d\d):? (?:(?:Client|Server) Error|Bad (?:Request|Gateway)|Unauthorized|Forbidden|Not Found|Conflict|Too Many Requests|Internal Server Error|Service Unavailable|Gateway Time-?out)\b`)
	exited = lazy.Pattern(`(?i)\b(?:system|process)exit:? (\d{1,3})\b`)
)

// joinStates rewrites "exit code 1" and its variants to one word, "exit-1", and adds "http-404" to
// "404 Not Found".
func joinStates(text string) string {
	if strings.ContainsAny(text, "45") {
		text = reply().ReplaceAllString(text, "$0 http-$1")
	}
	if !strings.Contains(text, "xit") && !strings.Contains(text, "tatus") && !strings.Contains(text, "HTTP") {
		return text
	}
	text = status().ReplaceAllStringFunc(text, func(s string) string {
		m := status().FindStringSubmatch(s)
		return strings.ToLower(m[1]+m[2]+m[3]) + "-" + m[4]
	})
	return exited().ReplaceAllString(text, "$0 exit-$1")
}

var (
	hexLike  = lazy.Pattern(`^[0-9a-f]{7,64}$`)
	number   = lazy.Pattern(`^[#v~+-]?\d[\d.,:%/xXTZ+-]*(?:ms|s|m|h|d|x|k|KB|MB|GB|B|st|nd|rd|th)?$`)
	state    = lazy.Pattern(`^(?:exit|http|status)-\d{1,3}$`)
	code     = lazy.Pattern(`^[A-Z]{1,8}-?\d{2,5}$`)
	fileName = lazy.Pattern(`^\.?[\w@-][\w.@-]*\.[A-Za-z][A-Za-z0-9]{0,8}$`)
	lineOf   = lazy.Pattern(`(?::\d+){1,2}:?$`)
	numbers  = lazy.Pattern(`^\d{3,6}:\d{2,6}$`) // ids or ports, no time
	remote   = lazy.Pattern(`^\w+://(?:[^@/]*@)?([^:/?#]*)[^/?#]*([^?#]*)`)
)

// splitter splits words into terms.
type splitter struct {
	folders bool
	f       func(string)
}

func (s *splitter) name(text string) {
	if len(text) <= longest {
		s.f(strings.ToLower(text))
	}
}

func (s *splitter) token(tok string) {
	flag := tok[0] == '-' && len(tok) > 2
	tok = strings.Trim(tok, ".:-–—_/\\&%^~+@")
	if tok == "" || len(tok) > 4*longest && !strings.ContainsFunc(tok, unspaced) {
		return
	}
	if strings.Contains(tok, "://") { // its host, and the file
		if m := remote().FindStringSubmatch(tok); m != nil {
			if strings.Contains(m[1], ".") && strings.ContainsFunc(m[1], unicode.IsLetter) {
				s.name(m[1])
			}
			if file := m[2][strings.LastIndexByte(m[2], '/')+1:]; fileName().MatchString(file) {
				s.token(file)
			}
		}
		return
	}
	if strings.Contains(tok, "::") { // tests/cart.py::TestCart::test_total, std::io::Error
		for _, part := range strings.Split(tok, "::") {
			if part != "" {
				s.token(part)
			}
		}
		return
	}
	if letters(tok) {
		if flag {
			s.name("-" + tok)
		}
		if !mixed(tok) {
			s.word(tok)
			return
		}
	}
	if strings.ContainsAny(tok, "0123456789") {
		switch {
		case state().MatchString(tok), code().MatchString(tok), numbers().MatchString(tok):
			s.name(tok)
			return
		case number().MatchString(tok), hexLike().MatchString(tok):
			return
		}
		tok = lineOf().ReplaceAllString(tok, "")
	}
	if tok = s.last(tok); tok == "" || !strings.ContainsFunc(tok, unicode.IsLetter) {
		return
	}
	file := fileName().MatchString(tok)
	if flag && !letters(tok) {
		s.name("-" + tok)
	} else if file || mixed(tok) || strings.ContainsAny(tok, "_-.:$#@0123456789") {
		s.name(tok)
	}
	if i := strings.LastIndexByte(tok, '.'); file {
		tok = tok[:i]
	} else if i >= 0 && (mixed(tok[i+1:]) || strings.Contains(tok[i+1:], "_")) { // the name without its package
		s.name(tok[i+1:])
	}
	s.parts(tok)
}

// last returns the last element of a path.
func (s *splitter) last(tok string) string {
	i := strings.LastIndexAny(tok, `/\`)
	if i < 0 {
		return tok
	}
	if s.folders || !strings.Contains(tok[i:], ".") { // "read/write" is not a path
		for _, part := range strings.FieldsFunc(tok[:i], func(r rune) bool { return r == '/' || r == '\\' }) {
			s.parts(part)
		}
	}
	return strings.Trim(tok[i+1:], ".:-_")
}

// letters reports whether s consists of letters.
func letters(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsLetter(r) })
}

// mixed reports whether an upper case letter follows a lower case one in s.
func mixed(s string) bool {
	lower := false
	for _, r := range s {
		if lower && unicode.IsUpper(r) {
			return true
		}
		lower = unicode.IsLower(r)
	}
	return false
}

// parts emits the words of an identifier in snake_case, kebab-case or camelCase.
func (s *splitter) parts(name string) {
	start, prev := 0, rune(0)
	end := func(i int) {
		if i > start {
			s.word(name[start:i])
		}
	}
	for i, r := range name {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			end(i)
			start = i + utf8.RuneLen(r)
		case unicode.IsUpper(r) && unicode.IsLower(prev):
			end(i)
			start = i
		case unicode.IsLower(r) && unicode.IsUpper(prev) && i-utf8.RuneLen(prev) > start:
			// the F of "JSONFile" starts a word
			end(i - utf8.RuneLen(prev))
			start = i - utf8.RuneLen(prev)
		}
		prev = r
	}
	end(len(name))
}

func (s *splitter) word(text string) {
	if strings.ContainsFunc(text, unspaced) {
		s.bigrams([]rune(text))
		return
	}
	if len(text) > longest || text[0] >= '0' && text[0] <= '9' && number().MatchString(text) {
		return
	}
	if w := keys.Word(text); len(w) > 1 && !stop()[w] {
		s.f(w)
	}
}

// unspaced reports whether a letter belongs to a script that is written with no or few
// spaces between words.
func unspaced(r rune) bool {
	return r >= 0x0E00 && (r == 'ー' || unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai))
}

// bigrams emits the pairs of adjacent letters of such scripts, as full-text indexes without
// a dictionary do. Pairs of hiragana say what function a word has, and are left out.
func (s *splitter) bigrams(text []rune) {
	for i := range max(1, len(text)-1) {
		if pair := text[i:min(i+2, len(text))]; unicode.IsLetter(pair[0]) && (len(text) < 3 || !unicode.Is(unicode.Hiragana, pair[0]) || !unicode.Is(unicode.Hiragana, pair[len(pair)-1])) {
			s.f(string(pair))
		}
	}
}

// stop returns the stop words that package keys does not have.
var stop = sync.OnceValue(func() map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(`how when where why whether if or not no yes each every both all let us please want need use used using only one two
		our we get make made like more most other same new now then here there because but out up down off over about between into after before`) {
		m[keys.Word(w)] = true
	}
	delete(m, "")
	return m
})
