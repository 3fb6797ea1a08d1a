// Package doc is the parsed form of a log in any format: sections that contain blocks
// of text with their lines. Its methods answer questions about structure: which
// headings a block is under, what it introduces, which blocks surround it.
package doc

import (
	"episodes/episode"
	"episodes/extract/internal/lex"
)

// Kind is the form of a block.
type Kind uint8

// The forms of blocks.
const (
	Paragraph Kind = iota
	Item
	Row
	Code
)

// Tick is the state of a checkbox, or of a status mark at the start of a text.
type Tick uint8

// The states of ticks.
const (
	NoTick Tick = iota
	OpenTick
	DoneTick
	BadTick
)

// BoldLevel is the level of a bold line that serves as a heading.
const BoldLevel = 7

// Section is a heading, or a bold line that serves as one, with the text under it.
type Section struct {
	Title      lex.Text
	Level      int // 1 to 6, or BoldLevel
	Line       int
	Parent     *Section
	Subs       []*Section  // the sections right under it
	Pos        int         // in Parent.Subs
	Roles      lex.RoleSet // of the title's words
	RolesAbove lex.RoleSet // of s and of the sections above it
	Subject    string      // X in "Decision: X"
	Blocks     []*Block
	Prose      *Block // its first paragraph outside a list, without a label
	HasItems   bool   // it contains list items
}

// Block is the smallest unit that may state a fact: a paragraph or one labelled
// line of it, a list item, a table row, a code block.
type Block struct {
	Kind        Kind
	Span        episode.Span
	Section     *Section
	Parent      *Block // the list item that it is nested in
	Intro       *Block // as "**Decisions made**:" before a list or table
	Children    []*Block
	Introduces  []*Block // the items or rows of the list or table that it introduces
	Index       int      // order in the document
	Pos         int      // order in the section
	PosInParent int      // order in the parent's children

	Label      string   // "Root cause" of "**Root cause**: ..."
	LabelText  lex.Text // label, in words
	LabelRoles lex.RoleSet
	Lead       string   // bold text that opens the block without being a label
	Text       lex.Text // what follows the label
	Tick       Tick
	Box        bool // the tick is a checkbox, not a mark
	Ordered    bool
	Struck     bool   // whole text struck out
	Gone       string // struck text that opens the block, if more follows
	Cells      []Cell
	Table      *Table
	Code       string // of a code block
}

// Table is what the rows of one table share.
type Table struct {
	Columns []Column
	Roles   lex.RoleSet // of all columns
	Rows    []*Block
}

// Column is a column of a table.
type Column struct {
	Name  string
	Roles lex.RoleSet
}

// Cell is a cell of a table.
type Cell struct {
	Text lex.Text
	Tick Tick
}

// Document is a parsed log.
type Document struct {
	Lines       int
	Sections    []*Section // in order; the first contains the text before any heading
	Blocks      []*Block   // in order
	Meta        []*Block   // front matter, one block a value, labelled with its key
	Diagnostics []episode.Diagnostic
}

// At is the i-th block, those of the front matter first.
func (d *Document) At(i int) *Block {
	if n := len(d.Meta); i >= n {
		return d.Blocks[i-n]
	}
	return d.Meta[i]
}
