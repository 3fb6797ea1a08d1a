package lex

import (
	"slices"
	"strconv"
	"strings"

	"episodes/episode"
)

// HasCode reports whether t quotes code.
func (t Text) HasCode() bool {
	return slices.ContainsFunc(t.Words, func(w Word) bool { return w.Code })
}

// CommandResult reads a text that gives a command and how it ended, and no more:
// "`make lint`: passed".
func (t Text) CommandResult() episode.Outcome {
	n := 0
	for n < len(t.Words) && t.Words[n].Code {
		n++
	}
	if n < 2 || n == len(t.Words) || len(t.Words)-n > 4 || !strings.ContainsAny(t.gapAfter(n-1), ":=—–→-") {
		return episode.Unknown
	}
	rest := t.Sub(t.Words[n].Start, len(t.Raw))
	if rest.HasCount() {
		return rest.TestOutcome()
	}
	if rest.ClearOfErrors() {
		return episode.Success
	}
	if !rest.At(0, ClassPass) && !rest.At(0, ClassBad) && !rest.At(0, ClassFail) {
		return episode.Unknown
	}
	return rest.StatusOf()
}

// ClearOfErrors reports whether a text says that there were no errors.
func (t Text) ClearOfErrors() bool {
	for i := 1; i < len(t.Words); i++ {
		if t.At(i-1, ClassNegate) && (countedErrors.Has(t.Words[i].Lower)) {
			return true
		}
	}
	return false
}

// someMissed reports whether a check counts fewer that passed than there are:
// "106/108 passing", "106 of 108 tests pass". Skipped ones do not count.
func (t Text) someMissed() bool {
	if skippedChecks.hasAny(t.Words) {
		return false
	}
	for i := 0; i+2 < len(t.Words); i++ {
		total := i + 1
		switch {
		case t.ratioAt(i):
		case outOf.Has(t.Words[total].Lower):
			total++
		default:
			continue
		}
		if !t.At(total+1, ClassTally) && !(t.At(total+1, ClassTest) && t.At(total+2, ClassTally)) {
			continue
		}
		n, err := strconv.Atoi(t.Words[i].Lower)
		m, err2 := strconv.Atoi(t.Words[total].Lower)
		if err == nil && err2 == nil && n < m {
			return true
		}
	}
	return false
}

// countForm is a form in which a text gives the result of a check as a number. The
// forms are tried in order at every number that is not the last word of the text;
// the first that applies decides.
type countForm struct {
	example string
	applies func(t Text, i int) bool // to the number at word i
	verdict countVerdict
}

type countVerdict uint8

const (
	isCount    countVerdict = iota // the text gives a counted result
	noCount                        // the text gives none
	nextNumber                     // this number counts nothing
)

var countForms = []countForm{
	{"12 stale entries", func(t Text, i int) bool { return i+2 < len(t.Words) && staleEntries.Has(t.Words[i+1].Lower) }, isCount},
	{"12 of 14 passed", func(t Text, i int) bool {
		return i+2 < len(t.Words) && outOf.Has(t.Words[i+1].Lower) && IsNumber(t.Words[i+2].Lower) && partResults.hasAny(t.Words[i+2:])
	}, isCount},
	{"12/14 passed", func(t Text, i int) bool {
		return t.ratioAt(i) && slashResults.hasAny(t.Words[i+2:])
	}, isCount},
	{"0 lint errors", func(t Text, i int) bool { return t.Words[i].Lower == "0" && t.At(i+2, ClassFail) }, isCount},
	{"66% (skipped …)", func(t Text, i int) bool { return strings.ContainsAny(t.gapAfter(i), "(%") }, nextNumber},
	{"12 passed", func(t Text, i int) bool {
		return countedAfter.Has(t.Words[i+1].Lower) && !strings.ContainsAny(t.gapAfter(i), ",;}")
	}, isCount},
	{"0 errors", func(t Text, i int) bool { return t.Words[i].Lower == "0" && countedErrors.Has(t.Words[i+1].Lower) }, isCount},
	{"3 errors", func(t Text, i int) bool { return countedErrors.Has(t.Words[i+1].Lower) }, noCount},
	{"233 tests passing", func(t Text, i int) bool { return t.At(i+1, ClassTest) && t.At(i+2, ClassTally) }, isCount},
	{"180 total tests passing", func(t Text, i int) bool { return t.At(i+2, ClassTest) && t.At(i+3, ClassTally) }, isCount},
}

