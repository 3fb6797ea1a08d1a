package extract

import (
	"sort"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	gtext "github.com/yuin/goldmark/text"
	"go.abhg.dev/goldmark/frontmatter"

	"episodes/episode"
)

var extensions = []goldmark.Extender{plainText{}, extension.TaskList, extension.Strikethrough}

// mdParser and mdParserMeta parse Markdown without and with front matter.
var (
	mdParser     = goldmark.New(goldmark.WithExtensions(extensions...)).Parser()
	mdParserMeta = goldmark.New(goldmark.WithExtensions(append(extensions, &frontmatter.Extender{})...)).Parser()
)

// reader walks the syntax tree of one log and builds its document.
type reader struct {
	src     []byte
	starts  []int // byte offset of each line
	doc     document
	section *section
	intro   *block
	lex     *lexicon
	text    string // src as a string, whose parts need no copy

	// Scratch space of inline, splitLabels and joinRuns.
	runs    []run
	parts   [][]run
	opening bool // the next run opens a line
	buf     []byte
	quoted  [][2]int
	lineAt  [][2]int

	at   int             // the line, from 0, that was asked for last
	kept strings.Builder // what keep keeps

	// Memory of the document.
	lexer  *lexer
	blocks arena[block]
	heads  arena[section]
	cells  arena[cell]
	plain  arena[plainBlock]
}

// readers are used again, with their memory, when nothing of their document is
// held any more.
var readers = newSpare(func() *reader {
	return &reader{lexer: newLexer(), blocks: arena[block]{size: 32}, heads: arena[section]{size: 16}, cells: arena[cell]{size: 64}, plain: arena[plainBlock]{size: 64}}
})

// release gives the reader back, and its document with it.
func (r *reader) release() {
	if r.doc.lines > maxReused {
		return // rather than hold so much memory for logs that do not need it
	}
	r.lexer.words.reset()
	r.blocks.reset()
	r.heads.reset()
	r.cells.reset()
	r.plain.reset()
	clear(r.runs[:cap(r.runs)])
	clear(r.parts[:cap(r.parts)])
	clear(r.doc.blocks)
	clear(r.doc.sections)
	r.doc.blocks, r.doc.sections = r.doc.blocks[:0], r.doc.sections[:0]
	r.doc.meta, r.doc.diags = nil, nil
	r.src, r.text, r.lex, r.section, r.intro, r.at = nil, "", nil, nil, nil, 0
	readers.put(r)
}

// maxReused is the longest log, in lines, whose memory is used again.
const maxReused = 5000

func (r *reader) newBlock(k kind) *block {
	b := &r.blocks.take(1)[0]
	b.kind = k
	return b
}

// parse reads Markdown. Any bytes are legal: what cannot be right (an unclosed
// fence or front matter, bytes that are no UTF-8) is noted and read past.
func (r *reader) parse(data []byte) *document {
	r.src = r.repair(data)
	r.text = string(r.src)
	r.starts = lineStarts(r.starts[:0], r.text)
	r.doc.lines = len(r.starts)
	r.section = &r.heads.take(1)[0]
	r.section.line = 1
	r.doc.sections = append(r.doc.sections, r.section)

	p, ctx := mdParser, parser.NewContext()
	if r.hasFrontMatter() {
		p = mdParserMeta
	}
	ctx.Set(plainKey, r)
	root := p.Parse(gtext.NewReader(r.src), parser.WithContext(ctx))
	r.frontMatter(ctx)
	r.children(root, nil)
	for i, b := range r.doc.blocks {
		b.index = i
	}
	return &r.doc
}

// lineOf is the 1-based line of a byte offset.
func (r *reader) lineOf(offset int) int {
	for range 8 { // most often it is the line asked for last, or one soon after it
		if r.starts[r.at] > offset {
			break
		}
		if r.at+1 == len(r.starts) || r.starts[r.at+1] > offset {
			return r.at + 1
		}
		r.at++
	}
	r.at = max(sort.SearchInts(r.starts, offset+1), 1) - 1
	return r.at + 1
}

