package extract

import (
	"bytes"
	"sort"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	gtext "github.com/yuin/goldmark/text"
	"go.abhg.dev/goldmark/frontmatter"

	"episodes/episode"
)

var extensions = []goldmark.Extender{scanning{}, extension.Table, extension.TaskList, extension.Strikethrough}

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
	scan   scanner
	facts  arena[fact]
}

// readers are used again, with their memory, when nothing of their document is
// held any more.
var readers = newSpare(func() *reader {
	return &reader{lexer: newLexer(), blocks: arena[block]{size: 32}, heads: arena[section]{size: 16}, cells: arena[cell]{size: 64}, scan: newScanner(), facts: arena[fact]{size: 16}}
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
	r.scan.reset()
	r.facts.reset()
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
	all := r.syntax(p, ctx)
	r.frontMatter(ctx)
	r.children(all, nil)
	for i, b := range r.doc.blocks {
		b.index = i
	}
	return &r.doc
}

// syntax is the syntax tree of the log.
func (r *reader) syntax(p parser.Parser, ctx parser.Context) *node {
	r.scan.src, r.scan.address = r.src, bytes.Contains(r.src, []byte("]:"))
	ctx.Set(scanKey, &r.scan)
	root := r.scan.newNode(otherNode)
	r.outline(root, p.Parse(gtext.NewReader(r.src), parser.WithContext(ctx)))
	return root
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

// children reads what stands under n; parent is the list item that it stands in.
func (r *reader) children(n *node, parent *block) {
	for c := n.first; c != nil; c = c.next {
		switch c.kind {
		case headingNode:
			r.heading(c)
		case textNode:
			r.paragraph(c, parent)
		case listNode:
			for item := c.first; item != nil; item = item.next {
				r.item(item, c.ordered, parent)
			}
			if parent == nil {
				r.intro = nil
			}
		case quoteNode:
			r.children(c, parent)
		case codeNode:
			r.code(c, parent)
		case tableNode:
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

func (r *reader) heading(h *node) {
	t := r.joinRuns(r.inline(h))
	line := 1
	if at := h.start(); at >= 0 {
		line = r.lineOf(at)
	}
	r.openSection(t, int(h.level), line)
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
func (r *reader) paragraph(n *node, parent *block) {
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

func (r *reader) item(n *node, ordered bool, parent *block) {
	b := r.newBlock(itemBlock)
	b.ordered = ordered
	first := n.first
	if first != nil && first.kind == textNode {
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
		first = first.next
	} else {
		if first == nil {
			return
		}
		if l := first.start(); l >= 0 {
			b.span = episode.Span{r.lineOf(l), r.lineOf(l)}
		} else {
			b.span = episode.Span{1, 1}
		}
		r.add(b, parent)
	}
	for c := first; c != nil; c = c.next {
		r.itemChild(c, b)
	}
}

// itemChild reads what follows the first paragraph of a list item.
func (r *reader) itemChild(c *node, b *block) {
	switch c.kind {
	case textNode:
		r.paragraph(c, b)
	case listNode:
		for item := c.first; item != nil; item = item.next {
			r.item(item, c.ordered, b)
		}
	case codeNode:
		r.code(c, b)
	case tableNode:
		r.table(c, b)
	case quoteNode:
		r.children(c, b)
	case headingNode:
		r.paragraphLike(c, b)
	}
}

// paragraphLike reads a heading inside a list item as text of the item.
func (r *reader) paragraphLike(n *node, parent *block) {
	b := r.newBlock(paraBlock)
	r.fill(b, r.inline(n))
	r.add(b, parent)
}

func (r *reader) code(n *node, parent *block) {
	from, to, code := r.codeOf(n)
	if from < 0 {
		return
	}
	b := r.newBlock(codeBlock)
	b.span = episode.Span{r.lineOf(from), r.lineOf(max(to-1, from))}
	b.code = code
	r.add(b, parent)
}

// codeOf is the code of a node, and where it starts and ends.
func (r *reader) codeOf(n *node) (from, to int, code string) {
	from = n.start()
	switch {
	case from < 0:
	case n.md != nil:
		lines := n.md.Lines()
		to, code = lines.At(lines.Len()-1).Stop, string(lines.Value(r.src))
	default:
		var all strings.Builder
		for _, l := range n.lines {
			all.WriteString(r.text[l.from:l.to])
		}
		to, code = n.lines[len(n.lines)-1].to, all.String()
	}
	return from, to, code
}

func (r *reader) table(t *node, parent *block) {
	tab, rows := &table{}, 0
	for n := t.first; n != nil; n = n.next {
		rows++
	}
	tab.rows = make([]*block, 0, rows-1)
	for n := t.first; n != nil; n = n.next {
		cells, span := r.rowCells(n)
		if n == t.first {
			tab.columns = make([]column, 0, len(cells))
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

func (r *reader) rowCells(row *node) ([]cell, episode.Span) {
	n := 0
	for c := row.first; c != nil; c = c.next {
		n++
	}
	out := r.cells.take(n)[:0]
	var span episode.Span
	for c := row.first; c != nil; c = c.next {
		t := r.joinRuns(r.inline(c))
		out = append(out, cell{text: t, tick: tickOf(&t)})
		out[len(out)-1].text = t
		if at := c.start(); at >= 0 && span[0] == 0 {
			l := r.lineOf(at)
			span = episode.Span{l, l}
		}
	}
	return out, span
}
