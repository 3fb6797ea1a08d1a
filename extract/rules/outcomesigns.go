package rules

import (
	"slices"

	"episodes/episode"
	"episodes/extract/internal/doc"
	"episodes/extract/internal/facts"
	"episodes/extract/internal/lex"
	"episodes/outcome"
)

// factSigns are the signs of the facts and boxes of a log.
var factSigns = []func(*extraction) []outcome.Sign{
	(*extraction).headingSigns, (*extraction).checkSigns, (*extraction).taskSigns, (*extraction).approvalSigns, (*extraction).boxSigns, (*extraction).committedSigns,
}

func sign(kind outcome.Kind, lines episode.Span) []outcome.Sign {
	return []outcome.Sign{{Kind: kind, Lines: lines}}
}

// headingSigns are the verdicts of headings: of those of the outcome, and of the last attempt. After one
// that failed comes what was done then.
func (x *extraction) headingSigns() (out []outcome.Sign) {
	for _, s := range x.doc.Sections {
		if s.Level < 2 || s.RolesAbove.Any(lex.RolePlan, lex.RoleSkip, lex.RoleOptions, lex.RoleHandoff) {
			continue
		}
		subject := x.plain(s.Subject)
		state := subject.StatusOf()
		if _, end := endState(s.Title); end.Known() {
			state = end
		}
		kind := outcome.OutcomeSection
		switch {
		case !state.Known():
			continue
		case s.Has(lex.RoleAttempt) && !s.Has(lex.RoleDecision) && state == episode.Success:
			kind = outcome.LastAttempt
		case !s.Has(lex.RoleOutcome) || len(subject.Words) > aFewWords:
			continue
		}
		out = append(out, outcome.Sign{Kind: kind, Says: state, Lines: episode.Span{s.Line, s.Line}})
	}
	return out
}

// checkSigns: how the last check of the session's work ended.
func (x *extraction) checkSigns() []outcome.Sign {
	last, passed := x.lastCheck()
	if last == nil || x.isRecord { // a record that mentions checks is not a run of them
		return nil
	}
	switch o := checkOutcome(last); {
	case o == episode.Failure && passed:
		return sign(outcome.SomeReportsFail, last.Span)
	case o == episode.Failure:
		return sign(outcome.LastReportFails, last.Span)
	case !o.Known() && last.factSection().Has(lex.RoleWorked): // what worked, by the heading
		return []outcome.Sign{{Kind: outcome.LastReportPasses, Says: episode.Success, Lines: last.Span}}
	case o.Known():
		return []outcome.Sign{{Kind: outcome.LastReportPasses, Says: o, Lines: last.Span}}
	}
	return nil
}

// lastCheck is the last check of the session's own work, nil without one, and
// whether any of its checks passed.
func (x *extraction) lastCheck() (last *fact, passed bool) {
	for _, f := range x.facts {
		if !f.isEvent(episode.Test) || othersCheck(f) || ofForm(f) || noVerdict(f) {
			continue
		}
		passed = passed || checkOutcome(f) == episode.Success
		if last == nil || f.Span[0] >= last.Span[0] {
			last = f
		}
	}
	return last, passed
}

// othersCheck reports whether a check is not one of the session's own work: it is in the statement
// of the problem or in a protocol, it was inspected instead of run, or the log says that its failure
// is unrelated to the work.
func othersCheck(f *fact) bool {
	s := f.factSection()
	if f.text.Is(lex.ClassMeant) || redStep(s) {
		return true
	}
	if s.Within(lex.RoleSkip) || s.Within(lex.RoleFinding) && !s.Has(lex.RoleTest) ||
		s.Any(lex.RoleProblem, lex.RoleContext, lex.RoleCause, lex.RoleFinding) && !s.Has(lex.RoleTest) {
		return true
	}
	if f.Rule == madeSure && !f.text.HasWord(lex.ClassSuite) &&
		!f.text.HasWord(lex.ClassLint) {
		return true // it made sure of a state, or looked at a thing
	}
	return f.text.At(0, lex.ClassLooked) || f.block != nil && f.block.Text.At(0, lex.ClassLooked) || f.text.Is(lex.ClassUnrelated)
}

// noVerdict reports whether a check among others is given in a sentence without a count or
// a mark: it may say what a check is good for.
func noVerdict(f *fact) bool {
	return f.Rule == amongOthers && !f.text.HasCount() && f.block.Tick == doc.NoTick && len(f.text.Words) > aFewWords
}

// ofForm reports whether a check looked at the form of the text alone: that the log
// itself is well-formed says nothing of its work.
func ofForm(f *fact) bool {
	if s := f.factSection(); s != nil && s.Title.Is(lex.ClassLint) {
		return true
	}
	return f.text.HasWord(lex.ClassLint) && !f.text.HasWord(lex.ClassSuite) && checkOutcome(f) != episode.Failure
}

