package loop

import (
	"testing"
	"time"
)

// What an agent says of the end of a limit is waited for, but not for long.
func TestLimitWait(t *testing.T) {
	now := time.Date(2026, 3, 2, 14, 30, 0, 0, time.UTC)
	for said, want := range map[string]time.Duration{
		"usage limit reached":                               usualWait,
		"usage limit reached|1772462700":                    15 * time.Minute,
		"You’ve hit your session limit · resets 3pm (UTC)":  30 * time.Minute,
		"You've hit your usage limit. Try again at 2:45 PM": 15 * time.Minute,
		"hit your limit, resets 9am":                        usualWait, // of a day that is not named
		"Your quota will reset after 26m59s.":               27 * time.Minute,
		"quota exceeded, retry in 34.07s":                   35 * time.Second,
		"try again in 3 days 4 hours":                       longestWait,
	} {
		if got := limitWait(said, now); got != want {
			t.Errorf("%q: %s, want %s", said, got, want)
		}
	}
}
