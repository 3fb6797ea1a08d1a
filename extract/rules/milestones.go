package rules

import (
	"slices"
	"strings"

	"episodes/episode"
	"episodes/extract/internal/doc"
	"episodes/extract/internal/facts"
	"episodes/extract/internal/lex"
)

// milestones takes substantive things finished: sections and rows marked
// complete, and what a list of work done says was made.
func (x *extraction) milestones() {
	for _, s := range x.doc.Sections {
		x.sectionMilestone(s)
	}
	groups := map[workGroup]*fact{}
	for _, b := range x.doc.Blocks {
		if x.used[b] != nil || quiet(b) || b.Struck || b.Kind == doc.Code {
			continue
		}
		if b.Kind == doc.Row {
			x.rowMilestone(b)
			continue
		}
		if why, ok := x.thingMade(b); ok {
			g := workGroup{b.Section, b.Intro}
			if f := groups[g]; f != nil && b.Section.Has(lex.RoleMade) {
				x.addTo(f, b) // one list of things made
				continue
			}
			f := x.event(episode.Milestone, b, withDetail(b, b.Span), b.Full(), why)
			if b.Section.Has(lex.RoleMade) || !described(b) {
				groups[g] = f
			}
			continue
		}
		if t := b.Text; t.At(0, lex.ClassRun) && t.HasCode() && b.Parent == nil && len(t.Words) <= 30 && !b.Section.Within(lex.RolePlan) && !b.Section.Within(lex.RoleHandoff) {
			x.event(episode.ToolCall, b, b.Span, b.Full(), "says "+quote(t.Words[0].Lower))
			continue
		}
		verb, ok := x.madeSomething(b)
		if !ok {
			continue
		}
		// One list of work done is one thing finished.
		g := workGroup{b.Section, b.Intro}
		if f := groups[g]; f != nil && b.Kind == doc.Item && !aloneInList(b) {
			x.addTo(f, b)
			continue
		}
		content := b.Full()
		if b.Intro != nil && b.Intro.LabelRoles == 0 && b.Intro.Label != "" {
			content = b.Intro.Label + ": " + content
		}
		f := x.event(episode.Milestone, b, b.Span, content, "says "+quote(verb))
		if items := b.Introduced(); strings.HasSuffix(b.Text.Raw, ":") && len(items) > 0 && len(items) <= 8 {
			f.Span, f.Content = withList(b, f.Span, content, manyItems)
			f.Content = facts.Shorten(f.Content, facts.MaxContent)
			f.text = x.plain(f.Content)
			for _, o := range items {
				if x.used[o] == nil {
					x.used[o] = f
				}
			}
		}
		if b.Kind == doc.Item && !aloneInList(b) {
			groups[g] = f
		}
	}
	x.dropSummaries()
}

// addTo makes a block part of a fact that is a list.
func (x *extraction) addTo(f *fact, b *doc.Block) {
	f.Span[1] = b.Span[1]
	f.Content = facts.Shorten(f.Content+"; "+b.Full(), facts.MaxContent)
	f.text = x.plain(f.Content)
	x.used[b] = f
}

// aloneInList reports whether an item of a list of work is a thing finished by
// itself: a ticked task, or one that needs more than a few words to tell.
func aloneInList(b *doc.Block) bool {
	if b.Intro != nil && b.Intro.Label != "" && b.Intro.LabelRoles == 0 {
		return false // the label names the thing, its list says what was done to it
	}
	if b.Label != "" && !b.Ordered && !b.Box {
		return false // labelled parts of one thing
	}
	return b.Box || b.Ordered || len(b.Children) > 0 || len(b.Text.Words) > aFewWords
}

const aFewWords = 9

// dropSummaries drops the prose that sums up a session whose work the log tells
// one by one.
func (x *extraction) dropSummaries() {
	inDetail := 0
	for _, f := range x.facts {
		if f.Kind == facts.Event && f.Event == episode.Milestone && !f.sumsUp() {
			inDetail++
		}
	}
	if inDetail < 2 {
		return
	}
	x.facts = slices.DeleteFunc(x.facts, func(f *fact) bool {
		return f.Kind == facts.Event && f.Event == episode.Milestone && f.sumsUp()
	})
}

