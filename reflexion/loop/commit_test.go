package loop

import (
	"strings"
	"testing"
)

func TestCommitMessage(t *testing.T) {
	long := strings.Repeat("sum the cart ", 9)
	for task, want := range map[string]string{
		"Sum the cart":                  "Sum the cart",
		"# Sum the cart\n\nIn cents.":   "Sum the cart\n\n# Sum the cart\n\nIn cents.",
		long:                            long[:72] + "…\n\n" + long,
		"Sum the cart\n  - of the gift": "Sum the cart\n\nSum the cart\n  - of the gift",
	} {
		if got := message(task); got != want {
			t.Errorf("%q: %q, want %q", task, got, want)
		}
	}
}
