package rules

import (
	"slices"
	"strings"

	"episodes/episode"
	"episodes/extract/internal/doc"
	"episodes/extract/internal/facts"
	"episodes/extract/internal/lex"
)

// errors extracts what failed or was found broken. The problems of a to-do without a fix are work to come.
func (x *extraction) errors() {
	fixed := func(b *doc.Block) bool { return x.features(b).label.Has(lex.RoleFix) }
	if t := x.title(); t != nil && t.Title.NameRoles().Has(lex.RolePlan) && !slices.ContainsFunc(x.doc.Blocks, fixed) {
		return
	}
	for _, b := range x.doc.Blocks {
		f := x.used[b]
		switch {
		case quiet(b) || b.Struck || b.Box && b.Tick == doc.OpenTick:
		case b.Kind == doc.Row && (f == nil || f.Kind == facts.Decision || f.Rule == fixWithCommit): // a row may report an error and its fix
			x.rowError(b)
		case f != nil || b.Kind == doc.Row:
		case b.Kind == doc.Code:
			x.codeError(b)
		default:
			x.blockError(b)
		}
	}
	x.headingErrors()
}

// blockError extracts a block that reports an error by its location and words.
func (x *extraction) blockError(b *doc.Block) {
	f := x.features(b)
	if r := first(errorRules, f); r != nil && r.verdict != refuse {
		x.takeError(b, r.name).cause = r.verdict == takeCause
	}
}

// takeError makes an error of a block and of what it introduces.
func (x *extraction) takeError(b *doc.Block, rule string) *fact {
	span, content := x.withOutput(b, errorText(b))
	content = withList(b, content, manyItems)
	if t, ok := failingSentence(b); ok && content == b.Text.Raw {
		span, content = t.Span(b.Span), t.Raw
	}
	return x.event(episode.Error, b, span, x.errorOf(content), rule)
}

func errorText(b *doc.Block) string {
	switch {
	case b.Text.Empty() && len(b.Introduced()) > 0:
		return b.Label + ":"
	case b.LabelRoles.Any(lex.RoleProblem, lex.RoleCause, lex.RoleFailed) || b.Label == "":
		return b.Text.Raw
	case b.LabelText.LabelFails() && b.Text.At(0, lex.ClassRepaired):
		return b.Label // the text reports the repair
	}
	return b.Full()
}

// manyItems is the length up to which a list is taken with the text that opens it.
const manyItems = 8

// withList adds to a text that ends in a colon the list that it opens, of so many
// items at most.
func withList(b *doc.Block, content string, most int) string {
	items := b.Introduced()
	if !strings.HasSuffix(content, ":") || len(items) == 0 || len(items) > most {
		return content
	}
	var said []string
	for _, c := range items {
		if c.Kind == doc.Code || c.Kind != doc.Row && c.Text.Empty() || c.Full() == "" {
			continue // quoted output, and the name of it
		}
		said = append(said, strings.TrimRight(c.Full(), ":"))
	}
	if len(said) == 0 {
		return strings.TrimRight(content, ":")
	}
	return content + " " + strings.Join(said, "; ")
}

// errorOf drops the few words that lead up to an error: "Complaint from the sales
// demo: X" is about X.
func (x *extraction) errorOf(s string) string {
	i := strings.Index(s, ": ")
	if i <= 0 {
		return s
	}
	head, tail := x.plain(s[:i]), x.plain(s[i+2:])
	if len(head.Words) <= 6 && head.FailsAt() < 0 && !lex.ErrorConstant(s[:i+1]) && tail.FailsAt() >= 0 && !tail.BadState() {
		return tail.Raw
	}
	return s
}

// withOutput adds to a text that ends in a colon the line of the quoted output
// below it that names the error.
func (x *extraction) withOutput(b *doc.Block, content string) (episode.Span, string) {
	if !strings.HasSuffix(content, ":") || b.Index+1 >= len(x.doc.Blocks) {
		return b.Span, content
	}
	out := x.doc.Blocks[b.Index+1]
	if out.Kind != doc.Code || out.Span[0] > b.Span[1]+3 {
		return b.Span, content
	}
	for i, l := range strings.Split(strings.TrimRight(out.Code, "\n"), "\n") {
		t := x.plain(lex.Collapse(l))
		if t.FailsAt() < 0 && !lex.NamesError(t.Raw) {
			continue
		}
		return episode.Span{b.Span[0], out.Span[0] + i}, strings.TrimRight(content, ":") + ": " + t.Raw
	}
	return b.Span, content
}

// outputOfProblem is the rule of an error that quoted output shows.
const outputOfProblem = "output under a heading that names the problem"

// codeError extracts quoted output that is alone under a problem heading.
func (x *extraction) codeError(b *doc.Block) {
	if !b.Section.Roles.Any(lex.RoleProblem, lex.RoleFailed) || b.Section.Roles.Has(lex.RoleFix) ||
		b.Section.Blocks[0] != b && !(b.Index > 0 && x.doc.Blocks[b.Index-1].OpensList()) {
		return
	}
	if b.Index > 0 && x.used[x.doc.Blocks[b.Index-1]] != nil && b.Section.Blocks[0] != b {
		return // the text above it was taken with its output
	}
	for i, l := range strings.Split(strings.TrimRight(b.Code, "\n"), "\n") {
		if t := lex.Collapse(l); lex.ErrorConstant(t) || lex.NamesError(t) {
			line := b.Span[0] + i
			x.event(episode.Error, b, episode.Span{line, line}, t, outputOfProblem)
			return
		}
	}
}

// rowError extracts the problem column of a table row.
func (x *extraction) rowError(b *doc.Block) {
	s := b.Section
	if b.Table.Names(lex.RolePlan) || s.RolesAbove.Any(lex.RolePlan, lex.RoleOptions, lex.RoleConsequence) || s.Has(lex.RoleTest) {
		return
	}
	if row := (&choiceRow{b}); row.fixed() && row.unrepaired() || x.plain(b.Full()).Withdrawn() {
		return // a remark that nobody acted on, or that is untrue
	}
	impact := func(c doc.Column) bool { return x.plain(c.Name).FirstIs(lex.ClassImpact) }
	for i, c := range b.Table.Columns {
		if i >= len(b.Cells) || !c.Roles.Any(lex.RoleProblem, lex.RoleCause) || c.Roles.Has(lex.RoleFix) || impact(c) { // of a choice
			continue
		}
		t := b.Cells[i].Text
		f := &cellFeatures{column: c, table: b.Table, text: t, words: len(t.Words), fails: t.FailsAt() >= 0}
		if r := first(errorCells, f); r.verdict != refuse {
			x.event(episode.Error, b, b.Span, t.Raw, r.name).cause = r.verdict == takeCause
		}
	}
}
