package lex

import (
	"strings"
	"time"

	"episodes/internal/lazy"
)

// ClockEnd is the end of the date or time that opens s, brackets around it
// included, or 0 if s opens with neither.
func ClockEnd(s string) int {
	if len(s) < 2 || !IsDigit(s[0]) && !(s[0] == '(' || s[0] == '[') || !IsDigit(s[1]) && s[1] != ':' {
		return 0
	}
	m := clockPattern().FindStringIndex(s)
	if m == nil {
		return 0
	}
	return m[1]
}

var clockPattern = lazy.Pattern(`^[(\[]?(?:20\d{2}-\d{2}-\d{2}(?:[T ]\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?)?|\d{1,2}:\d{2}(?::\d{2})?)(?: ?(?:Z|UTC|GMT|CET|CEST|[AP]M|[+-]\d{2}:?\d{2}))?[)\]]?(?:[:：]|$| +[-–—]| |,)`)

var dayPattern = lazy.Pattern(`\b20\d{2}-\d{2}-\d{2}\b`)

var minutePattern = lazy.Pattern(`\b20\d{2}-\d{2}-\d{2}[T ]\d{1,2}:\d{2}`)

// HasClock reports whether s gives a day with its time.
func HasClock(s string) bool { return minutePattern().MatchString(s) }

// WithoutDays is s without its dates.
func WithoutDays(s string) string { return dayPattern().ReplaceAllString(s, "") }

// FirstDay is the first date of this century in s, by itself, or "".
func FirstDay(s string) string { return dayPattern().FindString(s) }

var namedDay = lazy.Pattern(`\b(?:([A-Z][a-z]{2,8})\.? (\d{1,2})(?:st|nd|rd|th)?,? (20\d{2})|(\d{1,2})(?:st|nd|rd|th)? ([A-Z][a-z]{2,8}),? (20\d{2}))\b`)

// NamedDay is the first date in s that names its month in English, "September 28, 2025",
// as an ISO date, or "".
func NamedDay(s string) string {
	m := namedDay().FindStringSubmatch(s)
	if m == nil {
		return ""
	}
	month, day, year := m[1]+m[5], m[2]+m[4], m[3]+m[6]
	for _, layout := range []string{"January 2 2006", "Jan 2 2006"} {
		if t, err := time.Parse(layout, month+" "+day+" "+year); err == nil {
			return t.Format(time.DateOnly)
		}
	}
	return ""
}

var slashedDay = lazy.Pattern(`\b20\d{2}/\d{2}/\d{2}\b`)

// SlashedDay is the first date in s that is written as "2026/07/04", as an ISO date, or "".
func SlashedDay(s string) string { return strings.ReplaceAll(slashedDay().FindString(s), "/", "-") }

var dayOfName = lazy.Pattern(`(?:^|[^0-9A-Za-z])(?:20)?([2-3]\d)_?([01]\d)_?([0-3]\d)(?:$|[^0-9A-Za-z])`)

// DayOfName is the date that the name of a file gives without dashes, "20260704", "260704"
// or "2026_07_04", as an ISO date, or "".
func DayOfName(s string) string {
	for _, m := range dayOfName().FindAllStringSubmatch(s, -1) {
		if t, err := time.Parse("060102", m[1]+m[2]+m[3]); err == nil {
			return t.Format(time.DateOnly)
		}
	}
	return ""
}

// IsDay reports whether s is a date with at most one more word.
func IsDay(s string) bool {
	return len(strings.Fields(s)) <= 4 && (FirstDay(s) != "" || NamedDay(s) != "")
}

// IsDigit reports whether c is an ASCII digit.
func IsDigit(c byte) bool { return c >= '0' && c <= '9' }
