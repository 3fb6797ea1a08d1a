package rules

import (
	"cmp"
	"slices"
	"strings"

	"episodes/episode"
	"episodes/extract/internal/doc"
	"episodes/extract/internal/facts"
)

// nearLines is how far from a fact its other words may stand.
const nearLines = 40

// widen widens the lines of facts to those on which their words stand: a fact may quote the lead of its list, its
// heading, the items below it or a reason next to it. Context stands where it stands.
func (x *extraction) widen() {
	if x.draft.TaskSpan[0] > 0 {
		x.around(&x.draft.TaskSpan, x.draft.Task)
	}
	for _, f := range x.facts {
		if f.Kind == facts.Decision {
			x.around(&f.Span, f.Decision.Chosen+"\n"+f.Decision.Rationale)
		} else {
			x.around(&f.Span, f.Content)
		}
	}
}

// around widens a place to where the parts of a text stand.
func (x *extraction) around(at *episode.Span, text string) {
	own := *at
	from, _ := slices.BinarySearchFunc(x.doc.Blocks, own[0]-nearLines, func(b *doc.Block, line int) int { return cmp.Compare(b.Span[0], line) })
	for part := range strings.SplitSeq(strings.NewReplacer("; ", "\n", ": ", "\n", "…", "\n").Replace(text), "\n") {
		if part = strings.TrimSpace(part); part != "" {
			*at = facts.Around(*at, x.standsAt(part, own, x.doc.Blocks[from:]))
		}
	}
}

// standsAt is the place of a text nearest to a fact; the fact itself if it has the text, or none nearby has it.
func (x *extraction) standsAt(text string, own episode.Span, blocks []*doc.Block) episode.Span {
	at, near := own, nearLines
	is := func(s string, span episode.Span) {
		far := max(own[0]-span[1], span[0]-own[1], 0)
		if far < near && strings.Contains(s, text) {
			at, near = span, far
		}
	}
	for _, b := range blocks {
		if b.Span[0] > own[1]+nearLines {
			break
		}
		if len(b.Cells) < 99 && len(b.Text.Raw) < 1<<14 { // each fact of a larger one would read all of it
			is(b.Full(), b.Span)
		}
		for s := b.Section; s != nil; s = s.Parent {
			is(s.Title.Raw, episode.Span{s.Line, s.Line})
		}
	}
	return at
}
