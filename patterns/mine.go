// Package patterns mines the decisions of all episodes for patterns and
// anti-patterns: after a trigger, an action succeeded significantly more often, or
// less often, than its alternatives.
//
// A trigger is a question that was decided or an event that the log says led to
// the decision; the action is the option taken. A pattern is only claimed when
// Fisher's test with mid-p against its baseline survives the control of false
// discoveries over everything that could have been claimed. Counts are over episodes,
// so neither the order of episodes nor duplicates change anything.
//
// Pairs whose margins cannot reach the p-value attainable are not tested (Tarone 1990,
// Biometrics 46:515); the others get the two-sided mid-p value of Fisher's test
// (Lancaster 1961, J. Am. Stat. Assoc. 56:223) and, over all of them, the q-value of
// Benjamini and Hochberg (1995, J. R. Stat. Soc. B 57:289). Claimed patterns have a
// q-value, a number of known outcomes and a success rate within Options.
// TestFalseAndTrueDiscoveries measures how often they are wrong.
// Other programs use package episodes: only that is a promise.
package patterns

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"episodes/causal"
	"episodes/episode"
	"episodes/infer"
	"episodes/keys"
	"episodes/query"
	"episodes/stats"
)

// Pattern is one pattern or anti-pattern; see query.Pattern.
type Pattern = query.Pattern

// Options are the thresholds of a claim. Zero values are not replaced; see Defaults.
type Options struct {
	MinOccurrences int     // episodes with a known outcome
	MinSuccess     float64 // least success rate of a pattern, 0 to 1
	MaxSuccess     float64 // greatest success rate of an anti-pattern, 0 to 1
	Q              float64 // greatest q-value
	// Study, when not nil, compares the options of questions instead: under like
	// conditions, in every context known before the choice.
	Study *infer.Study
	// Instance, when not nil, gives the one thing that an episode worked on, "" where its log
	// names none. Sessions of one are evidence of one thing.
	Instance func(episode string) string
	// Notes, when not nil, gives the lessons of an episode, for the patterns that
	// they explain.
	Notes func(episode string) []Note
	// Mentions, when not nil, gives the mentions of an event sooner than the graph does; none
	// where it does not know them.
	Mentions func(node string) []causal.Mention
}

// Defaults are the thresholds that the program uses by default.
func Defaults() Options {
	return Options{MinOccurrences: 3, MinSuccess: 0.7, MaxSuccess: 0.3, Q: 0.10}
}

// Result holds the patterns and the number of candidates.
type Result struct {
	Patterns   []Pattern `json:"patterns"`   // both kinds, best evidence first
	Considered int       `json:"considered"` // pairs of a trigger and an action
	Testable   int       `json:"testable"`   // of those, with counts that could show something
	// Ledger counts the choices and errors that most sessions have, choices first.
	Ledger []query.LedgerEntry `json:"ledger"`
	// Closest is the choice that comes closest to a claim, where no pattern is claimed.
	Closest *query.Closest `json:"closest,omitempty"`
	// Explain is nil unless asked for.
	Explain *query.Reasons `json:"explain,omitempty"`
}

// Only returns the result with the patterns of one kind, and what the ledger has for them.
func (r Result) Only(kind query.PatternKind) Result {
	out := r
	out.Patterns = []Pattern{}
	for _, p := range r.Patterns {
		if p.Kind == kind {
			out.Patterns = append(out.Patterns, p)
		}
	}
	out.Ledger = ledgerOf(r.Ledger, kind)
	if len(out.Patterns) > 0 {
		out.Closest = nil
	}
	return out
}

// Loosest are the loosest useful thresholds; Within narrows a result that was mined with
// them.
func Loosest() Options {
	d := Defaults()
	return Options{MaxSuccess: 1, Q: d.Q}
}

// Within returns the patterns that are within thresholds at least as strict as
// those they were mined with. The q-values do not depend on thresholds.
func (r Result) Within(o Options) Result {
	out := r
	out.Patterns = []Pattern{}
	for _, p := range r.Patterns {
		good := p.Kind == query.GoodPattern && p.SuccessRate >= o.MinSuccess ||
			p.Kind == query.AntiPattern && p.SuccessRate <= o.MaxSuccess
		if good && p.QValue <= o.Q && p.Occurrences >= o.MinOccurrences {
			out.Patterns = append(out.Patterns, p)
		}
	}
	return out
}

