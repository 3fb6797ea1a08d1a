package fsstore

import (
	"testing"
	"time"
)

// A time proves something only when a later change must show in it.
func TestProven(t *testing.T) {
	now := time.Unix(1000, 500)
	at := func(before time.Duration) int64 { return now.Add(-before).UnixNano() }
	whole := time.Unix(999, 0).UnixNano() // as a file system without fractions has it
	for _, c := range []struct {
		name string
		stat Stat
		want bool
	}{
		{"long ago", Stat{1, at(time.Hour), at(time.Hour)}, true},
		{"a tick ago", Stat{1, at(Tick), at(Tick)}, true},
		{"just now", Stat{1, at(Tick - 1), at(time.Hour)}, false},
		{"disguised just now", Stat{1, at(time.Hour), at(Tick - 1)}, false},
		{"in this second, without fractions", Stat{1, whole, whole}, false},
		{"the system tells no time of change", Stat{1, at(time.Hour), 0}, true},
		{"in the future", Stat{1, at(-time.Hour), at(-time.Hour)}, false},
	} {
		if got := c.stat.Proven(now) == c.stat; got != c.want {
			t.Errorf("%s: proven %v", c.name, got)
		}
	}
}
