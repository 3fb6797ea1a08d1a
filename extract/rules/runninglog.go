package rules

import (
	"episodes/episode"
	"episodes/extract/internal/doc"
	"episodes/extract/internal/lex"
)

// logFeatures are what the rules of a running log ask of a row of it.
type logFeatures struct {
	text lex.Text // what the row reports: its longest cell
	made bool     // a verb says that something was made
}

// logRules say what a row of a running log reports.
var logRules = []ruleOn[*logFeatures, episode.EventType]{
	{"row of a running log says that it was verified", func(f *logFeatures) bool {
		return f.text.Is(lex.ClassVerify) && f.text.FailsAt() < 0
	}, episode.Test},
	{"row of a running log says that it failed", func(f *logFeatures) bool {
		return f.text.FailsAt() >= 0
	}, episode.Error},
	{"row of a running log says what was made", func(f *logFeatures) bool { return f.made }, episode.Milestone},
}

// logRow takes a row of a running log: a check with its result, an error, or a
// thing that was made.
func (x *extraction) logRow(b *doc.Block) {
	t, ok := logCell(b)
	if !ok || x.used[b] != nil {
		return
	}
	f := &logFeatures{text: t, made: t.DoneAt() >= 0}
	r := first(logRules, f)
	switch {
	case r == nil:
	case r.verdict == episode.Test:
		x.event(episode.Test, b, b.Span, b.Full(), r.name)
	default:
		x.event(r.verdict, b, b.Span, t.Raw, r.name)
	}
}

// logCell is what a row of a running log reports: its longest cell, in a table with a column of times or under a timeline heading.
func logCell(b *doc.Block) (lex.Text, bool) {
	if b.Kind != doc.Row || !b.Table.Names(lex.RoleDate) && !b.Section.Has(lex.RoleTimeline) {
		return lex.Text{}, false
	}
	if b.Table.Roles.Any(lex.RoleProblem, lex.RoleDecision, lex.RoleCommit) ||
		b.Section.Has(lex.RoleAgent) {
		return lex.Text{}, false // the columns say it, or it is work given to others
	}
	var best lex.Text
	for _, c := range b.Cells {
		if len(c.Text.Words) > len(best.Words) {
			best = c.Text
		}
	}
	return best, len(best.Words) >= 2
}
