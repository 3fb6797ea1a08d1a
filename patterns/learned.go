package patterns

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"episodes/causal"
	"episodes/infer"
	"episodes/keys"
	"episodes/query"
	"episodes/stats"
)

// addClaims adds the claims of the study that are within the thresholds. A claim for a
// task or after an event is left out where the same is claimed for all sessions.
func (r *Result) addClaims(g *decisions, o Options) {
	claims, considered := o.Study.Asserted()
	r.Considered += considered
	r.Testable += considered
	type general struct {
		point, option string
		raises        bool
	}
	of := func(c infer.Claim) general { return general{c.Point.Key, c.Option.Key, c.Raises()} }
	claimed := map[general]bool{}
	for _, c := range claims {
		if !narrow(c) {
			claimed[of(c)] = true
		}
	}
	for _, c := range claims {
		if narrow(c) && claimed[of(c)] || !o.allow(c) {
			continue
		}
		p := Learned(c)
		if repeatsItself(p) {
			continue
		}
		p.Uses = append(p.Uses, g.usesOf(c, p.Episodes)...)
		// What an event seems to lead to in the same sessions is the same pattern.
		r.Patterns = slices.DeleteFunc(r.Patterns, func(q Pattern) bool {
			return q.Kind == p.Kind && q.Basis == p.Basis && q.Action == p.Action &&
				q.TriggerKind != p.TriggerKind && slices.Equal(q.Episodes, p.Episodes)
		})
		r.Patterns = append(r.Patterns, p)
	}
}

// narrow reports whether a claim is about one task, or what was seen before.
func narrow(c infer.Claim) bool { return c.Task != nil || c.Seen != nil }

// allow reports whether a claim is within the thresholds.
func (o Options) allow(c infer.Claim) bool {
	success := rate(c.Rates.Successes, c.Rates.N)
	if c.Q > o.Q || c.Rates.N < o.MinOccurrences {
		return false
	}
	return c.Raises() && success >= o.MinSuccess || !c.Raises() && success <= o.MaxSuccess
}

// usesOf returns the decisions behind a claim in the episodes given, which are sorted.
func (g *decisions) usesOf(c infer.Claim, episodes []string) (out []query.Use) {
	for i := range g.uses {
		u := &g.uses[i]
		if _, in := slices.BinarySearch(episodes, u.Episode); in && u.ChosenKey == c.Option.Key && u.Point == c.Point.Key {
			out = append(out, query.Use{Episode: u.Episode, Record: u.Record, Outcome: u.Outcome})
		}
	}
	return out
}

// Learned turns a claim of the outcome model into a pattern: the option compared with
// the others of its question, in a context known before the choice. The trigger is that
// context; the rates are the observed ones, the baseline is that of the other options.
func Learned(c infer.Claim) Pattern {
	t := c.Rates
	p := Pattern{
		Kind: query.GoodPattern, Trigger: c.Point.Label, Action: c.Option.Label, TriggerKind: "question",
		BaselineN: t.OtherN, Basis: query.OtherOptions, PValue: c.P, QValue: c.Q, Occurrences: t.N,
		Instances: c.Instances, Episodes: append([]string{}, c.Episodes...), Uses: []query.Use{},
		Adjusted: &query.Difference{Difference: c.Difference, Low: c.Interval.Low, High: c.Interval.High, Expected: c.Effect},
	}
	p.Spread = query.Spread{Sessions: len(p.Episodes), Days: c.Days, OneDay: c.OneDay}
	p.TheseTasks = c.TheseTasks
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
	i := rateInterval(t.Successes, t.N, c.Instances)
	p.Low, p.High = i.Low, i.High
	ground := p.TriggerText(query.Quote)
	p.Description = fmt.Sprintf("%s, %s ended well in %d of %d sessions (%.0f %%); the other options there did in %d of %d (%.0f %%); under like conditions the difference is %+.2f.",
		strings.ToUpper(ground[:1])+ground[1:], query.Quote(c.Option.Label), t.Successes, t.N, 100*p.SuccessRate,
		t.OtherSuccesses, t.OtherN, 100*p.Baseline, c.Difference)
	return p
}

func rate(s, n int) float64 {
	if n == 0 {
		return 0
	}
	return float64(s) / float64(n)
}

// rateInterval is the Wilson interval of a rate over sessions; of several that worked on one
// instance only one counts, with their rate.
func rateInterval(successes, n, instances int) stats.Interval {
	if instances < n {
		successes, n = int(math.Round(float64(successes)*float64(instances)/float64(n))), instances
	}
	return stats.Wilson(successes, n, query.Level)
}
