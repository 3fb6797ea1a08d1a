package keys

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"episodes/internal/lazy"
)

// errorName matches the name an error goes by: an exception type, an errno or a
// constant such as SQLITE_BUSY.
var errorName = lazy.Pattern(`\b(?:[A-Z][A-Za-z0-9]*(?:Error|Exception|Fault|Failure|Panic)|E[A-Z]{3,}|[A-Z][A-Z0-9]+(?:_[A-Z0-9]+)+)\b`)

// printed matches an error in the form in which programs print one: an exception type, or a name, a
// code or a level with its message.
var printed = lazy.Pattern(`\b[A-Z][A-Za-z0-9]*(?:Error|Exception|Panic)\b|` +
	`\b(?:E[A-Z]{3,}|[A-Z][A-Z0-9]+(?:_[A-Z0-9]+)+|[A-Z]{1,6}\d{3,5}|error|fatal|panic): `)

// Failing reports whether an error with this key and text is a failure that a program reported:
// the key names the command that failed, or the text has the form of printed output. Other
// errors are what an author calls one, such as a weakness or a risk.
func Failing(key, content string) bool {
	return strings.Count(key, ": ") > 1 || printed().MatchString(content)
}

var (
	commitHash = lazy.Pattern(`\b[0-9a-f]{7,40}\b`)
	ruleCode   = lazy.Pattern(`\b[A-Z]{1,6}\d{3,5}\b`)
)

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
		if sha := commitHash().FindString(content); strings.ContainsAny(sha, "0123456789") {
			key = sha[:7] // the hash identifies a commit, not its message
		} else {
			key = Canonical(content)
		}
	case "test":
		if key = Canonical(Clause(content)); key != "" {
			return kind + " " + verdict(content) + ": " + key
		}
	case "handoff", "milestone":
		key = action(afterLabel(content))
	default:
		key = Canonical(Clause(content))
	}
	if key == "" {
		return ""
	}
	return kind + ": " + key
}

// withCodes adds the rule codes of the whole text to a key: two runs that fail with
// different codes have different causes.
func withCodes(key, content string) string {
	codes := ruleCode().FindAllString(content, -1)
	if key == "" || len(codes) == 0 {
		return key
	}
	return Canonical(strings.Join(codes, " ") + " " + key)
}

// afterLabel drops the words before the first colon, which label the fact:
// "Notes for next session: X" is about X.
func afterLabel(s string) string {
	if i := strings.Index(s, ": "); i >= 0 && len(strings.Fields(s[i+2:])) >= 2 {
		return s[i+2:]
	}
	return s
}

var (
	failedCount = lazy.Pattern(`(?i)\b([1-9]\d*) (?:tests? )?(?:failed|failing|failures?|errors?|red)\b|\b(?:failed|failures|errors): ?[1-9]`)
	shareOf     = lazy.Pattern(`\b(\d+)(?:/| of )(\d+)\b`)
	noneFailed  = lazy.Pattern(`(?i)\b0 (?:[a-z]+ ){0,2}fail(?:ed|ing|ures?)\b|\bfail(?:ed|ing|ures?): ?0\b`)
	failedWord  = lazy.Pattern(`(?i)(?:^|[^0] )\b(?:fail(?:s|ed|ing|ure)?|red|broken)\b|❌`)
)

// verdict is the result of a check: "fail", "part" or "pass". It is part of the key of
// a check, since the counts are masked.
func verdict(content string) string {
	if failedCount().MatchString(content) {
		return "fail"
	}
	if m := shareOf().FindStringSubmatch(content); m != nil && m[1] != m[2] {
		return "part"
	}
	if failedWord().MatchString(noneFailed().ReplaceAllString(content, "")) {
		return "fail"
	}
	return "pass"
}

