package causal

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestCleanFoldsWhiteSpace(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s := rapid.StringOf(rapid.SampledFrom([]rune("ab  \t\n\x01é\u00a0\u2003"))).Draw(rt, "text")
		if got, want := clean(s), strings.Join(strings.Fields(s), " "); got != want {
			rt.Fatalf("%q becomes %q, want %q", s, got, want)
		}
	})
}
