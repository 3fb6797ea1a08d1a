package doc

import (
	"strings"

	"episodes/extract/internal/lex"
)

// Full is label, lead and text as a person reads them.
func (b *Block) Full() string {
	if b.Kind == Row {
		parts := make([]string, 0, len(b.Cells))
		for _, c := range b.Cells {
			if c.Text.Raw != "" {
				parts = append(parts, c.Text.Raw)
			}
		}
		return strings.Join(parts, " | ")
	}
	if b.Label != "" && b.Text.Raw != "" {
		return b.Label + ": " + b.Text.Raw
	}
	return b.Label + b.Text.Raw
}

// Under reports whether the location of b has the role: the line that introduces its
// list, or the heading above it.
func (b *Block) Under(r lex.Role) bool {
	return b.Intro != nil && b.Intro.LabelRoles.Has(r) || b.Section.Has(r)
}

// Has reports whether the heading has the role; nil has none.
func (s *Section) Has(r lex.Role) bool { return s != nil && s.Roles.Has(r) }

// Any reports whether the heading has one of the roles; nil has none.
func (s *Section) Any(rs ...lex.Role) bool { return s != nil && s.Roles.Any(rs...) }

// Within reports whether s or a section above it has the role.
func (s *Section) Within(r lex.Role) bool { return s != nil && s.RolesAbove.Has(r) }

// InProtocol reports whether b is part of a protocol: it is directly under such a
// heading, or it is one of its ticked steps further down. A section that merely
// follows a protocol heading, at a deeper level, is not part of it.
func (b *Block) InProtocol() bool {
	if b.Section.Has(lex.RoleSkip) {
		return true
	}
	return b.Section.Within(lex.RoleSkip) && (b.Tick != NoTick || b.Kind == Row && b.Table.Names(lex.RoleStatus))
}

// Placeholder reports whether a block is what a template leaves behind: a mark
// such as {{name}}, or nothing but bracketed words.
func (b *Block) Placeholder() bool {
	s := b.Full()
	if strings.Contains(s, "{{") || strings.HasPrefix(s, "<!--") {
		return true
	}
	rest, brackets := s, 0
	var outside strings.Builder // the text outside brackets
	for {
		i := strings.IndexByte(rest, '[')
		if i < 0 {
			break
		}
		j := strings.IndexByte(rest[i:], ']')
		if j < 0 {
			break
		}
		if lex.IsUpper(rest[i+1:i+j]) && !strings.Contains(rest[i:i+j], " | ") {
			return false // "[COMPLETE]" is a status that somebody set
		}
		brackets++
		outside.WriteString(rest[:i])
		rest = rest[i+j+1:]
	}
	outside.WriteString(rest)
	return brackets > 0 && !strings.ContainsFunc(strings.TrimPrefix(outside.String(), b.Label), lex.IsLetter)
}

// Numbered reports whether a heading counts itself, as one of several things of
// the heading above.
func (s *Section) Numbered() bool {
	return s.Level > 2 && len(s.Title.Words) > 1 && lex.IsNumber(s.Title.Words[0].Lower) && s.Parent != nil && s.Parent.Level >= 1
}

// Head reports whether s is the title of the log, or the subtitle on the next line.
func (s *Section) Head() bool {
	return s == nil || s.Level <= 1 || s.Parent != nil && s.Parent.Level == 1 && s.Pos == 0 &&
		len(s.Parent.Blocks) == 0 && s.Line == s.Parent.Line+1
}

// Names reports whether a column of the table has the role.
func (t *Table) Names(r lex.Role) bool {
	return t.Roles.Has(r)
}

// Introduced are the top items of the list that b opens.
func (b *Block) Introduced() []*Block {
	var out []*Block
	for _, c := range b.Children {
		if c.Kind == Item {
			out = append(out, c)
		}
	}
	if len(out) > 0 {
		return out
	}
	return b.Introduces
}

// Group returns the siblings of b, b included: the children of its list item, or else
// the blocks of its section at the same depth.
func (b *Block) Group() []*Block {
	if b.Parent != nil {
		return Around(b.Parent.Children, b.PosInParent)
	}
	return Around(b.Section.Blocks, b.Pos)
}

// SiblingRole finds a block of the same group (list item or section without
// deeper headings) whose label has one of the roles.
func (b *Block) SiblingRole(rs ...lex.Role) *Block {
	for _, o := range b.Group() {
		if o != b && o.LabelRoles.Any(rs...) {
			return o
		}
	}
	return nil
}

// Around is the part of list that is within reach of index i.
func Around[T any](list []T, i int) []T {
	return list[max(i-Reach, 0):min(i+Reach+1, len(list))]
}

// Reach bounds how far from each other two things of one log can be and still be
// of one record. It keeps the time for a long log linear.
const Reach = 128

// OpensList reports whether what follows b is b's list: a label with no text, or
// a line that ends in a colon.
func (b *Block) OpensList() bool {
	return b.Label != "" && b.Text.Empty() || strings.HasSuffix(b.Text.Raw, ":")
}
