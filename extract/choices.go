package extract

import "episodes/episode"

// choiceOutcomes gives choices without a result of their own the one that the
// log shows: a check that was linked with the choice, or, in a session that came
// to a good end, the work that carried it out and the repair that ended a fault.
func (x *extraction) choiceOutcomes() {
	for _, l := range x.links {
		d, e := l.from, l.to
		if e == nil || d.kind != decisionFact || d.decision.Outcome != episode.Unknown || e.kind != eventFact {
			continue
		}
		switch {
		case l.typ == episode.Prevents:
			if e.event == episode.Error && x.draft.outcome == episode.Success {
				d.decision.Outcome = episode.Success
			}
		case e.event == episode.Test:
			d.decision.Outcome = checkOutcome(e)
		case e.event == episode.Milestone || e.event == episode.Commit:
			if x.draft.outcome == episode.Success {
				d.decision.Outcome = episode.Success
			}
		}
	}
}
