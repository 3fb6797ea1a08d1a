package extract

import (
	"bytes"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	gtext "github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// scanned stands in goldmark's syntax tree for blocks that the scanner has read.
// Its children are the texts among them that goldmark's inline parser has to read.
type scanned struct {
	ast.BaseBlock
	first *node
}

var kindScanned = ast.NewNodeKind("Scanned")

// Kind, IsRaw and Dump make it a node; a raw one has no text of its own.
func (b *scanned) Kind() ast.NodeKind         { return kindScanned }
func (b *scanned) IsRaw() bool                { return true }
func (b *scanned) Dump(src []byte, level int) { ast.DumpHelper(b, src, level, nil, nil) }

// scanKey is where the context of a parse has the scanner that it is for.
var scanKey = parser.NewContextKey()

// scanning lets the scanner read what it can before goldmark does.
type scanning struct{}

// Extend puts the scanner before goldmark's own block parsers (they start at
// 100) and after that of the front matter (0).
func (scanning) Extend(m goldmark.Markdown) {
	m.Parser().AddOptions(parser.WithBlockParsers(util.Prioritized(scanParser{}, 50)))
}

// scanParser is the scanner as one of goldmark's block parsers.
type scanParser struct{}

// Trigger gives the bytes with which a block may start: all.
func (scanParser) Trigger() []byte {
	var all []byte
	for c := range 256 {
		if !util.IsSpace(byte(c)) {
			all = append(all, byte(c))
		}
	}
	return all
}

// Open reads as many blocks as it can where goldmark looks for the first block of
// the log, or for the next one under no other.
func (scanParser) Open(parent ast.Node, source gtext.Reader, pc parser.Context) (ast.Node, parser.State) {
	if parent.Kind() != ast.KindDocument {
		return nil, parser.NoChildren
	}
	s := pc.Get(scanKey).(*scanner)
	line, at := source.Position()
	if at.Start <= s.refused || at.Padding > 0 || at.Start > 0 && s.src[at.Start-1] != '\n' {
		return nil, parser.NoChildren
	}
	b := &scanned{}
	to := s.blocks(b, at.Start)
	if b.first == nil {
		return nil, parser.NoChildren
	}
	line += bytes.Count(s.src[at.Start:to], []byte("\n")) - 1
	source.SetPosition(line, gtext.NewSegment(to-1, to)) // goldmark goes on with the line after it
	return b, parser.NoChildren
}

// Continue ends what Open has read.
func (scanParser) Continue(ast.Node, gtext.Reader, parser.Context) parser.State { return parser.Close }

// Close has nothing to do.
func (scanParser) Close(ast.Node, gtext.Reader, parser.Context) {}

// CanInterruptParagraph is false: a paragraph of goldmark's is its own.
func (scanParser) CanInterruptParagraph() bool { return false }

// CanAcceptIndentedLine is false: an indented line is code.
func (scanParser) CanAcceptIndentedLine() bool { return false }

// scanner reads blocks line by line, and holds those that are open. It knows
// headings, paragraphs, lists, tables and fenced code, each as people write them.
// What may mean anything else in Markdown it refuses, together with the whole
// list that it stands in, and goldmark reads that.
//
// Most of goldmark's time and memory is spared that way.
type scanner struct {
	nodes arena[node]
	lines arena[stretch]

	src     []byte
	address bool // src may give the address of a link apart from the link
	into    *scanned
	root    node
	kept    *node // the last block under no other that is complete
	end     int   // where it ends
	refused int   // the line that was refused last; nothing up to it is tried again

	items []openItem
	para  []stretch // the lines of the open paragraph
	deep  bool      // a line of it opens with four spaces or more
	row   []stretch // scratch space of cells
}

func newScanner() scanner {
	return scanner{nodes: arena[node]{size: 64}, lines: arena[stretch]{size: 128}, refused: -1}
}

// reset takes the memory of all nodes back.
func (s *scanner) reset() {
	s.nodes.reset()
	s.lines.reset()
	s.src, s.into, s.root, s.kept, s.refused = nil, nil, node{}, nil, -1
	clear(s.items[:cap(s.items)])
}

// openItem is a list item that the next line may belong to.
type openItem struct {
	list, item *node
	offset     int  // of its text from the start of the line
	mark       byte // "-", "*", "+", "." or ")"
}

// maxNested is the number of lists in lists that the scanner follows.
const maxNested = 32

// refuse is what is returned in the place of the next line for a line that
// goldmark has to read.
const refuse = -1

// blocks reads blocks from a line on, and returns where those end that are
// complete.
func (s *scanner) blocks(into *scanned, at int) int {
	s.into, s.root, s.kept, s.end = into, node{}, nil, at
	s.items, s.para, s.deep = s.items[:0], s.para[:0], false
	for at < len(s.src) {
		s.refused = at
		if at = s.line(at); at == refuse {
			break
		}
	}
	if at != refuse && s.closeTo(0) {
		s.keep(at)
	}
	if s.kept != nil {
		s.kept.next = nil
		into.first = s.root.first
	}
	return s.end
}

// keep says that what was read up to a byte is complete.
func (s *scanner) keep(at int) { s.kept, s.end = s.root.last, at }

// line reads the line that starts at a byte, and returns where the next one does.
func (s *scanner) line(at int) int {
	end, i := s.lineEnd(at), at
	for i < end && s.src[i] == ' ' {
		i++
	}
	if i == end || util.IsSpace(s.src[i]) {
		if !util.IsBlank(s.src[i:end]) || !s.closePara() {
			return refuse
		}
		if len(s.items) == 0 {
			s.keep(end)
		}
		return end
	}
	depth, indent := 0, i-at
	for depth < len(s.items) && s.items[depth].offset <= indent {
		depth++
	}
	if depth > 0 {
		indent -= s.items[depth-1].offset
	}
	switch {
	case indent > 3 && len(s.para) == 0:
		return refuse // code
	case indent > 3:
		s.deep = true
		return s.text(i, end)
	case len(s.para) > 0 && !opens[s.src[i]]:
		return s.text(i, end)
	}
	return s.block(at, i, end, depth)
}

// opens are the bytes with which a line may start that ends a paragraph.
var opens = func() (t [256]bool) {
	for _, c := range "#`~<>-*+=_0123456789" {
		t[c] = true
	}
	return t
}()

// block reads a line whose text starts at byte i and stands in the first items of
// those that are open.
func (s *scanner) block(at, i, end, depth int) int {
	line, inPara := s.src[i:end], len(s.para) > 0
	switch line[0] {
	case '<', '>':
		if depth == 0 && !inPara {
			s.keep(at)
		}
		return refuse
	case '=':
		if inPara && underlines(line) {
			return refuse
		}
	case '#':
		if level := len(line) - len(bytes.TrimLeft(line, "#")); level <= 6 && (level == len(line) || util.IsSpace(line[level])) {
			return s.heading(i+level, end, level, depth)
		}
	case '`', '~':
		if n := fenceLen(bytes.TrimRight(line, "\n")); n >= 3 {
			return s.code(at, i, end, depth, n)
		}
	default:
		if !opens[line[0]] {
			break
		}
		if inPara && underlines(line) {
			return refuse
		}
		if isRule(line) {
			return s.rule(end, depth)
		}
		n, mark := listMark(line)
		if n > 0 && !(inPara && depth == len(s.items) && isDigit(line[0]) && !isOne(line)) {
			return s.item(at, i, end, depth, n, mark)
		}
		if n == refuse {
			return refuse
		}
	}
	if !inPara {
		if !s.closeTo(depth) {
			return refuse
		}
		if depth == 0 {
			s.keep(at)
		}
	}
	return s.text(i, end)
}

// text adds a line to the open paragraph.
func (s *scanner) text(i, end int) int {
	s.para = append(s.para, s.trim(i, end))
	return end
}
