package extract

import (
	"slices"
	"strings"

	"episodes/episode"
)

// merge drops an event that the log tells a second time, in a summary or a
// table: the telling with fewer words goes.
func (x *extraction) merge(sim *likeness) {
	gone := map[*fact]*fact{}
	kinds := map[episode.EventType][]*fact{} // "" holds the decisions
	var order []episode.EventType
	for _, f := range x.facts {
		if f.kind == lessonFact || f.event == episode.Commit || f.event == episode.Handoff {
			continue
		}
		if kinds[f.event] == nil {
			order = append(order, f.event)
		}
		kinds[f.event] = append(kinds[f.event], f)
	}
	for _, k := range order {
		fs := kinds[k]
		sortFacts(fs)
		for i, a := range fs {
			home := a.factSection()
			for _, b := range fs[i+1 : min(i+1+reach, len(fs))] {
				if gone[a] != nil {
					break
				}
				if home != b.factSection() && gone[b] == nil {
					mergePair(sim, a, b, gone)
				}
			}
		}
	}
	if len(gone) == 0 {
		return
	}
	x.facts = slices.DeleteFunc(x.facts, func(f *fact) bool { return gone[f] != nil })
	for i := range x.links {
		l := &x.links[i]
		for gone[l.from] != nil {
			l.from = gone[l.from]
		}
		for gone[l.to] != nil {
			l.to = gone[l.to]
		}
	}
}

// mergePair notes in gone which of two facts the other one stands for, if they
// tell the same.
func mergePair(sim *likeness, a, b *fact, gone map[*fact]*fact) {
	keep, drop := a, b
	if a.kind == decisionFact {
		if !sameDecision(sim, a, b) {
			return
		}
		if a.repair && !b.repair {
			keep, drop = b, a
		}
		keep.takeOver(drop)
	} else {
		alike := sim.share(sim.count(a).words, sim.count(b).words) >= sameFact && (a.event != episode.Test || numbers(a.text) == numbers(b.text))
		if !alike && (a.event != episode.Test || tally(a.text) == "" || tally(a.text) != tally(b.text)) {
			return
		}
		if alike && len(b.content) > len(a.content) {
			keep, drop = b, a
		}
	}
	keep.cause = keep.cause || drop.cause
	gone[drop] = keep
}

// numbers joins the figures of a text: two results are one only with the same.
func numbers(t text) string {
	var out []string
	for _, w := range t.words {
		if isNumber(w.s) {
			out = append(out, w.s)
		}
	}
	return strings.Join(out, " ")
}

// tally is the count of a large run, "170/170", which two runs of one log hardly
// share by chance; "" when a text gives none or several.
func tally(t text) string {
	found := ""
	for i := 0; i+1 < len(t.words); i++ {
		a, b := t.words[i], t.words[i+1]
		if !isNumber(a.s) || !isNumber(b.s) || len(b.s) < 2 || t.s[a.end:b.start] != "/" {
			continue
		}
		if n := t.s[a.start:b.end]; found != "" && found != n {
			return ""
		} else {
			found = n
		}
	}
	return found
}

// sameDecision reports whether two decisions are one choice told twice, as in a
// decision table and in the fix column of an issue table.
func sameDecision(sim *likeness, a, b *fact) bool {
	return (a.repair || b.repair) && sim.of(a.decision.Chosen, b.decision.Chosen) >= sameChoice
}

// takeOver fills what a decision lacks from a second telling of it.
func (f *fact) takeOver(o *fact) {
	if f.decision.Context == "" {
		f.decision.Context = o.decision.Context
	}
	if f.decision.Rationale == "" {
		f.decision.Rationale = o.decision.Rationale
	}
	if f.decision.Outcome == episode.Unknown {
		f.decision.Outcome = o.decision.Outcome
	}
	if o.decision.Type == episode.Recovery {
		f.decision.Type = episode.Recovery
	}
}

// sameChoice is the likeness from which a fix and a decision of one log are one.
const sameChoice = 0.6

// sameFact is the likeness from which two events of one log are one.
const sameFact = 0.65
