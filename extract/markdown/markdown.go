// Package markdown makes a document of a Markdown log. goldmark parses; this
// package walks its syntax tree, finds labels, ticks and clock times in the text,
// and keeps the line of every word.
package markdown

import (
	"sort"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	gtext "github.com/yuin/goldmark/text"

	"episodes/extract/internal/doc"
	"episodes/extract/internal/lex"
)

var mdParser = newParser()

// reader walks the syntax tree of one log and builds its document.
type reader struct {
	*doc.Builder
	lex    *lex.Lexicon
	src    []byte
	starts []int // byte offset of each line
}

// Parse reads Markdown. Any bytes are legal: what cannot be right (an unclosed
// fence or front matter, bytes that are no UTF-8) is noted and read past.
func Parse(l *lex.Lexicon, data []byte) *doc.Document {
	r := &reader{Builder: doc.NewBuilder(l), lex: l}
	r.src = r.repair(data)
	r.starts = lineStarts(r.src)

	ctx, text := parser.NewContext(), gtext.NewReader(r.src)
	ctx.Set(boundsKey, &bounds{reader: r, said: map[string]bool{}})
	front, after := r.cutFrontMatter()
	text.Advance(after)
	all := mdParser.Parse(text, parser.WithContext(ctx))
	r.frontMatter(front)
	r.children(all, nil)
	return r.Document(len(r.starts))
}

// lineOf is the 1-based line of a byte offset.
func (r *reader) lineOf(offset int) int {
	return max(sort.SearchInts(r.starts, offset+1), 1)
}

// startOf is the byte at which the text of a block starts, or -1.
func startOf(n ast.Node) int {
	if n.Type() == ast.TypeInline {
		return -1
	}
	if lines := n.Lines(); lines != nil && lines.Len() > 0 {
		return lines.At(0).Start
	}
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if at := startOf(c); at >= 0 {
			return at
		}
	}
	return -1
}

// children reads the children of n; parent is the list item that contains them.
func (r *reader) children(n ast.Node, parent *doc.Block) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		switch c := c.(type) {
		case *ast.Heading:
			r.heading(c)
		case *ast.List:
			r.list(c, parent)
			if parent == nil {
				r.Introduce(nil)
			}
		case *east.Table:
			r.table(c, parent)
			r.Introduce(nil)
		default:
			r.inner(c, parent)
		}
	}
}

// inner reads a block that means the same inside a list item and outside.
func (r *reader) inner(n ast.Node, parent *doc.Block) {
	switch n := n.(type) {
	case *ast.Paragraph, *ast.TextBlock:
		r.paragraph(n, parent)
	case *ast.FencedCodeBlock, *ast.CodeBlock:
		r.code(n, parent)
	case *ast.Blockquote:
		r.children(n, parent)
	}
}

func (r *reader) heading(h *ast.Heading) {
	t := r.joinRuns(r.inline(h))
	line := 1
	if at := startOf(h); at >= 0 {
		line = r.lineOf(at)
	}
	r.OpenSection(t, h.Level, line)
}
