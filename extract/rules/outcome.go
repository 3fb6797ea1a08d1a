package rules

import (
	"strings"

	"episodes/episode"
	"episodes/extract/internal/doc"
	"episodes/extract/internal/facts"
	"episodes/extract/internal/lex"
)

// sign is one thing in the log that shows the session's outcome.
type sign struct {
	outcome episode.Outcome
	source  episode.OutcomeSource
	span    episode.Span
	weight  int
	why     string
}

// outcome judges the session from the signs that the log shows: its own status
// fields first, then what its outcome sections say, then its last checks, then
// what was finished and what was left open.
func (x *extraction) outcome() {
	x.draft.Outcome = episode.Unknown
	newest := x.newest
	best, own := (*sign)(nil), false
	for _, s := range x.signs() {
		in := newest.head != nil && newest.contains(s.span[0])
		if own && !in {
			continue
		}
		if best == nil || in && !own || s.weight >= best.weight { // of equals, the last
			c := s
			best, own = &c, own || in
		}
	}
	if best == nil {
		return
	}
	x.draft.Outcome, x.draft.OutcomeFrom, x.draft.OutcomeSpan, x.draft.OutcomeWhy = best.outcome, best.source, best.span, best.why
}

func (x *extraction) signs() []sign {
	var out []sign
	add := func(o episode.Outcome, src episode.OutcomeSource, span episode.Span, weight int, why string) {
		if o == episode.Partial && x.underway(span) {
			weight = 15 // set at the start and often left so: anything that the log says of its end weighs more
		}
		if o.Known() {
			out = append(out, sign{o, src, span, weight, why})
		}
	}
	for _, b := range x.doc.Meta {
		if b.LabelRoles.Any(lex.RoleStatus, lex.RoleOutcome) {
			add(blockStatus(b), episode.Stated, b.Span, 60, "front matter "+quote(b.Label))
		}
	}
	work := map[episode.Outcome]int{}
	var lastWork *doc.Block
	for _, b := range x.doc.Blocks {
		s := b.Section
		if b.Kind == doc.Code || b.Kind == doc.Row || b.Placeholder() || b.Parent != nil || documentStatus(b) {
			continue
		}
		protocol := s.Within(lex.RoleSkip)
		switch {
		case b.LabelRoles.Has(lex.RoleOutcome) && !b.Text.Empty() && !protocol && s.Within(lex.RoleDecision): // of the decision
		case b.LabelRoles.Has(lex.RoleOutcome) && !b.Text.Empty() && !protocol:
			add(blockStatus(b), episode.Stated, b.Span, 80, "label "+quote(b.Label))
		case b.LabelRoles.Has(lex.RoleStatus) && protocol:
			if b.Kind == doc.Paragraph {
				add(blockStatus(b), episode.Stated, b.Span, 65, "label "+quote(b.Label)+" at the end")
			}
		case b.LabelRoles.Has(lex.RoleStatus) && !s.Roles.Any(lex.RoleContext, lex.RoleProblem, lex.RoleFinding):
			o := blockStatus(b)
			switch {
			case s.Level <= 1 || len(b.Label) > len("status") && !s.Roles.Any(lex.RoleTest):
				add(o, episode.Stated, b.Span, 70, "label "+quote(b.Label))
			case o.Known():
				work[o]++
				lastWork = b
			}
		case s.Roles.Has(lex.RoleOutcome) && !protocol && opensWithStatus(b):
			add(blockStatus(b), episode.Stated, b.Span, 50, "under heading "+quote(s.Title.Raw))
		case s.Roles.Has(lex.RoleStatus) && !protocol && s.Level <= 2:
			add(blockStatus(b), episode.Stated, b.Span, 55, "under heading "+quote(s.Title.Raw))
		case s.Roles.Has(lex.RoleTimeline) && b.Kind == doc.Item:
			if o := b.Text.EndStatus(); o.Known() {
				add(o, episode.Stated, b.Span, 40, "end of the timeline")
			}
		case !protocol && saysAllDone(b):
			add(episode.Success, episode.Stated, b.Span, 32, "says that all is done")
		case openWork(b) && !b.Text.Blank() && !protocol:
			add(episode.Partial, episode.Stated, b.Span, 42, "label "+quote(b.Label))
		case !protocol && saysDone(b):
			add(episode.Success, episode.Stated, b.Span, 26, "says that the work is done")
		}
	}
	if lastWork != nil {
		o := episode.Partial
		if len(work) == 1 {
			o = blockStatus(lastWork)
		}
		add(o, episode.Stated, lastWork.Span, 45, "status of the work items")
	}
	out = append(out, x.measuredSigns()...)
	return out
}