// attainable is the p-value that the margins of a candidate must be able to reach for it
// to be tested. It depends on the numbers of trials and successes only, never on which
// trials succeeded.
const attainable = 0.01

// Mine returns the patterns and anti-patterns of the graph.
func Mine(r query.Reader, o Options) (Result, error) {
	g, err := collect(r)
	if err != nil {
		return Result{}, err
	}
	cands := g.candidates()
	if o.Study != nil {
		cands = slices.DeleteFunc(cands, func(c *candidate) bool { return c.at.event == "" || !o.Study.Health().Enough })
	}
	res := Result{Patterns: []Pattern{}, Considered: len(cands)}
	cands = slices.DeleteFunc(cands, func(c *candidate) bool { return !c.testable() })
	res.Testable = len(cands)
	p, over := make([]float64, len(cands)), make([]infer.Instances, len(cands))
	for i, c := range cands {
		over[i] = g.instances(c, o.Instance)
		p[i] = over[i].Deflate(stats.FisherMidP(c.table()))
	}
	q := stats.BenjaminiHochberg(p)
	for i, c := range cands {
		kind, ok := c.claim(q[i], o)
		with, without := over[i].Count()
		if !ok || with < infer.LeastInstances || c.basis == query.OtherOptions && without < infer.LeastInstances {
			continue
		}
		pattern, err := g.describe(r, c, kind)
		if err != nil {
			return Result{}, err
		}
		if repeatsItself(pattern) {
			continue
		}
		pattern.PValue, pattern.QValue, pattern.Instances = p[i], q[i], with
		interval := rateInterval(c.does.tally.Success, c.does.tally.Known(), with)
		pattern.Low, pattern.High = interval.Low, interval.High
		pattern.Spread = g.spread(c)
		res.Patterns = append(res.Patterns, pattern)
	}
	if o.Study != nil {
		res.addClaims(g, o)
	}
	g.attachLessons(res.Patterns, o.Notes)
	slices.SortFunc(res.Patterns, compare)
	res.Closest = g.closest()
	res.Ledger, err = ledger(r, g, o.Mentions)
	return res, err
}

// instances are the sessions of a candidate by what they worked on. Where it is compared with
// the decisions elsewhere, which are many, only its own are.
func (g *decisions) instances(c *candidate, of func(episode string) string) (out infer.Instances) {
	for _, a := range c.at.actions {
		if a != c.does && c.basis != query.OtherOptions {
			continue
		}
		a.each(g.uses, func(u *causal.Use, outcome episode.Outcome) {
			if outcome.Known() {
				instance := ""
				if of != nil {
					instance = of(u.Episode)
				}
				out.Add(instance, a == c.does, outcome == episode.Success)
			}
		})
	}
	return out
}

// spread is over how many days a candidate's own sessions are spread, and whether one day has most
// of them, or of those that it is compared with at its trigger.
func (g *decisions) spread(c *candidate) query.Spread {
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
	n, one := days.Spread()
	return query.Spread{Sessions: c.does.tally.Known(), Days: n, OneDay: one}
}

// compare puts the best evidence first: the least q, then the largest effect.
func compare(a, b Pattern) int {
	effect := func(p Pattern) float64 { return max(p.SuccessRate-p.Baseline, p.Baseline-p.SuccessRate) }
	return cmp.Or(cmp.Compare(a.QValue, b.QValue), cmp.Compare(effect(b), effect(a)), strings.Compare(a.ID, b.ID))
}

// claim reports whether a candidate with this q-value is claimed, and as what.
func (c *candidate) claim(q float64, o Options) (query.PatternKind, bool) {
	t := c.does.tally
	rate, _ := t.Rate()
	base, _ := c.base.Rate()
	switch {
	case q > o.Q || t.Known() < o.MinOccurrences:
		return "", false
	case rate >= o.MinSuccess && rate > base:
		return query.GoodPattern, true
	case rate <= o.MaxSuccess && rate < base:
		return query.AntiPattern, true
	}
	return "", false
}

