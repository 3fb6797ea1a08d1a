package markdown

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"episodes/extract/internal/doc"
	"episodes/extract/internal/lex"
)

var lexicon = lex.New(lex.Vocabulary{})

// outline writes a document for people: sections, and blocks with their lines.
func outline(d *doc.Document) []string {
	kinds := map[doc.Kind]string{doc.Paragraph: "paragraph", doc.Item: "item", doc.Row: "row", doc.Code: "code"}
	var out []string
	for _, b := range d.Blocks {
		s := kinds[b.Kind] + " in " + b.Section.Title.Raw + ": " + b.Full() + b.Code
		if b.Parent != nil {
			s += " < " + b.Parent.Full()
		}
		if b.Intro != nil {
			s += " << " + b.Intro.Full()
		}
		out = append(out, s)
	}
	return out
}

func TestParse(t *testing.T) {
	for name, c := range map[string]struct {
		log  string
		want []string
	}{
		"paragraph": {"# A\n\none\ntwo\n", []string{"paragraph in A: one two"}},
		"labels split a paragraph": {"**Problem**: x broke\n**Fix**: pin x\n", []string{
			"paragraph in : Problem: x broke", "paragraph in : Fix: pin x"}},
		"a bold text goes on in the next line": {"- x; **a\n  b** — c\n- **Fix\n  for y**: d\n", []string{"item in : x; a b — c", "item in : Fix for y: d"}},
		"two bold lines stay two":              {"**Fix**: a\n**B**\n**C**: d\n", []string{"paragraph in : Fix: a B", "paragraph in : C: d"}},
		"a bold line is a heading":             {"**Work done**\n\n- a\n", []string{"item in Work done: a"}},
		"a line introduces its list":           {"Two things:\n\n- a\n  - b\n", []string{"paragraph in : Two things:", "item in : a << Two things:", "item in : b < a << Two things:"}},
		"table":                                {"| A | B |\n|---|---|\n| x | y |\n", []string{"row in : x | y"}},
		"escaped pipes in code of cells":       {"| a | b |\n|---|---|\n| `x \\| y` and `\\|` | \\| `z` |\n", []string{"row in : x | y and | | \\| z"}},
		"code":                                 {"- a\n\n  ```\n  b\n  ```\n", []string{"item in : a", "code in : b\n < a"}},
		"front matter is no text":              {"---\ntitle: T\n---\ntext\n", []string{"paragraph in : text"}},
		"a label inside a text":                {"We chose a lock. Rationale: it is simple\n", []string{"paragraph in : We chose a lock.", "paragraph in : Rationale: it is simple"}},
		"clock times are dropped":              {"- 10:15 - Ran the tests\n", []string{"item in : Ran the tests"}},
		"marks of a tick":                      {"- [x] done\n- ✅ also done\n", []string{"item in : done", "item in : also done"}},
		"escapes and entities":                 {"a \\* b\n", []string{"paragraph in : a * b"}},
		"a quote is read as text":              {"> quoted\n", []string{"paragraph in : quoted"}},
		"headings in items are text":           {"- # a\n", []string{"item in : ", "paragraph in : a < "}},
	} {
		t.Run(name, func(t *testing.T) {
			got, want := strings.Join(outline(Parse(lexicon, []byte(c.log))), "\n"), strings.Join(c.want, "\n")
			if got != want {
				t.Errorf("%q is read as\n%s\nwant\n%s", c.log, got, want)
			}
		})
	}
}

