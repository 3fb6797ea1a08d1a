package extract

import (
	"slices"

	"episodes/episode"
	"episodes/keys"
)

// recordLinks reads the records that name problem, cause and fix: labelled lines
// of one group, rows of one table, sections side by side.
func (x *extraction) recordLinks() {
	byRow := map[*block][]*fact{}
	for _, f := range x.facts {
		if f.block != nil && f.block.kind == rowBlock {
			byRow[f.block] = append(byRow[f.block], f)
		}
	}
	for _, f := range x.facts {
		if fs := byRow[f.block]; len(fs) > 1 && fs[0] == f {
			x.record(fs, "one row of a table")
		}
	}
	for _, f := range x.facts {
		if f.kind == eventFact && f.event == episode.Error && f.block != nil && f.block.labelRole == 0 && f.block.kind == itemBlock && x.nextIsFix(f.block) {
			x.record([]*fact{f, x.used[x.doc.blocks[f.block.index+1]]}, "a fault and its solution in one list")
		}
	}
	type groupKey struct {
		section      *section
		parent, head *block
	}
	groups := map[groupKey][]*fact{}
	var order []groupKey
	for _, f := range x.facts {
		if f.block == nil || f.block.kind == rowBlock || f.block.labelRole == 0 {
			continue
		}
		k := groupKey{f.block.section, f.block.parent, x.recordHead(f.block)}
		if groups[k] == nil {
			order = append(order, k)
			if fault := x.used[k.parent]; k.parent != nil && fault.isFault() { // "- Tests fail" over "  - Resolution: ..."
				groups[k] = append(groups[k], fault)
			}
		}
		groups[k] = append(groups[k], f)
	}
	for _, k := range order {
		x.labelled(groups[k])
	}
	x.sectionRecords()
}

// recordRoles are the labels that make lines one record.
const recordRoles = 1<<roleProblem | 1<<roleCause | 1<<roleFix | 1<<roleAttempt | 1<<roleResult

// recordHead is the labelled paragraph that names what the labelled items under
// it are about: "**Thread 2**: list.go" over "- Issue: ..." and "- Fix: ...".
func (x *extraction) recordHead(b *block) *block {
	if b.kind != itemBlock || b.parent != nil {
		return nil
	}
	for i := b.index - 1; i >= max(b.index-reach, 0); i-- {
		h := x.doc.blocks[i]
		switch {
		case h.section != b.section:
			return nil
		case h.kind == paraBlock && h.parent == nil:
			if h.label == "" || h.labelRole&recordRoles != 0 || x.doc.blocks[i+1].labelRole == 0 {
				return nil
			}
			return h
		}
	}
	return nil
}

// soleFaults links the only fault that a section tells with the only choice that
// it states: a short section is one record. The log implies this, no more.
func (x *extraction) soleFaults() {
	type pair struct {
		faults, choices []*fact
	}
	by := map[*section]*pair{}
	var order []*section
	for _, f := range x.facts {
		s := f.factSection()
		if s == nil || s.level < 2 || f.kind == lessonFact {
			continue
		}
		p := by[s]
		if p == nil {
			p = &pair{}
			by[s] = p
			order = append(order, s)
		}
		switch {
		case f.kind == decisionFact:
			p.choices = append(p.choices, f)
		case f.event == episode.Error:
			p.faults = append(p.faults, f)
		}
	}
	for _, s := range order {
		p := by[s]
		if len(p.faults) >= 1 && len(p.choices) == 1 && p.faults[0].span[0] <= p.choices[0].span[0] {
			f, d := p.faults[0], p.choices[0]
			if len(p.faults) > 1 && p.faults[1].span[0] <= d.span[0] {
				continue
			}
			x.join(f, d, episode.Causes, false, "the section's only fault and its only choice")
			if d.decision.Context == "" {
				d.decision.Context = keys.Clause(f.content)
			}
		}
	}
}

// sharedContext gives a decision without a question of its own the problem that
// its log states for all of it: the fault told under a context or problem
// heading, or before any section, when the choice speaks of the same thing.
func (x *extraction) sharedContext() {
	problem := x.theProblem()
	if problem == nil {
		return
	}
	if cause := x.theCause(); cause != nil && cause.span[0] > problem.span[0] {
		x.join(cause, problem, episode.Causes, true, "the root cause of what the log is about")
	}
	words := keys.Words(keys.Clause(problem.content))
	for _, d := range x.facts {
		if d.kind != decisionFact || d.decision.Context != "" || d.span[0] < problem.span[0] {
			continue
		}
		for _, w := range keys.Words(keys.Clause(d.decision.Chosen)) {
			if slices.Contains(words, w) {
				d.decision.Context = keys.Clause(problem.content)
				x.join(problem, d, episode.Causes, false, "the problem that the log is about")
				break
			}
		}
	}
}

// theProblem is the only fault that the log states for all of it; nil where there
// are several, since the log does not say which.
func (x *extraction) theProblem() *fact {
	var problem *fact
	for _, f := range x.facts {
		if !f.isFault() {
			continue
		}
		s := f.factSection()
		if s == nil || s.level > 1 && !(s.level == 2 && (s.roles.any(roleContext, roleSummary) || s.roles.has(roleProblem) && !listsFaults(s))) {
			continue
		}
		if problem != nil {
			return nil
		}
		problem = f
	}
	return problem
}

