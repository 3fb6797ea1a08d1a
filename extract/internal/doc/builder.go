package doc

import (
	"episodes/episode"
	"episodes/extract/internal/lex"
)

// Builder makes a document of headings and blocks that come in its order. It
// knows what a heading, a list item or the line before a list means for what
// follows.
type Builder struct {
	lex     *lex.Lexicon
	doc     *Document
	section *Section // of the next block
	intro   *Block   // the line that introduces the list or table to come
}

// NewBuilder starts a document with the section for text before the first heading.
func NewBuilder(l *lex.Lexicon) *Builder {
	top := &Section{Line: 1}
	return &Builder{lex: l, doc: &Document{Sections: []*Section{top}}, section: top}
}

// Document is the document, once all blocks are added; lines is the number of
// lines of the log.
func (d *Builder) Document(lines int) *Document {
	d.doc.Lines = lines
	return d.doc
}

// Note adds a remark on a line of the log.
func (d *Builder) Note(line int, code, message string) {
	d.doc.Diagnostics = append(d.doc.Diagnostics, episode.Diagnostic{Line: line, Code: code, Message: message})
}

// PutMeta adds a value of the log's front matter.
func (d *Builder) PutMeta(b *Block) { d.doc.Meta = append(d.doc.Meta, b) }

// Introduce makes b the line that introduces the list or table to come; nil when
// none does.
func (d *Builder) Introduce(b *Block) { d.intro = b }

// Add adds a block; parent is the list item that it is nested in, or nil.
func (d *Builder) Add(b *Block, parent *Block) {
	s := d.section
	b.Section, b.Parent, b.Pos, b.Index = s, parent, len(s.Blocks), len(d.doc.Blocks)
	if parent != nil {
		b.PosInParent = len(parent.Children)
		parent.Children = append(parent.Children, b)
		b.Intro = parent.Intro
	} else if b.Intro = d.intro; b.Intro != nil {
		b.Intro.Introduces = append(b.Intro.Introduces, b)
	}
	if s.Prose == nil && b.Kind == Paragraph && b.Label == "" && parent == nil {
		s.Prose = b
	}
	s.HasItems = s.HasItems || b.Kind == Item
	s.Blocks = append(s.Blocks, b)
	d.doc.Blocks = append(d.doc.Blocks, b)
}

// OpenSection starts the section of a heading.
func (d *Builder) OpenSection(t lex.Text, level, line int) {
	parent := d.section
	for parent.Level >= level && parent.Parent != nil {
		parent = parent.Parent
	}
	if parent.Level >= level {
		parent = d.doc.Sections[0]
	}
	s := &Section{Title: t, Level: level, Line: line, Parent: parent, Pos: len(parent.Subs)}
	parent.Subs = append(parent.Subs, s)
	s.Roles, s.Subject = d.lex.Heading(t)
	if level == 1 {
		// A title names the log. It governs the text under it only if it is nothing but
		// "Decisions" or "Lessons".
		s.Roles = d.lex.Exact(t) & (1<<lex.RoleDecision | 1<<lex.RoleLesson)
	}
	if s.Roles == 0 && parent.Level >= 1 {
		s.Roles = parent.Roles & lex.Inherited
		s.Subject = ""
		if parent.Title.NamesTicket() { // "Issue #312: ..." is the subject of all the work under it
			s.Roles &^= 1 << lex.RoleProblem
		}
		if parent.Roles.Has(lex.RolePrevent) {
			s.Roles &^= 1 << lex.RoleLesson // measures in groups are a plan
		}
	}
	s.RolesAbove = s.Roles | parent.RolesAbove
	d.doc.Sections = append(d.doc.Sections, s)
	d.section, d.intro = s, nil
}
