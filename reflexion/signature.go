package reflexion

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"episodes/internal/lazy"
	"episodes/keys"
)

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

// Describe returns an error on one line: its type, the first line of its message, and its
// location.
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
