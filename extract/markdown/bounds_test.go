package markdown

import (
	"strings"
	"testing"

	"episodes/extract/internal/doc"
)

// What is over a bound stays in the document as text, on its line, and is said once.
func TestBoundsKeepTheText(t *testing.T) {
	for name, c := range map[string]struct{ log, code string }{
		"emphasis":    {strings.Repeat("_a* ", 5000), "too-many-marks"},
		"brackets":    {strings.Repeat("[a ", 5000), "too-many-marks"},
		"addresses":   {strings.Repeat("[a](\"", 900), "too-many-marks"},
		"quotes":      {strings.Repeat("> ", 500) + "a", "too-deep"},
		"lists":       {strings.Repeat("- ", 500) + "a", "too-deep"},
		"blank lines": {"- a\n" + strings.Repeat("\n", 30_000) + "  a", "too-many-blank-lines"},
		"short rows":  {strings.Repeat("|a", 2000) + "\n" + strings.Repeat("|-", 2000) + "\n" + strings.Repeat("a\n", 2000), "too-many-marks"},
		"definitions": {strings.Repeat("[a]: b\n", 2000), ""},
		"backticks":   {"`a ``a ```a ````a", ""},
	} {
		t.Run(name, func(t *testing.T) {
			d := Parse(lexicon, []byte(c.log))
			said, words := 0, 0
			for _, n := range d.Diagnostics {
				if n.Code == c.code {
					said++
				}
			}
			if want := min(1, len(c.code)); said != want {
				t.Errorf("said %d times, want %d: %v", said, want, d.Diagnostics)
			}
			for _, b := range d.Blocks {
				words += strings.Count(b.Full()+b.Lead, "a")
			}
			for _, s := range d.Sections {
				words += strings.Count(s.Title.Raw, "a")
			}
			if want := strings.Count(c.log, "a"); words < want {
				t.Errorf("%d of %d words are left", words, want)
			}
		})
	}
}

// Code is evidence: no bound takes a byte of it.
func TestBoundsSpareCode(t *testing.T) {
	code := strings.Repeat("_a* [b] > ~~`\n", 3000) + strings.Repeat("[", 3000) + "\n" + strings.Repeat(" ", 400) + "x\n" + strings.Repeat("\n", 3000) + strings.Repeat(">", 300) + "\n"
	indented := strings.ReplaceAll("    "+strings.TrimSuffix(code, "\n"), "\n", "\n    ") + "\n"
	for name, log := range map[string]string{"fenced": "```\n" + code + "```\n", "indented": indented} {
		var got []string
		d := Parse(lexicon, []byte(log))
		for _, b := range d.Blocks {
			if b.Kind == doc.Code {
				got = append(got, b.Code)
			}
		}
		if len(got) != 1 || got[0] != code || len(d.Diagnostics) > 0 {
			t.Errorf("%s: %d blocks of code, not the one that was written; %v", name, len(got), d.Diagnostics)
		}
	}
}

// Labels after more emphasis than may wait at once are labels all the same.
func TestManyBoldLabels(t *testing.T) {
	const n = 2000
	d := Parse(lexicon, []byte(strings.Repeat("**Problem**: it broke\n", n)))
	if len(d.Blocks) != n || d.Blocks[n-1].Label != "Problem" {
		t.Errorf("%d blocks of %d labelled lines", len(d.Blocks), n)
	}
}
