package extract

// docBuilder makes a document of headings and blocks that come in its order. It
// knows what a heading, a list item or the line before a list means for what
// follows.
type docBuilder struct {
	lex     *lexicon
	doc     *document
	section *section // that the next block stands in
	intro   *block   // the line that introduces the list or table to come
}

// newDocBuilder starts a document with the section of what stands before any
// heading.
func newDocBuilder(l *lexicon) *docBuilder {
	top := &section{line: 1}
	return &docBuilder{lex: l, doc: &document{sections: []*section{top}}, section: top}
}

// document is the document, once all blocks are added; lines is the number of
// lines of the log.
func (d *docBuilder) document(lines int) *document {
	d.doc.lines = lines
	return d.doc
}

// note adds a remark on a line of the log.
func (d *docBuilder) note(line int, code, message string) {
	d.doc.diags = append(d.doc.diags, Diagnostic{Line: line, Code: code, Message: message})
}

// putMeta adds a value of the log's front matter.
func (d *docBuilder) putMeta(b *block) { d.doc.meta = append(d.doc.meta, b) }

// introduce makes b the line that introduces the list or table to come; nil when
// none does.
func (d *docBuilder) introduce(b *block) { d.intro = b }

// put adds a block; parent is the list item that it is nested in, or nil.
func (d *docBuilder) put(b *block, parent *block) {
	s := d.section
	b.section, b.parent, b.pos, b.index = s, parent, len(s.blocks), len(d.doc.blocks)
	if parent != nil {
		b.posIn = len(parent.children)
		parent.children = append(parent.children, b)
		b.intro = parent.intro
	} else if b.intro = d.intro; b.intro != nil {
		b.intro.governs = append(b.intro.governs, b)
	}
	if s.prose == nil && b.kind == paraBlock && b.label == "" && parent == nil {
		s.prose = b
	}
	s.items = s.items || b.kind == itemBlock
	s.blocks = append(s.blocks, b)
	d.doc.blocks = append(d.doc.blocks, b)
}

// openSection starts the section of a heading.
func (d *docBuilder) openSection(t text, level, line int) {
	parent := d.section
	for parent.level >= level && parent.parent != nil {
		parent = parent.parent
	}
	if parent.level >= level {
		parent = d.doc.sections[0]
	}
	s := &section{title: t, level: level, line: line, parent: parent, pos: len(parent.subs)}
	parent.subs = append(parent.subs, s)
	s.roles, s.subject = d.lex.heading(t)
	if level == 1 {
		// A title names the log. Only "Decisions" or "Lessons" as a whole governs
		// what stands under it.
		s.roles = d.lex.exact(t) & (1<<roleDecision | 1<<roleLesson)
	}
	if s.roles == 0 && parent.level >= 1 {
		s.roles = parent.roles & inherited
		s.subject = ""
		if parent.title.namesTicket() { // "Issue #312: ..." is what the work is about, and all of it stands there
			s.roles &^= 1 << roleProblem
		}
		if parent.roles.has(rolePrevent) {
			s.roles &^= 1 << roleLesson // measures in groups are a plan
		}
	}
	s.above = s.roles | parent.above
	d.doc.sections = append(d.doc.sections, s)
	d.section, d.intro = s, nil
}