// taskSigns are what the rows of a table of tasks say.
func (x *extraction) taskSigns() []outcome.Sign {
	var span episode.Span
	done, all := 0, 0
	for _, b := range x.doc.Blocks {
		if !listsTask(b) {
			continue
		}
		for i, c := range b.Table.Columns {
			if i < len(b.Cells) && c.Roles.Has(lex.RoleStatus) {
				if all++; rowStatus(b, i) == episode.Success {
					done++
				}
				span = b.Span
			}
		}
	}
	switch {
	case done == 0:
		return nil
	case done < all:
		return sign(outcome.SomeTasksDone, span)
	}
	return sign(outcome.TasksDone, span)
}

// listsTask reports whether a block is a row of a table of tasks, or of work given to
// others.
func listsTask(b *doc.Block) bool {
	return b.Kind == doc.Row && !b.Section.Within(lex.RoleSkip) && !b.Section.Has(lex.RoleTest) &&
		(b.Table.Names(lex.RoleItem) || b.Section.Has(lex.RoleAgent))
}

// approvalSigns are the verdicts that let the work pass.
func (x *extraction) approvalSigns() (out []outcome.Sign) {
	for _, f := range x.facts {
		if f.Kind == facts.Decision && !f.factSection().Within(lex.RoleSkip) && x.approval(f) {
			out = append(out, sign(outcome.Approval, f.Span)...)
		}
	}
	return out
}

// committedSigns: a place for commits names one of the session, steps are ticked and none
// of its work is open, and its last check did not fail.
func (x *extraction) committedSigns() []outcome.Sign {
	if last, _ := x.lastCheck(); last != nil && checkOutcome(last) == episode.Failure {
		return nil
	}
	if done, open := x.steps(); open > 0 || done < 2 { // one may be the commit itself
		return nil
	}
	var span episode.Span
	for _, f := range x.facts {
		if f.isEvent(episode.Commit) && !citedCommits[f.Rule] && f.Span[0] >= span[0] {
			span = f.Span
		}
	}
	if span[0] == 0 {
		return nil
	}
	return sign(outcome.StepsCommitted, span)
}

// citedCommits are the rules by which prose names a commit.
var citedCommits = map[string]bool{reportsACommit: true, refersToACommit: true, rowRefersTo: true, inHeading: true}

// steps counts the ticked steps of the log, those of its protocol too, and the open boxes
// of its work.
func (x *extraction) steps() (done, open int) {
	done, open, _ = x.boxes(func(*doc.Section) bool { return true })
	for _, b := range x.doc.Blocks {
		if b.Section.Within(lex.RoleSkip) && (b.Tick == doc.DoneTick ||
			slices.ContainsFunc(b.Cells, func(c doc.Cell) bool { return c.Tick == doc.DoneTick })) {
			done++
		}
	}
	return done, open
}

// boxSigns returns the sign of the ticked and open boxes. If the log has boxes for acceptance
// criteria, only those count, else all boxes for items of work.
func (x *extraction) boxSigns() []outcome.Sign {
	done, open, span := x.boxes(func(s *doc.Section) bool { return s.Title.Is(lex.ClassCriteria) })
	if done+open == 0 {
		done, open, span = x.boxes(accepts)
	}
	switch {
	case done == 0:
		return nil
	case open > 0:
		return sign(outcome.BoxesOpen, span)
	}
	return sign(outcome.BoxesTicked, span)
}

// boxes counts the ticked and the open boxes of lists in the sections asked for;
// span is that of the last one.
func (x *extraction) boxes(in func(*doc.Section) bool) (done, open int, span episode.Span) {
	for _, b := range x.doc.Blocks {
		if b.Kind != doc.Item || b.Section.RolesAbove.Any(lex.RoleSkip, lex.RolePlan) ||
			b.Tick == doc.NoTick || b.LabelRoles.Has(lex.RoleStatus) || !in(b.Section) {
			continue
		}
		if b.Tick == doc.DoneTick {
			done++
		} else {
			open++
		}
		span = b.Span
	}
	return done, open, span
}

// accepts reports whether the boxes under a heading say how the session ended: they
// are its tasks, its results or the terms of its acceptance.
func accepts(s *doc.Section) bool {
	if s.Roles.Any(lex.RoleOutcome, lex.RoleTest, lex.RoleTask, lex.RoleDone, lex.RoleStatus, lex.RoleSummary) || s.Level <= 1 {
		return true
	}
	return s.Title.Is(lex.ClassAccept)
}
