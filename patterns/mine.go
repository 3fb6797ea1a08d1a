// Package patterns lists the choices that ended well significantly more often than the other
// options of their question, or less often, as package infer claims them; and it counts the
// choices and errors that recur.
// Other programs use package episodes: only that is a promise.
package patterns

import (
	"cmp"
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

// Pattern is one pattern or anti-pattern; see query.Pattern.
type Pattern = query.Pattern

// Options are the thresholds of a claim. Zero values are not replaced; see Defaults.
type Options struct {
	MinOccurrences int     // episodes with a known outcome
	MinSuccess     float64 // least success rate of a pattern, 0 to 1
	MaxSuccess     float64 // greatest success rate of an anti-pattern, 0 to 1
	Q              float64 // greatest q-value
}

// Defaults are the thresholds that the program uses by default.
func Defaults() Options {
	return Options{MinOccurrences: 3, MinSuccess: 0.7, MaxSuccess: 0.3, Q: infer.ClaimQ}
}

// Result holds the patterns and the number of candidates.
type Result struct {
	Patterns   []Pattern `json:"patterns"`   // both kinds, best evidence first
	Considered int       `json:"considered"` // options in contexts that could have been claimed
	// Ledger counts the choices and errors that most sessions have, choices first.
	Ledger []query.LedgerEntry `json:"ledger"`
	// Closest is the choice that comes closest to a claim, where no pattern is claimed.
	Closest *query.Closest `json:"closest,omitempty"`
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

// Within returns the patterns that are within thresholds. The q-values do not depend on them.
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

// Mine returns all patterns and anti-patterns that a study claims of the graph that it is about. known
// gives the mentions of an event sooner than the graph does, none where it does not know them; it may
// be nil.
//
// A claim for a task or after an event is left out where the same is claimed for all sessions.
func Mine(r query.Reader, s *infer.Study, known func(node string) []causal.Mention) (Result, error) {
	d, err := collect(r)
	if err != nil {
		return Result{}, err
	}
	type general struct {
		point, option string
		raises        bool
	}
	of := func(c infer.Claim) general { return general{c.Point.Key, c.Option.Key, c.Raises()} }
	claims := s.Claims()
	res := Result{Patterns: []Pattern{}, Considered: len(claims)}
	claimed := map[general]bool{}
	for _, c := range claims {
		claimed[of(c)] = claimed[of(c)] || c.Asserted && !narrow(c)
	}
	for _, c := range claims {
		if !c.Asserted || narrow(c) && claimed[of(c)] {
			continue
		}
		if p := Learned(c); !repeatsItself(p) {
			p.Uses = append(p.Uses, d.usesOf(c)...)
			res.Patterns = append(res.Patterns, p)
		}
	}
	slices.SortFunc(res.Patterns, compare)
	res.Closest = d.closest()
	res.Ledger, err = ledger(r, d, known)
	return res, err
}

// narrow reports whether a claim is about one task, or what was seen before.
func narrow(c infer.Claim) bool { return c.Task != nil || c.Seen != nil }

// compare puts the best evidence first: the least q, then the largest effect.
func compare(a, b Pattern) int {
	effect := func(p Pattern) float64 { return max(p.SuccessRate-p.Baseline, p.Baseline-p.SuccessRate) }
	return cmp.Or(cmp.Compare(a.QValue, b.QValue), cmp.Compare(effect(b), effect(a)), strings.Compare(a.ID, b.ID))
}

// repeatsItself reports whether a pattern's trigger only repeats its action, or what was seen before
// some of its words.
func repeatsItself(p Pattern) bool {
	of, action := strings.Fields(keys.Canonical(cmp.Or(p.Seen, p.Trigger))), strings.Fields(keys.Canonical(p.Action))
	n := keys.Shared(of, action)
	return n == len(of) && (n == len(action) || p.Seen != "" && n > 1)
}

// Learned turns a claim of the outcome model into a pattern: the option compared with
// the others of its question, in a context known before the choice. The trigger is that
// context; the rates are the observed ones, the baseline is that of the other options.
func Learned(c infer.Claim) Pattern {
	t := c.Rates
	p := Pattern{
		Kind: query.GoodPattern, Trigger: c.Point.Label, Action: c.Option.Label,
		BaselineN: t.OtherN, PValue: c.P, QValue: c.Q, Occurrences: t.N,
		Instances: c.Instances, Episodes: append([]string{}, c.Episodes...), Uses: []query.Use{},
		Adjusted: c.Difference, TheseTasks: c.TheseTasks,
		Spread: query.Spread{Sessions: len(c.Episodes), Days: c.Days, OneDay: c.OneDay},
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
