package turns

import (
	"slices"
	"strings"
	"testing"
)

// A text is cut between words, in whatever place, and each line that is left in place is where it was.
func TestEndsBetweenWords(t *testing.T) {
	words := []string{"alpha", "bravo\ncharlie", "delta,", "echo-foxtrot", "golf\n\nhotel"}
	text := strings.TrimSpace(strings.Repeat(strings.Join(words, " ")+" ", 30))
	known, lines := strings.Fields(text), strings.Split(text, "\n")
	for n := 40; n < len(text); n++ {
		for _, s := range []string{Ends(text, n), EndsInPlace(text, n)} {
			for _, w := range strings.Fields(s) {
				if w != "[…]" && !slices.Contains(known, w) {
					t.Fatalf("%d bytes: %q is a part of a word in %q", n, w, s)
				}
			}
			if len(s) > n+len(lines) {
				t.Fatalf("%d bytes: %d", n, len(s))
			}
		}
		placed := strings.Split(EndsInPlace(text, n), "\n")
		if len(placed) != len(lines) {
			t.Fatalf("%d bytes: %d lines of %d", n, len(placed), len(lines))
		}
		for i, l := range placed {
			head, tail, cut := strings.Cut(l, "[…]")
			if !cut { // the mark may stand lines above
				head, tail = "", l
			}
			if !strings.HasPrefix(lines[i], strings.TrimSpace(head)) || !strings.HasSuffix(lines[i], strings.TrimSpace(tail)) {
				t.Fatalf("%d bytes: line %d is %q, was %q", n, i, l, lines[i])
			}
		}
	}
	long := strings.Repeat("x", 500) // no word to cut between
	if s := Ends(long, 100); !strings.HasPrefix(s, long[:50]) {
		t.Errorf("%q", s)
	}
}
