package memory

import (
	"slices"
	"strings"
	"testing"
)

// Whatever stands in the file of pins, those that are read are the same when they
// are written and read again.
func FuzzPins(f *testing.F) {
	f.Add("episode-a#d001 alone\nepisode-b#e002 as episode-a#e001\n")
	f.Add("episode-a#d001 as\n# words\nepisode-a#d001 as x\n")
	f.Fuzz(func(t *testing.T, text string) {
		pins := parsePins(text)
		var b strings.Builder
		for _, p := range pins {
			b.WriteString(p.String() + "\n")
		}
		if again := parsePins(b.String()); !slices.Equal(pins, again) {
			t.Fatalf("%q: %v, then %v", text, pins, again)
		}
	})
}
