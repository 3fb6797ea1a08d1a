package rules

import (
	"episodes/episode"
	"episodes/extract/internal/doc"
	"episodes/extract/internal/lex"
)

// checkFeatures are what the rules of checks, commits, work, lessons and the outcome
// ask of a block, beyond its features.
type checkFeatures struct {
	*features

	row     bool // of a table
	code    bool // a code block
	openBox bool // a box that is not ticked, or a mark of failure

	namesCheck  bool // the text or the label names a check
	amongChecks bool // heading, label, or the line or item above it name one
	counted     bool // it gives the counted result of a check
	passes      bool // it says that something went well
	quotesCode  bool
	doneAt      int // the verb of what was made; -1: none

	lookedOnly  bool   // the session had nothing to do to the thing it is about
	wordless    bool   // of a row: its cells say nothing
	checkAbove  bool   // the line that introduces its list was taken for a check
	parentTaken bool   // a fact was made of the item that it is nested in, when it is judged
	workBelow   string // the verb with which a nested item that no fact was made of says what was done; "": none
}

// checkFeatures are those of a block, as it is judged now.
func (x *extraction) checkFeatures(b *doc.Block) *checkFeatures {
	f := x.checks[b]
	if f == nil {
		f = x.checkFeaturesOf(b)
		f.wordless = f.row && x.plain(b.Full()).Empty()
		x.checks[b] = f
	}
	f.lookedOnly = x.lookedOnly
	f.checkAbove = b.Intro != nil && x.used[b.Intro].isEvent(episode.Test)
	f.parentTaken = b.Parent != nil && x.used[b.Parent] != nil
	f.workBelow = ""
	for _, c := range b.Children {
		if c.Kind == doc.Item && c.Text.At(0, lex.ClassMake) && x.used[c] == nil {
			f.workBelow = c.Text.Words[0].Lower
			break
		}
	}
	return f
}

func (x *extraction) checkFeaturesOf(b *doc.Block) *checkFeatures {
	t := b.Text
	f := &checkFeatures{
		features: x.features(b),
		row:      b.Kind == doc.Row, code: b.Kind == doc.Code, openBox: b.Tick == doc.OpenTick || b.Tick == doc.BadTick,
		namesCheck: t.Is(lex.ClassTest) || b.LabelText.Is(lex.ClassTest),
		counted:    t.HasCount(), passes: t.Is(lex.ClassPass), quotesCode: t.HasCode(), doneAt: t.DoneAt(),
	}
	f.amongChecks = f.under(lex.RoleTest) || f.label.Has(lex.RoleTest) || f.above.Has(lex.RoleTest) || b.Parent != nil && b.Parent.LabelRoles.Has(lex.RoleTest)
	return f
}

// labels: the label has one of the roles.
func (f *checkFeatures) labels(rs ...lex.Role) bool { return f.label.Any(rs...) }

// opens: the first word is of the class.
func (f *checkFeatures) opens(c lex.Class) bool { return f.text.At(0, c) }

// blockRule is a rule of a table on blocks that says whether a fact is taken.
type blockRule = ruleOn[*checkFeatures, taking]

// taking is whether a fact is taken, and what of the log the reason quotes.
type taking struct {
	take  bool
	cause bool // of an error: the log gives it as the cause of others
	quote quotes
}

var (
	refuse    = taking{}
	take      = taking{take: true}
	byLabel   = taking{take: true, quote: itsLabel}
	byHeading = taking{take: true, quote: itsHeading}
	byIntro   = taking{take: true, quote: itsIntro}
)

// takes finds the rule of a table by which a fact is taken from a block, with what it
// quotes; false when a rule refuses it or none holds.
func takes(name string, table []blockRule, f *checkFeatures) (reason, bool) {
	r := first(name, table, f)
	if r == nil || !r.verdict.take {
		return reason{}, false
	}
	return because(r.name, r.verdict.quote.of(f.features)), true
}
