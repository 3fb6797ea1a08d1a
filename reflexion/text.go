package reflexion

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"episodes/internal/lazy"
	"episodes/internal/plain"
	"episodes/keys"
)

// FileName returns the file name of an iteration: the guide's three digits, counted from 1, so
// that iteration 0 is 001.json and 998 is 999.json.
func FileName(iteration int) string { return Ordinal(iteration+1) + ".json" }

// Ordinal formats n, which counts from 1, so that names sort by number: three digits or, where the
// guide stops, more with a letter for how many there are (a1000, b10000).
func Ordinal(n int) string {
	digits := fmt.Sprintf("%03d", n)
	if extra := len(digits) - 3; extra > 0 {
		return string(rune('a'+extra-1)) + digits
	}
	return digits
}

// ParseOrdinal reads what Ordinal wrote; false for every other name.
func ParseOrdinal(s string) (n int, ok bool) {
	n, err := strconv.Atoi(strings.TrimLeft(s, "abcdefghijklmnopqrstuvwxyz"))
	return n, err == nil && n > 0 && Ordinal(n) == s
}

var loopID = lazy.Pattern(`^ralph-[a-z0-9-]+$`)

// ValidLoopID reports whether id is one of the schema, of at most 120 bytes: a safe folder name.
func ValidLoopID(id string) bool { return loopID().MatchString(id) && len(id) <= 120 }

// LoopIDFrom makes a loop id from any words: lower case, with hyphens for everything but
// letters and digits, at most 60 bytes after the prefix.
func LoopIDFrom(words string) string {
	s := strings.Trim(notSlug().ReplaceAllString(strings.ToLower(words), "-"), "-")
	s = strings.TrimPrefix(s, "ralph-")
	if len(s) > 60 {
		s = strings.TrimRight(s[:60], "-")
	}
	s = cmp.Or(s, "task")
	return "ralph-" + s
}

var notSlug = lazy.Pattern(`[^a-z0-9]+`)

// SignatureOf returns the identity of an error across runs: the recorded one, or else its
// type and 12 hex digits of the SHA-256 of its type, rule, file name and message, in
// which numbers, times, paths, addresses and ids are masked. Lines and folders are left
// out, since edits move them.
func SignatureOf(p Problem) string {
	if p.Signature != "" {
		return p.Signature
	}
	message := strings.Join(strings.Fields(keys.Mask(address().ReplaceAllString(Clean(p.Message), "‹addr›"))), " ")
	sum := sha256.Sum256([]byte(strings.Join([]string{string(p.Type), p.Rule, base(p.File), message}, "\x00")))
	return string(p.Type) + ":" + hex.EncodeToString(sum[:6])
}

var address = lazy.Pattern(`\b0x[0-9a-fA-F]{4,}\b`)

// Describe returns an error on one line: its type, its message, and its location.
func Describe(p Problem) string {
	message, _, more := strings.Cut(p.Message, "\n")
	if more {
		message += " …"
	}
	s := string(p.Type) + ": " + message
	if p.Type == OtherError {
		s = "error: " + message
	}
	if p.Rule != "" && !strings.Contains(message, p.Rule) {
		s += " [" + p.Rule + "]"
	}
	if at := At(p); at != "" {
		s += " at " + at
	}
	return s
}

func At(p Problem) string {
	at := p.File
	for _, n := range []int{p.Line, p.Column} {
		if at == "" || n == 0 {
			break
		}
		at += fmt.Sprint(":", n)
	}
	return at
}

// listed formats numbers of things, of which the first has the number from, such as "attempts 1,
// 2 and 5"; the first and last of more than five.
func listed(thing string, numbers []int, from int) string {
	words := make([]string, len(numbers))
	for i, x := range numbers {
		words[i] = fmt.Sprint(x + from)
	}
	switch n := len(words); {
	case n == 1:
		return thing + " " + words[0]
	case n > 5:
		return fmt.Sprintf("%d %ss from %s to %s", n, thing, words[0], words[n-1])
	}
	return thing + "s " + enumerate(words)
}

func enumerate(words []string) string {
	last := len(words) - 1
	if last == 0 {
		return words[0]
	}
	return strings.Join(words[:last], ", ") + " and " + words[last]
}

func FirstLine(s string) string {
	s, _, _ = strings.Cut(strings.TrimSpace(s), "\n")
	return s
}

// Shorten cuts a text to n bytes, between characters, and marks that it did.
func Shorten(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return plain.Clip(s, n) + "…"
}

// Middle cuts a text to about n bytes in its middle, and says how much it left out.
func Middle(s string, n int) string {
	if len(s) <= n {
		return s
	}
	mark := fmt.Sprintf(" … (%d bytes left out) … ", len(s)-n)
	half := max(0, n-len(mark)) / 2
	tail := s[len(s)-half:]
	for tail != "" && !utf8.RuneStart(tail[0]) {
		tail = tail[1:]
	}
	return plain.Clip(s, half) + mark + tail
}

func quoteLine(s string, n int) string { return plain.Quote(FirstLine(s), n) }

// Seconds is a time in RFC 3339, without fractions of a second; "" for what is no time.
func Seconds(stamp string) string {
	t, err := time.Parse(time.RFC3339Nano, stamp)
	if err != nil {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}
