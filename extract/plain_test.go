package extract

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/yuin/goldmark/parser"
	"pgregory.net/rapid"
)

// What is read without goldmark's inline parser is what is read with it.
func TestPlainBlocksAreReadAsGoldmarkReadsThem(t *testing.T) {
	pieces := []string{"**", "**", "`", "`", "*", "_", "~~", "[x] ", "[ ] ", "[", "]", "][", "](", ")", "!", "\\", "<", ">", "|", "word", "Word", "two words", "a.go", "1", ":", "-", "—", "é", "。", "(", ", ", " ", " ", "  ", "\n", "\n", "\n\n", "# ", "## ", "- ", "* ", "1. ", "> ", "  ", "    ", "| a | b |\n|---|---|\n| ", " | ", "===", "---", "[w]: /u", "&amp;", "\t", "**Fix**: ", "- [x] ", "```\n"}
	rapid.Check(t, func(t *rapid.T) {
		src := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 24).Draw(t, "pieces"), "")
		sameReading(t, []byte(src))
	})
}

// So are lines as they stand in logs, and in what looks like one.
func TestScannedLinesAreReadAsGoldmarkReadsThem(t *testing.T) {
	indents := []string{"", "", "", " ", "  ", "  ", "   ", "    ", "     ", "      ", "\t", "  \t"}
	marks := []string{"", "", "", "", "- ", "- ", "* ", "+ ", "1. ", "2. ", "10. ", "3) ", "1.", "-", "-  ", "-     ", "- - ", "1. - ", "# ", "## ", "#", "> ", "```", "```go", "~~~", "````", "| ", "[ ] ", "- [x] ", "**", "<b>", "[w]: /u", "[", ": "}
	texts := []string{"word", "word", "**Fix**: words", "a `b` c", "a | b", "a | b |", "---", "--- | ---", "|---|---|", ":-: | -", "--", "===", "***", "* * *", "- - -", "_ _ _", "___", "", "", " ", "#", "word #", "word ##", "1", "-", "*a*", "[l](u)", "[w]", "**a** (b [c]): d", "**a**", "**a [b]** c!d]: e", "[**b**]: c", "- [", "[a", "b]", "![i](u)", "![w]", "[[a] b]", "a \\| b", "!a", "a\\", "a  ", "\t", "é", "]: x", "<br>", "&lt;", "`` ` ``", "```", "~~~"}
	line := rapid.Custom(func(t *rapid.T) string {
		return rapid.SampledFrom(indents).Draw(t, "indent") + rapid.SampledFrom(marks).Draw(t, "mark") + rapid.SampledFrom(texts).Draw(t, "text")
	})
	rapid.Check(t, func(t *rapid.T) {
		src := strings.Join(rapid.SliceOfN(line, 1, 12).Draw(t, "lines"), "\n")
		sameReading(t, []byte(src+rapid.SampledFrom([]string{"", "\n"}).Draw(t, "end")))
	})
}

func TestPlainBlocksOfOwnLogs(t *testing.T) {
	for _, l := range sessionLogs(t) {
		t.Run(l.name, func(t *testing.T) { sameReading(t, l.data) })
	}
}

// Most of a log is plain, else goldmark is not spared much.
func TestMostBlocksArePlain(t *testing.T) {
	plain, all := 0, 0
	var count func(n *node)
	count = func(n *node) {
		switch n.kind {
		case textNode, headingNode, cellNode, codeNode:
			all++
			if n.md == nil {
				plain++
			}
		}
		for c := n.first; c != nil; c = c.next {
			count(c)
		}
	}
	for _, l := range sessionLogs(t) {
		r := readers.get()
		r.src = l.data
		count(r.syntax(mdParser, parser.NewContext()))
		r.release()
	}
	if plain < all*3/4 {
		t.Errorf("%d of %d blocks are plain", plain, all)
	}
}

func sameReading(t interface {
	Fatalf(format string, args ...any)
}, src []byte) {
	read := func(p parser.Parser) string {
		defer func(p parser.Parser) { mdParser = p }(mdParser)
		mdParser = p
		r := readers.get()
		defer r.release()
		r.lex = lexiconInUse()
		d := r.parse(src)
		var out strings.Builder
		for _, s := range d.sections {
			fmt.Fprintf(&out, "%d %d %s\n", s.level, s.line, wordsOf(s.title))
		}
		for _, b := range d.blocks {
			fmt.Fprintf(&out, "%d %v %d %q %q %s %d %v %v %q", b.kind, b.span, b.section.line, b.label, b.lead, wordsOf(b.text), b.tick, b.box, b.struck, b.code)
			for _, c := range b.cells {
				fmt.Fprintf(&out, " | %d %s", c.tick, wordsOf(c.text))
			}
			out.WriteByte('\n')
		}
		return out.String()
	}
	if got, want := read(mdParser), read(bareParser); got != want {
		t.Fatalf("%q is read as\n%s\nwant\n%s", src, got, want)
	}
}

// wordsOf is a text with what is known of its words.
func wordsOf(t text) string {
	var out strings.Builder
	fmt.Fprintf(&out, "%q", t.s)
	for _, w := range t.words {
		fmt.Fprintf(&out, " %s@%d:%d", w.s, w.line, w.start)
		if w.code {
			out.WriteByte('`')
		}
	}
	return out.String()
}

// Dates are found as by their regular expression.
func TestFirstDay(t *testing.T) {
	pattern := regexp.MustCompile(`\b(20\d{2})-(\d{2})-(\d{2})\b`)
	pieces := []string{"20", "26", "2026", "-", "01", "1", "2026-01-02", " ", "x", "_", "é", "T10"}
	rapid.Check(t, func(t *rapid.T) {
		s := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 12).Draw(t, "pieces"), "")
		if got, want := firstDay(s), pattern.FindString(s); got != want {
			t.Fatalf("first day of %q: %q, want %q", s, got, want)
		}
	})
}

// A mark set finds what a search for each of its phrases finds.
func TestMarkSet(t *testing.T) {
	pieces := append([]string{" ", ",", "a", "because", "due", " to ", "since "}, causeMarks...)
	rapid.Check(t, func(t *rapid.T) {
		s := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 6).Draw(t, "pieces"), "")
		want := false
		for _, m := range causeMarks {
			want = want || strings.Contains(s, m)
		}
		if got := causes.in(s); got != want {
			t.Fatalf("%q: %v, want %v", s, got, want)
		}
	})
}

// White space that needs no folding is left alone.
func TestCollapse(t *testing.T) {
	pieces := []string{" ", "  ", "\t", "\n", "a", "word", "é", "\u00a0", "\u3000", "\x01", "\xff"}
	rapid.Check(t, func(t *rapid.T) {
		s := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 8).Draw(t, "pieces"), "")
		if got, want := collapse(s), strings.Join(strings.Fields(s), " "); got != want {
			t.Fatalf("collapse(%q) = %q, want %q", s, got, want)
		}
		if want := string(fold(nil, s)); isFolded(s) && want != s {
			t.Fatalf("%q is not folded, but %q is", s, want)
		}
	})
}
