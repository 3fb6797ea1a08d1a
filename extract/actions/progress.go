package actions

import (
	"slices"

	"episodes/internal/turns"
)

// Progress is the state of a running session. Each list is short and begins with the newest item.
type Progress struct {
	Open      []string // failures after which the same check did not pass
	Failed    []string // changes between two runs that failed in the same way
	Corrected []string // words with which the user corrected the agent
	Passed    []string // checks that passed, and after which nothing was edited
}

// mostNew is how many of each a Progress has.
const mostNew = 3

// open is a failure that is not known to have ended.
type open struct {
	key, check, text string
	at               int // its last step
	failed           []string
}

// Progress sums up the calls of the session's own agent up to now.
func (b *Builder) Progress() (out Progress) {
	var failing []open
	for i, s := range b.steps {
		switch {
		case s.role == turns.User && s.corrects != "":
			out.Corrected = latest(out.Corrected, s.corrects)
		case s.role != turns.Call || !s.ended || s.sub != "":
		case s.failed && s.tells != "" && s.verifies():
			now := open{key: failureKey(s), check: s.name(), text: s.fails(), at: i}
			if j := slices.IndexFunc(failing, func(f open) bool { return f.key == now.key }); j >= 0 {
				now.failed = append(failing[j].failed, changesOf(b.steps[failing[j].at:i])...)
				failing = slices.Delete(failing, j, j+1)
			}
			failing = append(failing, now)
			out.Passed = slices.DeleteFunc(out.Passed, func(check string) bool { return check == now.check })
		case s.green && s.verifies():
			failing = slices.DeleteFunc(failing, func(f open) bool { return f.check == s.name() })
			out.Passed = latest(out.Passed, s.name())
		case s.edits() && !s.failed:
			out.Passed = nil
		}
	}
	for _, f := range failing {
		out.Open = latest(out.Open, f.text)
		for _, v := range f.failed {
			out.Failed = latest(out.Failed, v)
		}
	}
	return out
}

// verifies reports whether a call runs tests, a build or the like. Others fail once, and nobody repeats them.
func (s *step) verifies() bool {
	return s.check != nil && (s.check.kind() == testCheck || s.check.kind() == buildCheck)
}

// latest puts a text in front of others.
func latest(all []string, text string) []string {
	all = append([]string{text}, slices.DeleteFunc(all, func(o string) bool { return o == text })...)
	return all[:min(len(all), mostNew)]
}

// changesOf are the changes that some steps made to files: each file with the first line that it got.
func changesOf(steps []*step) (out []string) {
	for _, s := range steps {
		if s.role != turns.Call || s.failed || s.sub != "" {
			continue
		}
		act := s.act()
		switch {
		case len(act.Changes) == 0:
		case len(act.Lines) > 0:
			out = append(out, act.Changes[0]+": "+act.Lines[0])
		default:
			out = append(out, act.Does)
		}
	}
	return out
}
