package actions

import (
	"episodes/episode"
	"episodes/internal/turns"
)

// ciRun reads the log of a pipeline elsewhere.
const ciRun = "gh run view"

// standing is how things stand after some steps of a session.
type standing struct {
	open      map[string]*step // checks whose last run failed, by what they are
	green     *step            // the last thing that shows that it works
	edited    bool             // since then
	stopped   bool             // by the human, who said nothing since
	corrected *step            // the human's last word that turns the work around, unless it works since
}

// outcome is what the session came to: by the checks that stand at its end. What an agent
// claims is no measurement.
func (d *drafting) outcome() {
	d.draft.Outcome, d.draft.OutcomeFrom = episode.Unknown, episode.Default
	if d.session.NoResults {
		return
	}
	at := standing{open: map[string]*step{}}
	for _, s := range d.steps[:d.ownEnd()] {
		switch s.role {
		case turns.Stop:
			at.stopped = true
		case turns.User:
			if at.stopped = false; s.corrects != "" {
				at.green, at.corrected = nil, s // what was shown before is not what is wanted
			}
		case turns.Call:
			at.stopped = false
			at.call(s, d.ways[s] != nil)
		}
	}
	say := func(o episode.Outcome, from episode.OutcomeSource, by *step, why string) {
		d.draft.Outcome, d.draft.OutcomeFrom, d.draft.OutcomeSpan = o, from, place(by)
		d.draft.OutcomeRule, d.draft.OutcomeWhy = why, why
	}
	worst := at.worst()
	switch {
	case at.stopped:
	case at.green != nil && worst == nil && !at.edited:
		say(episode.Success, episode.Measured, at.green, "the last check passes")
	case at.green != nil && worst != nil:
		say(episode.Partial, episode.Measured, worst, "a check still fails")
	case at.corrected != nil && d.lastWord() == at.corrected:
		say(episode.Partial, episode.Stated, at.corrected, "it ends with a correction")
	case worst != nil:
		say(episode.Failure, episode.Measured, worst, "the checks fail")
	}
}

// call takes a call into account; ends says that it shows the way out of a failure.
func (at *standing) call(s *step, ends bool) {
	check := s.check
	switch {
	case s.failed:
		if check != nil && (check.kind() != noCheck || check.id() == ciRun) {
			at.open[check.id()] = s
		}
	case s.green || s.pipelinePasses() || ends && s.call.Tool == turns.Shell && (check == nil || !check.looks()):
		if s.pipelinePasses() {
			delete(at.open, ciRun)
		}
		if check != nil {
			for _, c := range s.line.commands {
				delete(at.open, c.id())
			}
			if installing().MatchString(check.id()) {
				return // it prepares for what was asked for
			}
		}
		at.green, at.edited, at.corrected = s, false, nil
		if s.made == nil {
			return
		}
		pipeline := at.open[ciRun] // has not seen the commit, whose hooks, or the agent, let it pass
		if clear(at.open); pipeline != nil {
			at.open[ciRun] = pipeline
		}
	case (s.call.Tool == turns.Edit || s.call.Tool == turns.Write) && s.ended && s.result.State != turns.Refused:
		at.edited = true
	}
}

// pipelinePasses reports whether a call shows that a pipeline elsewhere went well.
func (s *step) pipelinePasses() bool {
	if s.check == nil || s.result.Exit == nil || *s.result.Exit != 0 || s.line.hides {
		return false
	}
	id := s.check.id()
	return id == "gh pr checks" || id == "gh run watch" && contains(s.check.args, "--exit-status")
}

// worst is the last of the checks that still fail.
func (at *standing) worst() (worst *step) {
	for _, s := range at.open {
		if worst == nil || s.at[0] > worst.at[0] {
			worst = s
		}
	}
	return worst
}

// ownEnd is the number of steps up to the last one of the session's own agent. Transcripts of
// sub-agents are read after it, whenever they worked.
func (d *drafting) ownEnd() int {
	for i := len(d.steps); i > 0; i-- {
		if d.steps[i-1].sub == "" {
			return i
		}
	}
	return len(d.steps)
}

// lastWord is the last turn of the human in what the session's own agent did.
func (d *drafting) lastWord() *step {
	for i := d.ownEnd() - 1; i >= 0; i-- {
		if d.steps[i].role == turns.User {
			return d.steps[i]
		}
	}
	return nil
}
