package keys

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// errorName matches the name an error goes by: an exception type, an errno or a
// constant such as SQLITE_BUSY.
var errorName = regexp.MustCompile(`\b(?:[A-Z][A-Za-z0-9]*(?:Error|Exception|Fault|Failure|Panic)|E[A-Z]{3,}|[A-Z][A-Z0-9]+(?:_[A-Z0-9]+)+)\b`)

// Event returns the key of an event: its type and what identifies it. An error
// that names itself and gives a message is known by both; an error without a
// name, and every other event, by its canonical words.
func Event(kind, content string) string {
	key := ""
	switch kind {
	case "error":
		if key = signature(content); key == "" {
			key = withCodes(Canonical(Clause(content)), content)
		}
	case "commit":
		if sha := firstHash(content); strings.ContainsAny(sha, "0123456789") {
			key = sha[:7] // a commit is itself, whatever is said of it
		} else {
			key = Canonical(content)
		}
	case "test":
		if key = Canonical(Clause(content)); key != "" {
			return kind + " " + verdict(content) + ": " + key
		}
	case "handoff", "milestone":
		key = deed(afterLabel(content))
	default:
		key = Canonical(Clause(content))
	}
	if key == "" {
		return ""
	}
	return kind + ": " + key
}

// withCodes adds to a key the rule codes and statuses of the whole text: two
// runs that fail alike with other codes fail of other causes.
func withCodes(key, content string) string {
	codes := ruleCodes(content)
	if key == "" || len(codes) == 0 {
		return key
	}
	return Canonical(strings.Join(codes, " ") + " " + key)
}

// afterLabel drops the words before the first colon, which name the place and
// not the fact: "Notes for next session: X" is about X.
func afterLabel(s string) string {
	if i := strings.Index(s, ": "); i >= 0 && len(strings.Fields(s[i+2:])) >= 2 {
		return s[i+2:]
	}
	return s
}

var (
	failedCount = regexp.MustCompile(`(?i)\b([1-9]\d*) (?:tests? )?(?:failed|failing|failures?|errors?|red)\b|\b(?:failed|failures|errors): ?[1-9]`)
	shareOf     = regexp.MustCompile(`\b(\d+)(?:/| of )(\d+)\b`)
	noneFailed  = regexp.MustCompile(`(?i)\b0 (?:[a-z]+ ){0,2}fail(?:ed|ing|ures?)\b|\bfail(?:ed|ing|ures?): ?0\b`)
	failedWord  = regexp.MustCompile(`(?i)(?:^|[^0] )\b(?:fail(?:s|ed|ing|ure)?|red|broken)\b|❌`)
)

// verdict is what a check came to: "fail", "part" or "pass". It belongs to the
// identity of a check, since its figures are masked.
func verdict(content string) string {
	fails := maySayFailed(content)
	if fails && failedCount.MatchString(content) {
		return "fail"
	}
	if mayShare(content) {
		if m := shareOf.FindStringSubmatch(content); m != nil && m[1] != m[2] {
			return "part"
		}
	}
	if fails && failedWord.MatchString(noneFailed.ReplaceAllString(content, "")) {
		return "fail"
	}
	return "pass"
}

// signature is the masked error message: the error's own name followed by the
// canonical words of what it says. Text before the name (which command, which
// step) is left out, since the same error shows up in many places. It is "" when
// the text names no error or says nothing after the name.
func signature(content string) string {
	first, _, _ := strings.Cut(content, "\n")
	if !mayName(first) {
		return ""
	}
	loc := errorName.FindStringIndex(first)
	if loc == nil {
		return ""
	}
	rest := strings.TrimLeft(first[loc[1]:], "`'\" ")
	if !strings.HasPrefix(rest, ":") && !strings.HasPrefix(rest, "(") && !strings.HasPrefix(rest, "—") && !strings.HasPrefix(rest, "-") {
		return ""
	}
	msg := Canonical(firstClause(strings.TrimLeft(rest, ":(—- ")))
	if msg == "" {
		return ""
	}
	return strings.ToLower(first[loc[0]:loc[1]]) + " " + msg
}

