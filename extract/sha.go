package extract

import (
	"strings"
)

// shaSet holds commits by their first seven digits, the shortest abbreviation.
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

// mayHoldSHA spares most blocks the search: it reports whether minSHA hexadecimal
// digits stand in a row anywhere in b.
func (b *block) mayHoldSHA() bool {
	if hexRun(b.label) || hexRun(b.text.s) || hexRun(b.code) {
		return true
	}
	for i := range b.cells {
		if hexRun(b.cells[i].text.s) {
			return true
		}
	}
	return false
}

func hexRun(s string) bool {
	// Every run that is long enough covers a byte at a multiple of its length.
	for i := minSHA - 1; i < len(s); i += minSHA {
		if !hexByte[s[i]] {
			continue
		}
		from, to := i, i+1
		for from > 0 && hexByte[s[from-1]] {
			from--
		}
		for to < len(s) && hexByte[s[to]] {
			to++
		}
		if to-from >= minSHA {
			return true
		}
	}
	return false
}

var hexByte = func() (t [256]bool) {
	for _, c := range []byte("0123456789abcdefABCDEF") {
		t[c] = true
	}
	return t
}()

func countSHAs(t text) int {
	n := 0
	for _, w := range t.words {
		if isSHA(w.s, false) {
			n++
		}
	}
	return n
}