// sumsUp reports whether a fact is a paragraph that sums up the session.
func (f *fact) sumsUp() bool {
	s := f.factSection()
	return f.block != nil && f.block.Kind == doc.Paragraph && s.Any(lex.RoleSummary, lex.RoleOutcome, lex.RoleStatus)
}

// workGroup is one list of work done.
type workGroup struct {
	section *doc.Section
	intro   *doc.Block
}

// sectionMilestone takes a work section whose heading or status line says that
// it is complete, with the first sentence that says what was made.
func (x *extraction) sectionMilestone(s *doc.Section) {
	if s.Level < 2 || s.Within(lex.RoleSkip) || s.Within(lex.RolePlan) || s.Roles.Any(lex.RoleCommit, lex.RoleTest, lex.RoleLesson, lex.RoleDecision, lex.RoleOutcome, lex.RoleSummary, lex.RoleHandoff) {
		return
	}
	if !headingDone(s.Title) {
		return
	}
	span := episode.Span{s.Line, s.Line}
	content := s.Title.Raw
	for _, b := range s.Blocks {
		if b.Kind == doc.Paragraph && b.Label == "" && b.Text.Repaired() && x.used[b] == nil {
			span[1] = b.Span[1]
			content += ": " + b.Text.Raw
			f := x.event(episode.Milestone, b, span, strings.TrimRight(content, ":"), "heading says done")
			x.used[b] = f
			for _, o := range s.Blocks {
				if x.used[o] == nil && o.Kind == doc.Item {
					x.used[o] = f
				}
			}
			return
		}
	}
	if s.HasItems && x.statesWork(s) {
		f := x.event(episode.Milestone, nil, span, content, "heading says done")
		f.section = s
	}
}

// statesWork reports whether labels under a heading report work ("Implementation"),
// and nothing under it was taken for a piece of work yet.
func (x *extraction) statesWork(s *doc.Section) bool {
	made := false
	for _, b := range s.Blocks {
		if x.used[b] != nil {
			return false
		}
		made = made || b.LabelRoles.Any(lex.RoleDone, lex.RoleMade)
	}
	return made
}

func headingDone(t lex.Text) bool {
	if strings.Contains(t.Raw, "✅") {
		return true
	}
	for i, w := range t.Words {
		bracketed := w.Start > 0 && (t.Raw[w.Start-1] == '[' || t.Raw[w.Start-1] == '(')
		if bracketed && w.Classes.Has(lex.ClassGood) && lex.IsUpper(t.Raw[w.Start:w.End]) && i > 0 {
			return true
		}
	}
	return false
}

// thingMade takes an item of a list of things that were made, and an item that
// names a thing and says below what was done to it.
func (x *extraction) thingMade(b *doc.Block) (string, bool) {
	s := b.Section
	if b.Kind != doc.Item || b.Parent != nil || b.Tick == doc.OpenTick || b.Tick == doc.BadTick || s.Within(lex.RolePlan) || s.Within(lex.RoleHandoff) || len(b.Full()) < 8 {
		return "", false
	}
	if b.Text.Is(lex.ClassThis) || b.Text.Is(lex.ClassNeeded) || b.Text.Is(lex.ClassUnderway) {
		return "", false // the log itself, or what is still to be made
	}
	if s.Has(lex.RoleMade) && (b.Intro == nil || b.Intro.LabelRoles == 0 || b.Intro.LabelRoles.Has(lex.RoleMade)) {
		return "under heading " + quote(s.Title.Raw), described(b)
	}
	if (s.Has(lex.RoleFix) || s.Within(lex.RoleDone)) && len(b.Children) > 0 && b.LabelRoles == 0 && b.Text.DoneAt() < 0 {
		for _, c := range b.Children {
			if c.Kind == doc.Item && c.Text.At(0, lex.ClassMake) && x.used[c] == nil {
				for _, o := range b.Children {
					if x.used[o] == nil {
						x.used[o] = x.used[b]
					}
				}
				return "says below that it was " + c.Text.Words[0].Lower, true
			}
		}
	}
	return "", false
}

// described reports whether an item says more than the name of a thing.
func described(b *doc.Block) bool {
	n := 0
	for _, w := range b.Text.Words {
		if !w.Code && !strings.ContainsAny(w.Lower, "./_") {
			n++
		}
	}
	return n >= 2
}

