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
