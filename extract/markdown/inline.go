package markdown

import (
	"bytes"
	"cmp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"

	"episodes/extract/internal/doc"
	"episodes/extract/internal/lex"
)

// run is a piece of inline text of one kind on one line.
type run struct {
	s                  string
	line               int
	bold, code, struck bool
	tick               doc.Tick
	lineStart          bool
	opens              bool // a bold text
	broken             bool // a line break follows
}

// inlineWalk collects the runs of one node.
type inlineWalk struct {
	*reader
	runs    []run
	opening bool // the next run opens a line
	cell    bool // the runs are of a cell of a table
}

// inline flattens the inline content of a node.
func (r *reader) inline(n ast.Node) []run {
	w := inlineWalk{reader: r, opening: true, cell: n.Kind() == east.KindTableCell}
	w.walk(n, run{})
	if base := startOf(n); base >= 0 {
		line := r.lineOf(base)
		for i := range w.runs { // or that of the run before it
			w.runs[i].line = cmp.Or(w.runs[i].line, line)
			line = w.runs[i].line
		}
	}
	return w.runs
}

// walk appends the runs of the children of n.
func (w *inlineWalk) walk(n ast.Node, style run) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		st := style
		switch c := c.(type) {
		case *ast.Text:
			st.s, st.line, st.lineStart = string(unescape(c.Segment.Value(w.src), st.code)), w.lineOf(c.Segment.Start), w.opening
			if st.code && w.cell {
				st.s = strings.ReplaceAll(st.s, `\|`, "|") // the one escape that code knows: it parts no cells
			}
			w.opening = c.SoftLineBreak() || c.HardLineBreak()
			st.broken = w.opening
			w.runs = append(w.runs, st)
		case *ast.String:
			st.s, st.line = string(c.Value), w.lastLine()
			w.runs = append(w.runs, st)
		case *ast.CodeSpan:
			st.code = true
			w.walk(c, st)
		case *ast.Emphasis:
			at := len(w.runs)
			st.bold = st.bold || c.Level == 2
			w.walk(c, st)
			if c.Level == 2 && at < len(w.runs) {
				w.runs[at].opens = true
			}
		case *ast.AutoLink:
			st.s, st.code, st.line = string(c.URL(w.src)), true, w.lastLine()
			st.lineStart, w.opening = w.opening, false
			w.runs = append(w.runs, st)
		case *east.Strikethrough:
			st.struck = true
			w.walk(c, st)
		case *east.TaskCheckBox:
			st.tick = doc.OpenTick
			if c.IsChecked {
				st.tick = doc.DoneTick
			}
			w.runs = append(w.runs, st)
		case *ast.RawHTML:
		default:
			w.walk(c, st)
		}
	}
}

// lastLine returns the line of the last run, or 0 without runs.
func (w *inlineWalk) lastLine() int {
	if len(w.runs) == 0 {
		return 0
	}
	return w.runs[len(w.runs)-1].line
}

// unescape is s without the backslashes that escape punctuation; code has none.
func unescape(s []byte, code bool) []byte {
	if code || bytes.IndexByte(s, '\\') < 0 {
		return s
	}
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) && s[i+1] < utf8.RuneSelf && unicode.IsPunct(rune(s[i+1])) {
			continue
		}
		out = append(out, s[i])
	}
	return out
}

// joinRuns makes one text of runs, whose words know their lines.
func (r *reader) joinRuns(runs []run) lex.Text {
	var buf []byte
	var code, lines [][2]int // byte ranges of code; from which byte on which line it is
	for _, x := range runs {
		from := len(buf)
		if n := len(lines); n == 0 || lines[n-1][1] != x.line {
			lines = append(lines, [2]int{from, x.line})
		}
		buf = fold(buf, x.s)
		if x.code {
			code = append(code, [2]int{from, len(buf)})
		}
		if x.broken {
			buf = fold(buf, " ")
		}
	}
	t := r.lex.TextWithCode(string(bytes.TrimRight(buf, " ")), code)
	at := 0
	for i := range t.Words {
		for at+1 < len(lines) && lines[at+1][0] <= t.Words[i].Start {
			at++
		}
		t.Words[i].Line = lines[at][1]
	}
	return t
}

// flat is the string of runs.
func flat(runs []run) string {
	var buf []byte
	for _, x := range runs {
		buf = fold(buf, x.s)
		if x.broken {
			buf = fold(buf, " ")
		}
	}
	return string(bytes.TrimRight(buf, " "))
}

// fold appends s to buf with white space and control characters folded to single
// spaces.
func fold(buf []byte, s string) []byte {
	for _, r := range s {
		switch {
		case !unicode.IsSpace(r) && !unicode.IsControl(r):
			buf = utf8.AppendRune(buf, r)
		case len(buf) > 0 && buf[len(buf)-1] != ' ':
			buf = append(buf, ' ')
		}
	}
	return buf
}