// priorWork reports whether a heading is about what was there before.
func priorWork(t lex.Text) bool {
	return t.Is(lex.ClassEarlier)
}

// madeSomething reports whether a block says that a substantive thing was made,
// and with which verb.
func (x *extraction) madeSomething(b *doc.Block) (string, bool) {
	t := b.Text
	if strings.HasSuffix(t.Raw, ": 0") || t.Is(lex.ClassThis) || ofEarlierSession(t) || ofEarlierSession(b.LabelText) || b.Intro != nil && ofEarlierSession(b.Intro.Text) || len(t.Words) < 6 && len(t.Words) > 0 && lex.IsNumber(t.Words[0].Lower) && b.Label != "" || t.At(0, lex.ClassBlank) {
		return "", false // housekeeping, a figure, nothing
	}
	if l := b.LabelText; b.LabelRoles == 0 && len(l.Words) > 1 && len(t.Words) > 1 && b.Parent == nil && l.DoneAt() == len(l.Words)-1 && !l.At(0, lex.ClassSession) && !l.At(len(l.Words)-1, lex.ClassFind) && l.Words[len(l.Words)-1].Lower != "changed" && !b.Section.Within(lex.RolePlan) && !b.Section.Within(lex.RoleHandoff) {
		return l.Words[len(l.Words)-1].Lower, true
	}
	if l := b.LabelText; b.LabelRoles == 0 && len(l.Words) > 1 && l.At(0, lex.ClassMake) && !l.At(0, lex.ClassRoutine) && b.Parent == nil && len(b.Children) > 0 && !b.Section.Within(lex.RolePlan) && !b.Section.Within(lex.RoleHandoff) && !b.Section.Within(lex.RoleLesson) {
		return l.Words[0].Lower, true // "**Created the importer**:", with its parts below
	}
	if len(t.Words) < 3 || b.Parent != nil && x.used[b.Parent] != nil || b.Tick == doc.OpenTick || b.Tick == doc.BadTick {
		return "", false
	}
	if b.LabelRoles.Any(lex.RoleReason, lex.RoleProblem, lex.RoleCause, lex.RoleDecision, lex.RoleTask, lex.RoleFiles, lex.RoleTest, lex.RoleCommit, lex.RoleLesson, lex.RoleHandoff, lex.RolePlan, lex.RoleContext, lex.RoleStatus, lex.RoleOptions, lex.RoleConsequence) {
		return "", false
	}
	s := b.Section
	if s.Within(lex.RolePlan) || s.Within(lex.RoleHandoff) || s.Within(lex.RoleLesson) || s.Within(lex.RoleOptions) || s.Within(lex.RoleDecision) || s.Has(lex.RoleTask) || s.Has(lex.RoleCommit) || s.Within(lex.RoleFiles) || s.Has(lex.RoleContext) || s.Within(lex.RoleConsequence) {
		return "", false
	}
	if b.Intro != nil && b.Intro.LabelRoles.Any(lex.RoleFiles, lex.RoleTask, lex.RoleContext, lex.RolePlan, lex.RoleHandoff, lex.RoleTest) {
		return "", false
	}
	i := t.DoneAt()
	if i < 0 {
		return "", false
	}
	placed := s.Roles == 0 && i == 0 || b.Under(lex.RoleDone) || s.Within(lex.RoleDone) || s.Within(lex.RoleOutcome) || s.Within(lex.RoleSummary) || s.Any(lex.RoleFix, lex.RoleTimeline, lex.RoleStatus, lex.RoleWorked) || b.LabelRoles.Any(lex.RoleFix, lex.RoleDone, lex.RoleResult) || b.Tick == doc.DoneTick
	return t.Words[i].Lower, placed && b.Parent == nil
}

// ofEarlierSession reports whether a text reports another session's work: "Done in
// the previous session".
func ofEarlierSession(t lex.Text) bool {
	if !t.Classes.Has(lex.ClassEarlier) || !t.Classes.Has(lex.ClassSession) {
		return false
	}
	for i := range t.Words {
		if t.At(i, lex.ClassEarlier) && t.At(i+1, lex.ClassSession) {
			return true
		}
	}
	return false
}
