package rules

import (
	"cmp"

	"episodes/episode"
	"episodes/extract/internal/doc"
	"episodes/extract/internal/facts"
	"episodes/extract/internal/lex"
)

// Records name problem, cause and fix: rows of one table, labelled lines of one group.

// rowRecords links the facts of each row of a table.
func (x linker) rowRecords() {
	byRow := map[*doc.Block][]*fact{}
	for _, f := range x.facts {
		if f.block != nil && f.block.Kind == doc.Row {
			byRow[f.block] = append(byRow[f.block], f)
		}
	}
	for _, f := range x.facts {
		if fs := byRow[f.block]; len(fs) > 1 && fs[0] == f {
			x.record(fs)
		}
	}
}

// labelRecords links the facts of adjacent labelled lines.
func (x linker) labelRecords() {
	type groupKey struct {
		section      *doc.Section
		parent, head *doc.Block
	}
	groups, named := map[groupKey][]*fact{}, map[*doc.Section]*fact{}
	for _, f := range x.facts {
		if f.isError() && f.block == nil && f.section != nil && f.Span[0] == f.section.Line {
			named[f.section] = f
		}
	}
	var order []groupKey
	for _, f := range x.facts {
		if f.block == nil || f.block.Kind == doc.Row || f.block.LabelRoles == 0 {
			continue
		}
		k := groupKey{f.block.Section, f.block.Parent, x.recordHead(f.block)}
		if groups[k] == nil {
			order = append(order, k)
			if e := named[k.section]; e != nil && k.parent == nil && k.head == nil { // its heading names the fault
				groups[k] = append(groups[k], e)
			}
			if e := x.used[k.parent]; k.parent != nil && e.isError() { // "- Tests fail" over "  - Resolution: ..."
				groups[k] = append(groups[k], e)
			}
		}
		groups[k] = append(groups[k], f)
	}
	for _, k := range order {
		x.labelled(groups[k])
	}
	problems := map[*doc.Section][]*fact{} // of a section that is the record of a decision
	for _, f := range x.facts {
		if f.isError() && f.block != nil && f.block.LabelRoles.Has(lex.RoleProblem) && f.block.Section.Roles.Has(lex.RoleDecision) {
			problems[f.block.Section] = append(problems[f.block.Section], f)
		}
	}
	for _, f := range x.facts {
		if f.Kind == facts.Decision {
			for _, e := range problems[f.factSection()] {
				x.link(e, f, episode.Causes, true)
			}
		}
	}
}

// recordRoles are the labels that make lines one record.
var recordRoles lex.RoleSet = 1<<lex.RoleProblem | 1<<lex.RoleCause | 1<<lex.RoleFix | 1<<lex.RoleAttempt | 1<<lex.RoleResult

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
func (x linker) labelled(fs []*fact) {
	sortFacts(fs)
	var rec []*fact
	var seen lex.RoleSet
	for i, f := range fs {
		if i > 0 && fs[i-1].block == f.block || f.block == nil {
			rec = append(rec, f)
			continue
		}
		r := f.block.LabelRoles & recordRoles
		if statesImpact(f.block) { // not the problem of the next record
			r = 0
		}
		if r&seen != 0 {
			x.record(rec)
			rec, seen = nil, 0
		}
		rec = append(rec, f)
		seen |= r
	}
	x.record(rec)
}

// wayOut links a fault with the way out that its record gives, once: the fault led to
// the fix, or, where the record's result shows that the fault is gone, the fix prevents it.
func (x linker) wayOut(problem, fix, result *fact) {
	if result.isEvent(episode.Test) && checkOutcome(result) == episode.Success {
		x.link(fix, problem, episode.Prevents, true)
		return
	}
	x.link(problem, fix, episode.Causes, true)
}

// statesImpact reports whether a line says what its record's problem led to.
func statesImpact(b *doc.Block) bool {
	return b != nil && b.Label != "" && b.LabelText.Is(lex.ClassImpact)
}

// parts are the facts of one record by what they are in it.
type parts struct {
	problem, cause, fix, work, commit, result, impact *fact
}

// put gives a fact its part in the record; the first of each part counts.
func (p *parts) put(f *fact) {
	switch {
	case f == nil:
	case p.problem != nil && f.isError() && statesImpact(f.block):
		p.impact = f
	case f.resultLine():
		p.result = f
	case f.Kind == facts.Decision && f.labelled(lex.RoleVerdict): // judges the record, repairs nothing
	case f.Kind == facts.Decision:
		p.fix = cmp.Or(p.fix, f)
	case f.isError() && f.cause && p.cause == nil:
		p.cause = f
	case f.isError():
		p.problem = cmp.Or(p.problem, f)
	case f.isEvent(episode.Milestone):
		p.work = cmp.Or(p.work, f)
	case f.isEvent(episode.Commit):
		p.commit = cmp.Or(p.commit, f)
	}
}

// resultLine reports whether an event is a line that is labelled as a result.
func (f *fact) resultLine() bool {
	return f.Kind == facts.Event && f.labelled(lex.RoleResult)
}

// labelled reports whether a fact has a label with the role.
func (f *fact) labelled(r lex.Role) bool { return f.block != nil && f.block.LabelRoles.Has(r) }

// failedAttempt reports whether the record is about a way that did not work.
func (p *parts) failedAttempt() bool {
	return p.result != nil && p.fix != nil && p.problem != nil && p.problem.labelled(lex.RoleFailed)
}

// precedes reports whether the fix is an item of a list in front of the one with the problem.
func (p *parts) precedes() bool {
	of := cmp.Or(p.problem, p.cause)
	return p.fix != nil && of != nil && p.fix.block != nil && p.fix.block.Kind == doc.Item && of.block != nil &&
		p.fix.block.Parent == nil && of.block.Parent == nil && p.fix.Span[1] < of.Span[0]
}

// record links the facts of one record: the cause causes the problem, the fix
// prevents the error, and a commit of it comes from the fix.
func (x linker) record(fs []*fact) {
	var p parts
	for _, f := range fs {
		p.put(f)
	}
	if p.precedes() { // it is of something else
		p.fix = nil
	}
	x.link(p.fix, p.result, episode.Causes, true)
	if p.failedAttempt() {
		x.link(p.problem, p.result, episode.Causes, true)
		x.link(p.fix, p.problem, episode.Causes, true)
		return
	}
	x.link(p.cause, p.problem, episode.Causes, true)
	x.link(p.problem, p.impact, episode.Causes, true)
	x.wayOut(cmp.Or(p.problem, p.cause), p.fix, p.result)
	x.learnFix(&p)
	if p.fix == nil {
		x.link(cmp.Or(p.problem, p.cause), p.work, episode.Causes, true)
	}
	x.link(p.fix, p.commit, episode.Causes, true)
}