// underway reports whether a status line says only that work goes on.
func (x *extraction) underway(span episode.Span) bool {
	for _, b := range x.doc.Blocks {
		if b.Span[0] > span[0] {
			break
		}
		if b.Span == span && b.LabelRoles.Any(lex.RoleStatus, lex.RoleOutcome) {
			return len(b.Text.Words) <= 4 && x.plain(strings.ReplaceAll(b.Text.Raw, "_", " ")).Is(lex.ClassUnderway)
		}
	}
	return false
}

// measuredSigns are what checks, commits and finished work show.
func (x *extraction) measuredSigns() []sign {
	var out []sign
	var lastTest *fact
	passed := false
	for _, f := range x.facts {
		if f.Kind != facts.Event || f.Event != episode.Test {
			continue
		}
		if s := f.factSection(); s.Within(lex.RoleSkip) || onlyLint(f.text) && checkOutcome(f) != episode.Failure || othersCheck(f) || s != nil && s.Title.Is(lex.ClassLint) {
			continue // that the log itself is well-formed says nothing of its work
		}
		passed = passed || checkOutcome(f) == episode.Success
		if lastTest == nil || f.Span[0] >= lastTest.Span[0] {
			lastTest = f
		}
	}
	if lastTest != nil {
		weight, o := 30, checkOutcome(lastTest)
		if s := lastTest.factSection(); o == episode.Unknown && s.Has(lex.RoleWorked) {
			o = episode.Success // what worked, by the heading
		}
		if o == episode.Failure {
			weight = 48 // a check that fails at the end outweighs steps marked done
			if passed {
				o = episode.Partial
			}
		}
		if o.Known() {
			out = append(out, sign{o, episode.Measured, lastTest.Span, weight, "last check"})
		}
	}
	out = append(out, x.taskSigns()...)
	for _, f := range x.facts {
		if f.Kind == facts.Decision && !f.factSection().Within(lex.RoleSkip) && x.approval(f) {
			out = append(out, sign{episode.Success, episode.Stated, f.Span, 27, "a verdict that approves"})
		}
	}
	return append(out, x.boxSigns()...)
}

// taskSigns are what the rows of a table of tasks say.
func (x *extraction) taskSigns() []sign {
	var span episode.Span
	rows := map[episode.Outcome]int{}
	for _, b := range x.doc.Blocks {
		if b.Kind == doc.Row && !b.Section.Within(lex.RoleSkip) && !b.Section.Has(lex.RoleTest) && (b.Table.Names(lex.RoleItem) || b.Section.Has(lex.RoleAgent)) {
			for i, c := range b.Table.Columns {
				if i < len(b.Cells) && c.Roles.Has(lex.RoleStatus) {
					rows[cellStatus(b.Cells[i])]++
					span = b.Span
				}
			}
		}
	}
	n := rows[episode.Success]
	if n == 0 {
		return nil
	}
	o := episode.Success
	if n < rows[episode.Success]+rows[episode.Partial]+rows[episode.Failure]+rows[episode.Unknown] {
		o = episode.Partial
	}
	return []sign{{o, episode.Stated, span, 28, "status of the tasks"}}
}

