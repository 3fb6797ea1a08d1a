package lex

import (
	"regexp"
	"strings"
)

// IsClock reports whether s is a date or a time and nothing else.
func IsClock(s string) bool { return ClockEnd(s) == len(s) && s != "" }

// ClockEnd is the end of the date or time that opens s, brackets around it
// included; 0 when there is none.
func ClockEnd(s string) int {
	if len(s) < 2 || !IsDigit(s[0]) && !(s[0] == '(' || s[0] == '[') || !IsDigit(s[1]) && s[1] != ':' {
		return 0
	}
	m := clockPattern.FindStringIndex(s)
	if m == nil {
		return 0
	}
	return m[1]
}

var clockPattern = regexp.MustCompile(`^[(\[]?(?:20\d{2}-\d{2}-\d{2}(?:[T ]\d{1,2}:\d{2}(?::\d{2})?)?|\d{1,2}:\d{2}(?::\d{2})?)(?: ?(?:Z|UTC|GMT|CET|CEST|[AP]M|[+-]\d{2}:?\d{2}))?[)\]]?(?:[:：]|$| +[-–—]| |,)`)

var dayPattern = regexp.MustCompile(`\b20\d{2}-\d{2}-\d{2}\b`)

var minutePattern = regexp.MustCompile(`\b20\d{2}-\d{2}-\d{2}[T ]\d{1,2}:\d{2}`)

// HasClock reports whether s gives a day with its time.
func HasClock(s string) bool { return minutePattern.MatchString(s) }

// WithoutDays is s without its dates.
func WithoutDays(s string) string { return dayPattern.ReplaceAllString(s, "") }

// FirstDay is the first date of this century in s, by itself, or "".
func FirstDay(s string) string { return dayPattern.FindString(s) }

// WithoutClock drops the clock time that opens a line of a running log: it says
// when, not what.
func WithoutClock(s string) string {
	i := 0
	for i < len(s) && i < 8 && (s[i] >= '0' && s[i] <= '9' || s[i] == ':') {
		i++
	}
	if i >= 4 && i < len(s) && s[i] == ' ' && strings.Count(s[:i], ":") >= 1 {
		return strings.TrimLeft(s[i:], " -–—|")
	}
	return s
}

// IsDigit reports whether c is an ASCII digit.
func IsDigit(c byte) bool { return c >= '0' && c <= '9' }
