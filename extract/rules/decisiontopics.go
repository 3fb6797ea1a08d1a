package rules

import (
	"slices"
	"strings"

	"episodes/extract/internal/doc"
	"episodes/extract/internal/lex"
)

// nestedChoice is the rule of a further choice under the topic of an item.
const nestedChoice = "nested under its topic"

// topicDecision reads an item that gives only the topic, in bold, and says below
// it what was chosen: the topic is the question, the nested line the choice.
func (x *extraction) topicDecision(f *fact, b *doc.Block) {
	topic, ok := x.topicOf(b)
	if !ok {
		return
	}
	question := strings.TrimRight(topic, ".:")
	if x.listsChoices(b) {
		x.takeChildren(f, b, question)
		return
	}
	for _, c := range b.Children {
		if c.Kind != doc.Item {
			continue
		}
		if x.used[f.block] == f && x.used[c] == nil && f.Decision.Context == question {
			more := x.newDecision(c, c.Span, c.Text, nestedChoice)
			more.Decision.Context = question
			options(more)
			continue
		}
		if !choiceOf(c) {
			continue
		}
		f.Decision.Context = question
		f.Decision.Rationale = ""
		x.splitReason(f, c.Text.Raw)
		x.used[c] = f
	}
}

// listsChoices reports whether an item under a heading of decisions gives only a topic in
// bold, and every item below it is a choice without a verb of its own: "**Layout**" over
// "Two columns for clarity".
func (x *extraction) listsChoices(b *doc.Block) bool {
	return b.Section.Has(lex.RoleDecision) && len(b.Children) >= 2 && !slices.ContainsFunc(b.Children, func(c *doc.Block) bool {
		return c.Kind != doc.Item || c.LabelRoles != 0 || len(c.Text.Words) < 2 || choiceOf(c)
	})
}

// takeChildren extracts each item below a topic as a choice, the first in place of the topic.
func (x *extraction) takeChildren(f *fact, b *doc.Block, question string) {
	for i, c := range b.Children {
		d := f
		if i > 0 {
			d = x.newDecision(c, c.Span, c.Text, nestedChoice)
		} else {
			d.Span, d.Content = c.Span, c.Text.Raw
			x.splitReason(d, c.Text.Raw)
		}
		d.Decision.Context = question
		x.used[c] = d
		options(d)
	}
}

// topicOf is the topic of an item that gives nothing else.
func (x *extraction) topicOf(b *doc.Block) (string, bool) {
	topic := b.Label
	switch {
	case topic != "" && !b.Text.Empty():
		return "", false
	case topic == "" && b.Lead == b.Text.Raw:
		topic = b.Lead
	}
	t := x.plain(topic)
	return topic, topic != "" && len(t.Words) <= 6 && !t.ActLike()
}

// choiceOf reports whether an item under a topic says what was chosen.
func choiceOf(c *doc.Block) bool {
	t := c.Text
	if t.Empty() || c.LabelRoles.Any(lex.RoleReason, lex.RoleOptions, lex.RoleRejected, lex.RoleContext) {
		return false
	}
	return t.ChosenAt() >= 0 || t.At(0, lex.ClassAdopt)
}