// theCause is the first fault of the only section whose heading names the root
// cause, with the cause ("Root cause: no key") or without; nil where there are
// several.
func (x *extraction) theCause() *fact {
	var named, bare []*section
	for _, s := range x.doc.sections {
		switch {
		case !s.roles.has(roleCause) || s.level <= 1:
		case s.subject != "":
			named = append(named, s)
		default:
			bare = append(bare, s)
		}
	}
	if len(named) == 0 {
		named = bare
	}
	if len(named) != 1 {
		return nil
	}
	var cause *fact
	for _, f := range x.facts {
		if f.isFault() && f.factSection() == named[0] && (cause == nil || f.span[0] < cause.span[0]) {
			cause = f
		}
	}
	return cause
}

// labelled splits the labelled facts of one group into records: a label that
// comes again starts the next one.
func (x *extraction) labelled(fs []*fact) {
	sortFacts(fs)
	var rec []*fact
	var seen roleSet
	for i, f := range fs {
		if i > 0 && fs[i-1].block == f.block {
			rec = append(rec, f)
			continue
		}
		r := f.block.labelRole & recordRoles
		if tellsImpact(f.block) { // of the record's problem: no problem that opens the next record
			r = 0
		}
		if r&seen != 0 {
			x.record(rec, "one record of labels")
			rec, seen = nil, 0
		}
		rec = append(rec, f)
		seen |= r
	}
	x.record(rec, "one record of labels")
}

// noHelp reports whether the result told after a fix says that it did not help.
func noHelp(fix *fact) bool {
	if fix.block == nil {
		return false
	}
	for _, o := range fix.block.group() {
		switch {
		case o.index <= fix.block.index:
		case o.labelRole.any(roleProblem, roleFix):
			return false
		case o.labelRole.has(roleResult):
			return o.text.is(classNoHelp)
		}
	}
	return false
}

// tellsImpact reports whether a line says what its record's problem led to.
func tellsImpact(b *block) bool {
	return b != nil && b.label != "" && b.labelText.is(classImpact)
}

// record links the facts of one record: the cause causes the problem, the fix
// prevents the fault, and a commit of it comes from the fix.
func (x *extraction) record(fs []*fact, why string) {
	var problem, cause, fix, commit, result, impact *fact
	for _, f := range fs {
		switch {
		case f == nil:
			continue
		case problem != nil && f.isFault() && tellsImpact(f.block):
			impact = f
			continue
		case f.kind == eventFact && f.block != nil && f.block.labelRole.has(roleResult) && f.block.kind != rowBlock:
			result = f
			continue
		}
		switch {
		case f.kind == decisionFact && f.block != nil && f.block.labelRole.has(roleVerdict): // judges the record, repairs nothing
		case f.kind == decisionFact && fix == nil:
			fix = f
		case f.kind == eventFact && f.event == episode.Error && f.cause && cause == nil:
			cause = f
		case f.kind == eventFact && f.event == episode.Error && problem == nil:
			problem = f
		case f.kind == eventFact && f.event == episode.Commit && commit == nil:
			commit = f
		}
	}
	if result != nil {
		x.join(fix, result, episode.Causes, true, why)
		if fix != nil && problem != nil && problem.block != nil && problem.block.labelRole.has(roleFailed) {
			x.join(problem, result, episode.Causes, true, why)
			x.join(fix, problem, episode.Causes, true, why)
			return
		}
	}
	x.join(cause, problem, episode.Causes, true, why)
	x.join(problem, impact, episode.Causes, true, why)
	if fix == nil || fix.decision.Outcome != episode.Failure && !noHelp(fix) {
		x.join(fix, problem, episode.Prevents, true, why)
	}
	x.join(cause, fix, episode.Causes, true, why)
	x.join(problem, fix, episode.Causes, true, why)
	x.join(fix, commit, episode.Causes, true, why)
}

// sectionRecords links across sections that stand side by side: Problem, Root
// cause, Solution; Context, Decision. Only single fixes are linked, since among
// several the log does not say which belongs to which.
func (x *extraction) sectionRecords() {
	type trio struct{ problems, causes, fixes []*fact }
	by := map[*section]*trio{}
	var order []*section
	for _, f := range x.facts {
		s := f.part()
		if s == nil || s.parent == nil {
			continue
		}
		t := by[s.parent]
		if t == nil {
			t = &trio{}
			by[s.parent] = t
			order = append(order, s.parent)
		}
		switch {
		case f.isFault() && s.roles.has(roleCause):
			if f.cause {
				t.causes = append(t.causes, f)
			}
		case f.isFault() && s.roles.any(roleProblem, roleContext):
			t.problems = append(t.problems, f)
		case f.kind == decisionFact && s.roles.any(roleFix, roleDecision):
			t.fixes = append(t.fixes, f)
		}
	}
	for _, p := range order {
		t := by[p]
		const why = "sections side by side"
		if len(t.causes) == 1 {
			for _, q := range t.problems {
				if q.span[0] < t.causes[0].span[0] { // what is told after the cause may have added to it
					x.join(t.causes[0], q, episode.Causes, true, why)
				}
			}
		}
		if len(t.fixes) != 1 || len(t.problems) > maxAlike {
			continue
		}
		for _, q := range append(t.problems, t.causes...) {
			if q.span[0] > t.fixes[0].span[0] { // told after it: what it led to, not what it answers
				continue
			}
			x.join(q, t.fixes[0], episode.Causes, true, why)
			if t.fixes[0].part().roles.has(roleFix) {
				x.join(t.fixes[0], q, episode.Prevents, true, why)
			}
		}
	}
}

// part is the outermost section around a fact that says what part of a record it
// is: the problem, its cause, what was decided.
func (f *fact) part() *section {
	var out *section
	for s := f.factSection(); s != nil && s.level > 1; s = s.parent {
		if s.roles.any(roleProblem, roleContext, roleCause, roleFix, roleDecision) {
			out = s
		}
	}
	return out
}
