package rules

import (
	"slices"
	"strings"

	"episodes/episode"
	"episodes/extract/internal/doc"
	"episodes/extract/internal/lex"
)

// Names of rules of milestones that are in no table of rules.
const (
	headingDoneProse = "heading says that it is done and a sentence what was made"
	headingDoneList  = "heading says that it is done and a list what was made"
)

// thingRules say which items name a thing that was made.
var thingRules = []rule[taking]{
	{"is no item of what was done", func(f *features) bool {
		return !f.item || f.nested || f.openBox || f.within(lex.RolePlan, lex.RoleHandoff) || len(f.block.Full()) < 8
	}, refuse},
	{"is the log itself or still to be made", func(f *features) bool {
		return f.text.Is(lex.ClassThis) || f.text.Is(lex.ClassNeeded) || f.text.Is(lex.ClassUnderway)
	}, refuse},
	{"item describes a thing under a heading of things made",
		func(f *features) bool { return f.thingMade() && described(f.block) }, take},
	{"item names a thing and says below what was done to it", func(f *features) bool {
		return (f.under(lex.RoleFix) || f.within(lex.RoleDone)) && f.label == 0 && f.doneAt < 0 && f.workBelow != ""
	}, take},
}

// thingMade: the item is in a list of things that were made.
func (f *features) thingMade() bool {
	return f.under(lex.RoleMade)
}

// described reports whether an item says more than the name of a thing.
func described(b *doc.Block) bool {
	n := 0
	for _, w := range b.Text.Words {
		if !w.Code {
			n++
		}
	}
	return n >= 2
}

// workRules say which blocks report that a substantive thing was made.
var workRules = []rule[taking]{
	{"counts nothing", func(f *features) bool {
		return strings.HasPrefix(f.text.Raw, "[N/A]") || f.opens(lex.ClassBlank)
	}, refuse},
	{"asks or supposes", func(f *features) bool {
		return f.question || f.opens(lex.ClassIf) || f.opens(lex.ClassWhen)
	}, refuse},
	{"reports another session's work", func(f *features) bool {
		return ofEarlierSession(f.text)
	}, refuse},
	{"stands in an assessment", (*features).assessed, refuse},
	{"tells of a repair that was found done", (*features).foundDone, refuse},
	{"gives a figure", func(f *features) bool {
		return f.labelled && f.words > 0 && (f.words < 6 && lex.IsNumber(f.text.Words[0].Lower) ||
			strings.ContainsAny(f.text.Raw[:1], "+-")) || givesFigure(f.text)
	}, refuse},
	{"is a reason or a term", func(f *features) bool { return f.above.Any(lex.RoleReason, lex.RoleConsequence) }, refuse},
	{"label says what was done", (*features).labelEndsDone, take},
	{"label is the verb of what was made", func(f *features) bool {
		return f.verbLabel() && !f.within(lex.RolePlan, lex.RoleHandoff, lex.RoleLesson, lex.RoleFiles, lex.RoleContext)
	}, take},
	{"label says what was made and its list how", (*features).labelOpensDone, take},
	{"says too little", func(f *features) bool { return f.words < 3 || f.openBox }, refuse},
	{"label says otherwise", func(f *features) bool {
		return f.labels(lex.RoleReason, lex.RoleProblem, lex.RoleCause, lex.RoleDecision,
			lex.RoleTask, lex.RoleFiles, lex.RoleTest, lex.RoleCommit, lex.RoleLesson, lex.RoleHandoff, lex.RolePlan, lex.RoleContext, lex.RoleStatus, lex.RoleOptions, lex.RoleConsequence)
	}, refuse},
	{"section is not about what was done", func(f *features) bool {
		return f.within(lex.RolePlan, lex.RoleHandoff, lex.RoleLesson, lex.RoleOptions,
			lex.RoleDecision, lex.RoleFiles, lex.RoleConsequence, lex.RoleContext) || f.under(lex.RoleTask, lex.RoleCommit)
	}, refuse},
	{"label above says otherwise", func(f *features) bool {
		return f.above.Any(lex.RoleFiles, lex.RoleTask, lex.RoleContext, lex.RolePlan, lex.RoleHandoff, lex.RoleTest)
	}, refuse},
	{"names no work or a part of it", func(f *features) bool { return f.doneAt < 0 || f.nested }, refuse},
	{"opens with what was made", func(f *features) bool { return f.section.Roles == 0 && f.doneAt == 0 }, take},
	{"says under work done what was made", func(f *features) bool {
		return f.block.Under(lex.RoleDone) ||
			f.within(lex.RoleDone)
	}, take},
	{"says in a summary what was made", func(f *features) bool { return f.within(lex.RoleOutcome, lex.RoleSummary) }, take},
	{"says in a timeline what was made", func(f *features) bool { return f.under(lex.RoleTimeline) }, take},
	{"label of work says what was made", func(f *features) bool { return f.labels(lex.RoleFix, lex.RoleDone, lex.RoleResult) }, take},
}

