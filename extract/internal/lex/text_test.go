package lex

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

var lexicon = New(Vocabulary{})

// Words stand where they say, in order, without overlap; code is never classified.
func TestWordsKnowTheirOffsets(t *testing.T) {
	pieces := []string{"word", "Word", "don't", "a.b", "x_y", "-", ".", " ", "  ", "é", "É", "’", "決定", "テスト", "12", "3.4", ":", "failed", "instead of", "\n", "İ"}
	rapid.Check(t, func(t *rapid.T) {
		draw := func(label string) string {
			return strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 12).Draw(t, label), "")
		}
		s := draw("prose") + " "
		cut := len(s)
		s += draw("code")
		text := lexicon.TextWithCode(s, [][2]int{{cut, len(s)}})
		end := 0
		for _, w := range text.Words {
			if w.Start < end || w.End <= w.Start || w.End > len(s) {
				t.Fatalf("%q: word %q at %d to %d, after %d", s, w.Lower, w.Start, w.End, end)
			}
			end = w.End
			if strings.ToLower(s[w.Start:w.End]) != w.Lower && Lower(s[w.Start:w.End]) != w.Lower {
				t.Fatalf("%q: word %q at %q", s, w.Lower, s[w.Start:w.End])
			}
			if w.Code != (w.Start >= cut) || w.Code && w.Classes != (ClassSet{}) {
				t.Fatalf("%q: word %q: code %v from %d, classes %v", s, w.Lower, w.Code, cut, w.Classes)
			}
		}
		from, to := cut, len(s)
		if rapid.Bool().Draw(t, "first part") {
			from, to = 0, cut
		}
		sub := text.Sub(from, to)
		if !strings.Contains(s[from:to], sub.Raw) {
			t.Fatalf("part %d to %d of %q is %q", from, to, s, sub.Raw)
		}
		for _, w := range sub.Words {
			if low := strings.ToLower(sub.Raw[w.Start:w.End]); low != w.Lower && Lower(sub.Raw[w.Start:w.End]) != w.Lower {
				t.Fatalf("part %q of %q: word %q at %q", sub.Raw, s, w.Lower, low)
			}
		}
	})
}

// A line of the vocabulary has a known kind and role or class, and comes once.
func TestVocabulary(t *testing.T) {
	before := ""
	for line := range strings.Lines(words) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		known := map[string][]string{"name": roleNames, "part": roleNames, "word": classNames}
		if len(f) != 3 || f[2] == "" || !slices.Contains(known[f[0]], f[1]) {
			t.Errorf("line %q", line)
		}
		if line <= before {
			t.Errorf("line %q comes again or after %q", line, before)
		}
		before = line
	}
}
