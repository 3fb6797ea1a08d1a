package rules

import (
	"slices"

	"episodes/episode"
	"episodes/extract/internal/doc"
	"episodes/extract/internal/facts"
	"episodes/extract/internal/lex"
	"episodes/keys"
)

// recordLinks reads the records that name problem, cause and fix: labelled lines
// of one group, rows of one table, sections side by side.
func (x *extraction) recordLinks() {
	byRow := map[*doc.Block][]*fact{}
	for _, f := range x.facts {
		if f.block != nil && f.block.Kind == doc.Row {
			byRow[f.block] = append(byRow[f.block], f)
		}
	}
	for _, f := range x.facts {
		if fs := byRow[f.block]; len(fs) > 1 && fs[0] == f {
			x.record(fs, "one row of a table")
		}
	}
	for _, f := range x.facts {
		if f.Kind == facts.Event && f.Event == episode.Error && f.block != nil && f.block.LabelRoles == 0 && f.block.Kind == doc.Item && x.nextIsFix(f.block) {
			x.record([]*fact{f, x.used[x.doc.Blocks[f.block.Index+1]]}, "a fault and its solution in one list")
		}
	}
	type groupKey struct {
		section      *doc.Section
		parent, head *doc.Block
	}
	groups := map[groupKey][]*fact{}
	var order []groupKey
	for _, f := range x.facts {
		if f.block == nil || f.block.Kind == doc.Row || f.block.LabelRoles == 0 {
			continue
		}
		k := groupKey{f.block.Section, f.block.Parent, x.recordHead(f.block)}
		if groups[k] == nil {
			order = append(order, k)
			if fault := x.used[k.parent]; k.parent != nil && fault.isError() { // "- Tests fail" over "  - Resolution: ..."
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
const recordRoles = 1<<lex.RoleProblem | 1<<lex.RoleCause | 1<<lex.RoleFix | 1<<lex.RoleAttempt | 1<<lex.RoleResult

// recordHead is the labelled paragraph that names what the labelled items under
// it are about: "**Thread 2**: list.go" over "- Issue: ..." and "- Fix: ...".
func (x *extraction) recordHead(b *doc.Block) *doc.Block {
	if b.Kind != doc.Item || b.Parent != nil {
		return nil
	}
	for i := b.Index - 1; i >= max(b.Index-doc.Reach, 0); i-- {
		h := x.doc.Blocks[i]
		switch {
		case h.Section != b.Section:
			return nil
		case h.Kind == doc.Paragraph && h.Parent == nil:
			if h.Label == "" || h.LabelRoles&recordRoles != 0 || x.doc.Blocks[i+1].LabelRoles == 0 {
				return nil
			}
			return h
		}
	}
	return nil
}

// soleErrors links the only error that a section tells with the only choice that
// it states: a short section is one record. The log implies this, no more.
func (x *extraction) soleErrors() {
	type pair struct {
		faults, choices []*fact
	}
	by := map[*doc.Section]*pair{}
	var order []*doc.Section
	for _, f := range x.facts {
		s := f.factSection()
		if s == nil || s.Level < 2 || f.Kind == facts.Lesson {
			continue
		}
		p := by[s]
		if p == nil {
			p = &pair{}
			by[s] = p
			order = append(order, s)
		}
		switch {
		case f.Kind == facts.Decision:
			p.choices = append(p.choices, f)
		case f.Event == episode.Error:
			p.faults = append(p.faults, f)
		}
	}
	for _, s := range order {
		p := by[s]
		if len(p.faults) >= 1 && len(p.choices) == 1 && p.faults[0].Span[0] <= p.choices[0].Span[0] {
			f, d := p.faults[0], p.choices[0]
			if len(p.faults) > 1 && p.faults[1].Span[0] <= d.Span[0] {
				continue
			}
			x.join(f, d, episode.Causes, false, "the section's only fault and its only choice")
			if d.Decision.Context == "" {
				d.Decision.Context = keys.Clause(f.Content)
			}
		}
	}
}

// sharedContext gives a decision without a question of its own the problem that
// its log states for all of it: the error stated under a context or problem
// heading, or before any section, when the choice is about the same thing.
func (x *extraction) sharedContext() {
	problem := x.theProblem()
	if problem == nil {
		return
	}
	if cause := x.theCause(); cause != nil && cause.Span[0] > problem.Span[0] {
		x.join(cause, problem, episode.Causes, true, "the root cause of what the log is about")
	}
	words := keys.Words(keys.Clause(problem.Content))
	for _, d := range x.facts {
		if d.Kind != facts.Decision || d.Decision.Context != "" || d.Span[0] < problem.Span[0] {
			continue
		}
		for _, w := range keys.Words(keys.Clause(d.Decision.Chosen)) {
			if slices.Contains(words, w) {
				d.Decision.Context = keys.Clause(problem.Content)
				x.join(problem, d, episode.Causes, false, "the problem that the log is about")
				break
			}
		}
	}
}

// theProblem is the only error that the log states for all of it; nil where there
// are several, since the log does not say which.
func (x *extraction) theProblem() *fact {
	var problem *fact
	for _, f := range x.facts {
		if !f.isError() {
			continue
		}
		s := f.factSection()
		if s == nil || s.Level > 1 && !(s.Level == 2 && (s.Roles.Any(lex.RoleContext, lex.RoleSummary) || s.Roles.Has(lex.RoleProblem) && !listsErrors(s))) {
			continue
		}
		if problem != nil {
			return nil
		}
		problem = f
	}
	return problem
}

// theCause is the first error of the only section whose heading names the root
// cause, with the cause ("Root cause: no key") or without; nil where there are
// several.
func (x *extraction) theCause() *fact {
	var named, bare []*doc.Section
	for _, s := range x.doc.Sections {
		switch {
		case !s.Roles.Has(lex.RoleCause) || s.Level <= 1:
		case s.Subject != "":
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
		if f.isError() && f.factSection() == named[0] && (cause == nil || f.Span[0] < cause.Span[0]) {
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
	var seen lex.RoleSet
	for i, f := range fs {
		if i > 0 && fs[i-1].block == f.block {
			rec = append(rec, f)
			continue
		}
		r := f.block.LabelRoles & recordRoles
		if statesImpact(f.block) { // of the record's problem: no problem that opens the next record
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

// noHelp reports whether the result stated after a fix says that it did not help.
func noHelp(fix *fact) bool {
	if fix.block == nil {
		return false
	}
	for _, o := range fix.block.Group() {
		switch {
		case o.Index <= fix.block.Index:
		case o.LabelRoles.Any(lex.RoleProblem, lex.RoleFix):
			return false
		case o.LabelRoles.Has(lex.RoleResult):
			return o.Text.Is(lex.ClassNoHelp)
		}
	}
	return false
}

// statesImpact reports whether a line says what its record's problem led to.
func statesImpact(b *doc.Block) bool {
	return b != nil && b.Label != "" && b.LabelText.Is(lex.ClassImpact)
}

// record links the facts of one record: the cause causes the problem, the fix
// prevents the error, and a commit of it comes from the fix.
func (x *extraction) record(fs []*fact, why string) {
	var problem, cause, fix, commit, result, impact *fact
	for _, f := range fs {
		switch {
		case f == nil:
			continue
		case problem != nil && f.isError() && statesImpact(f.block):
			impact = f
			continue
		case f.Kind == facts.Event && f.block != nil && f.block.LabelRoles.Has(lex.RoleResult) && f.block.Kind != doc.Row:
			result = f
			continue
		}
		switch {
		case f.Kind == facts.Decision && f.block != nil && f.block.LabelRoles.Has(lex.RoleVerdict): // judges the record, repairs nothing
		case f.Kind == facts.Decision && fix == nil:
			fix = f
		case f.Kind == facts.Event && f.Event == episode.Error && f.cause && cause == nil:
			cause = f
		case f.Kind == facts.Event && f.Event == episode.Error && problem == nil:
			problem = f
		case f.Kind == facts.Event && f.Event == episode.Commit && commit == nil:
			commit = f
		}
	}
	if result != nil {
		x.join(fix, result, episode.Causes, true, why)
		if fix != nil && problem != nil && problem.block != nil && problem.block.LabelRoles.Has(lex.RoleFailed) {
			x.join(problem, result, episode.Causes, true, why)
			x.join(fix, problem, episode.Causes, true, why)
			return
		}
	}
	x.join(cause, problem, episode.Causes, true, why)
	x.join(problem, impact, episode.Causes, true, why)
	if fix == nil || fix.Decision.Outcome != episode.Failure && !noHelp(fix) {
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
	by := map[*doc.Section]*trio{}
	var order []*doc.Section
	for _, f := range x.facts {
		s := f.part()
		if s == nil || s.Parent == nil {
			continue
		}
		t := by[s.Parent]
		if t == nil {
			t = &trio{}
			by[s.Parent] = t
			order = append(order, s.Parent)
		}
		switch {
		case f.isError() && s.Roles.Has(lex.RoleCause):
			if f.cause {
				t.causes = append(t.causes, f)
			}
		case f.isError() && s.Roles.Any(lex.RoleProblem, lex.RoleContext):
			t.problems = append(t.problems, f)
		case f.Kind == facts.Decision && s.Roles.Any(lex.RoleFix, lex.RoleDecision):
			t.fixes = append(t.fixes, f)
		}
	}
	for _, p := range order {
		t := by[p]
		const why = "sections side by side"
		if len(t.causes) == 1 {
			for _, q := range t.problems {
				if q.Span[0] < t.causes[0].Span[0] { // what is stated after the cause may have added to it
					x.join(t.causes[0], q, episode.Causes, true, why)
				}
			}
		}
		if len(t.fixes) != 1 || len(t.problems) > maxAlike {
			continue
		}
		for _, q := range append(t.problems, t.causes...) {
			if q.Span[0] > t.fixes[0].Span[0] { // stated after it: what it led to, not what it answers
				continue
			}
			x.join(q, t.fixes[0], episode.Causes, true, why)
			if t.fixes[0].part().Roles.Has(lex.RoleFix) {
				x.join(t.fixes[0], q, episode.Prevents, true, why)
			}
		}
	}
}

// part is the outermost section around a fact that says what part of a record it
// is: the problem, its cause, what was decided.
func (f *fact) part() *doc.Section {
	var out *doc.Section
	for s := f.factSection(); s != nil && s.Level > 1; s = s.Parent {
		if s.Roles.Any(lex.RoleProblem, lex.RoleContext, lex.RoleCause, lex.RoleFix, lex.RoleDecision) {
			out = s
		}
	}
	return out
}
