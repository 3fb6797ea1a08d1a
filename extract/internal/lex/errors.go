package lex

import (
	"path"
	"slices"
	"strings"

	"episodes/keys"
)

// FailsAt finds a word that says that something failed, is not taken back by a
// negation, and is not the object of a repair ("fixed the failing test").
func (t Text) FailsAt() int {
	for i := range t.Words {
		if !t.At(i, ClassFail) || t.Negated(i) || t.verdictNames(i) {
			continue
		}
		if t.At(i, ClassByDesign) { // the words after it say when it is meant to fail
			return -1
		}
		if t.At(i+1, ClassAbout) && !t.Words[i].participle() {
			continue
		}
		return i
	}
	return -1
}

// verdictNames reports whether the word is one of a pair of verdicts, next to its
// opposite: "pass/fail counts", "shows [PASS], [FAIL]", "pass or fail".
func (t Text) verdictNames(i int) bool {
	for j := i - 1; j > 0 && j >= i-2; j-- {
		if t.At(j, ClassOr) && t.At(j-1, ClassPass) { // "all succeed or all fail"
			return true
		}
	}
	if !t.At(i, ClassMark) {
		return false
	}
	for _, j := range []int{i - 1, i + 1} {
		if j >= 0 && t.At(j, ClassMark) {
			return true
		}
	}
	return false
}

// StrongFail reports whether a text says in the past or present tense that
// something failed; a word of failure alone is not enough.
func (t Text) StrongFail() bool {
	if !t.Classes.Has(ClassStrong) {
		return false
	}
	for i := 1; i < len(t.Words); i++ {
		if t.At(i, ClassStrong) && !t.Negated(i) && !t.At(i+1, ClassBefore) && !t.conditional(i) &&
			!t.At(i-1, ClassModal) && !(i > 1 && t.At(i-2, ClassModal)) {
			return true
		}
	}
	return false
}

// Negated reports whether the words before i take it back: "0 errors", "no
// regressions", "without errors"; also "errors: 0".
func (t Text) Negated(i int) bool {
	for j := i - 1; j >= 0 && j >= i-2; j-- {
		if strings.ContainsAny(t.Raw[t.Words[j].End:t.Words[j+1].Start], ",;.:") {
			break
		}
		if t.Words[j].Classes.Has(ClassNegate) {
			return true
		}
	}
	return i+1 < len(t.Words) && t.lex.words[t.Words[i+1].Lower].classes.Has(ClassZero) &&
		!strings.ContainsAny(t.Raw[t.Words[i].End:t.Words[i+1].Start], "-–—,;")
}

// Found reports whether a text says that errors were found.
func (t Text) Found() bool {
	if i := t.FailsAt(); t.At(0, ClassFind) && i > 0 && i <= 3 && !t.At(i, ClassUnsettled) {
		return true
	}
	for i, w := range t.Words {
		if !w.Classes.Has(ClassFind) {
			continue
		}
		for j := i + 1; j < len(t.Words) && j <= i+8; j++ {
			if !t.At(j, ClassErrorNoun) || j+1 < len(t.Words) && IsNumber(t.Words[j+1].Lower) {
				continue // "found issue #230" is a reference
			}
			if !t.Negated(j) && !t.Negated(i) {
				return true
			}
		}
	}
	return false
}

// Repaired reports whether a text reports a repair or a thing made, rather
// than of a failure: it opens with the verb for it.
func (t Text) Repaired() bool {
	for i := 0; i < len(t.Words) && i < 2; i++ {
		c := t.Words[i].Classes
		if c.Has(ClassMake) || c.Has(ClassAdopt) {
			return true
		}
	}
	return false
}

// Withdrawn reports whether a text takes back what was found: "REFUTED on a second read".
func (t Text) Withdrawn() bool {
	i := t.Index(ClassWithdrawn)
	return i >= 0 && t.Capitals(i) && !t.Negated(i)
}

// NoError reports whether a text in the place of an error reports no error: it
// opens with a good result, with a safeguard against errors or with nothing, or it
// is the path of an analysis.
func (t Text) NoError() bool {
	if len(t.Words) == 0 {
		return true
	}
	if t.Words[0].Any(ClassGuard, ClassNoneYet) || isFileName(t.Raw) {
		return true
	}
	well := t.Index(ClassWell)
	return well >= 0 && !t.Negated(well) && t.FailsAt() < 0
}

// LabelFails reports whether a label names an error: "Performance regression: …".
func (l Text) LabelFails() bool {
	n := len(l.Words)
	return n > 0 && n <= 4 && l.At(n-1, ClassFail) && !l.Negated(n-1)
}

// Lacks reports whether a text opens with what is not there: "No integration tests".
func (l Text) Lacks() bool {
	n := len(l.Words)
	return n > 1 && (l.At(0, ClassNone) && !l.noFault() || l.At(0, ClassLack)) && !l.At(n-1, ClassNeeded)
}

// noFault reports whether a text denies in its first words that there is anything wrong: "No issues to fix".
func (t Text) noFault() bool {
	for i := 1; i < min(len(t.Words), 4); i++ {
		if t.At(i, ClassErrorNoun) && !t.At(i+1, ClassAbout) && !t.qualifies(i) {
			return true
		}
	}
	return false
}

