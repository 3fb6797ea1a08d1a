package rules

import (
	"slices"
	"strings"

	"episodes/episode"
	"episodes/extract/internal/doc"
	"episodes/extract/internal/facts"
	"episodes/extract/internal/lex"
)

// lessonRules say which blocks state what was learned: items and sentences under a
// lesson heading or label, and text with a lesson label.
var lessonRules = []rule[taking]{
	{"is about the log itself", func(f *features) bool { return quiet(f.block) || f.code || f.block.Struck }, refuse},
	{"label names the lesson", func(f *features) bool { return f.labels(lex.RoleLesson) && !f.blank && f.words > 2 }, take},
	{"says too little", func(f *features) bool { return f.words < 3 && !f.row || f.blank || f.nested }, refuse},
	{"stands under a label of lessons", func(f *features) bool { return f.above.Has(lex.RoleLesson) }, take},
	{"label above says otherwise", func(f *features) bool {
		return f.above != 0 && !f.above.Any(lex.RoleWorked, lex.RoleFailed)
	}, refuse},
	{"calls itself a lesson", (*features).callsItselfLesson, take},
	{"heading is not about lessons", func(f *features) bool { return !f.under(lex.RoleLesson) }, refuse},
	{"says what a lesson led to", func(f *features) bool {
		return f.block.LabelText.Is(lex.ClassImpact) || f.paragraph && f.labels(lex.RoleDone, lex.RoleFix, lex.RoleSkip)
	}, refuse},
	{"item stands under a heading of lessons", func(f *features) bool { return f.item && !f.block.Box }, take},
	{"first words stand under a heading that counts itself as a lesson",
		func(f *features) bool { return f.section.Numbered() }, take},
	{"marked line stands under a heading of lessons", func(f *features) bool {
		return f.paragraph && f.block.Tick != doc.NoTick
	}, take},
	{"paragraph stands alone under a heading of lessons", func(f *features) bool {
		return !f.section.HasItems && f.words > 5 && !f.block.OpensList()
	}, take},
}

// callsItselfLesson: "The fundamental lesson: bundle what belongs together".
func (f *features) callsItselfLesson() bool {
	i := strings.Index(f.text.Raw, ": ")
	if i <= 0 || f.label != 0 {
		return false
	}
	head := f.text.Sub(0, i)
	return len(head.Words) <= 4 && head.NameRoles().Has(lex.RoleLesson) && f.words-len(head.Words) > 3
}

// lessons extracts what the log states as learned.
func (x *extraction) lessons() {
	for _, b := range x.doc.Blocks {
		if x.used[b] == nil {
			if rule := takes(lessonRules, x.features(b)); rule != "" {
				x.takeLesson(b, rule)
			}
		}
	}
}

func (x *extraction) takeLesson(b *doc.Block, rule string) {
	t := b.Full()
	if b.LabelRoles.Has(lex.RoleLesson) {
		t = b.Text.Raw
	}
	whole := withList(b, t, manyItems)
	f := x.add(&fact{Fact: facts.Fact{Kind: facts.Lesson, Span: b.Span,
		Content: episode.Shorten(whole, episode.MaxContent), Rule: rule}, block: b})
	if b.Section.Numbered() && b.Section.Prose == b { // the heading gives the lesson its name
		title := b.Section.Title
		f.Content = episode.Shorten(strings.TrimLeft(title.Raw[title.Words[0].End:], ".): ")+": "+whole, episode.MaxContent)
	}
	explained := b.Children // items under a lesson explain it
	if whole != t {
		explained = slices.Concat(explained, b.Introduced())
	}
	x.cover(f, explained)
}
