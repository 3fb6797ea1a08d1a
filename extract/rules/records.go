package rules

import (
	"episodes/episode"
	"episodes/extract/internal/doc"
	"episodes/extract/internal/facts"
	"episodes/extract/internal/lex"
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
