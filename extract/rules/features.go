package rules

import (
	"strings"

	"episodes/extract/internal/doc"
	"episodes/extract/internal/lex"
)

// features are what the rules ask of a block. They are computed once for each
// block, so that a rule is one line of plain conditions.
type features struct {
	block     *doc.Block
	section   *doc.Section
	text      lex.Text
	lead      lex.Text    // the bold text that opens the block
	label     lex.RoleSet // roles of its label
	labelText lex.Text
	intro     *doc.Block  // the line that introduces its list or table; nil: none
	above     lex.RoleSet // roles of the label of that line

	item      bool // an item of a list
	paragraph bool
	nested    bool // in another item
	prose     bool // the first paragraph of its section
	labelled  bool // has a label, with or without a role
	done      bool // ticked
	words     int  // of the text

	fixNext bool // the next line of its list is labelled as its solution
	graded  bool // it opens with how grave it is

	fails      int  // the word that says that something failed; -1: none
	strongFail bool // it says so in the past or present tense
	repaired   bool // it says that something was mended
	blank      bool // it says only that there is nothing
	question   bool // it ends in a question mark
	count      bool // it says no more than a count

	chosen   int    // the verb of choice; -1: none
	contrast string // the words that set one option against another; "": none

	row     bool // of a table
	code    bool // a code block
	openBox bool // a box that is not ticked, or a mark of failure

	namesCheck  bool // the text or the label names a check
	amongChecks bool // heading, label, or the line or item above it name one
	counted     bool // it gives the counted result of a check
	passes      bool // it says that something went well
	quotesCode  bool
	doneAt      int // the verb of what was made; -1: none

	// What earlier rules made of the blocks around it, when it is judged.
	introFact  *fact  // of the introduction of its list
	lookedOnly bool   // the session had nothing to do to the thing it is about
	workBelow  string // the verb of a nested item without a fact, or ""
}

func featuresOf(b *doc.Block) *features {
	t := b.Text
	f := &features{
		block: b, section: b.Section, text: t, label: b.LabelRoles, labelText: b.LabelText, intro: b.Intro,
		item: b.Kind == doc.Item, paragraph: b.Kind == doc.Paragraph, nested: b.Parent != nil, prose: b.Section.Prose == b, labelled: b.Label != "", done: b.Tick == doc.DoneTick, words: len(t.Words),
		fails: t.FailsAt(), strongFail: t.StrongFail(), repaired: t.Repaired(), blank: t.Blank(), question: asks(t.Raw) || asks(b.Lead), count: t.CountOnly() || t.IsCount(),
		chosen: t.ChosenAt(), contrast: t.Contrast(),
		row: b.Kind == doc.Row, code: b.Kind == doc.Code, openBox: b.Tick == doc.OpenTick || b.Tick == doc.BadTick,
		namesCheck: t.Is(lex.ClassTest) || b.LabelText.Is(lex.ClassTest),
		counted:    t.HasCount(), passes: t.Is(lex.ClassPass), quotesCode: t.HasCode(), doneAt: t.DoneAt(),
	}
	if b.Intro != nil {
		f.above = b.Intro.LabelRoles
	}
	f.amongChecks = f.under(lex.RoleTest) || f.label.Has(lex.RoleTest) || f.above.Has(lex.RoleTest)
	return f
}

// features are those of a block, as it is judged now.
func (x *extraction) features(b *doc.Block) *features {
	f := x.judged[b]
	if f == nil {
		f = featuresOf(b)
		f.lead, f.fixNext, f.graded = x.plain(b.Lead), x.nextIsFix(b), x.graded(b)
		x.judged[b] = f
	}
	if b.Intro != nil {
		if o := x.used[b.Intro]; o != nil && o.Span[1] >= b.Span[0] {
			f.introFact = o
		}
	}
	f.lookedOnly = x.lookedOnly
	f.workBelow = ""
	for _, c := range b.Children {
		if c.Kind == doc.Item && c.Text.At(0, lex.ClassMake) && x.used[c] == nil {
			f.workBelow = c.Text.Words[0].Lower
			break
		}
	}
	return f
}

// What a block says itself.

func asks(s string) bool { return strings.HasSuffix(s, "?") || strings.HasSuffix(s, "？") }

func (f *features) failing() bool { return f.fails >= 0 }

func (f *features) topItem() bool { return f.item && !f.nested }

// choice: the label names the choice.
func (f *features) choice() bool { return f.label.Any(lex.RoleDecision, lex.RoleChosen) }

// The place of a block.

func (f *features) under(rs ...lex.Role) bool { return f.section.Any(rs...) }

// within: the heading, or one above it, has one of the roles.
func (f *features) within(rs ...lex.Role) bool { return f.section.RolesAbove.Any(rs...) }

// listed: the block is in a list or table that a line introduces, not in an item of it.
func (f *features) listed() bool { return f.intro != nil && !f.nested }
