package markdown

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"

	"episodes/episode"
	"episodes/extract/internal/doc"
	"episodes/extract/internal/lex"
)

// paragraph splits a paragraph at lines that open with a bold label and adds
// each part as a block. A paragraph that is one bold line serves as a heading.
func (r *reader) paragraph(n ast.Node, parent *doc.Block) {
	for _, part := range r.splitLabels(r.inline(n)) {
		b := &doc.Block{}
		r.fill(b, part)
		if b.Text.Empty() && b.Label == "" && b.Lead == "" {
			continue
		}
		if stamped(part) {
			b.Kind = doc.Item // of a list without bullets
		}
		if parent == nil && b.Label == "" && b.Lead != "" && b.Text.Raw == b.Lead && len(b.Text.Words) <= 12 &&
			!strings.HasSuffix(b.Lead, ".") {
			r.OpenSection(b.Text, doc.BoldLevel, b.Span[0])
			continue
		}
		r.add(b, parent)
		if parent == nil {
			r.Introduce(nil)
			if b.OpensList() {
				r.Introduce(b)
			}
		}
	}
}

func (r *reader) list(n *ast.List, parent *doc.Block) {
	for item := n.FirstChild(); item != nil; item = item.NextSibling() {
		r.item(item, n.IsOrdered(), parent)
	}
}

func (r *reader) item(n ast.Node, ordered bool, parent *doc.Block) {
	b := &doc.Block{Kind: doc.Item, Ordered: ordered}
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
			part := &doc.Block{}
			r.fill(part, p)
			r.add(part, b)
		}
		first = first.NextSibling()
	default:
		b.Span = episode.Span{1, 1}
		if at := startOf(first); at >= 0 {
			b.Span = episode.Span{r.lineOf(at), r.lineOf(at)}
		}
		r.add(b, parent)
	}
	for c := first; c != nil; c = c.NextSibling() {
		r.itemChild(c, b)
	}
}