// children reads the block children of n; parent is the list item they stand in.
func (r *reader) children(n ast.Node, parent *block) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		switch c := c.(type) {
		case *plainBlock:
			if c.level > 0 {
				r.heading(c, c.level)
			} else {
				r.paragraph(c, parent)
			}
		case *ast.Heading:
			r.heading(c, c.Level)
		case *ast.Paragraph, *ast.TextBlock:
			r.paragraph(c, parent)
		case *ast.List:
			for item := c.FirstChild(); item != nil; item = item.NextSibling() {
				r.item(item, c.IsOrdered(), parent)
			}
			if parent == nil {
				r.intro = nil
			}
		case *ast.Blockquote:
			r.children(c, parent)
		case *ast.FencedCodeBlock, *ast.CodeBlock:
			r.code(c, parent)
		case *east.Table:
			r.table(c, parent)
			r.intro = nil
		}
	}
}

func (r *reader) put(b *block, parent *block) *block {
	s := r.section
	b.section, b.parent, b.pos = s, parent, len(s.blocks)
	if parent != nil {
		b.posIn = len(parent.children)
		parent.children = append(parent.children, b)
		b.intro = parent.intro
	} else if b.intro = r.intro; b.intro != nil {
		b.intro.governs = append(b.intro.governs, b)
	}
	if s.prose == nil && b.kind == paraBlock && b.label == "" && parent == nil {
		s.prose = b
	}
	s.items = s.items || b.kind == itemBlock
	r.doc.blocks = append(r.doc.blocks, b)
	s.blocks = r.doc.blocks[len(r.doc.blocks)-len(s.blocks)-1:] // a section's blocks follow each other
	return b
}

func (r *reader) heading(h ast.Node, level int) {
	runs := r.inline(h)
	t := r.joinRuns(runs)
	line := 1
	if h.Lines().Len() > 0 {
		line = r.lineOf(h.Lines().At(0).Start)
	}
	r.openSection(t, level, line)
}

func (r *reader) openSection(t text, level, line int) {
	parent := r.section
	for parent.level >= level && parent.parent != nil {
		parent = parent.parent
	}
	if parent.level >= level {
		parent = r.doc.sections[0]
	}
	s := &r.heads.take(1)[0]
	s.title, s.level, s.line, s.parent, s.pos = t, level, line, parent, len(parent.subs)
	parent.subs = append(parent.subs, s)
	s.roles, s.subject = r.lex.heading(t)
	if level == 1 {
		// A title names the log. Only "Decisions" or "Lessons" as a whole governs
		// what stands under it.
		s.roles = r.lex.exact(t) & (1<<roleDecision | 1<<roleLesson)
	}
	if s.roles == 0 && parent.level >= 1 {
		s.roles = parent.roles & inherited
		s.subject = ""
		if namesTicket(parent.title) { // "Issue #312: ..." is what the work is about, and all of it stands there
			s.roles &^= 1 << roleProblem
		}
		if parent.roles.has(rolePrevent) {
			s.roles &^= 1 << roleLesson // measures in groups are a plan
		}
	}
	s.above = s.roles | parent.above
	r.doc.sections = append(r.doc.sections, s)
	r.section, r.intro = s, nil
}

// paragraph splits a paragraph at lines that open with a bold label and adds
// each part as a block. A paragraph that is one bold line serves as a heading.
func (r *reader) paragraph(n ast.Node, parent *block) {
	for _, part := range r.splitLabels(r.inline(n)) {
		b := r.newBlock(paraBlock)
		r.fill(b, part)
		if b.text.empty() && b.label == "" && b.lead == "" {
			continue
		}
		if parent == nil && b.label == "" && b.lead != "" && b.text.s == b.lead && len(b.text.words) <= 12 && !strings.HasSuffix(b.lead, ".") {
			r.openSection(b.text, boldLevel, b.span[0])
			continue
		}
		r.add(b, parent)
		if parent == nil {
			r.intro = nil
			if opensList(b) {
				r.intro = b
			}
		}
	}
}

// opensList reports whether what follows b is b's list: a label with no text, or
// a line that ends in a colon.
func opensList(b *block) bool {
	return b.label != "" && b.text.empty() || strings.HasSuffix(b.text.s, ":")
}

