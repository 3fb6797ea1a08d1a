package extract

import (
	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
)

// nodeKind is the form of a node.
type nodeKind uint8

const (
	otherNode nodeKind = iota // states nothing: a rule, HTML, a link's address
	textNode                  // a paragraph, or the text of a list item
	headingNode
	listNode
	itemNode
	quoteNode
	codeNode
	tableNode
	rowNode // the first of a table holds its columns
	cellNode
)

// node is a block of Markdown: what is kept of goldmark's syntax tree, and what
// the scanner makes of the text that it reads itself.
type node struct {
	kind    nodeKind
	level   int8 // of a heading
	ordered bool // of a list
	bare    bool // its text has no marks at all, but for
	box     bool // a checkbox that it opens with

	// The text or code is that of md, or stands on these lines when there is none.
	md    ast.Node
	lines []stretch

	first, last, next *node // children, sibling
}

// stretch is a part of the log, as byte offsets.
type stretch struct{ from, to int }

func (n *node) append(c *node) {
	if n.last == nil {
		n.first = c
	} else {
		n.last.next = c
	}
	n.last = c
}

// start is the byte at which the text of n starts, or -1.
func (n *node) start() int {
	if len(n.lines) > 0 {
		return n.lines[0].from
	}
	if n.md != nil && n.md.Type() == ast.TypeBlock && n.md.Lines().Len() > 0 {
		return n.md.Lines().At(0).Start
	}
	for c := n.first; c != nil; c = c.next {
		if at := c.start(); at >= 0 {
			return at
		}
	}
	return -1
}

// outline adds what stands under md to n.
func (r *reader) outline(n *node, md ast.Node) {
	for c := md.FirstChild(); c != nil; c = c.NextSibling() {
		if s, ok := c.(*scanned); ok {
			for s := s.first; s != nil; {
				next := s.next
				s.next = nil
				n.append(s)
				s = next
			}
			continue
		}
		n.append(r.nodeOf(c))
	}
}

// nodeOf is a node of goldmark's, with what stands under it.
func (r *reader) nodeOf(md ast.Node) *node {
	n := r.scan.newNode(otherNode)
	n.md = md
	switch md := md.(type) {
	case *ast.Paragraph, *ast.TextBlock:
		n.kind = textNode
		return n
	case *ast.Heading:
		n.kind, n.level = headingNode, int8(md.Level)
		return n
	case *ast.FencedCodeBlock, *ast.CodeBlock:
		n.kind = codeNode
		return n
	case *east.TableCell:
		n.kind = cellNode
		return n
	case *ast.List:
		n.kind, n.ordered = listNode, md.IsOrdered()
	case *ast.ListItem:
		n.kind = itemNode
	case *ast.Blockquote:
		n.kind = quoteNode
	case *east.Table:
		n.kind = tableNode
	case *east.TableHeader, *east.TableRow:
		n.kind = rowNode
	default:
		return n
	}
	r.outline(n, md)
	return n
}
