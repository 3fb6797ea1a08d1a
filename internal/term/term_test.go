package term

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// A budget of tokens is a promise: 4 bytes each. What is left out is counted, as far
// as there is room, and the first lines stay.
func TestCut(t *testing.T) {
	text := "first line\nsecond line\nthird line\n"
	for _, c := range []struct {
		tokens int
		want   string
	}{
		{0, text},
		{9, text},
		{8, "first line\n(2 lines left out)\n"},
		{3, "first line\n"},
		{1, "fir\n"},
	} {
		if got := Cut(text, c.tokens); got != c.want {
			t.Errorf("%d tokens: %q, want %q", c.tokens, got, c.want)
		}
	}
	rapid.Check(t, func(rt *rapid.T) {
		text := rapid.String().Draw(rt, "text")
		tokens := rapid.IntRange(1, 40).Draw(rt, "tokens")
		if got := Cut(text, tokens); len(got) > 4*tokens || len(got) < len(text) && !utf8.ValidString(got) && utf8.ValidString(text) {
			rt.Errorf("%d tokens: %d bytes, %q", tokens, len(got), got)
		}
	})
}

// What a terminal would obey is taken out; the spaces of a line stay.
func TestLines(t *testing.T) {
	if got := Lines("  a \x1b[31mred\x1b[0m  word\n\tb"); strings.ContainsRune(got, 0x1b) || !strings.HasPrefix(got, "  a ") || strings.Count(got, "\n") != 1 {
		t.Errorf("got %q", got)
	}
}
