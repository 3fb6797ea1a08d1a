package rules

import (
	"strings"

	"episodes/episode"
	"episodes/extract/internal/doc"
	"episodes/extract/internal/lex"
)

// handoff is what of the log passes work on.
type handoff uint8

const (
	noHandoff  handoff = iota
	byItsLabel         // a labelled line with its list
	bySection          // a section, as one event
)

// handoffRules say which blocks pass work on.
var handoffRules = []rule[handoff]{
	{"is about the log itself", func(f *features) bool { return quiet(f.block) }, noHandoff},
	{"label hands work to somebody", func(f *features) bool {
		return f.labels(lex.RoleHandoff) && !f.row && f.block.LabelText.Is(lex.ClassAddress) &&
			(!f.blank || len(f.block.Introduced()) > 0)
	}, byItsLabel},
	{"heading is not about what comes next", func(f *features) bool {
		return !f.under(lex.RoleHandoff) || f.within(lex.RolePlan) || f.section.Level <= 1
	}, noHandoff},
	{"heading hands work to somebody", func(f *features) bool { return f.section.Title.Is(lex.ClassAddress) }, bySection},
}

// handoffs takes work passed on.
func (x *extraction) handoffs() {
	taken := map[*doc.Section]bool{}
	for _, b := range x.doc.Blocks {
		if x.used[b] != nil {
			continue
		}
		r := first("handoffs", handoffRules, x.features(b))
		if r == nil {
			continue
		}
		switch s := b.Section; r.verdict {
		case byItsLabel:
			span, content := following(b, b, b.Introduced())
			x.eventFor(because(r.name, b.Label), episode.Handoff, b, span, content)
		case bySection:
			if !taken[s] {
				taken[s] = true
				span, content := following(b, nil, s.Blocks[b.Pos+1:])
				x.eventFor(because(r.name, s.Title.Raw), episode.Handoff, b, span, s.Title.Raw+": "+content)
			}
		}
	}
}

// following is a block with what comes after it without a gap, at its level or in parent.
func following(b, parent *doc.Block, rest []*doc.Block) (episode.Span, string) {
	span, content := b.Span, b.Full()
	for _, o := range rest {
		if o.Span[1] > span[1] && o.Span[0] <= span[1]+2 {
			span[1] = o.Span[1]
			if (o.Parent == nil || o.Parent == parent) && len(content) < episode.MaxContent {
				content = strings.TrimRight(content, ".") + "; " + o.Full()
			}
		}
	}
	return span, content
}
