package rules

import (
	"slices"

	"episodes/episode"
	"episodes/extract/internal/doc"
	"episodes/extract/internal/facts"
	"episodes/extract/internal/lex"
	"episodes/keys"
)

// errorsAndChoices are those of one section.
type errorsAndChoices struct {
	errors, choices []*fact
}

// bySection groups the errors and decisions of a log by their sections below the title.
func (x *extraction) bySection() []*errorsAndChoices {
	by := map[*doc.Section]*errorsAndChoices{}
	var out []*errorsAndChoices
	for _, f := range x.facts {
		s := f.factSection()
		if s == nil || s.Level < 2 {
			continue
		}
		p := by[s]
		if p == nil {
			p = &errorsAndChoices{}
			by[s] = p
			out = append(out, p)
		}
		switch {
		case f.Kind == facts.Decision:
			p.choices = append(p.choices, f)
		case f.isError():
			p.errors = append(p.errors, f)
		}
	}
	return out
}

// soleErrors links the only error that a section reports before its only choice with
// that: a short section is one record. The log implies this, no more.
func (x linker) soleErrors() {
	for _, p := range x.bySection() {
		if len(p.errors) == 0 || len(p.choices) != 1 {
			continue
		}
		f, d := p.errors[0], p.choices[0]
		if f.Span[0] > d.Span[0] || len(p.errors) > 1 && p.errors[1].Span[0] <= d.Span[0] {
			continue
		}
		x.link(f, d, episode.Causes, false)
		if d.Decision.Context == "" {
			d.Decision.Context = keys.Clause(f.Content)
		}
	}
}

// rootCause links the root cause that a section of its own gives with what the log is
// about.
func (x linker) rootCause() {
	problem := x.theProblem()
	if problem == nil {
		return
	}
	if cause := x.theCause(); cause != nil && cause.Span[0] > problem.Span[0] {
		x.link(cause, problem, episode.Causes, true)
	}
}

// sharedContext gives a decision without a question of its own the problem that
// its log states for all of it: the error stated under a context or problem
// heading, or before any section, when the choice is about the same thing.
func (x linker) sharedContext() {
	problem := x.theProblem()
	if problem == nil {
		return
	}
	words := keys.Words(keys.Clause(problem.Content))
	for _, d := range x.facts {
		if d.Kind != facts.Decision || d.Decision.Context != "" || d.Span[0] < problem.Span[0] {
			continue
		}
		if slices.ContainsFunc(keys.Words(keys.Clause(d.Decision.Chosen)), func(w string) bool { return slices.Contains(words, w) }) {
			x.link(problem, d, episode.Causes, false)
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
		if s == nil || s.Level > 1 && !(s.Level == 2 && (s.Roles.Any(lex.RoleContext, lex.RoleSummary) ||
			s.Roles.Has(lex.RoleProblem) && !listsErrors(s))) {
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
