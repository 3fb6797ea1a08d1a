package rules

import (
	"slices"

	"episodes/episode"
	"episodes/extract/internal/facts"
	"episodes/outcome"
)

// choiceOutcomes gives choices without a result of their own the one that the log shows: a check that was
// linked with the choice, or, in a session that succeeded, the work that carried it out and the error that it
// ended. Of several the first one counts.
func (x *extraction) choiceOutcomes() {
	succeeded := x.verdict.Outcome == episode.Success
	signs := map[*fact][]outcome.Sign{}
	for _, l := range slices.Backward(x.links) {
		d, e := l.from, l.to
		if e == nil || d.Kind != facts.Decision || d.Decision.Outcome.Known() || d.Decision.Superseded != nil || e.Kind != facts.Event {
			continue
		}
		switch {
		case l.typ == episode.Prevents:
			if e.Event == episode.Error && succeeded {
				signs[d] = append(signs[d], sign(outcome.ErrorEnds, e.Span)...)
			}
		case e.Event == episode.Test:
			if o := checkOutcome(e); o.Known() {
				signs[d] = append(signs[d], outcome.Sign{Kind: outcome.CheckFollows, Says: o, Lines: e.Span})
			}
		case e.Event == episode.Milestone || e.Event == episode.Commit:
			if succeeded {
				signs[d] = append(signs[d], sign(outcome.WorkFollows, e.Span)...)
			}
		}
	}
	for d, of := range signs {
		d.Decision.Outcome = outcome.Decide(of...).Outcome
	}
}
