package rules

import (
	"episodes/episode"
	"episodes/extract/internal/facts"
	"episodes/extract/internal/lex"
)

// conflictLinks links the choices of a conflict's resolution (which side was kept)
// with the conflict stated before them, and with the merge that they made possible.
func (x *extraction) conflictLinks(sim *likeness) {
	for _, d := range x.facts {
		if d.Kind != facts.Decision || !resolvesConflict(d) {
			continue
		}
		var conflict, merge *fact
		for _, e := range near(sim.errors, d.Span[0]) {
			if e.Span[0] < d.Span[0] && e.text.Is(lex.ClassConflict) {
				conflict = e.fact
			}
		}
		for _, w := range near(sim.work, d.Span[0]) {
			if merge == nil && w.Span[0] > d.Span[0] && w.text.Is(lex.ClassMerge) && w.text.Is(lex.ClassGood) {
				merge = w.fact
			}
		}
		if conflict == nil {
			continue
		}
		d.Decision.Type = episode.Recovery
		x.join(conflict, d, episode.Causes, true, "the choice settles the conflict")
		x.join(d, merge, episode.Causes, false, "the merge rests on how the conflict was settled")
	}
}

// resolvesConflict reports whether a decision stands where a conflict is resolved.
func resolvesConflict(d *fact) bool {
	if s := d.factSection(); s.Has(lex.RoleConflict) || s.Has(lex.RoleStrategy) && aboutConflict(s.Title) {
		return true
	}
	b := d.block
	if b == nil {
		return false
	}
	if b.Intro != nil && b.Intro.LabelRoles.Any(lex.RoleConflict, lex.RoleStrategy) {
		b = b.Intro
	}
	return b.LabelRoles.Has(lex.RoleConflict) || b.LabelRoles.Has(lex.RoleStrategy) && aboutConflict(b.LabelText)
}

func aboutConflict(name lex.Text) bool {
	return name.Is(lex.ClassConflict) || name.Is(lex.ClassMerge) || name.Has("resolution")
}
