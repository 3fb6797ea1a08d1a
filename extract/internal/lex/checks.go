package lex

import (
	"strconv"
	"strings"

	"episodes/episode"
)

// HasCode reports whether t quotes code.
func (t Text) HasCode() bool {
	for _, w := range t.Words {
		if w.Code {
			return true
		}
	}
	return false
}

// RanThrough reports whether a text says that a command ran to its end.
func (t Text) RanThrough() bool {
	for _, w := range t.Words {
		if w.Classes.Has(ClassRan) {
			return true
		}
	}
	return false
}

// someMissed reports whether a check counts fewer that passed than there are:
// "106/108 passing", "106 of 108 tests pass". Skipped ones do not count.
func (t Text) someMissed() bool {
	for _, w := range t.Words {
		if w.Lower == "skipped" {
			return false
		}
	}
	for i := 0; i+2 < len(t.Words); i++ {
		total := i + 1
		switch gap := t.Raw[t.Words[i].End:t.Words[total].Start]; {
		case gap == "/":
		case t.Words[total].Lower == "of", t.Words[total].Lower == "av", t.Words[total].Lower == "van":
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

// HasCount finds "12 passed", "12/12", "0 failed", "0 errors", "3 failures".
func (t Text) HasCount() bool {
	for i, w := range t.Words {
		if !IsNumber(w.Lower) || i+1 >= len(t.Words) {
			continue
		}
		next := t.Words[i+1]
		if (next.Lower == "of" || next.Lower == "av" || next.Lower == "van" || next.Lower == "stale") && i+2 < len(t.Words) {
			if next.Lower == "stale" {
				return true
			}
			if IsNumber(t.Words[i+2].Lower) {
				for _, v := range t.Words[i+2:] {
					switch v.Lower {
					case "passed", "pass", "green", "red", "failed", "stale", "complete", "ok", "tests", "runs", "succeeded":
						return true
					}
				}
			}
		}
		if IsNumber(next.Lower) && next.Start > 0 && t.Raw[next.Start-1] == '/' && w.End == next.Start-1 {
			for _, v := range t.Words[i+2:] {
				switch v.Lower {
				case "passed", "passing", "pass", "passes", "green", "tests", "ok":
					return true
				}
			}
		}
		if w.Lower == "0" && i+2 < len(t.Words) && t.Words[i+2].Classes.Has(ClassFail) {
			return true // "0 lint errors"
		}
		if strings.ContainsAny(t.Raw[w.End:next.Start], "(%") {
			continue // "66% (skipped …)"
		}
		switch next.Lower {
		case "godkända", "gröna", "passed", "passing", "pass", "failed", "failing", "errors", "error", "failures", "warnings", "skipped", "geslaagd":
			return next.Lower != "error" && next.Lower != "errors" && next.Lower != "failures" && next.Lower != "warnings" || w.Lower == "0"
		}
		// "233 tests passing", "180 total tests passing", "31/31 checks pass"
		for j := i + 2; j < len(t.Words) && j <= i+3; j++ {
			if t.At(j-1, ClassTest) && t.At(j, ClassTally) {
				return true
			}
		}
	}
	for i := 0; i+1 < len(t.Words); i++ {
		switch t.Words[i].Lower {
		case "passed", "failed", "errors", "failures":
			if IsNumber(t.Words[i+1].Lower) && strings.ContainsAny(t.Raw[t.Words[i].End:t.Words[i+1].Start], ":=") {
				return true
			}
		}
	}
	return false
}

// TestOutcome reads the result of a check.
func (t Text) TestOutcome() episode.Outcome {
	for i, w := range t.Words {
		if w.Lower != "failed" && w.Lower != "failures" && w.Lower != "failing" {
			continue
		}
		if i+1 < len(t.Words) && IsNumber(t.Words[i+1].Lower) && !strings.Contains(t.Raw[w.End:t.Words[i+1].Start], ",") { // "Failed: 0"
			if t.Words[i+1].Lower != "0" {
				return episode.Failure
			}
		} else if i > 0 && IsNumber(t.Words[i-1].Lower) && t.Words[i-1].Lower != "0" {
			return episode.Failure
		}
	}
	if t.FailsAt() >= 0 && !t.HasCount() {
		// A word of failure alone may name what the check was about.
		if t.StrongFail() || t.StatusOf() == episode.Failure {
			return episode.Failure
		}
		return episode.Unknown
	}
	if t.someMissed() {
		return episode.Partial
	}
	if t.Is(ClassPass) || t.HasCount() && !t.StrongFail() {
		return episode.Success
	}
	return episode.Unknown
}
