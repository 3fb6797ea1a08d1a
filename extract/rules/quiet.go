package rules

import (
	"episodes/extract/internal/doc"
	"episodes/extract/internal/lex"
)

// quiet reports whether b stands where nothing of this session is stated:
// protocol lists, references, file lists, plans, templates.
func quiet(b *doc.Block) bool {
	return b.InProtocol() || b.LabelRoles.Any(lex.RoleWho, lex.RoleDate, lex.RoleBase) || b.Placeholder()
}
