package keys

import (
	"strings"
	"unicode"
)

// fewestLike is the number of words that a wider key of an error has at least.
const fewestLike = 3

// Like returns a wider key of an error's message than Canonical: the names of files, modules,
// tests and flags are masked, so that the same error about something else has the same key.
// It is "" where less than three words are left.
func Like(message string) string {
	var out []string
	words := 0
	for w := range strings.FieldsSeq(Mask(message)) {
		bare := strings.TrimFunc(w, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '-' && r != '_' })
		switch {
		case isName(w, bare):
			if len(out) > 0 && out[len(out)-1] == "*" {
				continue
			}
			bare = "*"
		case bare == "" || bare == "-":
			continue
		default:
			words++
		}
		out = append(out, strings.ToLower(bare))
	}
	if words < fewestLike {
		return ""
	}
	return strings.Join(out, " ")
}

// isName reports whether a word of a message names something: a path, a flag, what is
// quoted, an identifier.
func isName(word, bare string) bool {
	switch {
	case strings.ContainsAny(bare, "/\\._@=0123456789‹›"), strings.HasPrefix(bare, "-") && len(bare) > 1, strings.ContainsAny(word, "‹›"):
		return true
	case len(word) > 2 && strings.ContainsRune("'\"`‘“", []rune(word)[0]):
		return true
	}
	return strings.IndexFunc(bare, unicode.IsUpper) > 0 // CamelCase, or shouted
}
