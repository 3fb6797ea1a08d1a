package extract

import (
	"bytes"

	"github.com/yuin/goldmark/util"
)

// rule reads a line across the page. One under a paragraph is left to goldmark.
func (s *scanner) rule(end, depth int) int {
	if len(s.para) > 0 {
		return refuse
	}
	s.items = s.items[:depth]
	s.add(otherNode, depth)
	if depth == 0 {
		s.keep(end)
	}
	return end
}

// heading reads a heading whose text, after the marks, starts at byte i.
func (s *scanner) heading(i, end, level, depth int) int {
	t := s.trim(i, end)
	line := s.src[t.from:t.to]
	open := bytes.TrimRight(line, "#") // it may be closed as it is opened
	if len(open) == 0 || !s.closeTo(depth) {
		return refuse
	}
	if len(open) < len(line) && util.IsSpace(open[len(open)-1]) {
		t = s.trim(t.from, t.from+len(open))
	}
	n := s.add(headingNode, depth)
	n.level = int8(level)
	s.say(n, t)
	if depth == 0 {
		s.keep(end)
	}
	return end
}

// code reads fenced code, whose fence of n bytes starts at byte i.
func (s *scanner) code(at, i, end, depth, n int) int {
	if !s.closeTo(depth) {
		return refuse
	}
	if depth == 0 {
		s.keep(at)
	}
	indent := s.offset(depth)
	if i-at != indent {
		return refuse // what its lines lose would have to be counted
	}
	lines := s.row[:0]
	for from := end; from < len(s.src); from = end {
		end = s.lineEnd(from)
		line := s.src[from:end]
		if indent > 0 {
			switch open := bytes.TrimLeft(line, " "); {
			case util.IsBlank(line):
				line = line[len(line)-1:]
			case len(line)-len(open) < indent:
				return refuse
			default:
				line = line[indent:]
			}
		}
		space := 0
		for space < len(line) && line[space] == ' ' {
			space++
		}
		if space < 4 && closesFence(line[space:], s.src[i], n) {
			s.add(codeNode, depth).lines = s.hold(lines)
			s.row = lines
			if depth == 0 {
				s.keep(end)
			}
			return end
		}
		if bytes.IndexByte(line[:min(4, len(line))], '\t') >= 0 && closesFence(bytes.TrimLeft(line, " \t"), s.src[i], n) {
			return refuse
		}
		start := end - len(line)
		if k := len(lines); k > 0 && lines[k-1].to == start {
			lines[k-1].to = end
		} else {
			lines = append(lines, stretch{start, end})
		}
	}
	return refuse
}

// item reads a list item whose mark and the space after it take n bytes.
func (s *scanner) item(at, i, end, depth, n int, mark byte) int {
	if depth == maxNested || !s.closePara() {
		return refuse
	}
	var list *node
	if depth < len(s.items) && s.items[depth].mark == mark {
		list = s.items[depth].list
	}
	s.items = s.items[:depth]
	if list == nil {
		if depth == 0 {
			s.keep(at)
		}
		list = s.add(listNode, depth)
		list.ordered = isDigit(s.src[i])
	}
	item := s.newNode(itemNode)
	list.append(item)
	s.items = append(s.items, openItem{list: list, item: item, offset: i + n - at, mark: mark})
	return s.block(at, i+n, end, depth+1)
}

// closeTo closes the open paragraph, and all items but the first few. It reports
// whether goldmark is not needed for that.
func (s *scanner) closeTo(depth int) bool {
	if !s.closePara() {
		return false
	}
	s.items = s.items[:depth]
	return true
}

// closePara ends the open paragraph, which may turn out to be a table.
func (s *scanner) closePara() bool {
	lines, deep := s.para, s.deep
	if len(lines) == 0 {
		return true
	}
	s.para, s.deep = s.para[:0], false
	text := s.src[lines[0].from:lines[len(lines)-1].to]
	if text[0] == '[' && bytes.Contains(text, []byte("]:")) {
		return false // it may define a link
	}
	for i, l := range lines[1:] {
		cols := delimiters(s.src[l.from:l.to])
		if cols == 0 {
			continue
		}
		if i > 0 || deep || bytes.Contains(text, []byte(`\|`)) {
			return false
		}
		if len(s.cells(lines[0])) <= cols {
			s.table(lines, cols)
			return true
		}
		break
	}
	n := s.add(textNode, len(s.items))
	s.say(n, lines...)
	return true
}

// offset is where the text of an item starts that has as many items around it.
func (s *scanner) offset(depth int) int {
	if depth == 0 {
		return 0
	}
	return s.items[depth-1].offset
}

// add adds a node to what is open with so many items.
func (s *scanner) add(k nodeKind, depth int) *node {
	n := s.newNode(k)
	if depth == 0 {
		s.root.append(n)
	} else {
		s.items[depth-1].item.append(n)
	}
	return n
}

func (s *scanner) newNode(k nodeKind) *node {
	n := &s.nodes.take(1)[0]
	n.kind = k
	return n
}

// hold copies lines to where they last.
func (s *scanner) hold(lines []stretch) []stretch {
	out := s.lines.take(len(lines))
	copy(out, lines)
	return out
}

func (s *scanner) lineEnd(at int) int {
	if n := bytes.IndexByte(s.src[at:], '\n'); n >= 0 {
		return at + n + 1
	}
	return len(s.src)
}

// trim is a part of a line without the white space around it.
func (s *scanner) trim(from, to int) stretch {
	for from < to && util.IsSpace(s.src[to-1]) {
		to--
	}
	for from < to && util.IsSpace(s.src[from]) {
		from++
	}
	return stretch{from, to}
}
