package rules

import (
	"strings"

	"episodes/episode"
	"episodes/extract/internal/doc"
	"episodes/extract/internal/lex"
	"episodes/internal/lazy"
)

// errorHeadings decide whether a heading names an error.
var errorHeadings = []ruleOn[*headingFeatures, taking]{
	{"heading is of a plan or a protocol", func(h *headingFeatures) bool {
		return h.Level < 2 || h.RolesAbove.Any(lex.RoleSkip, lex.RolePlan, lex.RoleHandoff, lex.RoleLesson, lex.RoleOptions)
	}, refuse},
	{"heading counts an error", (*headingFeatures).countsError, take},
}

// countsError: one of several numbered headings under what names problems or causes,
// which says that something is wrong: "### 2. Tests moved with broken paths".
func (h *headingFeatures) countsError() bool {
	return h.Numbered() && h.Parent.Any(lex.RoleProblem, lex.RoleCause, lex.RoleFinding) &&
		len(h.title.Words) > 2 && h.title.NamesFault()
}

// headingErrors take the errors that headings name, where none is stated under them.
func (x *extraction) headingErrors() {
	stated := map[*doc.Section]bool{}
	for _, f := range x.facts {
		if f.isError() && !f.cause {
			stated[f.factSection()] = true
		}
	}
	for _, s := range x.doc.Sections {
		if !stated[s] {
			x.headingError(s)
			x.listedCause(s)
		}
	}
}

// causeInList is the rule of a cause that the list under its heading gives.
const causeInList = "list under a heading that names the cause"

// listedCause extracts the cause that a short list gives, if its heading names the cause and
// the list is all there is under it: the items are one error.
func (x *extraction) listedCause(s *doc.Section) {
	if s.Level < 2 || s.Subject != "" || s.Prose != nil || !s.Has(lex.RoleCause) || s.Numbered() ||
		len(s.Subs) > 0 || len(s.Blocks) == 0 || len(s.Blocks) > manyItems {
		return
	}
	var said []string
	for _, b := range s.Blocks {
		if b.Kind != doc.Item || x.used[b] != nil {
			return
		}
		if b.Parent == nil {
			said = append(said, b.Full())
		}
	}
	f := x.event(episode.Error, s.Blocks[0], episode.Span{s.Blocks[0].Span[0],
		s.Blocks[len(s.Blocks)-1].Span[1]}, strings.Join(said, "; "), causeInList)
	f.cause = true
	for _, b := range s.Blocks {
		x.used[b] = f
	}
}

func (x *extraction) headingError(s *doc.Section) {
	r := first(errorHeadings, &headingFeatures{Section: s, title: s.Title})
	if r == nil || r.verdict == refuse {
		return
	}
	f := x.event(episode.Error, nil, episode.Span{s.Line, s.Line}, headingMark().ReplaceAllString(s.Title.Raw, ""), r.name)
	f.section = s
}

// headingMark is the number with which a heading counts itself, with the mark of its state.
var headingMark = lazy.Pattern(`^\d+[.)]?\s+(?:[✅❌✓]\s*)?(?:(?i:fixed|resolved|open):\s*)?`)
