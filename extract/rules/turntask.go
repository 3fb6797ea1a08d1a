package rules

import (
	"slices"
	"strings"

	"episodes/extract/internal/doc"
	"episodes/extract/internal/lex"
	"episodes/internal/lazy"
)

// turnTask extracts what was said first in a log that writes down a conversation under a
// title that says only so: "Claude Conversation Log". Where no one asks, there is no task.
func (x *extraction) turnTask() bool {
	t := x.title()
	if t != nil && !x.titlesLog(t.Title) {
		return false
	}
	first, said := []*doc.Block{}, map[string]int{}
	for _, b := range x.doc.Blocks {
		if name := speaker(b); name != "" {
			if said[name]++; said[name] == 1 {
				first = append(first, b)
			}
		}
	}
	for i, b := range first {
		name := speaker(b)
		answered := i+1 < len(first) && t != nil && strings.Contains(strings.ToLower(t.Title.Raw), speaker(first[i+1]))
		if said[name] > 1 && i+1 < len(first) && said[speaker(first[i+1])] > 1 || answered || slices.Contains(people, name) {
			x.takeTask(b.Text.Raw, b.Span)
			return true
		}
	}
	return len(first) > 0 && t != nil && conversation().MatchString(t.Title.Raw)
}

var conversation = lazy.Pattern(`(?i)\b(?:conversation|chat|transcript)\b`)

// wordsOf are the words of a name without marks, in lower case.
func wordsOf(t lex.Text) string {
	var words []string
	for _, w := range t.Words {
		words = append(words, w.Lower)
	}
	return strings.Join(words, " ")
}

// people are what logs of conversations call who asks.
var people = []string{"user", "human", "you"}

// speaker is who says the block: its label, or the heading that it opens; "" when that
// names anything else.
func speaker(b *doc.Block) string {
	name, roles := b.LabelText, b.LabelRoles
	if name.Empty() && b.Section != nil && b.Section.Prose == b {
		name, roles = b.Section.Title, b.Section.Roles
	}
	if roles != 0 || b.Kind == doc.Row || b.Kind == doc.Code || b.Text.Empty() || len(name.Words) == 0 ||
		len(name.Words) > 2 || numbersOnly(name) {
		return ""
	}
	return wordsOf(name)
}

// titlesLog reports whether a title is the kind of a log, with the name of its tool or a
// date ("Claude Log - July 12"). More words after the kind are a
// subject.
func (x *extraction) titlesLog(t lex.Text) bool {
	other, after, isLog := 0, 0, false
	for i, w := range t.Words {
		switch {
		case t.At(i, lex.ClassLogName), t.At(i, lex.ClassSession):
			isLog = true
		case w.Lower[0] < '0' || w.Lower[0] > '9':
			if other++; isLog {
				after++
			}
		}
	}
	return isLog && other <= 4 && after <= 2 || other == 0
}
