package extract

import (
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	gtext "github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// plainBlock stands in the syntax tree for a paragraph, a heading or a cell in
// whose text nothing has a meaning in Markdown. Goldmark's inline parser, half of
// its work, is spared such text: it is most of what a log holds.
type plainBlock struct {
	ast.BaseBlock
	level int // of a heading, else 0
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
	for _, c := range line {
		if c != '=' && c != '-' && c != ' ' && c != '\t' && c != '\n' {
			return false
		}
	}
	return len(line) > 0
}

// replacePlain puts a plain block in the place of n if its text is plain.
func replacePlain(n ast.Node, level int, source gtext.Reader, pc parser.Context) {
	lines, src := n.Lines(), source.Source()
	if lines.Len() == 0 {
		return
	}
	for i := range lines.Len() {
		if seg := lines.At(i); seg.Len() == 0 || seg.Padding != 0 || !isPlain(src[seg.Start:seg.Stop]) {
			return
		}
	}
	b := &pc.Get(plainKey).(*reader).plain.take(1)[0]
	b.level = level
	b.SetLines(lines)
	b.SetBlankPreviousLines(n.HasBlankPreviousLines())
	n.Parent().ReplaceChild(n.Parent(), n, b)
}

// isPlain reports whether nothing in s has a meaning in the middle of a text.
func isPlain(s []byte) bool {
	for _, c := range s {
		if marks[c] {
			return false
		}
	}
	return true
}

var marks = func() (t [256]bool) {
	for c := range ' ' {
		t[c] = c != '\n'
	}
	for _, c := range "`[]<*_~\\" {
		t[c] = true
	}
	return t
}()

// plainRuns are the runs of a plain block: one for each line.
func (r *reader) plainRuns(b *plainBlock) []run {
	lines := b.Lines()
	for i := range lines.Len() {
		seg := lines.At(i)
		seg = seg.TrimLeftSpace(r.src)
		seg = seg.TrimRightSpace(r.src)
		r.runs = append(r.runs, run{s: r.text[seg.Start:seg.Stop], line: r.lineOf(seg.Start), lineStart: true, broken: i+1 < lines.Len()})
	}
	return r.runs
}