// describe puts a claimed candidate into words.
func (g *decisions) describe(r query.Reader, c *candidate, kind query.PatternKind) (Pattern, error) {
	p := Pattern{
		Kind: kind, BaselineN: c.base.Known(), BaselineUnknown: c.base.Unknown, Basis: c.basis,
		Occurrences: c.does.tally.Known(), Unknown: c.does.tally.Unknown,
		Episodes: []string{}, TriggerNode: c.at.event, TriggerKind: "question", Uses: []query.Use{},
	}
	questions, options := map[string]int{}, map[string]int{}
	for _, i := range c.does.uses {
		u := &g.uses[i]
		options[u.Chosen]++
		p.Uses = append(p.Uses, query.Use{Episode: u.Episode, Record: u.Record, Outcome: u.Outcome})
	}
	for _, a := range c.at.actions {
		for _, i := range a.uses {
			if q := g.uses[i].Context; q != "" {
				questions[q]++
			}
		}
	}
	c.does.each(g.uses, func(u *causal.Use, out episode.Outcome) {
		if out.Known() {
			p.Episodes = append(p.Episodes, u.Episode)
		}
	})
	triggerKey := c.at.point
	p.Trigger, p.Action = cmp.Or(query.Commonest(questions), c.at.point), query.Commonest(options)
	if c.at.event != "" {
		n, ok, err := r.Node(c.at.event)
		if err != nil {
			return Pattern{}, fmt.Errorf("read the trigger of a pattern: %w", err)
		}
		if !ok {
			return Pattern{}, fmt.Errorf("%w: it names node %q as a trigger but does not hold it", query.ErrDamaged, c.at.event)
		}
		p.Trigger, triggerKey, p.TriggerKind = n.Label, n.Key, eventKind(n.Key)
	}
	p.Name = keys.Choice(triggerKey, c.does.action)
	p.ID = causal.PatternID(p.Name)
	p.SuccessRate, _ = c.does.tally.Rate()
	p.Baseline, _ = c.base.Rate()
	if p.Baseline > 0 {
		lift := p.SuccessRate / p.Baseline
		p.Lift = &lift
	}
	p.Description = sentence(p, c)
	return p, nil
}

func sentence(p Pattern, c *candidate) string {
	rest := "the other options there did in %d of %d (%.0f %%)"
	if c.basis == query.OtherDecisions {
		rest = "other decisions did in %d of %d (%.0f %%)"
	}
	ground := p.TriggerText(query.Quote)
	only := "" // why a what-if may show other numbers
	if p.TriggerNode != "" {
		only = " Counted are the decisions that the logs say it led to."
	}
	return fmt.Sprintf("%s, %s ended well in %d of %d sessions (%.0f %%)%s; "+rest+"%s.%s",
		strings.ToUpper(ground[:1])+ground[1:], query.Quote(p.Action), c.does.tally.Success, c.does.tally.Known(),
		100*p.SuccessRate, leftOut(p.Unknown), c.base.Success, c.base.Known(), 100*p.Baseline,
		leftOut(p.BaselineUnknown), only)
}

func leftOut(unknown int) string {
	if unknown == 0 {
		return ""
	}
	return fmt.Sprintf(", with %d unknown left out", unknown)
}

// eventKind is the type of an event, with which the key of its node begins; "event"
// where an episode gave a key of its own.
func eventKind(key string) string {
	if head, _, ok := strings.Cut(key, ": "); ok {
		kind, _, _ := strings.Cut(head, " ") // "test fail: …"
		if slices.Contains(eventTypes, episode.EventType(kind)) {
			return kind
		}
	}
	return "event"
}

// table compares the action with its baseline. A partial outcome is no success.
func (c *candidate) table() stats.Table {
	return stats.Table{Successes: c.does.tally.Success, N: c.does.tally.Known(), OtherSuccesses: c.base.Success,
		OtherN: c.base.Known()}
}

func (c *candidate) testable() bool {
	t := c.table()
	if t.N == 0 || t.OtherN == 0 {
		return false
	}
	return stats.SmallestMidP(t.N, t.OtherN, t.Successes+t.OtherSuccesses) <= attainable
}
