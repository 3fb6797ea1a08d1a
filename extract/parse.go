package extract

import (
	"bytes"
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
	src     []byte
	starts  []int // byte offset of each line
	doc     *document
	section *section
	intro   *block
	lex     *lexicon
}

// parse reads Markdown. Any bytes are legal: what cannot be right (an unclosed
// fence or front matter, bytes that are no UTF-8) is noted and read past.
func parse(data []byte, lex *lexicon) *document {
	r := &reader{doc: &document{}, lex: lex}
	r.src = r.repair(data)
	r.starts = lineStarts(r.src)
	r.doc.lines = len(r.starts)
	r.section = &section{level: 0, line: 1}
	r.doc.sections = []*section{r.section}

	p, ctx := mdParser, parser.NewContext()
	if r.hasFrontMatter() {
		p = mdParserMeta
	}
	root := p.Parse(gtext.NewReader(r.src), parser.WithContext(ctx))
	r.frontMatter(ctx)
	r.blocks(root, nil)
	r.closeSections()
	for i, b := range r.doc.blocks {
		b.index = i
	}
	return r.doc
}

// repair makes the bytes fit to parse without moving any line.
func (r *reader) repair(data []byte) []byte {
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	if bytes.IndexByte(data, '\r') >= 0 {
		data = bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))
		data = bytes.ReplaceAll(data, []byte("\r"), []byte("\n"))
	}
	if clean := bytes.ToValidUTF8(data, []byte("\uFFFD")); len(clean) != len(data) || !bytes.Equal(clean, data) {
		at := 0
		for at < len(data) && at < len(clean) && data[at] == clean[at] {
			at++
		}
		r.doc.note(episode.LineAt(data, at), "invalid-utf8", "bytes that are no UTF-8 were replaced")
		data = clean
	}
	return r.closeFence(data)
}

// closeFence takes the opening mark away from a code fence that is never
// closed: it would hide the rest of the log.
func (r *reader) closeFence(data []byte) []byte {
	open, openAt, openLen := -1, 0, 0
	var mark byte
	line := 0
	for at := 0; at < len(data); {
		end := bytes.IndexByte(data[at:], '\n')
		if end < 0 {
			end = len(data) - at
		}
		l := data[at : at+end]
		line++
		t := bytes.TrimLeft(l, " \t>")
		if n := fenceLen(t); n >= 3 {
			switch {
			case open < 0:
				open, openAt, openLen, mark = line, at+len(l)-len(t), n, t[0]
			case t[0] == mark && n >= openLen && len(bytes.TrimSpace(t[n:])) == 0:
				open = -1
			}
		}
		at += end + 1
	}
	if open < 0 {
		return data
	}
	r.doc.note(open, "unclosed-fence", "a code fence is never closed; the text after it was read as text")
	out := bytes.Clone(data)
	for i := 0; i < openLen; i++ {
		out[openAt+i] = ' '
	}
	return out
}

func fenceLen(t []byte) int {
	if len(t) == 0 || t[0] != '`' && t[0] != '~' {
		return 0
	}
	n := 0
	for n < len(t) && t[n] == t[0] {
		n++
	}
	if t[0] == '`' && bytes.IndexByte(t[n:], '`') >= 0 {
		return 0 // inline code
	}
	return n
}

func lineStarts(src []byte) []int {
	starts := []int{0}
	for i, c := range src {
		if c == '\n' && i+1 < len(src) {
			starts = append(starts, i+1)
		}
	}
	return starts
}

// lineOf is the 1-based line of a byte offset.
func (r *reader) lineOf(offset int) int {
	return sort.SearchInts(r.starts, offset+1)
}

// blocks reads the block children of n; parent is the list item they stand in.
func (r *reader) blocks(n ast.Node, parent *block) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		switch c := c.(type) {
		case *ast.Heading:
			r.heading(c)
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
			r.blocks(c, parent)
		case *ast.FencedCodeBlock, *ast.CodeBlock:
			r.code(c, parent)
		case *east.Table:
			r.table(c, parent)
			r.intro = nil
		}
	}
}

// inlineRoles are the roles whose names also stand in the middle of a text:
// "… in the runner. Rationale: waiting longer never helped."
const inlineRoles = 1<<roleReason | 1<<roleProblem | 1<<roleCause | 1<<roleDecision | 1<<roleLesson | 1<<roleFix | 1<<roleContext

// add puts b into the document, and after it what labels inside its text govern.
func (r *reader) add(b *block, parent *block) *block {
	first := r.put(b, parent)
	for b.kind != rowBlock && b.kind != codeBlock {
		at, rest, label := r.inlineLabel(b.text)
		if at < 0 {
			break
		}
		next := &block{kind: paraBlock, label: label.s, labelRole: r.lex.exact(label), text: rest}
		next.span = rest.span(b.span)
		if label.words[0].line > 0 {
			next.span[0] = label.words[0].line
		}
		end := b.span[1]
		b.text = b.text.sub(0, at)
		b.span[1] = b.text.span(b.span)[1]
		next.span[1] = max(next.span[0], end)
		if parent == nil && first.kind == itemBlock {
			r.put(next, first)
		} else {
			r.put(next, parent)
		}
		b = next
	}
	return first
}

