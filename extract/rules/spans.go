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
	for _, f := range x.facts {
		texts := []string{f.Content}
		if f.Kind == facts.Decision {
			texts = []string{f.Decision.Chosen, f.Decision.Rationale}
		}
		own := f.Span
		from, _ := slices.BinarySearchFunc(x.doc.Blocks, own[0]-nearLines, func(b *doc.Block, line int) int { return cmp.Compare(b.Span[0], line) })
		for _, text := range texts {
			for _, part := range strings.FieldsFunc(strings.NewReplacer("; ", "\n", ": ", "\n").Replace(text), func(r rune) bool { return r == '\n' || r == '…' }) {
				f.Span = facts.Around(f.Span, x.standsAt(strings.TrimSpace(part), own, x.doc.Blocks[from:]))
			}
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
		is(b.Full(), b.Span)
		for s := b.Section; s != nil; s = s.Parent {
			is(s.Title.Raw, episode.Span{s.Line, s.Line})
		}
	}
	return at
}
