package rules

import (
	"episodes/episode"
	"episodes/extract/internal/doc"
	"episodes/extract/internal/facts"
	"episodes/extract/internal/lex"
)

// PassedOver says of every record that no fact was taken from why it was passed
// over: the code is stable.
func (r *Reading) PassedOver(taken []facts.Taken) []facts.Taken {
	x := r.x
	shown := map[int]bool{}
	for _, t := range taken {
		for l := t.Span[0]; l <= t.Span[1] && l < t.Span[0]+doc.Reach; l++ {
			shown[l] = true
		}
	}
	var out []facts.Taken
	for _, b := range x.doc.Blocks {
		if shown[b.Span[0]] || b.Span[0] == 0 {
			continue
		}
		code, why := x.passedFor(b)
		out = append(out, facts.Taken{Span: episode.Span{b.Span[0], b.Span[0]}, What: "passed over (" + code + ")", Why: why})
	}
	return out
}

func (x *extraction) passedFor(b *doc.Block) (code, why string) {
	s := b.Section
	under := "under heading " + quote(s.Title.Raw)
	switch {
	case x.used[b] != nil || b.Parent != nil && x.used[b.Parent] != nil:
		return "detail", "part of the fact above it"
	case b.Placeholder():
		return "template", "what a template leaves to be filled in"
	case b.InProtocol():
		return "protocol", under
	case b.LabelRoles.Any(lex.RoleWho, lex.RoleDate, lex.RoleBase):
		return "field", "a field about the log itself"
	case b.Struck:
		return "struck", "struck out"
	case b.Kind == doc.Code:
		return "code", "quoted text"
	case s.Within(lex.RolePlan):
		return "plan", under
	case s.Within(lex.RoleHandoff):
		return "hand-off", under
	case s.Within(lex.RoleOptions):
		return "options", under
	case s.Within(lex.RoleFiles):
		return "files", under
	case b.Text.Blank() && b.Kind != doc.Row && b.Label == "":
		return "empty", "says that there is nothing"
	}
	return "no-evidence", "neither its place nor its words say what it is"
}
