package extract

import "episodes/episode"

// conflictLinks links the choices of a conflict's resolution (which side was kept)
// with the conflict told before them, and with the merge that they made possible.
func (x *extraction) conflictLinks(sim *likeness) {
	for _, d := range x.facts {
		if d.kind != decisionFact || !settlesConflict(d) {
			continue
		}
		var conflict, merge *fact
		for _, e := range near(sim.errors, d.span[0]) {
			if e.span[0] < d.span[0] && e.text.is(classConflict) {
				conflict = e.fact
			}
		}
		for _, w := range near(sim.work, d.span[0]) {
			if merge == nil && w.span[0] > d.span[0] && w.text.is(classMerge) && w.text.is(classGood) {
				merge = w.fact
			}
		}
		if conflict == nil {
			continue
		}
		d.decision.Type = episode.Recovery
		x.join(conflict, d, episode.Causes, true, "the choice settles the conflict")
		x.join(d, merge, episode.Causes, false, "the merge rests on how the conflict was settled")
	}
}

// settlesConflict reports whether a decision stands where a conflict is resolved.
func settlesConflict(d *fact) bool {
	if s := d.factSection(); s.has(roleConflict) || s.has(roleStrategy) && aboutConflict(s.title) {
		return true
	}
	b := d.block
	if b == nil {
		return false
	}
	if b.intro != nil && b.intro.labelRole.any(roleConflict, roleStrategy) {
		b = b.intro
	}
	return b.labelRole.has(roleConflict) || b.labelRole.has(roleStrategy) && aboutConflict(b.labelText)
}

func aboutConflict(name text) bool {
	return name.is(classConflict) || name.is(classMerge) || name.has("resolution")
}
