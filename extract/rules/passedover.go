package rules

import (
	"slices"

	"episodes/episode"
	"episodes/extract/internal/doc"
	"episodes/extract/internal/facts"
	"episodes/extract/internal/lex"
)

// PassedOver gives for every record that yielded no fact the reason why not. Its codes
// are stable.
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

// passedRule is a reason for which a record was passed over.
type passedRule struct {
	code string
	when func(*features) bool
	why  string // "": the heading
}

// passedRules are tried in order; the first that holds gives the reason.
var passedRules = []passedRule{
	{"template", func(f *features) bool { return f.block.Placeholder() }, "what a template leaves to be filled in"},
	{"protocol", func(f *features) bool { return f.block.InProtocol() }, ""},
	{"field", func(f *features) bool { return f.labels(lex.RoleWho, lex.RoleDate, lex.RoleBase) }, "a field about the log itself"},
	{"struck", func(f *features) bool { return f.block.Struck }, "struck out"},
	{"code", func(f *features) bool { return f.code }, "quoted text"},
	{"plan", func(f *features) bool { return f.within(lex.RolePlan) }, ""},
	{"hand-off", func(f *features) bool { return f.within(lex.RoleHandoff) }, ""},
	{"options", func(f *features) bool { return f.within(lex.RoleOptions) }, ""},
	{"files", func(f *features) bool { return f.within(lex.RoleFiles) }, ""},
	{"empty", func(f *features) bool { return f.blank && !f.row && !f.labelled }, "says that there is nothing"},
	{"no-evidence", func(*features) bool { return true }, "neither its place nor its words say what it is"},
}

func (x *extraction) passedFor(b *doc.Block) (code, why string) {
	if x.used[b] != nil || b.Parent != nil && x.used[b.Parent] != nil {
		return "detail", "part of the fact above it"
	}
	f := x.features(b)
	r := passedRules[slices.IndexFunc(passedRules, func(r passedRule) bool { return r.when(f) })]
	if r.why == "" {
		return r.code, `under heading "` + episode.Shorten(b.Section.Title.Raw, 40) + `"`
	}
	return r.code, r.why
}
