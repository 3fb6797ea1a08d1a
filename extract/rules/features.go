package rules

import (
	"strings"

	"episodes/extract/internal/doc"
	"episodes/extract/internal/lex"
)

// features are what the rules ask of a block. They are computed once for each
// block, so that a rule is one line of plain conditions.
type features struct {
	block   *doc.Block
	section *doc.Section
	text    lex.Text
	label   lex.RoleSet // roles of its label
	intro   *doc.Block  // the line that introduces its list or table; nil: none

	item      bool // an item of a list
	paragraph bool
	nested    bool // in another item
	prose     bool // the first paragraph of its section
	labelled  bool // has a label, with or without a role
	words     int  // of the text

	fails      int  // the word that says that something failed; -1: none
	strongFail bool // it says so in the past or present tense
	repaired   bool // it says that something was mended
	blank      bool // it says only that there is nothing
	question   bool // it ends in a question mark
}

func featuresOf(b *doc.Block) *features {
	t := b.Text
	return &features{
		block: b, section: b.Section, text: t, label: b.LabelRoles, intro: b.Intro,
		item: b.Kind == doc.Item, paragraph: b.Kind == doc.Paragraph, nested: b.Parent != nil, prose: b.Section.Prose == b, labelled: b.Label != "", words: len(t.Words),
		fails: t.FailsAt(), strongFail: t.StrongFail(), repaired: t.Repaired(), blank: t.Blank(), question: strings.HasSuffix(t.Raw, "?"),
	}
}
