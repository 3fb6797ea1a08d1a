package patterns

import (
	"episodes/causal"
	"episodes/episode"
	"episodes/infer"
	"episodes/query"
	"episodes/stats"
)

// allDays leaves out no day.
const allDays = -1

// setDays fills in over how many days a pattern is spread, and on which it hangs: without
// which its test would not reach the p-value that the control of false discoveries asks
// for, or would show the contrary. Where it is compared with the decisions elsewhere,
// which are many, these all stay.
func (g *decisions) setDays(p *Pattern, c *candidate, instance func(episode string) string) {
	days := infer.ByDay{}
	for _, a := range c.at.actions {
		if a != c.does && c.basis != query.OtherOptions {
			continue
		}
		a.each(g.uses, func(u *causal.Use, out episode.Outcome) {
			if out.Known() {
				days.Add(u.Day, a == c.does, out == episode.Success)
			}
		})
	}
	p.Spread = query.Spread{Sessions: len(p.Episodes)}
	for _, t := range days {
		if t.N > 0 {
			p.Days++
		}
	}
	limit, whole := infer.Limit(p.PValue, p.QValue), c.table()
	for _, day := range days.MostInfluential(infer.Several) {
		t := days.Without(day)
		if c.basis != query.OtherOptions {
			t.OtherN, t.OtherSuccesses = whole.OtherN, whole.OtherSuccesses
		}
		if infer.Short(t.N, whole.N, 1) || infer.Short(t.OtherN, whole.OtherN, 1) {
			continue
		}
		left := g.instances(c, instance, day)
		raises := t.Successes*t.OtherN > t.OtherSuccesses*t.N
		if t.N == 0 || t.OtherN == 0 || raises != (p.Kind == query.GoodPattern) || left.Deflate(stats.FisherMidP(t)) > limit {
			p.OneDay = true
			p.HangsOn = &query.HangsOn{Date: query.DateOf(day), Sessions: days[day].N + days[day].OtherN}
			return
		}
	}
}
