package extract

import (
	"episodes/episode"
	"strconv"
	"strings"
)

func (t text) hasCode() bool {
	for _, w := range t.words {
		if w.code {
			return true
		}
	}
	return false
}

// ranThrough reports whether a text says that a command came to its end.
func (t text) ranThrough() bool {
	for _, w := range t.words {
		if w.classes.has(classRan) {
			return true
		}
	}
	return false
}

// someMissed reports whether a check counts fewer that passed than there are:
// "106/108 passing", "106 of 108 tests pass". Skipped ones do not count.
func (t text) someMissed() bool {
	for _, w := range t.words {
		if w.s == "skipped" {
			return false
		}
	}
	for i := 0; i+2 < len(t.words); i++ {
		total := i + 1
		switch gap := t.s[t.words[i].end:t.words[total].start]; {
		case gap == "/":
		case t.words[total].s == "of", t.words[total].s == "av", t.words[total].s == "van":
			total++
		default:
			continue
		}
		if !t.at(total+1, classTally) && !(t.at(total+1, classTest) && t.at(total+2, classTally)) {
			continue
		}
		n, err := strconv.Atoi(t.words[i].s)
		m, err2 := strconv.Atoi(t.words[total].s)
		if err == nil && err2 == nil && n < m {
			return true
		}
	}
	return false
}

// hasCount finds "12 passed", "12/12", "0 failed", "0 errors", "3 failures".
func (t text) hasCount() bool {
	for i, w := range t.words {
		if !isNumber(w.s) || i+1 >= len(t.words) {
			continue
		}
		next := t.words[i+1]
		if (next.s == "of" || next.s == "av" || next.s == "van" || next.s == "stale") && i+2 < len(t.words) {
			if next.s == "stale" {
				return true
			}
			if isNumber(t.words[i+2].s) {
				for _, v := range t.words[i+2:] {
					switch v.s {
					case "passed", "pass", "green", "red", "failed", "stale", "complete", "ok", "tests", "runs", "succeeded":
						return true
					}
				}
			}
		}
		if isNumber(next.s) && next.start > 0 && t.s[next.start-1] == '/' && w.end == next.start-1 {
			for _, v := range t.words[i+2:] {
				switch v.s {
				case "passed", "passing", "pass", "passes", "green", "tests", "ok":
					return true
				}
			}
		}
		if w.s == "0" && i+2 < len(t.words) && t.words[i+2].classes.has(classFail) {
			return true // "0 lint errors"
		}
		if strings.ContainsAny(t.s[w.end:next.start], "(%") {
			continue // "66% (skipped …)"
		}
		switch next.s {
		case "godkända", "gröna", "passed", "passing", "pass", "failed", "failing", "errors", "error", "failures", "warnings", "skipped", "geslaagd":
			return next.s != "error" && next.s != "errors" && next.s != "failures" && next.s != "warnings" || w.s == "0"
		}
		// "233 tests passing", "180 total tests passing", "31/31 checks pass"
		for j := i + 2; j < len(t.words) && j <= i+3; j++ {
			if t.at(j-1, classTest) && t.at(j, classTally) {
				return true
			}
		}
	}
	for i := 0; i+1 < len(t.words); i++ {
		switch t.words[i].s {
		case "passed", "failed", "errors", "failures":
			if isNumber(t.words[i+1].s) && strings.ContainsAny(t.s[t.words[i].end:t.words[i+1].start], ":=") {
				return true
			}
		}
	}
	return false
}

// testOutcome reads the result of a check.
func (t text) testOutcome() episode.Outcome {
	for i, w := range t.words {
		if w.s != "failed" && w.s != "failures" && w.s != "failing" {
			continue
		}
		if i+1 < len(t.words) && isNumber(t.words[i+1].s) && !strings.Contains(t.s[w.end:t.words[i+1].start], ",") { // "Failed: 0"
			if t.words[i+1].s != "0" {
				return episode.Failure
			}
		} else if i > 0 && isNumber(t.words[i-1].s) && t.words[i-1].s != "0" {
			return episode.Failure
		}
	}
	if t.failsAt() >= 0 && !t.hasCount() {
		// A word of failure alone may name what the check was about.
		if t.strongFail() || t.statusOf() == episode.Failure {
			return episode.Failure
		}
		return episode.Unknown
	}
	if t.someMissed() {
		return episode.Partial
	}
	if t.is(classPass) || t.hasCount() && !t.strongFail() {
		return episode.Success
	}
	return episode.Unknown
}
