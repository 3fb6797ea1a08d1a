package rules

import (
	"slices"

	"episodes/episode"
	"episodes/extract/internal/facts"
	"episodes/extract/internal/lex"
)

// settled is a choice of a conflict's resolution, with the conflict stated before it
// and the merge that it made possible; nil: none.
type settled struct{ choice, conflict, merge *fact }

// settledConflicts are the choices that resolve a conflict which the log states.
func (x linker) settledConflicts() []settled {
	var out []settled
	for _, d := range x.facts {
		if d.Kind != facts.Decision || !resolvesConflict(d) {
			continue
		}
		s := settled{choice: d}
		for _, e := range near(x.sim.errors, d.Span[0]) {
			if e.Span[0] < d.Span[0] && e.text.Is(lex.ClassConflict) {
				s.conflict = e.fact
			}
		}
		for _, w := range near(x.sim.work, d.Span[0]) {
			if s.merge == nil && w.Span[0] > d.Span[0] && w.text.Is(lex.ClassMerge) && w.text.Is(lex.ClassGood) {
				s.merge = w.fact
			}
		}
		if s.conflict != nil {
			out = append(out, s)
		}
	}
	return out
}

// conflictSettled links a choice of a conflict's resolution (which side was kept) with
// the conflict.
func (x linker) conflictSettled() {
	for _, s := range x.settledConflicts() {
		s.choice.Decision.Type = episode.Recovery
		x.link(s.conflict, s.choice, episode.Causes, true)
	}
}

// conflictMerged links such a choice with the merge that it made possible.
func (x linker) conflictMerged() {
	for _, s := range x.settledConflicts() {
		x.link(s.choice, s.merge, episode.Causes, false)
	}
}

// resolvesConflict reports whether a decision is part of the resolution of a conflict.
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
	return name.Is(lex.ClassConflict) || name.Is(lex.ClassMerge) || slices.ContainsFunc(name.Words, func(w lex.Word) bool { return lex.Settlement.Has(w.Lower) })
}