// ratioAt reports whether a ratio begins at word i, and no row of numbers: "35/30/25".
func (t Text) ratioAt(i int) bool {
	return IsNumber(t.Words[i].Lower) && IsNumber(t.Words[i+1].Lower) && t.gapAfter(i) == "/" &&
		(i == 0 || t.gapAfter(i-1) != "/") && (i+2 == len(t.Words) || t.gapAfter(i+1) != "/")
}

// gapAfter returns the bytes between word i and the next one.
func (t Text) gapAfter(i int) string { return t.Raw[t.Words[i].End:t.Words[i+1].Start] }

// HasCount reports whether a text gives the counted result of a check.
func (t Text) HasCount() bool {
	for i := 0; i+1 < len(t.Words); i++ {
		if !IsNumber(t.Words[i].Lower) {
			continue
		}
		at := slices.IndexFunc(countForms, func(f countForm) bool { return f.applies(t, i) })
		if at >= 0 && countForms[at].verdict != nextNumber {
			return countForms[at].verdict == isCount
		}
	}
	for i := 0; i+1 < len(t.Words); i++ { // "Passed: 12"
		if countedBefore.Has(t.Words[i].Lower) && IsNumber(t.Words[i+1].Lower) &&
			strings.ContainsAny(t.gapAfter(i), ":=") && !t.share(i+1) {
			return true
		}
	}
	return false
}

// share reports whether the number at word i is one of a hundred.
func (t Text) share(i int) bool { return strings.HasPrefix(t.Raw[t.Words[i].End:], "%") }

// countsFailures reports whether a text counts failures, and more than none.
func (t Text) countsFailures() bool {
	for i, w := range t.Words {
		if !countedFailed.Has(w.Lower) {
			continue
		}
		if i+1 < len(t.Words) && IsNumber(t.Words[i+1].Lower) && !strings.Contains(t.gapAfter(i), ",") { // "Failed: 0"
			if t.Words[i+1].Lower != "0" && !t.share(i+1) {
				return true
			}
		} else if i > 0 && IsNumber(t.Words[i-1].Lower) && t.Words[i-1].Lower != "0" &&
			!strings.HasSuffix(t.Raw[:t.Words[i-1].Start], "<") {
			return true
		}
	}
	return false
}

// passesBefore reports whether what t says before a mark is that something passed.
func (t Text) passesBefore(mark string) bool {
	i := strings.Index(t.Raw, mark)
	if i < 0 || !t.Is(ClassPass) {
		return false
	}
	head := t.Sub(0, i)
	return head.Is(ClassPass) && head.FailsAt() < 0
}

// TestOutcome reads the result of a check. What it says in brackets only details a pass.
func (t Text) TestOutcome() episode.Outcome {
	counted := t.HasCount()
	switch {
	case t.countsFailures():
		return episode.Failure
	case t.passesBefore("(") && !t.someMissed():
		return episode.Success
	case t.FailsAt() >= 0 && !counted: // a word of failure alone may name what the check was about
		if t.StrongFail() || !t.Is(ClassModal) && t.StatusOf() == episode.Failure {
			return episode.Failure
		}
		return episode.Unknown
	case t.someMissed():
		return episode.Partial
	case t.Is(ClassPass), counted && !t.StrongFail():
		return episode.Success
	}
	return episode.Unknown
}
