package extract

import (
	"episodes/episode"
)

// kind is the form of a block.
type kind uint8

const (
	paraBlock kind = iota
	itemBlock
	rowBlock
	codeBlock
)

// tick is the state of a checkbox, or of a status mark at the start of a text.
type tick uint8

const (
	noTick tick = iota
	openTick
	doneTick
	badTick
)

// boldLevel is the level of a bold line that serves as a heading.
const boldLevel = 7

// section is a heading, or a bold line that serves as one, and what stands under it.
type section struct {
	title   text
	level   int // 1 to 6, or boldLevel
	line    int
	parent  *section
	subs    []*section // the sections right under it
	pos     int        // in parent.subs
	roles   roleSet    // of the title's words
	above   roleSet    // of s and of the sections above it
	subject string     // what the title says after a leading role word: "Decision: X" has subject X
	blocks  []*block
	prose   *block // its first paragraph outside a list, without a label
	items   bool   // it holds list items
}

// block is the smallest unit that may state a fact: a paragraph or one labelled
// line of it, a list item, a table row, a code block.
type block struct {
	kind     kind
	span     episode.Span
	section  *section
	parent   *block // the list item that it is nested in
	intro    *block // the line that introduces its list or table: "**Decisions made**:"
	children []*block
	governs  []*block // the items or rows of the list or table that it introduces
	index    int      // order in the document
	pos      int      // order in the section
	posIn    int      // order in the parent's children

	label     string // "Root cause" of "**Root cause**: ..."
	labelText text   // label, in words
	labelRole roleSet
	lead      string // bold text that opens the block without being a label
	text      text   // what follows the label
	tick      tick
	box       bool // the tick is a checkbox, not a mark
	ordered   bool
	struck    bool // whole text struck out
	cells     []cell
	table     *table
	code      string // of a code block
}

// table is what the rows of one table share.
type table struct {
	columns []column
	rows    []*block
}

type column struct {
	name  string
	roles roleSet
}

type cell struct {
	text text
	tick tick
}

// document is a parsed log.
type document struct {
	lines    int
	sections []*section // in order; the first holds what stands before any heading
	blocks   []*block   // in order
	meta     []*block   // front matter, one block a value, labelled with its key
	diags    []Diagnostic
}

// at is the i-th block, those of the front matter first.
func (d *document) at(i int) *block {
	if n := len(d.meta); i >= n {
		return d.blocks[i-n]
	}
	return d.meta[i]
}

// Diagnostic is something a user may want to know of how a log was read.
type Diagnostic struct {
	Line    int    // 1-based
	Code    string // stable, kebab-case
	Message string
}
