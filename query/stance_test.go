package query

import "testing"

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