// signature is the masked error message: the error's own name followed by the
// canonical words of its message. Text before the name (which command, which
// step) is left out, since the same error occurs in many places. It is "" when
// the text names no error or has nothing after the name.
func signature(content string) string {
	first, _, _ := strings.Cut(content, "\n")
	loc := errorName().FindStringIndex(first)
	if loc == nil {
		return ""
	}
	rest := strings.TrimLeft(first[loc[1]:], "`'\" ")
	if !strings.HasPrefix(rest, ":") && !strings.HasPrefix(rest, "(") && !strings.HasPrefix(rest, "—") &&
		!strings.HasPrefix(rest, "-") {
		return ""
	}
	msg := Canonical(firstClause(strings.TrimLeft(rest, ":(—- ")))
	if msg == "" {
		return ""
	}
	return strings.ToLower(first[loc[0]:loc[1]]) + " " + msg
}

// firstClause cuts an error's message where the log begins to comment on it.
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
// the comment on it begins.
var clauseEnds = [...]string{". ", "; ", ": ", " — ", " – ", " - ", " (", ", ", " because ", " since ",
	" due to ", " caused by ", " so that ", "。"}

// Clause returns the first clause of a text that has at least three words: the
// statement itself, without its reason, aside or continuation.
func Clause(s string) string {
	return strings.Trim(s[:clauseEnd(s)], " .,;:")
}

// clauseEnd returns where the first clause of s ends: at the first mark with three
// words before it, or at the first full stop of a script without spaces. The comma behind an
// opening phrase ("During the build, ") ends none.
func clauseEnd(s string) int {
	end := len(s)
	for _, mark := range clauseEnds {
		for from := 0; ; {
			i := strings.Index(s[from:], mark)
			if i < 0 || from+i >= end {
				break
			}
			i += from
			opening := mark == ", " && from == 0 && opens().MatchString(s)
			if mark == "。" || len(strings.Fields(s[:i])) >= 3 && !opening {
				end = i
				break
			}
			from = i + len(mark)
		}
	}
	return end
}

var opens = lazy.Pattern(`(?i)^(?:after|although|as|at|based|because|before|by|despite|due|during|for|from|given|if|in|on|once|since|through|to|under|unless|until|upon|when|where|while|with|without) `)

// Decision returns the key of a decision point from the question it answers, or
// "" when the log does not give the question.
func Decision(context string) string { return Canonical(Clause(context)) }

// Option returns the key of one way to act. An edit that was measured is identified by the
// exact text that it left, regardless of the file and the text before: two values of one
// setting are two options.
func Option(text string) string {
	if m := edit().FindStringSubmatch(text); m != nil {
		left := m[2]
		if i := strings.LastIndex(left, `" to "`); i >= 0 && m[1] == "changed" {
			left = left[i+len(`" to `):]
		}
		sum := sha256.Sum256([]byte(left))
		return "edit " + hex.EncodeToString(sum[:6])
	}
	return action(text)
}

// edit matches the description of an edit by a loop.
var edit = lazy.Pattern(`^(changed|added to|removed from) \S+:\d+ (?:from )?(".*?")(?:$|; )`)

// minActionTokens is the number of tokens that distinguish actions.
const minActionTokens = 3

// action returns the key of something that was done or chosen. The same error recurs
// in other files, but an action is identified by what it was applied to: where its
// first clause leaves few words, the names in it count too (files, references,
// hashes), then the next clause.
func action(text string) string {
	end := clauseEnd(text)
	toks := informative(Mask(text[:end]), true)
	if len(toks) < minActionTokens {
		toks = append(toks, names(text[:end])...)
	}
	if len(toks) < minActionTokens && end < len(text) {
		next := end + clauseEnd(text[end:])
		toks = append(toks, informative(Mask(text[end:next]), true)...)
		end = next
	}
	if len(toks) < minInformative {
		return Canonical(text[:end])
	}
	return join(toks)
}

// Choice joins a decision point and the option taken into one identity. Without a decision
// point it is that of the option.
func Choice(point, option string) string {
	if point == "" {
		return option
	}
	return point + " => " + option
}