// inlineLabel finds a known label inside a text and returns where it starts, the
// text it governs and its name; at is -1 when there is none.
func (r *reader) inlineLabel(t text) (at int, rest, label text) {
	for i, w := range t.words {
		if i == 0 || w.end >= len(t.s) || t.s[w.end] != ':' || w.code || i+1 >= len(t.words) {
			continue
		}
		for n := 2; n >= 1; n-- {
			if i-n+1 < 1 {
				continue
			}
			start := t.words[i-n+1].start
			name := t.sub(start, w.end)
			if len(name.words) == n && r.lex.exact(name)&inlineRoles != 0 && startsClause(t.s[:start]) {
				return start, t.sub(w.end+1, len(t.s)), name
			}
		}
	}
	return -1, text{}, text{}
}

// startsClause reports whether a clause may begin after s.
func startsClause(s string) bool {
	s = strings.TrimRight(s, " ")
	return s == "" || strings.ContainsAny(s[len(s)-1:], ".;,!?)") || strings.HasSuffix(s, " same") || strings.HasSuffix(s, " the")
}

func (r *reader) put(b *block, parent *block) *block {
	b.section, b.parent = r.section, parent
	if parent != nil {
		parent.children = append(parent.children, b)
		b.intro = parent.intro
	} else {
		b.intro = r.intro
	}
	r.section.blocks = append(r.section.blocks, b)
	r.doc.blocks = append(r.doc.blocks, b)
	return b
}

func (r *reader) heading(h *ast.Heading) {
	runs := r.inline(h)
	t := joinRuns(runs)
	line := 1
	if h.Lines().Len() > 0 {
		line = r.lineOf(h.Lines().At(0).Start)
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
	s := &section{title: t, level: level, line: line, parent: parent}
	s.roles, s.subject = r.lex.heading(t)
	if level == 1 {
		// A title names the log. Only "Decisions" or "Lessons" as a whole governs
		// what stands under it.
		s.roles = r.lex.exact(t) & (1<<roleDecision | 1<<roleLesson)
	}
	r.doc.sections = append(r.doc.sections, s)
	r.section, r.intro = s, nil
}

func (r *reader) closeSections() {
	last := r.doc.lines
	for i := len(r.doc.sections) - 1; i >= 0; i-- {
		s := r.doc.sections[i]
		s.end = last
		for _, n := range r.doc.sections[i+1:] {
			if n.level <= s.level {
				s.end = n.line - 1
				break
			}
		}
	}
}

// paragraph splits a paragraph at lines that open with a bold label and adds
// each part as a block. A paragraph that is one bold line serves as a heading.
func (r *reader) paragraph(n ast.Node, parent *block) {
	for _, part := range r.splitLabels(r.inline(n)) {
		b := &block{kind: paraBlock}
		r.fill(b, part)
		if b.text.empty() && b.label == "" && b.lead == "" {
			continue
		}
		if parent == nil && b.label == "" && b.lead != "" && b.text.s == b.lead && len(b.text.words) <= 12 && !strings.HasSuffix(b.lead, ".") {
			r.openSection(b.text, 7, b.span[0])
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
	b := &block{kind: itemBlock, ordered: ordered}
	first := n.FirstChild()
	if first != nil && (first.Kind() == ast.KindParagraph || first.Kind() == ast.KindTextBlock) {
		parts := r.splitLabels(r.inline(first))
		if len(parts) == 0 {
			parts = [][]run{nil}
		}
		r.fill(b, parts[0])
		r.add(b, parent)
		for _, p := range parts[1:] {
			nb := &block{kind: paraBlock}
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

// itemChild reads what follows the first paragraph of a list item.
func (r *reader) itemChild(c ast.Node, b *block) {
	switch c := c.(type) {
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
		r.blocks(c, b)
	case *ast.Heading:
		r.paragraphLike(c, b)
	}
}

// paragraphLike reads a heading inside a list item as text of the item.
func (r *reader) paragraphLike(n ast.Node, parent *block) {
	b := &block{kind: paraBlock}
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
	b := &block{kind: codeBlock, span: episode.Span{r.lineOf(first.Start), r.lineOf(max(last.Stop-1, last.Start))}}
	b.code = string(n.Lines().Value(r.src))
	r.add(b, parent)
}

func (r *reader) table(t *east.Table, parent *block) {
	tab := &table{}
	for n := t.FirstChild(); n != nil; n = n.NextSibling() {
		cells, span := r.cells(n)
		if n.Kind() == east.KindTableHeader {
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

func (r *reader) cells(row ast.Node) ([]cell, episode.Span) {
	var out []cell
	var span episode.Span
	for c := row.FirstChild(); c != nil; c = c.NextSibling() {
		runs := r.inline(c)
		t := joinRuns(runs)
		out = append(out, cell{text: t, tick: tickOf(&t)})
		out[len(out)-1].text = t
		if c.Lines().Len() > 0 && span[0] == 0 {
			l := r.lineOf(c.Lines().At(0).Start)
			span = episode.Span{l, l}
		}
	}
	return out, span
}
