package actions

import (
	"fmt"

	"episodes/episode"
	"episodes/extract/internal/facts"
	"episodes/internal/turns"
)

// PassedOver explains, for each record in which a step was found but no fact, why not. taken are
// the facts that were found.
func (b *Builder) PassedOver(taken []facts.Taken) (out []facts.Taken) {
	shown := map[int]bool{}
	for _, t := range taken {
		for n := t.Span[0]; n <= t.Span[1] && n < t.Span[0]+widest; n++ {
			shown[n] = true
		}
	}
	said := map[facts.Taken]bool{}
	add := func(at episode.Span, code, why string) {
		t := facts.Taken{Span: episode.Span{at[0], at[0]}, What: "passed over (" + code + ")", Why: why}
		if !shown[at[0]] && !said[t] {
			said[t] = true
			out = append(out, t)
		}
	}
	for _, s := range b.steps {
		if s.role == turns.Call && s.done[0] > 0 && s.done != s.at {
			add(s.at, "call", fmt.Sprintf("judged by its result, record %d", s.done[0]))
		}
		code, why := s.passed()
		add(s.shows(), code, why)
	}
	return out
}

// passed is the reason why a step gives no fact, with a short code.
func (s *step) passed() (code, why string) {
	switch {
	case s.role == turns.User:
		return "words", "the human corrects nothing"
	case s.role == turns.Agent:
		return "words", "the agent decides nothing"
	case s.role == turns.Stop:
		return "stop", "the human stopped the agent"
	case !s.ended:
		return "call", "it has no result"
	case s.result.State == turns.Refused:
		return "refused", "the human did not allow it"
	case s.result.State == turns.NotRun:
		return "not run", "it was cancelled"
	case s.failed:
		return "failed", "a repetition of a failure"
	case s.edits():
		return "edit", "a change is judged by the checks that follow"
	case s.green:
		return "check", "it passes, and had not failed before"
	case s.call.Tool == turns.Shell:
		return "command", "it worked, and checks nothing"
	}
	return "look", "it worked, and changes and checks nothing"
}
