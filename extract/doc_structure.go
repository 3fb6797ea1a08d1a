package extract

import "strings"

// full is label, lead and text as a person reads them.
func (b *block) full() string {
	if b.kind == rowBlock {
		parts := make([]string, 0, len(b.cells))
		for _, c := range b.cells {
			if c.text.s != "" {
				parts = append(parts, c.text.s)
			}
		}
		return strings.Join(parts, " | ")
	}
	if b.label != "" && b.text.s != "" {
		return b.label + ": " + b.text.s
	}
	return b.label + b.text.s
}

// under reports whether the place of b has the role: the line that introduces its
// list, the item that it is nested in, or the heading above it.
func (b *block) under(r role) bool {
	if b.intro != nil && (b.intro.labelRole.has(r) || b.intro.label == "" && b.intro.text.introRoles().has(r)) {
		return true
	}
	if b.parent != nil && b.parent.labelRole.has(r) {
		return true
	}
	return b.section.has(r)
}

func (s *section) has(r role) bool { return s != nil && s.roles.has(r) }

func (s *section) any(rs ...role) bool { return s != nil && s.roles.any(rs...) }

// within reports whether s or a section above it has the role.
func (s *section) within(r role) bool { return s != nil && s.above.has(r) }

// inProtocol reports whether b is part of a protocol: it stands right under such
// a heading, or it is one of its ticked steps further down. A section that
// merely follows a protocol heading, at a deeper level, is none.
func (b *block) inProtocol() bool {
	if b.section.has(roleSkip) {
		return true
	}
	return b.section.within(roleSkip) && (b.tick != noTick || b.kind == rowBlock && b.table.names(roleStatus))
}

// placeholder reports whether a block is what a template leaves behind: a mark
// such as {{name}}, or nothing but bracketed words.
func (b *block) placeholder() bool {
	s := b.full()
	if strings.Contains(s, "{{") || strings.HasPrefix(s, "<!--") || strings.HasPrefix(s, "[TBD") {
		return true
	}
	rest := s
	brackets := 0
	for {
		i := strings.IndexByte(rest, '[')
		if i < 0 {
			break
		}
		j := strings.IndexByte(rest[i:], ']')
		if j < 0 {
			break
		}
		if isUpper(rest[i+1:i+j]) && !strings.Contains(rest[i:i+j], " | ") {
			return false // "[COMPLETE]" is a status that somebody set
		}
		brackets++
		rest = rest[:i] + rest[i+j+1:]
	}
	return brackets > 0 && !strings.ContainsFunc(strings.TrimPrefix(rest, b.label), isLetter)
}

// single reports whether a heading announces one decision, as in a decision
// record, rather than a list.
func (s *section) single() bool {
	return s.has(roleOne)
}

// numbered reports whether a heading counts itself, as one of several things of
// the heading above.
func (s *section) numbered() bool {
	return s.level > 2 && len(s.title.words) > 1 && isNumber(s.title.words[0].s) && s.parent != nil && s.parent.level >= 1
}

// names reports whether a column of the table has the role.
func (t *table) names(r role) bool {
	for _, c := range t.columns {
		if c.roles.has(r) {
			return true
		}
	}
	return false
}

// introduced are the top items of the list that b opens.
func (b *block) introduced() []*block {
	var out []*block
	for _, c := range b.children {
		if c.kind == itemBlock {
			out = append(out, c)
		}
	}
	if len(out) > 0 {
		return out
	}
	return b.governs
}

// group are the blocks that stand with b: the children of its list item, else
// the blocks of its section that stand at the same depth.
func (b *block) group() []*block {
	if b.parent != nil {
		return around(b.parent.children, b.posIn)
	}
	return around(b.section.blocks, b.pos)
}

// siblingRole finds a block of the same group (list item or section without
// deeper headings) whose label has one of the roles.
func (b *block) siblingRole(rs ...role) *block {
	for _, o := range b.group() {
		if o != b && o.labelRole.any(rs...) {
			return o
		}
	}
	return nil
}

// around is the part of list that is within reach of place i.
func around[T any](list []T, i int) []T {
	return list[max(i-reach, 0):min(i+reach+1, len(list))]
}

// reach bounds how far from each other two things of one log can be and still be
// of one record. It keeps the time for a long log linear.
const reach = 128

// opensList reports whether what follows b is b's list: a label with no text, or
// a line that ends in a colon.
func (b *block) opensList() bool {
	return b.label != "" && b.text.empty() || strings.HasSuffix(b.text.s, ":")
}