// itemChild reads what follows the first paragraph of a list item.
func (r *reader) itemChild(n ast.Node, b *doc.Block) {
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
func (r *reader) paragraphLike(n ast.Node, parent *doc.Block) {
	b := &doc.Block{Kind: doc.Paragraph}
	r.fill(b, r.inline(n))
	r.add(b, parent)
}

func (r *reader) code(n ast.Node, parent *doc.Block) {
	lines := n.Lines()
	if lines.Len() == 0 {
		return
	}
	from, to := lines.At(0).Start, lines.At(lines.Len()-1).Stop
	b := &doc.Block{Kind: doc.Code, Code: string(lines.Value(r.src))}
	b.Span = episode.Span{r.lineOf(from), r.lineOf(max(to-1, from))}
	r.add(b, parent)
}

func (r *reader) table(n *east.Table, parent *doc.Block) {
	tab := &doc.Table{}
	for row := n.FirstChild(); row != nil; row = row.NextSibling() {
		cells, span := r.rowCells(row)
		if row.Kind() == east.KindTableHeader {
			for _, c := range cells {
				col := doc.Column{Name: c.Text.Raw, Roles: r.lex.Column(c.Text)}
				tab.Columns = append(tab.Columns, col)
				tab.Roles |= col.Roles
			}
			continue
		}
		if span[0] == 0 {
			continue
		}
		b := &doc.Block{Kind: doc.Row, Span: span, Cells: cells, Table: tab}
		r.add(b, parent)
		tab.Rows = append(tab.Rows, b)
	}
}

func (r *reader) rowCells(row ast.Node) ([]doc.Cell, episode.Span) {
	var out []doc.Cell
	var span episode.Span
	for c := row.FirstChild(); c != nil; c = c.NextSibling() {
		t := r.joinRuns(kept(r.inline(c)))
		mark := tickOf(&t)
		out = append(out, doc.Cell{Text: t, Tick: mark})
		if at := startOf(c); at >= 0 && span[0] == 0 {
			l := r.lineOf(at)
			span = episode.Span{l, l}
		}
	}
	return out, span
}

// kept returns the runs that are not struck out; all, if there are no others.
func kept(runs []run) []run {
	if !slices.ContainsFunc(runs, func(x run) bool { return !x.struck && x.tick == doc.NoTick && strings.TrimSpace(x.s) != "" }) {
		return runs
	}
	return slices.DeleteFunc(runs, func(x run) bool { return x.struck })
}

// fill sets label, lead, tick, text and span of b from its runs.
func (r *reader) fill(b *doc.Block, runs []run) {
	if len(runs) == 0 {
		return
	}
	b.Span = episode.Span{runs[0].line, runs[len(runs)-1].line}
	runs = withoutStamp(runs)
	if n := slices.IndexFunc(runs, func(x run) bool { return !x.struck }); n > 0 {
		b.Gone = flat(runs[:n])
	}
	runs = kept(runs)
	for _, x := range runs {
		b.Struck = b.Struck || x.struck
		if x.tick != doc.NoTick {
			b.Tick, b.Box = x.tick, true
		}
	}
	if end, ok := boldEnd(runs); ok {
		if cut := r.labelEnd(runs, end); cut >= 0 {
			b.Label = strings.TrimRight(flat(runs[:end]), " :：")
			if cut > 0 {
				runs[end].s = runs[end].s[cut:]
			}
			b.Text = r.joinRuns(runs[end:])
			if b.Label != "" {
				b.LabelText = r.lex.Text(b.Label)
			}
			b.LabelRoles = r.lex.Label(b.LabelText)
		} else {
			b.Lead = flat(runs[:end])
		}
	}
	if b.Label == "" {
		b.Text = r.joinRuns(runs)
		r.plainLabel(b)
	}
	if b.Tick == doc.NoTick {
		b.Box = strings.HasPrefix(b.Text.Raw, "[")
		b.Tick = tickOf(&b.Text)
		b.Box = b.Box && b.Tick != doc.NoTick
	} else {
		b.Text = b.Text.Sub(0, len(b.Text.Raw))
	}
	if i := lex.ClockEnd(b.Text.Raw); i > 0 && i < len(b.Text.Raw) && b.Lead == "" && b.Label == "" {
		b.Text = b.Text.Sub(i, len(b.Text.Raw)) // behind a mark
	}
}

// withoutStamp drops the date or time that opens a line, by itself or in bold: it says when, not what.
func withoutStamp(runs []run) []run {
	if !stamped(runs) {
		return runs
	}
	out := slices.Clone(runs)
	out[0].s = out[0].s[lex.ClockEnd(out[0].s):]
	for len(out) > 1 && strings.Trim(out[0].s, " -–—:：") == "" {
		out = out[1:]
	}
	out[0].s = strings.TrimLeft(out[0].s, " -–—:：")
	return out
}

// stamped reports whether a line opens with a date or time that words follow.
func stamped(runs []run) bool {
	end := lex.ClockEnd(runs[0].s)
	return end > 0 && (strings.TrimSpace(runs[0].s[end:]) != "" || len(runs) > 1 && !runs[0].broken)
}

// tickOf reads and removes a status mark that opens a text: an emoji or "[x]".
func tickOf(t *lex.Text) doc.Tick {
	if t.Raw == "" || t.Raw[0] < utf8.RuneSelf && t.Raw[0] != '[' {
		return doc.NoTick
	}
	for _, m := range []struct {
		mark string
		tick doc.Tick
	}{
		{"[x]", doc.DoneTick}, {"[X]", doc.DoneTick}, {"[ ]", doc.OpenTick}, {"✅", doc.DoneTick},
		{"✓", doc.DoneTick}, {"✔️", doc.DoneTick}, {"✔", doc.DoneTick},
		{"☑", doc.DoneTick}, {"🔴", doc.BadTick}, {"⚠️", doc.OpenTick}, {"⚠", doc.OpenTick},
		{"🟢", doc.DoneTick}, {"👍", doc.DoneTick}, {"❌", doc.BadTick}, {"✗", doc.BadTick},
		{"✘", doc.BadTick}, {"☐", doc.OpenTick}, {"⏳", doc.OpenTick}, {"🔄", doc.OpenTick},
		{"🚧", doc.OpenTick}, {"⬜", doc.OpenTick},
	} {
		if strings.HasPrefix(t.Raw, m.mark) {
			*t = t.Sub(len(m.mark), len(t.Raw))
			return m.tick
		}
	}
	return doc.NoTick
}
