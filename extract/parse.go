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

var extensions = []goldmark.Extender{extension.Table, extension.TaskList, extension.Strikethrough}

// mdParser and mdParserMeta parse Markdown without and with front matter.
var (
	mdParser     = goldmark.New(goldmark.WithExtensions(extensions...)).Parser()
	mdParserMeta = goldmark.New(goldmark.WithExtensions(append(extensions, &frontmatter.Extender{})...)).Parser()
)

// reader walks the syntax tree of one log and builds its document.
type reader struct {
	lex     *lexicon
	src     []byte
	starts  []int // byte offset of each line
	doc     document
	section *section
	intro   *block
}

// parse reads Markdown. Any bytes are legal: what cannot be right (an unclosed
// fence or front matter, bytes that are no UTF-8) is noted and read past.
func parse(lex *lexicon, data []byte) *document {
	r := &reader{lex: lex}
	r.src = r.repair(data)
	r.starts = lineStarts(r.src)
	r.doc.lines = len(r.starts)
	r.section = &section{line: 1}
	r.doc.sections = append(r.doc.sections, r.section)

	p, ctx := mdParser, parser.NewContext()
	if r.hasFrontMatter() {
		p = mdParserMeta
	}
	all := p.Parse(gtext.NewReader(r.src), parser.WithContext(ctx))
	r.frontMatter(ctx)
	r.children(all, nil)
	for i, b := range r.doc.blocks {
		b.index = i
	}
	return &r.doc
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

// children reads what stands under n; parent is the list item that it stands in.
func (r *reader) children(n ast.Node, parent *block) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		switch c := c.(type) {
		case *ast.Heading:
			r.heading(c)
		case *ast.List:
			r.list(c, parent)
			if parent == nil {
				r.intro = nil
			}
		case *east.Table:
			r.table(c, parent)
			r.intro = nil
		default:
			r.inner(c, parent)
		}
	}
}

// inner reads a block that means the same inside a list item and outside.
func (r *reader) inner(n ast.Node, parent *block) {
	switch n := n.(type) {
	case *ast.Paragraph, *ast.TextBlock:
		r.paragraph(n, parent)
	case *ast.FencedCodeBlock, *ast.CodeBlock:
		r.code(n, parent)
	case *ast.Blockquote:
		r.children(n, parent)
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
	s.blocks = append(s.blocks, b)
	return b
}

func (r *reader) heading(h *ast.Heading) {
	t := r.joinRuns(r.inline(h))
	line := 1
	if at := startOf(h); at >= 0 {
		line = r.lineOf(at)
	}
	r.openSection(t, h.Level, line)
}

func (r *reader) openSection(t text, level, line int) {
	parent := r.section
	for parent.level >= level && parent.parent != nil {
		parent = parent.parent
	}
	if parent.level >= level {
		parent = r.doc.sections[0]
	}
	s := &section{title: t, level: level, line: line, parent: parent, pos: len(parent.subs)}
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
		if parent.title.namesTicket() { // "Issue #312: ..." is what the work is about, and all of it stands there
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
		b := &block{}
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

func (r *reader) list(n *ast.List, parent *block) {
	for item := n.FirstChild(); item != nil; item = item.NextSibling() {
		r.item(item, n.IsOrdered(), parent)
	}
}

func (r *reader) item(n ast.Node, ordered bool, parent *block) {
	b := &block{kind: itemBlock, ordered: ordered}
	first := n.FirstChild()
	switch first.(type) {
	case nil:
		return
	case *ast.Paragraph, *ast.TextBlock:
		parts := r.splitLabels(r.inline(first))
		if len(parts) == 0 {
			parts = [][]run{nil}
		}
		r.fill(b, parts[0])
		r.add(b, parent)
		for _, p := range parts[1:] {
			part := &block{}
			r.fill(part, p)
			r.add(part, b)
		}
		first = first.NextSibling()
	default:
		b.span = episode.Span{1, 1}
		if at := startOf(first); at >= 0 {
			b.span = episode.Span{r.lineOf(at), r.lineOf(at)}
		}
		r.add(b, parent)
	}
	for c := first; c != nil; c = c.NextSibling() {
		r.itemChild(c, b)
	}
}

// itemChild reads what follows the first paragraph of a list item.
func (r *reader) itemChild(n ast.Node, b *block) {
	switch n := n.(type) {
	case *ast.List:
		r.list(n, b)
	case *east.Table:
		r.table(n, b)
	case *ast.Heading:
		r.paragraphLike(n, b)
	default:
		r.inner(n, b)
	}
}

// paragraphLike reads a heading inside a list item as text of the item.
func (r *reader) paragraphLike(n ast.Node, parent *block) {
	b := &block{kind: paraBlock}
	r.fill(b, r.inline(n))
	r.add(b, parent)
}

func (r *reader) code(n ast.Node, parent *block) {
	lines := n.Lines()
	if lines.Len() == 0 {
		return
	}
	from, to := lines.At(0).Start, lines.At(lines.Len()-1).Stop
	b := &block{kind: codeBlock, code: string(lines.Value(r.src))}
	b.span = episode.Span{r.lineOf(from), r.lineOf(max(to-1, from))}
	r.add(b, parent)
}

func (r *reader) table(n *east.Table, parent *block) {
	tab := &table{}
	for row := n.FirstChild(); row != nil; row = row.NextSibling() {
		cells, span := r.rowCells(row)
		if row.Kind() == east.KindTableHeader {
			for _, c := range cells {
				tab.columns = append(tab.columns, column{name: c.text.s, roles: r.lex.column(c.text)})
			}
			continue
		}
		if span[0] == 0 {
			continue
		}
		b := &block{kind: rowBlock, span: span, cells: cells, table: tab}
		if parent == nil {
			b.intro = r.intro
		}
		r.add(b, parent)
		tab.rows = append(tab.rows, b)
	}
}

func (r *reader) rowCells(row ast.Node) ([]cell, episode.Span) {
	var out []cell
	var span episode.Span
	for c := row.FirstChild(); c != nil; c = c.NextSibling() {
		t := r.joinRuns(r.inline(c))
		mark := tickOf(&t)
		out = append(out, cell{text: t, tick: mark})
		if at := startOf(c); at >= 0 && span[0] == 0 {
			l := r.lineOf(at)
			span = episode.Span{l, l}
		}
	}
	return out, span
}