// OpensWithError reports whether the first clause of a text is short and says
// that something is wrong.
func (t Text) OpensWithError() bool {
	first := t.lex.Text(keys.Clause(t.Raw))
	return len(first.Words) <= 16 && first.FailsAt() >= 0 && !first.Repaired()
}

// Reported reports whether a text opens with somebody's report of an error: "User
// reported: …".
func (t Text) Reported() bool {
	for i := 1; i < 3; i++ {
		if t.At(i, ClassReported) {
			return reportMarks.Begin(t.Raw[t.Words[i].End:]) && !isFileName(strings.TrimLeft(t.Raw[t.Words[i].End:], ": "))
		}
	}
	return false
}

// BadState reports whether a text opens with a bad state, in capitals: "BLOCKED by
// the rate limit". It says nothing without what is in that state.
func (t Text) BadState() bool {
	if !t.Capitals(0) {
		return false
	}
	if t.At(0, ClassFail) {
		return true
	}
	return t.failConstant(0)
}

// failConstant reports whether word i is a constant such as CRITICAL_FAIL.
func (t Text) failConstant(i int) bool {
	w := t.Words[i].Lower
	last := w[strings.LastIndexByte(w, '_')+1:]
	return last != w && t.lex.words[last].classes.Has(ClassFail)
}

// NamesFault reports whether a title says that something is wrong, if only by a
// constant such as CRITICAL_FAIL.
func (t Text) NamesFault() bool {
	for i := range t.Words {
		if t.failConstant(i) {
			return true
		}
	}
	return t.FailsAt() >= 0
}

// CountOnly reports whether a text is a bare count or state, as in "Errors: 0".
func (t Text) CountOnly() bool {
	return !slices.ContainsFunc(t.Words, func(w Word) bool { return !IsNumber(w.Lower) && !w.Classes.Has(ClassNegate) })
}

// Supposed reports whether a text is about what might happen: "if the gate fails
// three times, pause".
func (t Text) Supposed() bool {
	for i := 1; i < len(t.Words) && i <= 4; i++ { // "Tries: if the gate fails ..."
		if strings.HasPrefix(t.Raw[t.Words[i-1].End:], ": ") {
			return t.At(0, ClassIf) || t.At(i, ClassIf)
		}
	}
	return t.At(0, ClassIf)
}

// conditional reports whether the failure at word i is one that may come: "stops
// when a check fails".
func (t Text) conditional(i int) bool {
	if t.Words[i].participle() {
		return false
	}
	for j := i - 1; j >= 0 && (j >= i-5 || j >= i-15 && t.At(0, ClassIf)); j-- {
		if strings.ContainsAny(t.Raw[t.Words[j].End:t.Words[j+1].Start], ".;:") {
			return false
		}
		if t.At(j, ClassIf) || t.At(j, ClassWhen) {
			return true
		}
	}
	return false
}

// IsCount reports whether a text is a figure with a remark: "3 (informational)".
func (t Text) IsCount() bool {
	if len(t.Words) > 1 && len(t.Words) <= 3 && IsNumber(t.Words[0].Lower) && !t.Classes.Has(ClassFail) {
		return true // "10+ endpoints"
	}
	return len(t.Words) > 1 && IsNumber(t.Words[0].Lower) &&
		strings.Contains(t.Raw[t.Words[0].End:t.Words[1].Start], "(")
}

// IsTicket reports whether a text is a reference to a ticket and its title.
func (t Text) IsTicket() bool {
	for _, p := range ticketMarks {
		if strings.HasPrefix(t.Raw, p) {
			n := strings.Count(p, " ") // "PR #12 had 97 comments" says something of it
			return !t.At(n+1, ClassHas)
		}
	}
	return false
}

// NamesTicket reports whether a label or title opens with a ticket's number, as
// in "Issue #312: ..."; a small number counts the errors of the log.
func (t Text) NamesTicket() bool {
	for i := 1; i < len(t.Words) && i < 4; i++ {
		if w := t.Words[i]; IsNumber(w.Lower) && len(w.Lower) > 2 && ticketNumbers.End(t.Raw[:w.Start]) {
			return true
		}
	}
	return false
}

// isFileName reports whether a text is the name of a file and no more.
func isFileName(s string) bool {
	return !strings.ContainsAny(s, " (:@") && (strings.Contains(s, "/") && path.Ext(s) != "" || slices.Contains(textFiles, path.Ext(s)))
}

// textFiles are the files that logs name without a folder.
var textFiles = strings.Fields(".md .txt .json .jsonl .yaml .yml .toml .xml .html .css .csv .sql .sh .ps1 .psm1 .psd1 .py .go .rs .js .mjs .ts .tsx .jsx .java .kt .cs .c .h .cpp .rb .php .swift")

// ErrorConstant reports whether a text contains a name such as SQLITE_BUSY or
// ECONNREFUSED followed by what it says.
func ErrorConstant(s string) bool {
	return slices.ContainsFunc(strings.Fields(s), func(f string) bool {
		name, ok := strings.CutSuffix(f, ":")
		return ok && len(name) > 4 && IsUpper(name)
	})
}

// NamesError reports whether a line of output names an error: "error: …",
// "TypeError: …".
func NamesError(s string) bool {
	return errorOutput.In(strings.ToLower(s))
}
