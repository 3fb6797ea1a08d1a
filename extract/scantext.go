package extract

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	gtext "github.com/yuin/goldmark/text"
)

// say gives n its text. Text in which anything has a meaning but the simplest
// marks is left in goldmark's syntax tree for its inline parser.
func (s *scanner) say(n *node, lines ...stretch) {
	item := s.opensItem(n)
	if s.isPlain(n, lines, item) {
		n.lines = s.hold(lines)
		return
	}
	switch n.kind {
	case headingNode:
		n.md = ast.NewHeading(int(n.level))
	case cellNode:
		n.md = east.NewTableCell()
	default:
		n.md = ast.NewParagraph()
	}
	for i, l := range lines {
		to := l.to
		if i+1 < len(lines) {
			to = s.lineEnd(to) // spaces before the line's end have a meaning
		}
		n.md.Lines().Append(gtext.NewSegment(l.from, to))
	}
	if !item {
		s.into.AppendChild(s.into, n.md)
		return
	}
	parent := ast.NewListItem(0) // where a checkbox may stand
	parent.AppendChild(parent, n.md)
	s.into.AppendChild(s.into, parent)
}

// opensItem reports whether n is the text with which a list item opens.
func (s *scanner) opensItem(n *node) bool {
	return len(s.items) > 0 && s.items[len(s.items)-1].item.first == n
}

// isPlain reports whether nothing has a meaning in the text of n but code, strong
// text and, where an item opens, a checkbox, each in its simplest form.
func (s *scanner) isPlain(n *node, lines []stretch, item bool) bool {
	n.bare = true
	for i, l := range lines {
		line := s.src[l.from:l.to]
		if i == 0 && item && line[0] == '[' {
			var box tick
			if box, line = checkbox(line); box == noTick && (len(line) < 3 || line[2] == ']') {
				return false // goldmark knows more forms of it
			}
			n.box = box != noTick
		}
		if firstMark(line) < len(line) {
			if !isPlain(line, s.address) {
				return false
			}
			n.bare = false
		}
	}
	return true
}

// table adds the table that a paragraph is: the names of its columns, the line
// under them, and its rows.
func (s *scanner) table(lines []stretch, cols int) {
	t := s.add(tableNode, len(s.items))
	for i, l := range lines {
		if i == 1 {
			continue
		}
		row := s.newNode(rowNode)
		t.append(row)
		cells := s.cells(l)
		for k := range cols {
			c := s.newNode(cellNode)
			row.append(c)
			if k < len(cells) {
				s.say(c, cells[k])
			}
		}
	}
}

// cells are the parts of a table's row, valid until it is called again.
func (s *scanner) cells(row stretch) []stretch {
	out := s.row[:0]
	if s.src[row.to-1] == '|' {
		row.to--
	}
	if s.src[row.from] == '|' {
		row.from++
	}
	for row.from < row.to {
		end := row.to
		if i := bytes.IndexByte(s.src[row.from:row.to], '|'); i >= 0 {
			end = row.from + i
		}
		out = append(out, s.trim(row.from, end))
		row.from = end + 1
	}
	s.row = out
	return out
}
