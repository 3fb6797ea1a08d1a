package rules

import (
	"slices"
	"strings"

	"episodes/episode"
	"episodes/extract/internal/doc"
	"episodes/extract/internal/lex"
)

// Work that the session only found, or that is reported with a fact of another kind.

// saysNothingDone reports whether the log says that its session had nothing to do. Then
// it only inspected: the commits and repairs that it mentions are those of earlier
// sessions.
func (x *extraction) saysNothingDone() bool {
	return slices.ContainsFunc(x.doc.Sections, func(s *doc.Section) bool { return !quietSection(s) && s.Title.NothingDone() }) ||
		slices.ContainsFunc(x.doc.Blocks, func(b *doc.Block) bool {
			return b.Kind != doc.Code && b.Kind != doc.Row && !quiet(b) && !quietSection(b.Section) &&
				(b.Text.NothingDone() || b.LabelText.NothingDone())
		})
}

// quietSection reports whether a section is about other things than what the session did.
func quietSection(s *doc.Section) bool {
	return s.RolesAbove.Any(lex.RolePlan, lex.RoleHandoff, lex.RoleLesson, lex.RoleOptions, lex.RoleSkip)
}

// foundDone: the log says that its session had nothing to do, and the text mentions a
// repair, or continues one that the line above it mentions.
func (f *features) foundDone() bool {
	if !f.lookedOnly {
		return false
	}
	above := lineAbove(f.block)
	return repairs(f.text) || f.item && above != nil && repairs(above.Text)
}

func repairs(t lex.Text) bool {
	i := t.DoneAt()
	return i >= 0 && t.Words[i].Any(lex.ClassRepaired, lex.ClassImplement)
}

// assessed: a heading, a label or the line above the list says that the thing that the log
// is about is judged, "Strengths:", that it was verified, or that it is one of several options.
func (f *features) assessed() bool {
	if f.labelText.Is(lex.ClassAssess) ||
		f.intro != nil && (f.intro.LabelText.Is(lex.ClassAssess) || f.intro.Text.At(0, lex.ClassAssess)) {
		return true
	}
	for s := f.section; s != nil && s.Level > 1; s = s.Parent {
		if s.Title.Is(lex.ClassAssess) || s.Title.Is(lex.ClassVerify) || isOption(s.Title) {
			return true
		}
	}
	return false
}

// dropCommitSteps drops work that only says that it was committed or pushed, where the log
// names its commits.
func (x *extraction) dropCommitSteps() {
	if !slices.ContainsFunc(x.facts, func(f *fact) bool { return f.isEvent(episode.Commit) }) {
		return
	}
	x.facts = slices.DeleteFunc(x.facts, func(f *fact) bool { return f.isEvent(episode.Milestone) && commitStep(f.text) })
}

// commitStep reports whether a text names nothing but a commit: "Merge commit created:
// 1a2b3c4", "Changes committed and pushed to the branch".
func commitStep(t lex.Text) bool {
	i := t.Index(lex.ClassMake)
	return i > 0 && len(t.Words) <= aFewWords && !strings.Contains(t.Raw[:t.Words[i].Start], ":") &&
		slices.ContainsFunc(t.Words[:min(len(t.Words), 2)], func(w lex.Word) bool { return lex.CommitStems.Begin(w.Lower) })
}
