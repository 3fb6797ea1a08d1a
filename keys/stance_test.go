package keys

import "testing"

func TestOpposite(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"use grep -oP", "Replaced all grep -oP patterns with POSIX sed equivalents", true},
		{"replace grep with sed", "Replaced all grep -oP patterns with POSIX sed equivalents", false},
		{"replace sed with grep", "Replaced all grep -oP patterns with POSIX sed equivalents", true},
		{"keep the commits", "Squash the commits", false},
		{"rebase instead of merge", "merge instead of rebase", true},
		{"skip hooks", "Run all hooks", true},
		{"skip hooks", "Skipped the hooks", false},
		{"never skip hooks", "Run all hooks", false},
		{"mock the clock", "Don't mock the clock", true},
		{"do not use mocks", "no mocks", false},
		{"a cache", "Removed the cache, use a file", true},
		{"use a file", "Removed the cache, use a file", false},
		{"eviction", "Nothing in common", false},
		{"den Cache nutzen", "ohne Cache", true},
		{"", "", false},
	} {
		if got := Opposite(c.a, c.b); got != c.want {
			t.Errorf("%q, %q: %v", c.a, c.b, got)
		}
		if Opposite(c.a, c.b) != Opposite(c.b, c.a) {
			t.Errorf("%q, %q: not symmetric", c.a, c.b)
		}
	}
}
