package markdown

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	gtext "github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// Constructs that take goldmark quadratic time or worse are bounded here, inside its
// parser: code is never looked at, text beyond a bound stays text on its line, and
// the time for a log grows linearly with its size.
const (
	maxEmphasis = 256     // marks of emphasis that may wait for their other half
	maxBrackets = 1000    // "[" in one paragraph, item or cell
	maxNoLinks  = 100     // "](" there that begin no address
	maxDepth    = 100     // lists, items and quotes that are open on one line
	maxBlank    = 20_000  // blank lines in a row, in each list
	maxRefLines = 500     // of a paragraph with link definitions
	maxPadding  = 100_000 // cells that may be missing from the rows of a table
)

// bounds counts what one log holds of each.
type bounds struct {
	*reader
	said     map[string]bool
	emphasis int
	before   ast.Node // the node before the first of them
	brackets int
	noLinks  int
	blank    int
	runs     map[int]int // last runs by number of backticks; nil: not known yet
}

var boundsKey = parser.NewContextKey()

func boundsOf(pc parser.Context) *bounds { return pc.Get(boundsKey).(*bounds) }

// say notes once for a log what was read as text.
func (b *bounds) say(at int, code, message string) {
	if !b.said[code] {
		b.said[code] = true
		b.Note(b.lineOf(at), code, message)
	}
}

func (b *bounds) tooMany(at int) {
	b.say(at, "too-many-marks", "marks of Markdown beyond any use were read as text")
}

// newParser is goldmark's parser with tables, checkboxes, struck text and bounds.
func newParser() parser.Parser {
	blocks := parser.DefaultBlockParsers()
	for i, p := range blocks {
		switch p.Priority {
		case 300:
			blocks[i].Value = boundedList{parser.NewListParser()}
		case 800:
			blocks[i].Value = boundedQuote{parser.NewBlockquoteParser()}
		}
	}
	return parser.NewParser(
		parser.WithBlockParsers(blocks...),
		parser.WithInlineParsers(
			util.Prioritized(extension.NewTaskCheckBoxParser(), 0),
			util.Prioritized(boundedCode{parser.NewCodeSpanParser()}, 100),
			util.Prioritized(boundedLink{parser.NewLinkParser()}, 200),
			util.Prioritized(parser.NewAutoLinkParser(), 300),
			util.Prioritized(parser.NewRawHTMLParser(), 400),
			util.Prioritized(boundedEmphasis{parser.NewEmphasisParser()}, 500),
			util.Prioritized(boundedEmphasis{extension.NewStrikethroughParser()}, 500),
		),
		parser.WithParagraphTransformers(
			util.Prioritized(boundedRefs{parser.LinkReferenceParagraphTransformer}, 100),
			util.Prioritized(boundedTable{extension.NewTableParagraphTransformer()}, 200),
		),
	)
}

// boundedEmphasis matches marks of emphasis that wait before they are too many:
// for each that closes, goldmark looks at all that wait.
type boundedEmphasis struct{ parser.InlineParser }

func (p boundedEmphasis) Parse(parent ast.Node, block gtext.Reader, pc parser.Context) ast.Node {
	if l, _ := block.PeekLine(); l[0] == '~' && !bytes.HasPrefix(l, []byte("~~")) {
		return nil // "~5" is about five
	}
	b := boundsOf(pc)
	line, at := block.Position()
	// A line that opens with a mark is the best place: nothing but emphasis across
	// lines is lost there.
	if b.emphasis >= 2*maxEmphasis || b.emphasis >= maxEmphasis && at.Start == parent.Lines().At(line).Start {
		parser.ProcessDelimiters(b.before, pc) // nil would make it walk to the start of the text
		parser.NewLinkParser().(parser.CloseBlocker).CloseBlock(parent, block, pc)
		b.emphasis = 0
		b.tooMany(at.Start)
	}
	if b.emphasis == 0 {
		b.before = parent.LastChild()
	}
	n := p.InlineParser.Parse(parent, block, pc)
	if n != nil {
		b.emphasis++
	}
	return n
}

// boundedLink reads no more than so many brackets as links: each may look at all
// that follows.
type boundedLink struct{ parser.InlineParser }

func (p boundedLink) Parse(parent ast.Node, block gtext.Reader, pc parser.Context) ast.Node {
	b := boundsOf(pc)
	if block.Peek() == '[' {
		if b.brackets++; b.brackets > maxBrackets {
			_, at := block.Position()
			b.tooMany(at.Start)
		}
	}
	line, at := block.PeekLine()
	if b.brackets > maxBrackets && block.Peek() != ']' || b.noLinks > maxNoLinks {
		return nil
	}
	n := p.InlineParser.Parse(parent, block, pc)
	if n == nil && bytes.HasPrefix(line, []byte("](")) {
		if b.noLinks++; b.noLinks > maxNoLinks {
			b.tooMany(at.Start)
		}
	}
	return n
}

