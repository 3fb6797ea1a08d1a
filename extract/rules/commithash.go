package rules

import (
	"strings"

	"episodes/extract/internal/lex"
)

// shaSet contains commits by their first seven digits, the shortest abbreviation.
type shaSet map[string][]string

func (m *shaSet) add(sha string) {
	if *m == nil {
		*m = shaSet{}
	}
	(*m)[sha[:minSHA]] = append((*m)[sha[:minSHA]], sha)
}

// has reports whether the commit is in the set at any length of abbreviation.
func (m shaSet) has(sha string) bool {
	for _, s := range m[sha[:minSHA]] {
		if strings.HasPrefix(s, sha) || strings.HasPrefix(sha, s) {
			return true
		}
	}
	return false
}

// minSHA is the shortest abbreviation of a commit hash.
const minSHA = 7

// isSHA reports whether a word looks like a commit hash: 7 to 40 hex digits, not
// a plain word and, outside structured fields, not a plain number.
func isSHA(w string, allowDecimal bool) bool {
	if len(w) < minSHA || len(w) > 40 || len(w) == 32 { // 32 digits are a checksum
		return false
	}
	digits, letters := 0, 0
	for i := 0; i < len(w); i++ {
		switch c := w[i]; {
		case c >= '0' && c <= '9':
			digits++
		case c >= 'a' && c <= 'f':
			letters++
		default:
			return false
		}
	}
	return digits > 0 && (letters > 0 || allowDecimal && len(w) <= 10)
}

func countSHAs(t lex.Text) int {
	n := 0
	for _, w := range t.Words {
		if isSHA(w.Lower, false) {
			n++
		}
	}
	return n
}
