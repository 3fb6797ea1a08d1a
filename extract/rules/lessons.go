package rules

import (
	"slices"
	"strings"

	"episodes/extract/internal/doc"
	"episodes/extract/internal/facts"
	"episodes/extract/internal/lex"
)

// explains reports whether an item stands in a list that goes on with what the
// first words of a numbered lesson say.
func explains(b *doc.Block) bool {
	return b.Section.Numbered() && b.Section.Prose != nil && b.Section.Prose.Index < b.Index
}

// lessons takes what the log states as learned: items and sentences under a
// lesson heading or label, and text with a lesson label.
func (x *extraction) lessons() {
	for _, b := range x.doc.Blocks {
		if b.Kind == doc.Code || x.used[b] != nil || quiet(b) || b.Struck {
			continue
		}
		if why, ok := lessonEvidence(b); ok {
			t := b.Full()
			if b.LabelRoles.Has(lex.RoleLesson) {
				t = b.Text.Raw
			}
			span, whole := withList(b, b.Span, t, manyItems)
			f := x.add(&fact{Fact: facts.Fact{Kind: facts.Lesson, Span: span, Content: facts.Shorten(whole, facts.MaxContent), Why: why}, block: b})
			if b.Section.Numbered() && b.Section.Prose == b { // the heading gives the lesson its name
				title := b.Section.Title
				f.Content = facts.Shorten(strings.TrimLeft(title.Raw[title.Words[0].End:], ".): ")+": "+whole, facts.MaxContent)
				f.Span[0] = b.Section.Line
			}
			explained := b.Children // what stands under a lesson explains it
			if whole != t {
				explained = slices.Concat(explained, b.Introduced())
			}
			for _, c := range explained {
				if x.used[c] == nil {
					x.used[c] = f
				}
			}
		}
	}
}

func lessonEvidence(b *doc.Block) (string, bool) {
	t := b.Text
	if b.LabelRoles.Has(lex.RoleLesson) {
		return "label " + quote(b.Label), !t.Blank() && len(t.Words) > 2
	}
	if len(t.Words) < 3 && b.Kind != doc.Row || t.Blank() || b.Parent != nil {
		return "", false
	}
	if b.LabelRoles.Any(lex.RoleFiles, lex.RoleStatus, lex.RoleCommit, lex.RoleReason, lex.RoleTest, lex.RoleWho) {
		return "", false
	}
	if b.Section.Has(lex.RoleContext) && !b.Section.Has(lex.RoleLesson) {
		return "", false // loaded from elsewhere
	}
	if b.Intro != nil && b.Intro.LabelRoles.Has(lex.RoleLesson) {
		return "under label " + quote(b.Intro.Label), true
	}
	if b.Intro != nil && b.Intro.LabelRoles != 0 && !b.Intro.LabelRoles.Any(lex.RoleWorked, lex.RoleFailed) {
		return "", false
	}
	if b.Intro != nil && b.Intro.Text.IntroRoles().Has(lex.RoleLesson) {
		return "under " + quote(b.Intro.Text.Raw), true
	}
	s := b.Section
	if !s.Roles.Has(lex.RoleLesson) || s.Within(lex.RoleHandoff) {
		return "", false
	}
	switch b.Kind {
	case doc.Item:
		if b.LabelRoles.Any(lex.RoleProblem, lex.RoleContext) && b.Pos > 0 {
			return "", false // what a lesson came from
		}
		if explains(b) {
			return "", false
		}
		return "under heading " + quote(s.Title.Raw), !b.Box
	case doc.Row:
		return "", false
	}
	if s.Numbered() && s.Prose == b {
		return "first words under heading " + quote(s.Title.Raw), true
	}
	if b.Tick != doc.NoTick { // an item of a list without bullets
		return "under heading " + quote(s.Title.Raw), true
	}
	// A paragraph counts where the section has no list that says it.
	if s.HasItems {
		return "", false
	}
	return "under heading " + quote(s.Title.Raw), len(t.Words) > 5 && !b.OpensList()
}
