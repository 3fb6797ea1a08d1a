package rules

import (
	"slices"

	"episodes/episode"
	"episodes/extract/internal/doc"
	"episodes/extract/internal/facts"
	"episodes/extract/internal/lex"
	"episodes/keys"
)

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
