package rules

import (
	"slices"
	"sort"
	"strings"

	"episodes/episode"
	"episodes/extract/internal/doc"
	"episodes/extract/internal/facts"
	"episodes/extract/internal/lex"
)

// Attempts are ways that were tried, one after the other. Each is a decision that ends
// as its heading, its result or its own words say; one that failed causes its failure,
// and that leads to the next.

// Rules of the results of attempts.
const (
	attemptFailed = "result of an attempt says that it failed"
	attemptWorked = "result of an attempt says that it worked"
)

// namesAttempt: "### Attempt 2: Refresh in the client (Failed)", a heading that ends in
// such a state where ways out are listed, or an attempt whose result a label gives.
func (h *headingFeatures) namesAttempt() bool {
	if h.Level < 2 || h.Has(lex.RoleDecision) || h.RolesAbove.Any(lex.RolePlan, lex.RoleSkip, lex.RoleOptions, lex.RoleTest) {
		return false
	}
	if name, state := endState(h.title); state.Known() && len(name.Words) > 1 {
		return h.Has(lex.RoleAttempt) || h.Parent.Any(lex.RoleAttempt, lex.RoleFailed, lex.RoleFix)
	}
	return h.Has(lex.RoleAttempt) && len(h.subject.Words) > 1 && slices.ContainsFunc(h.Blocks, func(b *doc.Block) bool {
		return b.LabelRoles.Any(lex.RoleProblem, lex.RoleFailed, lex.RoleResult, lex.RoleOutcome)
	})
}

// endState cuts the state off the end of a heading: "(Failed)", "[SUCCESS]", "❌".
func endState(t lex.Text) (lex.Text, episode.Outcome) {
	for mark, o := range map[string]episode.Outcome{"❌": episode.Failure, "✅": episode.Success} {
		if rest, ok := strings.CutSuffix(t.Raw, mark); ok {
			return t.Sub(0, len(rest)), o
		}
	}
	i := strings.LastIndexAny(t.Raw, "([")
	if i <= 0 || !strings.ContainsAny(t.Raw[len(t.Raw)-1:], ")]") {
		return t, episode.Unknown
	}
	in := t.Sub(i+1, len(t.Raw)-1)
	if len(in.Words) > 4 {
		return t, episode.Unknown
	}
	if o := in.StatusOf(); o.Known() {
		return t.Sub(0, i), o
	}
	return t, episode.Unknown
}

// takeTried extracts the attempt that a heading names, with how it ended.
func (x *extraction) takeTried(s *doc.Section, rule string) {
	t := s.Title
	if s.Has(lex.RoleAttempt) && s.Subject != "" {
		t = x.plain(s.Subject)
	}
	name, end := endState(t)
	if len(name.Words) > 1 && lex.IsNumber(name.Words[0].Lower) {
		name = name.Sub(name.Words[0].End+1, len(name.Raw))
	}
	f := x.newDecision(nil, episode.Span{s.Line, s.Line}, name, rule)
	f.section, f.tried, f.Decision.Type, f.Decision.Outcome = s, true, episode.Recovery, end
	for _, b := range s.Blocks {
		switch {
		case b.LabelRoles.Any(lex.RoleResult, lex.RoleOutcome, lex.RoleStatus) && !b.Text.Empty():
			x.takeResult(f, b)
		}
	}
}

// takeResult reads the labelled result of an attempt: a failure is an error, a success
// a check.
func (x *extraction) takeResult(f *fact, b *doc.Block) {
	if f.Decision.Outcome == episode.Unknown {
		f.Decision.Outcome = blockStatus(b)
	}
	if len(b.Text.Words) < 3 { // a state, and nothing that happened
		x.used[b] = f
		return
	}
	switch f.Decision.Outcome {
	case episode.Failure:
		x.event(episode.Error, b, b.Span, b.Text.Raw, attemptFailed)
	case episode.Success:
		x.event(episode.Test, b, b.Span, b.Text.Raw, attemptWorked).state = episode.Success
	}
}

// attempts link each attempt that failed with its failure, and that with the attempt
// that comes next in its list.
func (x linker) attempts() {
	lists, faults := map[*doc.Section][]*fact{}, map[*doc.Section][]*fact{}
	var order []*doc.Section
	for _, d := range x.facts {
		if d.isError() {
			faults[d.factSection()] = append(faults[d.factSection()], d)
		}
		if d.Kind != facts.Decision || !d.tried && !d.factSection().Has(lex.RoleFailed) {
			continue
		}
		list := d.factSection()
		if d.block == nil {
			list = list.Parent
		}
		if lists[list] == nil {
			order = append(order, list)
		}
		lists[list] = append(lists[list], d)
	}
	for _, of := range faults {
		sortFacts(of)
	}
	for _, list := range order {
		tries := lists[list]
		sortFacts(tries)
		var before *fact // the failure of the attempt before
		for i, d := range tries {
			x.link(before, d, episode.Causes, true)
			before = nil
			if d.Decision.Outcome != episode.Failure {
				continue
			}
			end := x.doc.Lines
			if i+1 < len(tries) {
				end = tries[i+1].Span[0]
			}
			if before = failureOf(d, faults[d.factSection()], end); before != nil {
				x.link(d, before, episode.Causes, true)
			}
		}
	}
}

// failureOf returns the error in which an attempt ended: the first one in its section that
// is reported under its heading, in its item, or, in a list of failed attempts, after it,
// and before the line of the next attempt. The errors are sorted by line.
func failureOf(d *fact, faults []*fact, end int) *fact {
	listed := d.block == nil || d.block.Section.Has(lex.RoleFailed)
	from := sort.Search(len(faults), func(i int) bool { return faults[i].Span[0] >= d.Span[0] })
	for _, e := range faults[from:] {
		if e.Span[0] >= end && e.block != d.block {
			break
		}
		if listed || e.block != nil && (e.block == d.block || e.block.Parent == d.block) {
			return e
		}
	}
	return nil
}