// ownName: the label is a name of several words without a role, where work of this
// session may be reported.
func (f *features) ownName() bool {
	return f.label == 0 && len(f.block.LabelText.Words) > 1 && !f.nested && !f.within(lex.RolePlan, lex.RoleHandoff)
}

// labelEndsDone: the label says that a thing was done: "**Importer rewritten**: ...".
func (f *features) labelEndsDone() bool {
	l := f.block.LabelText
	last := len(l.Words) - 1
	return f.ownName() && f.words > 1 && l.DoneAt() == last && !l.At(0, lex.ClassSession) &&
		!l.At(last, lex.ClassFind) && !lex.WeakDone.Has(l.Words[last].Lower)
}

// verbLabel: the label is nothing but the verb of what was made: "**Created**: `index.go`".
func (f *features) verbLabel() bool {
	l := f.block.LabelText
	return len(l.Words) == 1 && l.At(0, lex.ClassMake) && !f.nested && f.words > 0 && !lex.IsDigit(f.text.Raw[0])
}

// labelOpensDone: the label reports work whose parts follow: "**Created the
// importer**:".
func (f *features) labelOpensDone() bool {
	l := f.block.LabelText
	return f.ownName() && l.At(0, lex.ClassMake) && !l.At(0, lex.ClassRoutine) && len(f.block.Children) > 0
}

// givesFigure reports whether a text is a name with its figure: "Changed files: 4 (+149,
// -10)".
func givesFigure(t lex.Text) bool {
	i := strings.Index(t.Raw, ": ")
	if i <= 0 {
		return false
	}
	name, figure := t.Sub(0, i), t.Sub(i+2, len(t.Raw))
	return len(name.Words) <= 4 && len(figure.Words) > 0 && (len(figure.Words) <= 6 || len(name.Words) == 1) &&
		(lex.IsNumber(figure.Words[0].Lower) || lex.IsDay(figure.Raw))
}

// ofEarlierSession reports whether a text reports another session's work: "Done in
// the previous session".
func ofEarlierSession(t lex.Text) bool {
	for i := range t.Words {
		if t.At(i, lex.ClassEarlier) && t.At(i+1, lex.ClassSession) {
			return true
		}
	}
	return false
}

// priorWork reports whether a heading is about what was there before.
func priorWork(t lex.Text) bool { return t.Is(lex.ClassEarlier) }

// workGroup is one list of work done.
type workGroup struct {
	section *doc.Section
	intro   *doc.Block
}

// milestones extracts substantive things finished: sections and rows marked
// complete, and what a list of work done says was made.
func (x *extraction) milestones() {
	for _, s := range x.doc.Sections {
		x.sectionMilestone(s)
	}
	groups := map[workGroup]*fact{}
	for _, b := range x.doc.Blocks {
		switch {
		case x.used[b] != nil || quiet(b) || b.Struck || b.Kind == doc.Code:
		case b.Kind == doc.Row:
			x.workRow(b)
		default:
			x.blockMilestone(b, groups)
		}
	}
	x.dropSummaries()
	x.dropCommitSteps()
}