// boxSigns are what ticked and open boxes say: those of the criteria by which the
// work is accepted where there are some, else all that stand for work.
func (x *extraction) boxSigns() []sign {
	done, open, span := x.boxes(func(s *doc.Section) bool { return s.Title.Is(lex.ClassCriteria) })
	if done+open == 0 {
		done, open, span = x.boxes(accepts)
	}
	switch {
	case done > 0 && open == 0:
		return []sign{{episode.Success, episode.Stated, span, 25, "every box is ticked"}}
	case done > 0:
		return []sign{{episode.Partial, episode.Stated, span, 25, "some boxes are open"}}
	}
	return nil
}

// boxes counts the ticked and the open boxes of lists in the sections asked for;
// span is that of the last one.
func (x *extraction) boxes(in func(*doc.Section) bool) (done, open int, span episode.Span) {
	for _, b := range x.doc.Blocks {
		if b.Kind != doc.Item || b.Section.Within(lex.RoleSkip) || b.Section.Within(lex.RolePlan) || b.Tick == doc.NoTick || b.LabelRoles.Has(lex.RoleStatus) || !in(b.Section) {
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

// saysAllDone reports whether a text says of all that was to be done that it is:
// "All review comments addressed".
func saysAllDone(b *doc.Block) bool {
	t := b.Text
	if b.Section.Within(lex.RolePlan) || b.Section.Within(lex.RoleProblem) || b.Section.Within(lex.RoleTask) || b.Section.Within(lex.RoleHandoff) {
		return false
	}
	if t.At(0, lex.ClassMake) && (t.At(1, lex.ClassAll) || t.At(2, lex.ClassAll)) {
		return t.FailsAt() < 0 // "Addressed all review comments"
	}
	if !t.At(0, lex.ClassAll) {
		return false
	}
	for i, w := range t.Words {
		if i > 10 {
			break
		}
		if i > 0 && (w.Classes.Has(lex.ClassGood) || w.Classes.Has(lex.ClassAddressed)) && !t.Negated(i) {
			return t.FailsAt() < 0
		}
	}
	return false
}

// saysDone reports whether a text says of the session's work that it is done:
// "Done. …", or a thing made where the end is stated.
func saysDone(b *doc.Block) bool {
	t := b.Text
	if b.Tick == doc.OpenTick || b.Tick == doc.BadTick || b.Section.Within(lex.RolePlan) || b.Section.Within(lex.RoleHandoff) {
		return false
	}
	if t.At(0, lex.ClassGood) {
		if ss := t.Sentences(); len(ss) > 1 && len(ss[0].Words) == 1 {
			return true
		}
	}
	s := b.Section
	if !s.Any(lex.RoleOutcome, lex.RoleSummary, lex.RoleTimeline) || b.LabelRoles.Any(lex.RoleTest, lex.RoleProblem, lex.RoleHandoff, lex.RolePlan, lex.RoleContext, lex.RoleTask) {
		return false
	}
	return t.DoneAt() >= 0 && !t.StrongFail()
}

// accepts reports whether the boxes under a heading say what the session came
// to: they are its tasks, its results or the terms of its acceptance.
func accepts(s *doc.Section) bool {
	if s.Roles.Any(lex.RoleOutcome, lex.RoleTest, lex.RoleTask, lex.RoleDone, lex.RoleStatus, lex.RoleSummary) || s.Level <= 1 {
		return true
	}
	return s.Title.Is(lex.ClassAccept)
}

// othersCheck reports whether a check is not one of the session's own work: it
// stands where the problem is stated, it was looked at rather than run, or the log
// says that its failure has nothing to do with the work.
func othersCheck(f *fact) bool {
	if s := f.factSection(); s != nil && s.Roles.Any(lex.RoleProblem, lex.RoleContext, lex.RoleCause, lex.RoleFinding) && !s.Roles.Has(lex.RoleTest) {
		return true
	}
	t := f.text
	return t.At(0, lex.ClassLooked) || f.block != nil && f.block.Text.At(0, lex.ClassLooked) || t.Is(lex.ClassUnrelated)
}

// onlyLint reports whether a check looked at the form of the text alone.
func onlyLint(t lex.Text) bool {
	return t.HasWord(lex.ClassLint) && !t.HasWord(lex.ClassSuite)
}