// mayName spares most texts the regular expression: each of its forms holds one
// of these, or a capital E before three other capitals.
func mayName(s string) bool {
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '_':
			return true
		case 'E':
			if strings.HasPrefix(s[i:], "Error") || strings.HasPrefix(s[i:], "Exception") || i+3 < len(s) && capital(s[i+1]) && capital(s[i+2]) && capital(s[i+3]) {
				return true
			}
		case 'F':
			if strings.HasPrefix(s[i:], "Fault") || strings.HasPrefix(s[i:], "Failure") {
				return true
			}
		case 'P':
			if strings.HasPrefix(s[i:], "Panic") {
				return true
			}
		}
	}
	return false
}

func capital(c byte) bool { return c >= 'A' && c <= 'Z' }

// firstClause cuts an error's message where the log goes on to talk about it.
func firstClause(s string) string {
	s = Clause(s)
	for _, cut := range []string{" when ", " while ", " after ", " in ", " on ", " at ", " from "} {
		if i := strings.Index(s, cut); i > 0 {
			s = s[:i]
		}
	}
	return strings.Trim(s, " `'\").")
}

// clauseEnds are the marks and words at which the statement of a fact ends and
// the talk about it begins.
var clauseEnds = [...]string{". ", "; ", ": ", " — ", " – ", " - ", " (", ", ", " because ", " since ", " due to ", " caused by ", " so that ", "。"}

// Clause returns the first clause of a text that holds at least three words: the
// statement itself, without its reason, aside or continuation.
func Clause(s string) string {
	return strings.Trim(s[:clauseEnd(s)], " .,;:")
}

// opensMark are the bytes after the space of a mark that begins with one.
var opensMark = func() (t [256]bool) {
	for _, m := range clauseEnds {
		if m[0] == ' ' {
			t[m[1]] = true
		}
	}
	return t
}()

func clauseEnd(s string) int {
	var from [len(clauseEnds)]int // where each mark may stand next: two tellings of one do not overlap
	words, inWord := 0, false
	for i := 0; i < len(s); {
		if runByte[s[i]] { // as most bytes are
			if !inWord {
				inWord = true
				words++
			}
			i++
			continue
		}
		r, n := rune(s[i]), 1
		if r >= utf8.RuneSelf {
			r, n = utf8.DecodeRuneInString(s[i:])
		}
		switch r {
		case '.', ';', ':', ',', ' ', '。':
			if r == ' ' && (i+1 == len(s) || !opensMark[s[i+1]]) {
				break
			}
			for k, m := range clauseEnds {
				if i < from[k] || m[0] != s[i] || !strings.HasPrefix(s[i:], m) {
					continue
				}
				if words >= 3 || r == '。' {
					return i
				}
				from[k] = i + len(m)
			}
		}
		switch space := unicode.IsSpace(r); {
		case space:
			inWord = false
		case !inWord:
			inWord = true
			words++
		}
		i += n
	}
	return len(s)
}

// Decision returns the key of a decision point from the question it answers, or
// "" when the log does not give the question.
func Decision(context string) string { return Canonical(Clause(context)) }

// Option returns the key of one way to act.
func Option(text string) string { return deed(text) }

// minDeed is the number of tokens that a deed needs to be told apart.
const minDeed = 3

// deed returns the key of what was done or chosen. A fault comes back with other
// files, a deed is known by what it was done to: where its first clause leaves
// few words, the names in it (files, references, hashes) count, then the next clause.
func deed(text string) string {
	end := clauseEnd(text)
	toks := informative(Mask(text[:end]), true)
	if len(toks) < minDeed {
		toks = append(toks, names(text[:end])...)
	}
	if len(toks) < minDeed && end < len(text) {
		next := end + clauseEnd(text[end:])
		toks = append(toks, informative(Mask(text[end:next]), true)...)
		end = next
	}
	if len(toks) < minInformative {
		return Canonical(text[:end])
	}
	return join(toks)
}

// Choice joins a decision point and the option taken into one identity. Without
// a decision point the option stands alone.
func Choice(point, option string) string {
	if point == "" {
		return option
	}
	return point + " => " + option
}