// CloseBlock ends the text of a paragraph, an item or a cell.
func (p boundedLink) CloseBlock(parent ast.Node, block gtext.Reader, pc parser.Context) {
	p.InlineParser.(parser.CloseBlocker).CloseBlock(parent, block, pc)
	b := boundsOf(pc)
	b.emphasis, b.brackets, b.noLinks, b.runs = 0, 0, 0, nil
}

// boundedCode knows of a run of backticks whether another of its length follows;
// goldmark would look for it up to the end.
type boundedCode struct{ parser.InlineParser }

func (p boundedCode) Parse(parent ast.Node, block gtext.Reader, pc parser.Context) ast.Node {
	b := boundsOf(pc)
	if b.runs == nil {
		b.runs = lastRuns(b.src, parent.Lines())
	}
	line, at := block.PeekLine()
	n := backticks(line)
	if last, ok := b.runs[n]; ok && last > at.Start {
		return p.InlineParser.Parse(parent, block, pc)
	}
	block.Advance(n)
	return ast.NewTextSegment(at.WithStop(at.Start + n))
}

func backticks(s []byte) int {
	n := 0
	for n < len(s) && s[n] == '`' {
		n++
	}
	return n
}

// lastRuns is where the last run of backticks of each length begins.
func lastRuns(src []byte, lines *gtext.Segments) map[int]int {
	last := map[int]int{}
	for i := range lines.Len() {
		s := lines.At(i)
		for at := s.Start; at < s.Stop; at++ {
			if n := backticks(src[at:s.Stop]); n > 0 {
				last[n] = at
				at += n
			}
		}
	}
	return last
}

// deep reports whether no list and no quote may open any more: each line that
// follows is compared with all that are open.
func deep(reader gtext.Reader, pc parser.Context) bool {
	if len(pc.OpenedBlocks()) < maxDepth {
		return false
	}
	_, at := reader.Position()
	boundsOf(pc).say(at.Start, "too-deep", "lists or quotes nested beyond any use were read as text")
	return true
}

type boundedQuote struct{ parser.BlockParser }

func (p boundedQuote) Open(parent ast.Node, reader gtext.Reader, pc parser.Context) (ast.Node, parser.State) {
	if deep(reader, pc) {
		return nil, parser.NoChildren
	}
	return p.BlockParser.Open(parent, reader, pc)
}

type boundedList struct{ parser.BlockParser }

func (p boundedList) Open(parent ast.Node, reader gtext.Reader, pc parser.Context) (ast.Node, parser.State) {
	n, state := p.BlockParser.Open(parent, reader, pc)
	if n != nil && deep(reader, pc) {
		return nil, parser.NoChildren
	}
	return n, state
}

// Continue ends a list after blank lines beyond any use: goldmark remembers each of
// them for each list.
func (p boundedList) Continue(n ast.Node, reader gtext.Reader, pc parser.Context) parser.State {
	b := boundsOf(pc)
	line, at := reader.PeekLine()
	if !util.IsBlank(line) {
		b.blank = 0
	} else if b.blank++; b.blank > maxBlank {
		b.say(at.Start, "too-many-blank-lines", "a list was ended at blank lines beyond any use")
		return parser.Close
	}
	return p.BlockParser.Continue(n, reader, pc)
}

// boundedRefs reads link definitions in paragraphs that may consist of them: each
// one moves all lines that follow.
type boundedRefs struct{ parser.ParagraphTransformer }

func (p boundedRefs) Transform(n *ast.Paragraph, reader gtext.Reader, pc parser.Context) {
	if n.Lines().Len() <= maxRefLines {
		p.ParagraphTransformer.Transform(n, reader, pc)
	}
}

// boundedTable reads no table whose rows would have to be filled up with far more
// cells than the log has bytes for.
type boundedTable struct{ parser.ParagraphTransformer }

func (p boundedTable) Transform(n *ast.Paragraph, reader gtext.Reader, pc parser.Context) {
	lines, src := n.Lines(), reader.Source()
	for i := 1; i < lines.Len(); i++ {
		at := lines.At(i)
		columns := delimiterColumns(at.Value(src))
		if columns == 0 {
			continue
		}
		if rows, size := lines.Len()-i, lines.At(lines.Len()-1).Stop-at.Start; rows*columns > size+maxPadding {
			boundsOf(pc).tooMany(at.Start)
			return
		}
		break
	}
	p.ParagraphTransformer.Transform(n, reader, pc)
}

// delimiterColumns returns an upper bound for the columns of a table's delimiter row,
// or 0 if the line cannot be one.
func delimiterColumns(line []byte) int {
	n := 1
	for _, c := range line {
		switch {
		case c == '|':
			n++
		case c != '-' && c != ':' && !util.IsSpace(c):
			return 0
		}
	}
	return n
}
