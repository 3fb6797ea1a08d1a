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
		if d.Kind != facts.Decision || d.Decision.Outcome.Known() || d.Decision.Superseded != nil || e.Kind != facts.Event {
			continue
		}
		shown := outcome.Sign{Lines: e.Span}
		switch {
		case l.typ == episode.Prevents && e.Event == episode.Error && succeeded:
			shown.Kind = outcome.ErrorEnds
		case l.typ == episode.Prevents:
		case e.Event == episode.Test:
			shown.Kind, shown.Says = outcome.CheckFollows, checkOutcome(e)
		case (e.Event == episode.Milestone || e.Event == episode.Commit) && succeeded:
			shown.Kind = outcome.WorkFollows
		}
		if shown.Outcome().Known() {
			signs[d] = append(signs[d], shown)
		}
	}
	for d, of := range signs {
		d.Decision.Outcome = outcome.Decide(of...).Outcome
	}
}
