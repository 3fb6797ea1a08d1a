package extract

import (
	"strings"

	"episodes/episode"
)

// enablers open the clause that names what made an act possible: "closed after
// confirming that the demo runs".
var enablers = []string{" after confirming ", " after verifying ", " once ", " now that ", " thanks to ", " enabled by ", " unblocked by ", " made possible by ", " efter att ", " dankzij ", " nadat "}

// enableLinks links what made an act possible with the act: work or a check that
// a decision's own reason names, and the checks on which an approval rests.
func (x *extraction) enableLinks(sim *likeness) {
	for _, f := range x.facts {
		switch {
		case f.kind == decisionFact:
			x.reasonEnables(sim, f)
			if x.approval(f) {
				x.checksEnable(sim, f)
			}
		case f.kind == eventFact && (f.event == episode.Milestone || f.event == episode.Commit):
			x.clauseEnables(sim, f)
		}
	}
}

// reasonEnables links finished work and passed checks that the reason of a
// decision repeats.
func (x *extraction) reasonEnables(sim *likeness, d *fact) {
	if d.dec.Rationale == "" {
		return
	}
	reason := sim.words.of(d.dec.Rationale)
	joined := 0
	for _, e := range near(sim.done, d.span[0]) {
		if joined < maxAlike && sim.share(reason, e.words) >= sameWork {
			x.join(e.fact, d, episode.Enables, true, "the reason names the work")
			joined++
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
		return x.testOutcome(f.text) == episode.Success
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

// checksEnable links the passed checks that stand in the verdict's own section,
// or in the sections beside it, with the verdict.
func (x *extraction) checksEnable(sim *likeness, d *fact) {
	s := d.factSection()
	for _, e := range near(sim.done, d.span[0]) {
		if e.event != episode.Test {
			continue
		}
		if o := e.factSection(); o == s || o != nil && s.level > 2 && o.parent == s.parent && hasCount(e.text) {
			x.join(e.fact, d, episode.Enables, false, "the verdict rests on the checks beside it")
		}
	}
}

// clauseEnables links what the clause of an act names as its precondition.
func (x *extraction) clauseEnables(sim *likeness, f *fact) {
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
