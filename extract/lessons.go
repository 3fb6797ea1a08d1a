package extract

import (
	"slices"
	"strings"
)

// explains reports whether an item stands in a list that goes on with what the
// first words of a numbered lesson say.
func explains(b *block) bool {
	return b.section.numbered() && b.section.prose != nil && b.section.prose.index < b.index
}

// lessons takes what the log states as learned: items and sentences under a
// lesson heading or label, and text with a lesson label.
func (x *extraction) lessons() {
	for _, b := range x.doc.blocks {
		if b.kind == codeBlock || x.used[b] != nil || quiet(b) || b.struck {
			continue
		}
		if why, ok := lessonPlace(b); ok {
			t := b.full()
			if b.labelRole.has(roleLesson) {
				t = b.text.s
			}
			span, whole := withList(b, b.span, t, manyItems)
			f := x.add(&fact{coreFact: coreFact{kind: lessonFact, span: span, content: shorten(whole, maxContent), why: why}, block: b})
			if b.section.numbered() && b.section.prose == b { // the heading gives the lesson its name
				title := b.section.title
				f.content = shorten(strings.TrimLeft(title.s[title.words[0].end:], ".): ")+": "+whole, maxContent)
				f.span[0] = b.section.line
			}
			explained := b.children // what stands under a lesson explains it
			if whole != t {
				explained = slices.Concat(explained, b.introduced())
			}
			for _, c := range explained {
				if x.used[c] == nil {
					x.used[c] = f
				}
			}
		}
	}
}

func lessonPlace(b *block) (string, bool) {
	t := b.text
	if b.labelRole.has(roleLesson) {
		return "label " + quote(b.label), !t.blank() && len(t.words) > 2
	}
	if len(t.words) < 3 && b.kind != rowBlock || t.blank() || b.parent != nil {
		return "", false
	}
	if b.labelRole.any(roleFiles, roleStatus, roleCommit, roleReason, roleTest, roleWho) {
		return "", false
	}
	if b.section.has(roleContext) && !b.section.has(roleLesson) {
		return "", false // loaded from elsewhere
	}
	if b.intro != nil && b.intro.labelRole.has(roleLesson) {
		return "under label " + quote(b.intro.label), true
	}
	if b.intro != nil && b.intro.labelRole != 0 && !b.intro.labelRole.any(roleWorked, roleFailed) {
		return "", false
	}
	if b.intro != nil && b.intro.text.introRoles().has(roleLesson) {
		return "under " + quote(b.intro.text.s), true
	}
	s := b.section
	if !s.roles.has(roleLesson) || s.within(roleHandoff) {
		return "", false
	}
	switch b.kind {
	case itemBlock:
		if b.labelRole.any(roleProblem, roleContext) && b.pos > 0 {
			return "", false // what a lesson came from
		}
		if explains(b) {
			return "", false
		}
		return "under heading " + quote(s.title.s), !b.box
	case rowBlock:
		return "", false
	}
	if s.numbered() && s.prose == b {
		return "first words under heading " + quote(s.title.s), true
	}
	if b.tick != noTick { // an item of a list without bullets
		return "under heading " + quote(s.title.s), true
	}
	// A paragraph counts where the section has no list that says it.
	if s.items {
		return "", false
	}
	return "under heading " + quote(s.title.s), len(t.words) > 5 && !b.opensList()
}