// blockMilestone extracts a block that names a thing made, or says what was made. One
// list of things, or of work, is one milestone.
func (x *extraction) blockMilestone(b *doc.Block, groups map[workGroup]*fact) {
	f := x.features(b)
	group := workGroup{b.Section, b.Intro}
	if rule := takes(thingRules, f); rule != "" {
		if m := groups[group]; m != nil && b.Section.Has(lex.RoleMade) {
			x.addTo(m, b)
			return
		}
		m := x.event(episode.Milestone, b, b.Span, b.Full(), rule)
		if b.Section.Has(lex.RoleMade) || !described(b) {
			groups[group] = m
		}
		return
	}
	rule := takes(workRules, f)
	if rule == "" {
		return
	}
	inList := b.Kind == doc.Item && !aloneInList(b)
	if m := groups[group]; m != nil && inList {
		x.addTo(m, b)
		return
	}
	m := x.takeWork(b, rule)
	if inList {
		groups[group] = m
	}
}

// takeWork makes a milestone of a block, with a short list that it introduces.
func (x *extraction) takeWork(b *doc.Block, rule string) *fact {
	content := b.Full()
	if b.Intro != nil && b.Intro.LabelRoles == 0 && b.Intro.Label != "" {
		content = b.Intro.Label + ": " + content
	}
	f := x.event(episode.Milestone, b, b.Span, content, rule)
	if items := b.Introduced(); strings.HasSuffix(b.Text.Raw, ":") && len(items) > 0 &&
		len(items) <= manyItems && !slices.ContainsFunc(items, func(o *doc.Block) bool { return x.used[o] != nil && o.Kind == doc.Row }) {
		f.Content = withList(b, content, manyItems)
		f.Content = episode.Shorten(f.Content, episode.MaxContent)
		f.text = x.plain(f.Content)
		x.cover(f, items)
	}
	return f
}

// addTo makes a block part of a fact that is a list.
func (x *extraction) addTo(f *fact, b *doc.Block) {
	f.Span[1] = b.Span[1]
	f.Content = episode.Shorten(f.Content+"; "+b.Full(), episode.MaxContent)
	f.text = x.plain(f.Content)
	x.used[b] = f
}

// aloneInList reports whether an item of a list of work is a finished thing of its own:
// a ticked task, or one whose description takes more than a few words.
func aloneInList(b *doc.Block) bool {
	if b.Intro != nil && b.Intro.Label != "" && b.Intro.LabelRoles == 0 {
		return false // the label names the thing, its list the work
	}
	if b.Label != "" && !b.Ordered {
		return false // labelled parts of one thing
	}
	return b.Box || b.Ordered || b.Section.Has(lex.RoleTimeline) || len(b.Children) > 0 || len(b.Text.Words) > aFewWords
}

const aFewWords = 9

// dropSummaries drops the prose that sums up a session if the log also reports its work
// item by item.
func (x *extraction) dropSummaries() {
	inDetail := 0
	for _, f := range x.facts {
		if f.isEvent(episode.Milestone) && !f.sumsUp() {
			inDetail++
		}
	}
	if inDetail < 2 {
		return
	}
	x.facts = slices.DeleteFunc(x.facts, func(f *fact) bool { return f.isEvent(episode.Milestone) && f.sumsUp() })
}

// sumsUp reports whether a fact is a paragraph that sums up the session.
func (f *fact) sumsUp() bool {
	s := f.factSection()
	return f.block != nil && f.block.Kind == doc.Paragraph && s.Any(lex.RoleSummary, lex.RoleOutcome, lex.RoleStatus)
}
