package rules

import (
	"slices"
	"strings"

	"episodes/episode"
	"episodes/extract/internal/doc"
	"episodes/extract/internal/facts"
)

// toldInDetail notes in gone the work and checks of a summary or a ticked list that the
// log reports in detail elsewhere.
func (x *extraction) toldInDetail(sim *likeness, gone map[*fact]*fact) {
	var detail []worded
	for _, f := range x.facts {
		if gone[f] == nil && f.Kind == facts.Event && !f.retells() {
			detail = append(detail, worded{f, sim.count(f)})
		}
	}
	checks := slices.DeleteFunc(slices.Clone(detail), func(d worded) bool {
		return !d.isEvent(episode.Test) ||
			checkOutcome(d.fact) != episode.Success
	})
	for _, f := range x.facts {
		if gone[f] != nil || !f.retells() || !f.isEvent(episode.Milestone) && !f.isEvent(episode.Test) && !f.isError() {
			continue
		}
		var first *fact
		for i, part := range strings.Split(f.Content, "; ") {
			d := sim.tells(detail, part)
			if d == nil || f.isError() && !d.isError() || f.isEvent(episode.Test) && numbers(f.text) != numbers(d.text) {
				first = nil
				break
			}
			if i == 0 {
				first = d
			}
		}
		if f.isEvent(episode.Test) && f.block != nil && f.block.Box && len(f.block.Text.Words) <= 5 && !f.block.Text.HasCount() { // "- [x] CI checks pass"
			for _, c := range checks {
				if c.factSection() != f.factSection() {
					first = c.fact
				}
			}
		}
		if first != nil {
			first.again = max(first.again, f.Span[0])
			gone[f] = first
		}
	}
}

// retells reports whether a fact is in a summary or checklist of things that the log
// reported before.
func (f *fact) retells() bool {
	return inSummary(f) || f.Rule == taskDone || f.block != nil && f.block.Box && f.block.Tick == doc.DoneTick && accepts(f.block.Section)
}

// tells finds the fact that covers most of a part of a summary; nil if no fact covers
// half of it.
func (l *likeness) tells(detail []worded, part string) *fact {
	words := l.words.of(part)
	var best *fact
	at := sameWork * l.sum(words)
	for _, d := range detail {
		if v := l.shared(words, d.words); v >= at && len(words) > 1 {
			best, at = d.fact, v
		}
	}
	return best
}
