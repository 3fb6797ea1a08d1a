package extract

import (
	"bytes"
	"unicode/utf8"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	gtext "github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// plainBlock stands in the syntax tree for a paragraph, a heading or a cell in
// whose text nothing has a meaning in Markdown but code, strong text and a
// checkbox, each in its simplest form. Goldmark's inline parser, half of its work,
// is spared such text, which is most of what a log holds; plainRuns gives what
// inline would give of goldmark's tree.
type plainBlock struct {
	ast.BaseBlock
	level int  // of a heading, else 0
	bare  bool // it has no marks at all
}

var kindPlain = ast.NewNodeKind("PlainBlock")

// Kind, IsRaw and Dump make it a node; a raw one is left alone by the inline parser.
func (b *plainBlock) Kind() ast.NodeKind         { return kindPlain }
func (b *plainBlock) IsRaw() bool                { return true }
func (b *plainBlock) Dump(src []byte, level int) { ast.DumpHelper(b, src, level, nil, nil) }

// plainKey is where the context of a parse has the reader that it is for.
var plainKey = parser.NewContextKey()

// plainText puts plain blocks into the syntax tree.
type plainText struct{}

// Extend takes the place of extension.Table for a parser.
func (plainText) Extend(m goldmark.Markdown) {
	m.Parser().AddOptions(
		parser.WithBlockParsers(util.Prioritized(plainHeadings{parser.NewATXHeadingParser()}, 599)), // goldmark's own has 600
		parser.WithParagraphTransformers(
			util.Prioritized(plainCells{extension.NewTableParagraphTransformer()}, 200),
			util.Prioritized(plainParagraphs{}, 300),
		),
		parser.WithASTTransformers(util.Prioritized(extension.NewTableASTTransformer(), 0)),
	)
}

type plainHeadings struct{ parser.BlockParser }

// Close is called when the heading has been read.
func (p plainHeadings) Close(n ast.Node, reader gtext.Reader, pc parser.Context) {
	p.BlockParser.Close(n, reader, pc)
	replacePlain(n, n.(*ast.Heading).Level, reader, pc)
}

type plainCells struct{ parser.ParagraphTransformer }

// Transform makes a table of a paragraph that is one.
func (p plainCells) Transform(n *ast.Paragraph, reader gtext.Reader, pc parser.Context) {
	parent, before := n.Parent(), n.PreviousSibling()
	p.ParagraphTransformer.Transform(n, reader, pc)
	after := parent.FirstChild()
	switch {
	case n.Parent() != nil:
		after = n.NextSibling()
	case before != nil:
		after = before.NextSibling()
	}
	table, ok := after.(*east.Table)
	if !ok {
		return
	}
	for row := table.FirstChild(); row != nil; row = row.NextSibling() {
		for c := row.FirstChild(); c != nil; {
			next := c.NextSibling()
			replacePlain(c, 0, reader, pc)
			c = next
		}
	}
}

type plainParagraphs struct{}

// Transform is called when the paragraph has been read, and before a line is taken
// that would make a heading of it.
func (plainParagraphs) Transform(n *ast.Paragraph, reader gtext.Reader, pc parser.Context) {
	if line, _ := reader.PeekLine(); !underlines(line) {
		replacePlain(n, 0, reader, pc)
	}
}

// underlines reports whether a line may make a heading of the paragraph before it.
func underlines(line []byte) bool {
	line = bytes.TrimSpace(line)
	return len(line) > 0 && len(bytes.Trim(line, "=-")) == 0
}

// replacePlain puts a plain block in the place of n if its text is plain.
func replacePlain(n ast.Node, level int, source gtext.Reader, pc parser.Context) {
	lines, src := n.Lines(), source.Source()
	if lines.Len() == 0 {
		return
	}
	bare := true
	_, inItem := n.Parent().(*ast.ListItem)
	for i := range lines.Len() {
		seg := lines.At(i)
		if seg.Padding != 0 {
			return
		}
		seg = seg.TrimLeftSpace(src)
		seg = seg.TrimRightSpace(src)
		before := ' '
		if i > 0 {
			before, _ = utf8.DecodeLastRune(src[:seg.Start])
		}
		line := src[seg.Start:seg.Stop]
		if i == 0 && inItem && n.PreviousSibling() == nil {
			_, line = checkbox(line)
		}
		if len(line) == 0 {
			return
		}
		if firstMark(line) < len(line) {
			if !isPlain(line, before) {
				return
			}
			bare = false
		}
	}
	b := &pc.Get(plainKey).(*reader).plain.take(1)[0]
	b.level, b.bare = level, bare
	b.SetLines(lines)
	b.SetBlankPreviousLines(n.HasBlankPreviousLines())
	n.Parent().ReplaceChild(n.Parent(), n, b)
}

// firstMark is where the first mark of a line stands, its length when none does.
func firstMark(line []byte) int {
	for i, c := range line {
		if marks[c] {
			return i
		}
	}
	return len(line)
}

// isPlain reports whether a line holds nothing but text, code between single
// backticks and strong text between pairs of asterisks; before is what stands
// before it.
func isPlain(line []byte, before rune) bool {
	strong := false
	for i := 0; i < len(line); {
		switch c := line[i]; {
		case !marks[c]:
			i++
		case c == '`':
			end := codeEnd(line, i)
			if end < 0 {
				return false
			}
			i = end
		case c == '*':
			if i > 0 {
				before, _ = utf8.DecodeLastRune(line[:i])
			}
			if !isPair(line, i) || !flanks(before, line[i+2:], strong) {
				return false
			}
			strong = !strong
			i += 2
		default:
			return false
		}
	}
	return !strong
}

// marks are the bytes that may have a meaning in the middle of a text.
var marks = func() (t [256]bool) {
	for c := range ' ' {
		t[c] = true
	}
	for _, c := range "`[]<*_~\\" {
		t[c] = true
	}
	return t
}()

// codeEnd is where the code ends that starts at byte i, -1 when it is not simple.
func codeEnd(line []byte, i int) int {
	n := bytes.IndexByte(line[i+1:], '`')
	if n <= 0 {
		return -1
	}
	code, end := line[i+1:i+1+n], i+n+2
	if end < len(line) && line[end] == '`' || code[0] <= ' ' || code[n-1] <= ' ' || bytes.IndexByte(code, '\\') >= 0 {
		return -1
	}
	return end
}

// isPair reports whether two asterisks, no more, stand at byte i.
func isPair(line []byte, i int) bool {
	return i+1 < len(line) && line[i+1] == '*' && (i+2 == len(line) || line[i+2] != '*')
}

// flanks reports whether a pair of asterisks may open strong text or, when it is
// open, close it, by what stands on both sides of it (CommonMark 6.2).
func flanks(before rune, rest []byte, open bool) bool {
	after := ' '
	if len(rest) > 0 {
		after, _ = utf8.DecodeRune(rest)
	}
	if open {
		before, after = after, before
	}
	return !util.IsSpaceRune(after) && (!util.IsPunctRune(after) || util.IsSpaceRune(before) || util.IsPunctRune(before))
}

// checkbox reads the box that opens a list item, and returns what follows it.
func checkbox(line []byte) (tick, []byte) {
	if len(line) < 5 || line[0] != '[' || line[2] != ']' || line[3] != ' ' || line[4] == ' ' {
		return noTick, line
	}
	switch line[1] {
	case ' ':
		return openTick, line[4:]
	case 'x', 'X':
		return doneTick, line[4:]
	}
	return noTick, line
}

// plainRuns are the runs of a plain block, cut where goldmark cuts its texts.
func (r *reader) plainRuns(b *plainBlock) []run {
	lines := b.Lines()
	for i := range lines.Len() {
		seg := lines.At(i)
		seg = seg.TrimLeftSpace(r.src)
		seg = seg.TrimRightSpace(r.src)
		last := i+1 == lines.Len()
		line, from := r.src[seg.Start:seg.Stop], 0
		style := run{line: r.lineOf(seg.Start), lineStart: true}
		put := func(from, to int) {
			style.s = r.text[seg.Start+from : seg.Start+to]
			r.runs = append(r.runs, style)
			style.lineStart = false
		}
		if i == 0 && line[0] == '[' {
			box, rest := checkbox(line)
			r.runs = append(r.runs, run{line: style.line, tick: box})
			from = len(line) - len(rest)
		}
		for at := from; at < len(line) && !b.bare; {
			if !marks[line[at]] {
				at++
				continue
			}
			if at > from {
				put(from, at)
			}
			if line[at] == '*' {
				style.bold = !style.bold
				at += 2
			} else {
				end := codeEnd(line, at)
				style.code = true
				put(at+1, end-1)
				style.code = false
				at = end
			}
			from = at
		}
		if bytes.IndexByte(line[from:], '!') >= 0 {
			if p := bytes.LastIndexByte(line[from:], '!'); p > 0 {
				put(from, from+p)
				from += p
			}
		}
		if style.broken = !last; !last || from < len(line) {
			put(from, len(line))
		}
	}
	return r.runs
}
