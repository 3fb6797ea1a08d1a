package rules

import (
	"episodes/episode"
	"episodes/extract/internal/facts"
)

// choiceOutcomes gives choices without a result of their own the one that the
// log shows: a check that was linked with the choice, or, in a session that came
// to a good end, the work that carried it out and the repair that ended an error.
func (x *extraction) choiceOutcomes() {
	for _, l := range x.links {
		d, e := l.from, l.to
		if e == nil || d.Kind != facts.Decision || d.Decision.Outcome != episode.Unknown || d.Decision.Superseded != nil || e.Kind != facts.Event {
			continue
		}
		switch {
		case l.typ == episode.Prevents:
			if e.Event == episode.Error && x.draft.Outcome == episode.Success {
				d.Decision.Outcome = episode.Success
			}
		case e.Event == episode.Test:
			d.Decision.Outcome = checkOutcome(e)
		case e.Event == episode.Milestone || e.Event == episode.Commit:
			if x.draft.Outcome == episode.Success {
				d.Decision.Outcome = episode.Success
			}
		}
	}
}
