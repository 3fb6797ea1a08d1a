package redact

import (
	"strings"

	"episodes/internal/lazy"
)

// placeholders are words that are written instead of a secret.
var placeholders = []string{
	"redacted", "example", "placeholder", "changeme", "change_me", "change-me", "change-this", "dummy", "xxxx",
	"***", "...", "…", "<", "${", "{{", "$(", "#{", "%s", "%v",
	"insert", "replace", "sample", "process.env", "os.environ", "getenv", "secrets.", "not-a-real", "notreal", "[hidden]", "hidden",
	"abcdefghijklmnop", "---", "___", "omitted", "masked", "removed", "stripped",
}

// shortStands are placeholders that may be part of a token by chance. They count only at the
// start, at the end or next to punctuation.
var shortStands = []string{"your", "xxx", "todo", "fake", "here", "n/a", "env."}

// plainWords are values that describe a value or its absence.
var plainWords = lazy.Words(`
	password passwd secret token none null nil true false undefined string str required optional unset empty
	value text number boolean bytes apikey api_key pass credentials any object default auto missing invalid
	valid yes no on off present set enabled disabled unknown`)

// placeholder reports whether a value is written instead of a secret.
func placeholder(v string) bool {
	lower := lowerASCII(v)
	if plainWords()[strings.Trim(lower, "*.,:;!?()[]")] || strings.HasPrefix(v, "$") ||
		strings.HasPrefix(v, "%") && strings.HasSuffix(v, "%") || strings.HasPrefix(v, "@") {
		return true
	}
	for _, w := range placeholders {
		if strings.Contains(lower, w) {
			return true
		}
	}
	for _, w := range shortStands {
		i := strings.Index(lower, w)
		if i < 0 {
			continue
		}
		end := i + len(w)
		if i == 0 && len(v) < 16 || end == len(v) && len(v) < 16 || i > 0 && !wordByte[v[i-1]] ||
			end < len(v) && !wordByte[v[end]] || strings.ContainsAny(v, "_-") && (i == 0 || v[i-1] == '_') {
			return true
		}
	}
	seen, distinct := [256]bool{}, 0
	for i := range len(v) {
		if !seen[v[i]] {
			seen[v[i]] = true
			distinct++
		}
	}
	return distinct <= 2
}

// shape counts the characters of a value by class.
type shape struct {
	lower, upper, digits int
	turns                int // between letters and digits
}

func shapeOf(v string) (sh shape) {
	last := byte(0)
	for i := range len(v) {
		kind := byte(0)
		switch c := v[i]; {
		case c >= 'a' && c <= 'z':
			sh.lower++
			kind = 'a'
		case c >= 'A' && c <= 'Z':
			sh.upper++
			kind = 'a'
		case c >= '0' && c <= '9':
			sh.digits++
			kind = '0'
		}
		if kind != 0 && last != 0 && kind != last {
			sh.turns++
		}
		if kind != 0 {
			last = kind
		}
	}
	return sh
}

// random reports whether a token looks made by chance.
func random(v string) bool {
	sh := shapeOf(v)
	if sh.digits == 0 { // random letters have mixed case
		return len(v) >= 20 && sh.upper >= 4 && sh.lower >= 4 && entropy(v) >= 4 && !wordy(v)
	}
	return sh.lower+sh.upper > 0 && sh.turns >= 2 && entropy(v) >= 2.5 || sh.upper >= 3 && sh.lower >= 3 && entropy(v) >= 4
}

// wordy reports whether a value consists of words, like names and sentences.
func wordy(v string) bool {
	in, letters, pieces := inWords(v, 3)
	letters += shapeOf(v).digits
	return shapeOf(v).turns <= 3 && in > 0 && in*10 >= letters*7 && letters >= 3*pieces
}

// identifierLike reports whether so many letters of a value are in words that it is a name of code.
func identifierLike(v string) bool {
	in, letters, _ := inWords(v, 4)
	return in*100 >= letters*45
}

// inWords counts the letters of a value, its parts by case, and the letters in parts of so many or more that
// may be words.
func inWords(v string, least int) (in, letters, pieces int) {
	for i := 0; i < len(v); {
		if !letterByte[v[i]] {
			i++
			continue
		}
		j := i + 1
		for j < len(v) && v[j] >= 'a' && v[j] <= 'z' {
			j++
		}
		if n := j - i; n == 1 { // a run of capitals is also a word
			for j < len(v) && v[j] >= 'A' && v[j] <= 'Z' && (j+1 == len(v) || v[j+1] < 'a' || v[j+1] > 'z') {
				j++
			}
		}
		n := j - i
		letters += n
		pieces++
		if n >= least && n <= 15 && vowels(v[i:j]) {
			in += n
		}
		i = j
	}
	return in, letters, pieces
}

// vowels reports whether a word has vowels and no run of more than four consonants.
func vowels(w string) bool {
	some, others := false, 0
	for i := range len(w) {
		if strings.IndexByte("aeiouyAEIOUY", w[i]) >= 0 {
			some, others = true, 0
		} else if others++; others > 4 {
			return false
		}
	}
	return some || len(w) <= 3
}

var (
	uuidForm    = lazy.Pattern(`^\{?[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}\}?$`)
	digestForm  = lazy.Pattern(`^(?i:sha\d+|md5|h1|blake\w*|crc\w*)[-:_=]`)
	versionForm = lazy.Pattern(`^[v^~=<>]*\d+(?:\.\d+)+(?:[-+.][\w.+-]*)?$`)
	numberForm  = lazy.Pattern(`^[-+0-9.,:eETZx_/ %]+$`)
	chainForm   = lazy.Pattern(`^[!&*]?[A-Za-z_$][\w$]*(?:(?:\.|::|->|\?\.)[A-Za-z_$][\w$]*)+[!;,]?$`)
)

// hexDigest reports whether a value has the form of a digest or a commit's hash.
func hexDigest(v string) bool {
	switch len(v) {
	case 40, 56, 64, 96, 128:
		return hex(v)
	}
	return false
}

func hex(v string) bool {
	digits := bytesOf("azAF09", "")
	for c := byte('g'); c <= 'z'; c++ {
		digits[c] = false
	}
	return only(v, &digits)
}

// noSecret reports whether a value is clearly not a secret: an address, a path, a version, a
// named digest.
func noSecret(v string) bool {
	switch {
	case strings.Contains(v, "://"), digestForm().MatchString(v), versionForm().MatchString(v):
		return true
	case strings.HasPrefix(v, "/"), strings.HasPrefix(v, "./"), strings.HasPrefix(v, "../"),
		strings.HasPrefix(v, "~/"), strings.Count(v, "/") >= 2, strings.Contains(v, ".go:"),
		strings.Contains(v, ".ts:"):
		return wordy(v) || strings.HasPrefix(v, "./") || strings.HasPrefix(v, "../") || strings.HasPrefix(v, "~/")
	}
	return false
}
