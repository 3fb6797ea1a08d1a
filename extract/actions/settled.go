package actions

import (
	"slices"
	"strings"

	"episodes/episode"
	"episodes/internal/turns"
)

// settle gives decisions the outcome that what follows them shows.
func (d *drafting) settle(made []*decided) {
	for n, m := range made {
		complained, back := d.followed(m, made[n+1:])
		switch {
		case back:
			m.fact.Decision.Outcome = episode.Failure
		case !complained && d.holds(m):
			m.fact.Decision.Outcome = episode.Success
		}
	}
}

// followed reports whether the user's next words reject what was done, so that the same file is changed again, and
// whether a decision is undone, rejected, decided otherwise later, or answers a complaint that is made again.
func (d *drafting) followed(m *decided, later []*decided) (complained, back bool) {
	spoke, turned := 0, false
	for i := m.didAt + 1; i < len(d.steps) && !back; i++ {
		s := d.steps[i]
		switch {
		case m.did != nil && undoes(s, m.did):
			back = true
		case s.role == turns.User && s.answers == nil:
			spoke++
			turned = spoke == 1 && s.turned != "" && !s.refused
			next := len(later) == 0 || later[0].at > i
			redone := next && len(later) > 0 && later[0].answers == i && later[0].did != nil &&
				m.did != nil && sharesFile(later[0].did, m.did)
			rejected := turned && next && rejects(s.turned)
			back = rejected && (redone || d.isAbout(termsIn(s.text), m) || m.answers > 0 && remains.in(s.turned, strings.ToLower(s.turned)))
			complained = complained || rejected && m.answers > 0
		case turned && s.edits() && m.did != nil && sharesFile(s, m.did):
			complained = true
		}
	}
	return complained, back || slices.ContainsFunc(later, func(l *decided) bool {
		return slices.ContainsFunc(l.drops, func(t term) bool { return t.name && hasTerm(m.terms, t) })
	})
}

// isAbout reports whether words name what was decided, or what was done accordingly.
func (d *drafting) isAbout(words []term, m *decided) bool {
	return m.did != nil && slices.ContainsFunc(words, func(t term) bool { return (t.name || hasTerm(m.terms, t)) && m.did.namesAll(t) })
}

func hasTerm(list []term, t term) bool { return shareTerm(list, []term{t}) }

// undoes reports whether a step takes back what an edit put in.
func undoes(s, e *step) bool {
	if s.role != turns.Call || s.failed || !e.edits() || !s.edits() || !sharesFile(s, e) {
		return false
	}
	back := func(put, taken []string) bool { return len(put) == 0 || slices.Contains(taken, put[0]) }
	return len(e.fresh) > 0 && back(e.fresh, s.gone) && back(e.gone, s.fresh)
}

// holds reports whether a check or commit of the same agent before the user has spoken twice, or else the exit code of the
// deed, shows that what was decided works. Without an exit code a command that ran shows nothing.
func (d *drafting) holds(m *decided) bool {
	if m.did == nil {
		return false
	}
	spoke := 0
	for _, s := range d.steps[m.didAt:] {
		if s.role == turns.User && s.answers == nil {
			if spoke++; spoke > 1 {
				break // by now something else is asked for
			}
		}
		if s.sub == m.did.sub && !s.failed && !s.commitsItself() &&
			(s.made != nil || s.green && !installing().MatchString(s.check.id())) {
			return true
		}
	}
	if m.did.check == nil || !m.did.ended {
		return false
	}
	code, known := m.did.code()
	return known && code == 0
}
