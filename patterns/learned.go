package patterns

import (
	"fmt"
	"slices"
	"strings"

	"episodes/causal"
	"episodes/infer"
	"episodes/keys"
	"episodes/query"
	"episodes/stats"
)

// learn adds the claims of the study that are within the thresholds. A claim for a
// task or after an event is left out where the same is claimed for every session.
func (r *Result) learn(g *ground, o Options) {
	claims, considered := o.Study.Asserted()
	r.Considered += considered
	r.Testable += considered
	type general struct {
		point, option string
		raises        bool
	}
	told := map[general]bool{}
	for _, c := range claims {
		if c.Task == nil && c.Seen == nil {
			told[general{c.Point.Key, c.Option.Key, c.Raises()}] = true
		}
	}
	for _, c := range claims {
		narrow := c.Task != nil || c.Seen != nil
		if c.Q > o.Q || c.Rates.N < o.MinOccurrences || narrow && told[general{c.Point.Key, c.Option.Key, c.Raises()}] {
			continue
		}
		p := Learned(c)
		if tellsItself(p) {
			continue
		}
		if c.Raises() && p.SuccessRate < o.MinSuccess || !c.Raises() && p.SuccessRate > o.MaxSuccess {
			continue
		}
		for i := range g.uses {
			u := &g.uses[i]
			if _, in := slices.BinarySearch(p.Episodes, u.Episode); in && u.ChosenKey == c.Option.Key && u.Point == c.Point.Key {
				p.Uses = append(p.Uses, query.Use{Episode: u.Episode, Record: u.Record, Outcome: u.Outcome})
			}
		}
		// What an event seems to lead to in the same sessions is the same regularity.
		r.Patterns = slices.DeleteFunc(r.Patterns, func(q Pattern) bool {
			return q.Kind == p.Kind && q.Basis == p.Basis && q.Action == p.Action && q.TriggerKind != p.TriggerKind && slices.Equal(q.Episodes, p.Episodes)
		})
		r.Patterns = append(r.Patterns, p)
	}
}

// Learned turns a claim of the outcome model into a pattern: the option against the
// other ones of its question, in a context known before the choice. The trigger is
// that context; the rates are those seen, the baseline is that of the others there.
func Learned(c infer.Claim) Pattern {
	t := c.Rates
	p := Pattern{
		Kind: query.GoodPattern, Trigger: c.Point.Label, Action: c.Option.Label, TriggerKind: "question",
		BaselineN: t.OtherN, Basis: query.OtherOptions, PValue: c.P, QValue: c.Q, Occurrences: t.N, Episodes: append([]string{}, c.Episodes...), Uses: []query.Use{},
		Adjusted: &query.Difference{Difference: c.Difference, Low: c.Interval.Low, High: c.Interval.High, Expected: c.Effect},
	}
	for _, e := range c.Adjusted {
		p.Adjusted.For = append(p.Adjusted.For, e.Label)
	}
	if !c.Raises() {
		p.Kind = query.AntiPattern
	}
	key := c.Point.Key
	switch {
	case c.Task != nil:
		p.Task, key = c.Task.Label, key+" | task "+c.Task.Key
	case c.Seen != nil:
		p.Seen, key = c.Seen.Label, key+" | seen "+c.Seen.Key
		p.TriggerNode, p.TriggerKind, p.SeenKind = c.SeenNode, query.SeenBefore, eventKind(c.Seen.Key)
	}
	p.Name = keys.Choice(key, c.Option.Key)
	p.ID = causal.PatternID(p.Name)
	p.SuccessRate, p.Baseline = rate(t.Successes, t.N), rate(t.OtherSuccesses, t.OtherN)
	if p.Baseline > 0 {
		lift := p.SuccessRate / p.Baseline
		p.Lift = &lift
	}
	i := stats.Wilson(t.Successes, t.N, query.Level)
	p.Low, p.High = i.Low, i.High
	ground := p.Ground(func(s string) string { return fmt.Sprintf("%q", s) })
	p.Description = fmt.Sprintf("%s, %q ended well in %d of %d episodes (%.0f %%); the other options there did in %d of %d (%.0f %%); under like conditions the difference is %+.2f.",
		strings.ToUpper(ground[:1])+ground[1:], c.Option.Label, t.Successes, t.N, 100*p.SuccessRate, t.OtherSuccesses, t.OtherN, 100*p.Baseline, c.Difference)
	return p
}

func rate(s, n int) float64 {
	if n == 0 {
		return 0
	}
	return float64(s) / float64(n)
}
