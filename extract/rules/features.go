package rules

import (
	"episodes/extract/internal/doc"
	"episodes/extract/internal/lex"
)

// features are what the rules ask of a block. Those that several rules ask for are
// computed once for each block, so that a rule is one line of plain conditions.
type features struct {
	x         *extraction
	block     *doc.Block
	section   *doc.Section
	text      lex.Text
	label     lex.RoleSet // roles of its label
	labelText lex.Text
	intro     *doc.Block  // the line that introduces its list or table; nil: none
	above     lex.RoleSet // roles of the label of that line

	item, row, code bool // which form it has
	nested          bool // in another item
	prose           bool // the first paragraph of its section
	labelled        bool // has a label, with or without a role
	ticked          bool
	openBox         bool // a box that is not ticked, or a mark of failure
	words           int  // of the text

	fails      int  // the word that says that something failed; -1: none
	strongFail bool // it says so in the past or present tense
	repaired   bool // it says that something was mended
	blank      bool // it says only that there is nothing

	chosen   int    // the verb of choice; -1: none
	contrast string // the words that set one option against another; "": none

	namesCheck bool // the text or the label names a check
	counted    bool // it gives the counted result of a check
	passes     bool // it says that something went well
	doneAt     int  // the verb of what was made; -1: none
}

// features are those of a block.
func (x *extraction) features(b *doc.Block) *features {
	if f := x.judged[b]; f != nil {
		return f
	}
	t := b.Text
	f := &features{
		x: x, block: b, section: b.Section, text: t, label: b.LabelRoles, labelText: b.LabelText, intro: b.Intro,
		item: b.Kind == doc.Item, row: b.Kind == doc.Row, code: b.Kind == doc.Code,
		nested: b.Parent != nil, prose: b.Section.Prose == b, labelled: b.Label != "", words: len(t.Words),
		ticked: b.Tick == doc.DoneTick, openBox: b.Tick == doc.OpenTick || b.Tick == doc.BadTick,
		fails: t.FailsAt(), strongFail: t.StrongFail(), repaired: t.Repaired(), blank: t.Blank(),
		chosen: t.ChosenAt(), contrast: t.Contrast(),
		namesCheck: t.Is(lex.ClassTest) || b.LabelText.Is(lex.ClassTest), counted: t.HasCount(), passes: t.Is(lex.ClassPass), doneAt: t.DoneAt(),
	}
	if b.Intro != nil {
		f.above = b.Intro.LabelRoles
	}
	x.judged[b] = f
	return f
}

// What a block says itself.

// failing: a word says that something failed.
func (f *features) failing() bool { return f.fails >= 0 }

func (f *features) topItem() bool { return f.item && !f.nested }

func (f *features) paragraph() bool { return f.block.Kind == doc.Paragraph }

// nothing: neither a label nor more than "none" in the text.
func (f *features) nothing() bool { return f.blank && !f.labelled }

// labels: the label has one of the roles.
func (f *features) labels(rs ...lex.Role) bool { return f.label.Any(rs...) }

// choice: the label names the choice.
func (f *features) choice() bool { return f.labels(lex.RoleDecision, lex.RoleChosen) }

// opens: the first word is of the class.
func (f *features) opens(c lex.Class) bool { return f.text.At(0, c) }

// Where a block stands.

// under: the heading has one of the roles.
func (f *features) under(rs ...lex.Role) bool { return f.section.Any(rs...) }

// within: the heading, or one above it, has one of the roles.
func (f *features) within(rs ...lex.Role) bool { return f.section.RolesAbove.Any(rs...) }

func (f *features) inProtocol() bool { return f.within(lex.RoleSkip) }

// listed: it stands in a list or table that a line introduces, not in an item of it.
func (f *features) listed() bool { return f.intro != nil && !f.nested }

// amongChecks: heading, label, or the line or item above it name a check.
func (f *features) amongChecks() bool {
	return f.under(lex.RoleTest) || f.labels(lex.RoleTest) || f.above.Has(lex.RoleTest) || f.nested && f.block.Parent.LabelRoles.Has(lex.RoleTest)
}

// What earlier rules made of the blocks around it, when it is judged.

// toldAbove: a fact was made of the line that introduces its list, and of the block.
func (f *features) toldAbove() bool {
	if f.intro == nil {
		return false
	}
	o := f.x.used[f.intro]
	return o != nil && o.Span[1] >= f.block.Span[0]
}

// partOfFact: a fact was made of the item that it is nested in.
func (f *features) partOfFact() bool { return f.nested && f.x.used[f.block.Parent] != nil }

// workBelow: a nested item that no fact was made of says what was done.
func (f *features) workBelow() bool {
	for _, c := range f.block.Children {
		if c.Kind == doc.Item && c.Text.At(0, lex.ClassMake) && f.x.used[c] == nil {
			return true
		}
	}
	return false
}
