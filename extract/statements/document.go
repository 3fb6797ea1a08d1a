package statements

import (
	"slices"
	"strings"

	"episodes/episode"
	"episodes/extract/internal/doc"
	"episodes/extract/internal/lex"
)

// Document returns the statements of a log, in its order.
func Document(d *doc.Document) (out []Statement) {
	for _, b := range d.Blocks {
		text := b.Full()
		if b.Kind == doc.Code || text == "" || b.Placeholder() || b.InProtocol() {
			continue
		}
		if boxOf(b).Tick == doc.DoneTick || b.Struck {
			ends(out, text, b.Span)
		}
		if p := b.Parent; p != nil && len(out) > 0 && settles(b) {
			if o := &out[len(out)-1]; o.Kind == Open && o.At == p.Span {
				o.Ended = b.Span
				continue
			}
		}
		kind := kindOf(b)
		picks := kind == "" && b.Text.ActLike() && b.Text.Prefers() != ""
		if picks {
			kind = Decision
		}
		if kind == "" || b.Kind != doc.Row && empty(b.Text) || kind == Open && (ticked(b) || strings.Contains(text, "✅")) {
			continue
		}
		st := stated(b, kind, picks)
		if n := len(out); n == 0 || st.At == b.Span || out[n-1].At != st.At {
			out = append(out, st)
		}
	}
	return ordered(out)
}

// stated is the statement of a block; picks: it is one as it stands.
func stated(b *doc.Block, kind Kind, picks bool) Statement {
	st := Statement{Kind: kind, At: b.Span, Text: b.Full(), Left: kind == Open && (b.LabelRoles.Any(open...) || namedKind(b) == Open)}
	switch s := b.Section; {
	case picks:
	case kind == Decision && b.LabelRoles.Has(lex.RoleDecision) && !b.Text.Empty():
		st.Text = b.Text.Raw // its label only says what it is
	case kind == Decision && b.Intro == nil && kindIn(s.Roles, s.Title, b) == "": // a heading below that of the decisions names one
		st.Text, st.At = s.Title.Raw, episode.Span{s.Line, s.Line}
	case kind == Open && b.Gone != "":
		st.Text, st.Ended = b.Gone, b.Span
	case b.Struck:
		st.Ended = b.Span
	}
	return st
}

// kindOf is the kind of what a block states, by the headings, labels and boxes around it; "" if they give none.
func kindOf(b *doc.Block) Kind {
	own, box := b.LabelRoles, boxOf(b)
	if b.Kind == doc.Paragraph && box == b && b.OpensList() {
		return ""
	}
	switch {
	case box.Tick == doc.OpenTick && (box.Box || slices.ContainsFunc(b.Group(), ticked)), own.Any(open...):
		return Open
	case box.Tick == doc.DoneTick:
		return ""
	case own.Has(lex.RoleDecision):
		return Decision
	case own.Has(lex.RoleCause):
		return Conclusion
	case own != 0, b.Parent != nil && !(listed(b) && b.Parent.OpensList() && !b.Parent.LabelText.At(0, lex.ClassMake)): // "Added X:" tells what was done
		return ""
	}
	return namedKind(b)
}

// namedKind is the kind that the label above a block or its headings give; "" if they give none.
func namedKind(b *doc.Block) Kind {
	if in := b.Intro; in != nil && in.LabelRoles != 0 {
		return kindIn(in.LabelRoles, in.LabelText, b)
	}
	name := b.Section.Title
	for s := b.Section; s != nil; s = s.Parent {
		if kind := kindIn(s.Roles, name, b); kind != "" || s.Roles != 0 {
			return kind
		}
	}
	return ""
}

var open = []lex.Role{lex.RoleHandoff, lex.RoleOpen}

// kindIn is the kind of what stands under a name with roles.
func kindIn(roles lex.RoleSet, name lex.Text, b *doc.Block) Kind {
	short := len(name.Words) <= 4
	switch {
	case roles.Any(open...) || listed(b) && short && name.Is(lex.ClassUnended):
		return Open
	case roles.Has(lex.RoleDecision) || listed(b) && short && name.Is(lex.ClassAgreed):
		return Decision
	case roles.Has(lex.RoleOutcome) && b.Kind == doc.Paragraph, roles.Has(lex.RoleLesson) && listed(b):
		return Conclusion
	case listed(b) && short && name.Is(lex.ClassRuling):
		return Rule
	}
	return ""
}

// listed reports whether a block is one of several of its kind.
func listed(b *doc.Block) bool { return b.Kind == doc.Item || b.Kind == doc.Row }

// boxOf is the block with the box of a block: itself, or the item of which it is the labelled text.
func boxOf(b *doc.Block) *doc.Block {
	if p := b.Parent; p != nil && b.PosInParent == 0 && p.Box && p.Text.Empty() {
		return p
	}
	return b
}

// ticked reports whether a block says that it is done, a row in one of its cells.
func ticked(b *doc.Block) bool {
	return boxOf(b).Tick == doc.DoneTick || slices.ContainsFunc(b.Cells, func(c doc.Cell) bool { return c.Tick == doc.DoneTick })
}

// empty reports whether a text only says that there is nothing.
func empty(t lex.Text) bool {
	return len(t.Words) == 0 || t.At(0, lex.ClassBlank) || t.At(0, lex.ClassNone) && len(t.Words) < 3
}

// settles reports whether an item below an open matter says how it was settled.
func settles(b *doc.Block) bool {
	return b.LabelRoles.Any(lex.RoleFix, lex.RoleDone, lex.RoleDecision, lex.RoleResult)
}
