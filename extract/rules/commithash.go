package rules

import (
	"slices"
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
	return slices.ContainsFunc(m[sha[:minSHA]], func(s string) bool { return strings.HasPrefix(s, sha) || strings.HasPrefix(sha, s) })
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

// standsAlone reports whether a quoted hash is given as a reference: in
// parentheses, at the end, or after a word such as "in".
func standsAlone(t lex.Text, w lex.Word) bool {
	before := strings.TrimRight(t.Raw[:w.Start], " ")
	if w.End < len(t.Raw) && !strings.ContainsRune("), .;", rune(t.Raw[w.End])) {
		return false
	}
	if before == "" || strings.HasSuffix(before, "(") || strings.HasSuffix(before, ",") {
		return true
	}
	return lex.ReferenceEnds.End(before)
}

// mentions reports whether the words before a hash only mention the commit: "likely
// caused by commit 60bbd1c".
func mentions(t lex.Text, i int) bool {
	return slices.ContainsFunc(t.Words[:i], func(w lex.Word) bool { return w.Any(lex.ClassMention) })
}

// commitText returns the part of a text that describes one of several commits: the part
// before a commit in parentheses, else the part after it, up to the next one.
func commitText(t lex.Text, i int) string {
	w := t.Words[i]
	from, to := 0, len(t.Raw)
	for j := i - 1; j >= 0; j-- {
		if isSHA(t.Words[j].Lower, false) {
			from = t.Words[j].End
			break
		}
	}
	for _, o := range t.Words[i+1:] {
		if isSHA(o.Lower, false) {
			to = o.Start
			break
		}
	}
	if strings.HasSuffix(strings.TrimRight(t.Raw[:w.Start], " "), "(") {
		return strings.Trim(t.Raw[from:w.End], " ,;.)—–-") + ")"
	}
	return strings.Trim(t.Raw[w.Start:to], " ,;.(—–-")
}

// saysCommitted reports whether prose says that the commit at word i was made: a word
// for committing shortly precedes it.
func saysCommitted(t lex.Text, i int) bool {
	return slices.ContainsFunc(t.Words[max(i-4, 0):i], func(w lex.Word) bool {
		return lex.CommitStems.Begin(w.Lower) || lex.CommitNames.Has(w.Lower)
	})
}

// reportsCommit reports whether a text says that something was committed.
func reportsCommit(t lex.Text) bool {
	return slices.ContainsFunc(t.Words, func(w lex.Word) bool { return lex.CommitStems.Begin(w.Lower) || lex.CommitActs.Has(w.Lower) })
}

// namesCommits reports whether a text contains the word for a commit, outside code.
func namesCommits(t lex.Text) bool {
	return slices.ContainsFunc(t.Words, func(w lex.Word) bool { return !w.Code && lex.CommitWords.Has(w.Lower) })
}

// refersToCommit reports whether a text quotes a hash as a reference.
func refersToCommit(t lex.Text) bool {
	return slices.ContainsFunc(t.Words, func(w lex.Word) bool { return w.Code && isSHA(w.Lower, false) && standsAlone(t, w) })
}

// foreignSHA reports whether the words before a hash say that it is where the
// work came from or somebody else's, or it is an end of a range: "e09fc3b..dd95a00".
func foreignSHA(t lex.Text, i int) bool {
	before, after := t.Raw[:t.Words[i].Start], t.Raw[t.Words[i].End:]
	if strings.HasSuffix(before, "..") || strings.HasPrefix(after, "..") && !strings.HasPrefix(after, "...") {
		return true
	}
	for j := i - 1; j >= 0 && j >= i-6; j-- {
		if t.At(j, lex.ClassUpstream) || j >= i-3 && t.At(j, lex.ClassForeign) {
			return true
		}
	}
	return false
}
