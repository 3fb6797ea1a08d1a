package extract

import (
	"episodes/episode"
	"strings"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
)

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
			r.introduce(nil)
			if b.opensList() {
				r.introduce(b)
			}
		}
	}
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

// fill sets label, lead, tick, text and span of b from its runs.
func (r *reader) fill(b *block, runs []run) {
	if len(runs) == 0 {
		return
	}
	b.span = episode.Span{runs[0].line, runs[len(runs)-1].line}
	b.struck = true
	for _, x := range runs {
		if x.tick != noTick {
			b.tick, b.box = x.tick, true
		} else if b.struck && !x.struck && strings.TrimSpace(x.s) != "" {
			b.struck = false
		}
	}
	if end, ok := boldEnd(runs); ok {
		if cut := r.labelEnd(runs, end); cut >= 0 {
			b.label = strings.TrimRight(flat(runs[:end]), " :：")
			if cut > 0 {
				runs[end].s = runs[end].s[cut:]
			}
			b.text = r.joinRuns(runs[end:])
			if b.label != "" {
				b.labelText = r.lex.text(b.label)
			}
			b.labelRole = r.lex.label(b.labelText)
		} else {
			b.lead = flat(runs[:end])
		}
	}
	if b.label == "" {
		b.text = r.joinRuns(runs)
		r.plainLabel(b)
	}
	if b.tick == noTick {
		b.box = strings.HasPrefix(b.text.s, "[")
		b.tick = tickOf(&b.text)
		b.box = b.box && b.tick != noTick
	} else {
		b.text = b.text.sub(0, len(b.text.s))
	}
	r.dropClock(b)
}

// dropClock takes the time that opens a line of a running log off its text: it
// says when, not what.
func (r *reader) dropClock(b *block) {
	if b.label != "" && b.labelRole == 0 && isClock(b.label) {
		b.label, b.labelText = "", text{}
	}
	if i := clockEnd(b.text.s); i > 0 && i < len(b.text.s) && b.lead == "" && b.label == "" {
		b.text = b.text.sub(i, len(b.text.s))
	}
}

// tickOf reads and removes a status mark that opens a text: an emoji or "[x]".
func tickOf(t *text) tick {
	if t.s == "" || t.s[0] < utf8.RuneSelf && t.s[0] != '[' {
		return noTick
	}
	for _, m := range []struct {
		mark string
		tick tick
	}{
		{"[x]", doneTick}, {"[X]", doneTick}, {"[ ]", openTick}, {"✅", doneTick}, {"✓", doneTick}, {"✔️", doneTick}, {"✔", doneTick},
		{"☑", doneTick}, {"🔴", badTick}, {"⚠️", openTick}, {"⚠", openTick}, {"🟢", doneTick}, {"👍", doneTick}, {"❌", badTick}, {"✗", badTick}, {"✘", badTick}, {"☐", openTick}, {"⏳", openTick}, {"🔄", openTick}, {"🚧", openTick}, {"⬜", openTick},
	} {
		if strings.HasPrefix(t.s, m.mark) {
			*t = t.sub(len(m.mark), len(t.s))
			return m.tick
		}
	}
	return noTick
}
