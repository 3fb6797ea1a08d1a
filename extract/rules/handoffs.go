package rules

import (
	"episodes/episode"
	"episodes/extract/internal/doc"
	"episodes/extract/internal/facts"
	"episodes/extract/internal/lex"
)

// handoffs takes work passed on: rows of a dispatch log, and the section that
// tells the next session what to do, as one event.
func (x *extraction) handoffs() {
	taken := map[*doc.Section]bool{}
	for _, b := range x.doc.Blocks {
		if x.used[b] != nil || quiet(b) {
			continue
		}
		if b.Kind == doc.Row && b.Section.Roles.Has(lex.RoleAgent) && !x.plain(b.Full()).Empty() {
			x.event(episode.Handoff, b, b.Span, b.Full(), "row of a dispatch log")
			continue
		}
		s := b.Section
		if b.LabelRoles.Has(lex.RoleHandoff) && b.Kind != doc.Row && addressed(b) && (!b.Text.Empty() && !b.Text.Blank() || len(b.Introduced()) > 0) {
			span, content := b.Span, b.Full()
			for _, c := range b.Introduced() {
				span[1] = max(span[1], c.Span[1])
				if len(content) < facts.MaxContent {
					content += "; " + c.Full()
				}
			}
			x.event(episode.Handoff, b, span, content, "label "+quote(b.Label))
			continue
		}
		if !s.Roles.Has(lex.RoleHandoff) || taken[s] || s.Within(lex.RolePlan) || b.Kind == doc.Code || b.Kind == doc.Row || b.Text.Blank() || b.Tick == doc.DoneTick || b.Struck || s.Level <= 1 {
			continue
		}
		if !forward(s) {
			continue
		}
		taken[s] = true
		span := b.Span
		for _, o := range s.Blocks {
			if o.Span[1] > span[1] && o.Span[0] <= span[1]+2 {
				span[1] = o.Span[1]
			}
		}
		x.event(episode.Handoff, b, span, s.Title.Raw+": "+b.Full(), "under heading "+quote(s.Title.Raw))
	}
}

// addressed reports whether a label hands work to somebody, rather than listing
// what comes next.
func addressed(b *doc.Block) bool {
	return b.LabelText.Is(lex.ClassAddress)
}

// forward reports whether a handoff section is addressed to another session or
// person, not a list of this one's own next steps in the middle of its log.
func forward(s *doc.Section) bool {
	return s.Title.Is(lex.ClassAddress)
}
