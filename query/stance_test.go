package query

import "testing"

func TestOpposite(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"use grep -oP", "Replaced all grep -oP patterns with POSIX sed equivalents", true},
		{"POSIX sed", "Replaced all grep -oP patterns with POSIX sed equivalents", false},
		{"replace grep with sed", "Replaced all grep -oP patterns with POSIX sed equivalents", false},
		{"replace sed with grep", "Replaced all grep -oP patterns with POSIX sed equivalents", true},
		{"keep the commits", "Squash the commits", false},
		{"rebase instead of merge", "merge instead of rebase", true},
		{"skip hooks", "Run all hooks", true},
		{"skip hooks", "Skipped the hooks", false},
		{"never skip hooks", "Run all hooks", false},
		{"mock the clock", "Don't mock the clock", true},
		{"mock the clock", "stop using mocks of the clock", true},
		{"do not use mocks", "no mocks", false},
		{"a cache", "Removed the cache, use a file", true},
		{"use a file", "Removed the cache, use a file", false},
		{"use a file", "Removed the cache. A file is enough", false},
		{"eviction", "Nothing in common", false},
		{"den Cache nutzen", "ohne Cache", true},
		{"stop the retry with backoff", "retry with backoff", true},
		{"", "", false},
	} {
		if got := opposite(c.a, c.b); got != c.want {
			t.Errorf("%q, %q: %v", c.a, c.b, got)
		}
		if opposite(c.a, c.b) != opposite(c.b, c.a) {
			t.Errorf("%q, %q: not symmetric", c.a, c.b)
		}
	}
}

func TestOtherResult(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"markdownlint failure", "Markdownlint: PASS", true},
		{"markdownlint errors", "Markdownlint: PASS (0 errors)", true},
		{"markdownlint failure", "markdownlint failed in CI", false},
		{"markdownlint failure", "markdownlint in CI", false},
		{"3 passed, 1 failed", "all passed", false},
		{"lint is green", "lint failed", true},
	} {
		if otherResult(c.a, c.b) != c.want || otherResult(c.b, c.a) != c.want {
			t.Errorf("%q, %q: not %v", c.a, c.b, c.want)
		}
	}
}

// Bare verdicts of reviews are no choices and no fixes; what names its matter is.
func TestVerdicts(t *testing.T) {
	for text, want := range map[string]bool{
		"Verdict: APPROVED": true, "PR #7 READY FOR MERGE": true, "[PASS]": true, "APPROVE WITH CONDITIONS": true, "critic: Accept": true,
		"Critic: Critic: NEEDS REVISION": true, "Verdict: BLOCKED (4 flaws)": true, "Review (APPROVED with conditions)": true,
		"Approve the retry with backoff": false, "Use a lock": false, "Merge the two queues": false, "Accepted main's version": false, "YAML array: Changed the indent": false,
	} {
		if got := IsVerdict(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
