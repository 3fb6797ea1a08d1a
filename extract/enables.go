package extract

import (
	"strings"

	"episodes/episode"
)

// enablers open the clause that names what made an act possible: "closed after
// confirming that the demo runs".
var enablers = []string{" after confirming ", " after verifying ", " once ", " now that ", " thanks to ", " enabled by ", " unblocked by ", " made possible by ", " efter att ", " dankzij ", " nadat "}

var enabling = newMarkSet(enablers)

// enableLinks links what made an act possible with the act: work or a check that
// a decision's own reason names, and the checks on which an approval rests.
func (x *extraction) enableLinks(sim *likeness) {
	for _, f := range x.facts {
		switch {
		case f.kind == eventFact && (f.event == episode.Milestone || f.event == episode.Commit):
			x.clauseEnables(sim, f)
		}
	}
}

// succeeded reports whether a fact is work done or a check that passed.
func (x *extraction) succeeded(f *fact) bool {
	if f.kind != eventFact {
		return false
	}
	switch f.event {
	case episode.Milestone, episode.Commit:
		return true
	case episode.Test:
		return x.checkOutcome(f) == episode.Success
	}
	return false
}

// approval reports whether a decision is a verdict that lets the work pass.
func (x *extraction) approval(d *fact) bool {
	if !d.factSection().within(roleVerdict) && (d.block == nil || !d.block.labelRole.has(roleVerdict)) {
		return false
	}
	for _, w := range plain(d.dec.Chosen).words {
		switch {
		case w.classes.has(classApprove):
			return true
		case w.classes.has(classRefuse):
			return false
		}
	}
	return false
}

// clauseEnables links what the clause of an act names as its precondition.
func (x *extraction) clauseEnables(sim *likeness, f *fact) {
	if !enabling.in(f.content) {
		return
	}
	for _, m := range enablers {
		i := strings.Index(f.content, m)
		if i < 0 {
			continue
		}
		clause := sim.words.of(f.content[i+len(m):])
		for _, e := range near(sim.done, f.span[0]) {
			if e.event != f.event && sim.share(clause, e.words) >= sameWork {
				x.join(e.fact, f, episode.Enables, true, "the text names its precondition")
				return
			}
		}
	}
}
