package actions

import (
	"slices"

	"episodes/episode"
	"episodes/internal/lazy"
	"episodes/internal/turns"
)

// settle gives decisions the outcome that what follows them shows.
func (d *drafting) settle(made []*decided) {
	for n, m := range made {
		switch {
		case d.takenBack(m, made[n+1:]):
			m.fact.Decision.Outcome = episode.Failure
		case d.holds(m):
			m.fact.Decision.Outcome = episode.Success
		}
	}
}

// takenBack reports whether a decision is corrected, undone or decided otherwise later.
func (d *drafting) takenBack(m *decided, later []*decided) bool {
	for i := m.didAt + 1; i < len(d.steps); i++ {
		s := d.steps[i]
		since := len(later)
		if n := slices.IndexFunc(later, func(l *decided) bool { return l.at > i }); n >= 0 {
			since = n
		}
		switch {
		case m.did != nil && undoes(s, m.did):
			return true
		case s.role != turns.User || s.turned == "" || since > 1:
		case d.isAbout(termsIn(s.text), m), since == 0 && persists().MatchString(s.text):
			return true
		case since == 0 && len(later) > 0 && later[0].answers == i && later[0].did != nil && m.did != nil && len(m.did.call.Files) > 0 && sharesFile(later[0].did, m.did):
			return true
		}
	}
	return slices.ContainsFunc(later, func(l *decided) bool {
		return slices.ContainsFunc(l.drops, func(t term) bool { return t.name && hasTerm(m.terms, t) })
	})
}

// isAbout reports whether words name what was decided, or what was done accordingly.
func (d *drafting) isAbout(words []term, m *decided) bool {
	return m.did != nil && slices.ContainsFunc(words, func(t term) bool { return (t.name || hasTerm(m.terms, t)) && m.did.namesAll(t) })
}

// persists are words that say that something did not help.
var persists = lazy.Pattern(`(?i)\b(?:still|again|(?:does|did)(?:n't| not) (?:work|help|fix))\b`)

func hasTerm(list []term, t term) bool { return shareTerm(list, []term{t}) }

// undoes reports whether a step takes back what an edit put in.
func undoes(s, e *step) bool {
	if s.role != turns.Call || s.failed || !e.edits() || !s.edits() || !sharesFile(s, e) {
		return false
	}
	back := func(put, taken []string) bool { return len(put) == 0 || slices.Contains(taken, put[0]) }
	return len(e.fresh) > 0 && back(e.fresh, s.gone) && back(e.gone, s.fresh)
}

// holds reports whether a later check or commit of the same agent, or else the exit code of the
// deed, shows that what was decided works. Without an exit code a command that ran shows nothing.
func (d *drafting) holds(m *decided) bool {
	if m.did == nil {
		return false
	}
	for _, s := range d.steps[m.didAt:] {
		if s.sub == m.did.sub && !s.failed && !s.commitsItself() && (s.made != nil || s.green && s.check.kind() != noCheck && !installing().MatchString(s.check.id())) {
			return true
		}
	}
	if m.did.check == nil || !m.did.ended {
		return false
	}
	code, known := m.did.code()
	return known && code == 0
}