func (r *reader) item(n ast.Node, ordered bool, parent *block) {
	b := r.newBlock(itemBlock)
	b.ordered = ordered
	first := n.FirstChild()
	if isParagraph(first) {
		parts := r.splitLabels(r.inline(first))
		if len(parts) == 0 {
			parts = [][]run{nil}
		}
		r.fill(b, parts[0])
		r.add(b, parent)
		for _, p := range parts[1:] {
			nb := r.newBlock(paraBlock)
			r.fill(nb, p)
			r.add(nb, b)
		}
		first = first.NextSibling()
	} else {
		if first == nil {
			return
		}
		if l := firstLine(first); l >= 0 {
			b.span = episode.Span{r.lineOf(l), r.lineOf(l)}
		} else {
			b.span = episode.Span{1, 1}
		}
		r.add(b, parent)
	}
	for c := first; c != nil; c = c.NextSibling() {
		r.itemChild(c, b)
	}
}

// isParagraph reports whether n is a paragraph, as such or as the text of a list
// item.
func isParagraph(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.Paragraph, *ast.TextBlock:
		return true
	case *plainBlock:
		return n.level == 0
	}
	return false
}

// itemChild reads what follows the first paragraph of a list item.
func (r *reader) itemChild(c ast.Node, b *block) {
	switch c := c.(type) {
	case *plainBlock:
		if c.level > 0 {
			r.paragraphLike(c, b)
		} else {
			r.paragraph(c, b)
		}
	case *ast.Paragraph, *ast.TextBlock:
		r.paragraph(c, b)
	case *ast.List:
		for item := c.FirstChild(); item != nil; item = item.NextSibling() {
			r.item(item, c.IsOrdered(), b)
		}
	case *ast.FencedCodeBlock, *ast.CodeBlock:
		r.code(c, b)
	case *east.Table:
		r.table(c, b)
	case *ast.Blockquote:
		r.children(c, b)
	case *ast.Heading:
		r.paragraphLike(c, b)
	}
}

// paragraphLike reads a heading inside a list item as text of the item.
func (r *reader) paragraphLike(n ast.Node, parent *block) {
	b := r.newBlock(paraBlock)
	r.fill(b, r.inline(n))
	r.add(b, parent)
}

func firstLine(n ast.Node) int {
	if n.Type() == ast.TypeBlock && n.Lines().Len() > 0 {
		return n.Lines().At(0).Start
	}
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if l := firstLine(c); l >= 0 {
			return l
		}
	}
	return -1
}

func (r *reader) code(n ast.Node, parent *block) {
	if n.Lines().Len() == 0 {
		return
	}
	first, last := n.Lines().At(0), n.Lines().At(n.Lines().Len()-1)
	b := r.newBlock(codeBlock)
	b.span = episode.Span{r.lineOf(first.Start), r.lineOf(max(last.Stop-1, last.Start))}
	b.code = string(n.Lines().Value(r.src))
	r.add(b, parent)
}

func (r *reader) table(t *east.Table, parent *block) {
	tab := &table{}
	for n := t.FirstChild(); n != nil; n = n.NextSibling() {
		cells, span := r.rowCells(n)
		if n.Kind() == east.KindTableHeader {
			for _, c := range cells {
				tab.columns = append(tab.columns, column{name: c.text.s, roles: r.lex.column(c.text)})
			}
			continue
		}
		if span[0] == 0 {
			continue
		}
		b := r.newBlock(rowBlock)
		b.span, b.cells, b.table = span, cells, tab
		if parent == nil {
			b.intro = r.intro
		}
		r.add(b, parent)
		tab.rows = append(tab.rows, b)
	}
}

func (r *reader) rowCells(row ast.Node) ([]cell, episode.Span) {
	out := r.cells.take(row.ChildCount())[:0]
	var span episode.Span
	for c := row.FirstChild(); c != nil; c = c.NextSibling() {
		runs := r.inline(c)
		t := r.joinRuns(runs)
		out = append(out, cell{text: t, tick: tickOf(&t)})
		out[len(out)-1].text = t
		if c.Lines().Len() > 0 && span[0] == 0 {
			l := r.lineOf(c.Lines().At(0).Start)
			span = episode.Span{l, l}
		}
	}
	return out, span
}