// The front matter is cut where its mark comes again, and lines are those of the log.
func TestFrontMatter(t *testing.T) {
	for log, want := range map[string]string{
		"---\ntitle: T\nstatus: done\n---\n# A\n\ntext\n": "title 2 T, status 3 done | A 5 | 7 text",
		"---\r\ntitle: T\r\n---\r\ntext\r\n":              "title 2 T | 4 text",
		"\ufeff---\ntags:\n  - a\n  - b\n---\n\n- x":      "tags 3 a, tags 4 b | 7 x",
		"---\nT: a\n----\nb: c\n---\ntext\n---\n":         "| text 6",
		"---\n\nT: a\n\n---\n    code\n":                  "T 3 a | 6 code",
		"+++\ntitle = \"T\"\n+++\n# A\ntext\n":            "| A 4 | 5 text",
		"\n---\nT: a\n---\n":                              "| T: a 3",
		"---\nT: a\n ---\ntext":                           "| T: a 2 | 4 text",
		"+++\ntext\n":                                     "| 1 +++ text",
	} {
		d := Parse(lexicon, []byte(log))
		var got []string
		for _, m := range d.Meta {
			got = append(got, fmt.Sprint(m.Label, " ", m.Span[0], " ", m.Text.Raw))
		}
		out := strings.Join(got, ", ")
		for _, s := range d.Sections[1:] {
			out += fmt.Sprint(" | ", s.Title.Raw, " ", s.Line)
		}
		for _, b := range d.Blocks {
			out += fmt.Sprint(" | ", b.Span[0], " ", b.Full(), strings.TrimSpace(b.Code))
		}
		if out = strings.TrimSpace(out); out != want {
			t.Errorf("%q is read as\n%s\nwant\n%s", log, out, want)
		}
	}
}

// However lines are put together, every block and every word knows a line of the
// log, and sections, items and lists know their blocks.
func TestStructureIsSound(t *testing.T) {
	indents := []string{"", "", "", " ", "  ", "   ", "    ", "\t"}
	marks := []string{"", "", "- ", "* ", "1. ", "3) ", "- - ", "# ", "## ", "> ", "```", "~~~", "| ", "[ ] ", "---", "+++"}
	texts := []string{"word", "**Fix**: words", "a `b` c", "a | b |", "|---|---|", "===", "", "title: x", "Two things:", "[a]: b", "<b>", "\\", "é—", "x\xff", "2026-01-02 10:15"}
	line := rapid.Custom(func(t *rapid.T) string {
		return rapid.SampledFrom(indents).Draw(t, "indent") + rapid.SampledFrom(marks).Draw(t, "mark") + rapid.SampledFrom(texts).Draw(t, "text")
	})
	rapid.Check(t, func(t *rapid.T) {
		src := strings.Join(rapid.SliceOfN(line, 0, 14).Draw(t, "lines"), "\n")
		d := Parse(lexicon, []byte(src))
		if want := max(1, strings.Count(strings.TrimSuffix(src, "\n"), "\n")+1); d.Lines != want {
			t.Fatalf("%d lines, want %d", d.Lines, want)
		}
		for i, b := range d.Blocks {
			if b.Index != i || b.Section.Blocks[b.Pos] != b {
				t.Fatalf("block %d has index %d, position %d", i, b.Index, b.Pos)
			}
			if b.Parent != nil && b.Parent.Children[b.PosInParent] != b {
				t.Fatalf("block %d is not among the children of its parent", i)
			}
			if b.Span[0] < 1 && b.Full() != "" || b.Span[1] < b.Span[0] || b.Span[1] > d.Lines {
				t.Fatalf("block %d has the lines %v of %d", i, b.Span, d.Lines)
			}
			if (b.Kind == doc.Row) != (b.Table != nil) {
				t.Fatalf("block %d: kind %d, table %v", i, b.Kind, b.Table)
			}
			for _, w := range b.Text.Words {
				if w.Line < b.Span[0] || w.Line > b.Span[1] {
					t.Fatalf("word %q is on line %d, its block on %v", w.Lower, w.Line, b.Span)
				}
			}
		}
		for i, s := range d.Sections {
			if s.Line < 1 || s.Line > d.Lines || i > 0 && s.Parent.Subs[s.Pos] != s {
				t.Fatalf("section %d on line %d", i, s.Line)
			}
		}
	})
}
