package query

import (
	"cmp"
	"slices"
	"strings"

	"episodes/causal"
	"episodes/keys"
	"episodes/stats"
)

// Question is a decision point with the ways that sessions took there.
type Question struct {
	Text     string  `json:"text"`
	Sessions int     `json:"sessions"`
	Last     string  `json:"last,omitempty"` // date
	Options  []Tried `json:"options"`        // best first; what nobody took comes last
	More     int     `json:"more_options,omitempty"`
}

// Tried is one way, with the decisions for it, the newest first.
type Tried struct {
	OptionStats
	Uses []MatchedUse `json:"uses"`
}

// The bounds of a question: its options, and of each the decisions.
const (
	mostTried = 12
	mostUses  = 8
)

// Questions returns the decision points at which two or more sessions took or named two or more ways, those of most
// sessions first; and how many there are. Those without a comparison, and verdicts of reviewers, are left out.
func Questions(r Reader, most int) (out []Question, total int, err error) {
	all, err := decisions(r)
	if err != nil {
		return nil, 0, err
	}
	for len(all) > 0 {
		n := slices.IndexFunc(all, func(u causal.Use) bool { return u.Point != all[0].Point })
		if n < 0 {
			n = len(all)
		}
		point := all[0].Point
		uses := slices.DeleteFunc(slices.Clone(all[:n]), func(u causal.Use) bool { return IsVerdict(u.Chosen) })
		all = all[n:]
		if point != "" && len(uses) > 1 {
			if q := questionOf(newChoice(point, uses)); q.Sessions > 1 && q.compares() {
				out = append(out, q)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b Question) int { return cmp.Or(b.Sessions-a.Sessions, strings.Compare(b.Last, a.Last)) })
	total = len(out)
	return out[:min(total, most)], total, nil
}

func questionOf(c *choice) Question {
	q := Question{Text: c.question()}
	sessions := map[string]bool{}
	slices.SortStableFunc(c.uses, func(a, b causal.Use) int { return b.Day - a.Day })
	for _, o := range c.sorted() {
		t := Tried{OptionStats: o.stats(), Uses: []MatchedUse{}}
		for _, u := range c.uses {
			if u.ChosenKey == o.key && len(t.Uses) < mostUses {
				t.Uses = append(t.Uses, MatchedUse{u.Episode, u.Record, u.Chosen, u.Outcome, u.OwnResult, u.Superseded})
			}
		}
		q.Options = append(q.Options, t)
	}
	for _, u := range c.uses {
		sessions[u.Episode] = true
		q.Last = max(q.Last, DateOf(u.Day))
	}
	q.Sessions = len(sessions)
	all := slices.Clone(q.Options)
	q.Options = slices.DeleteFunc(q.Options, func(o Tried) bool {
		return o.N == 0 && slices.ContainsFunc(all, func(t Tried) bool { return t.N > 0 && sameWay(o.Option, t.Option) })
	})
	slices.SortStableFunc(q.Options, func(a, b Tried) int {
		return cmp.Or(stats.Indicator(a.N == 0)-stats.Indicator(b.N == 0), compareStats(a.OptionStats, b.OptionStats))
	})
	q.More = max(0, len(q.Options)-mostTried)
	q.Options = q.Options[:len(q.Options)-q.More]
	return q
}

// compares reports whether there is another way, and the ways teach anything: one was taken again, was taken rather
// than another, or did not end well.
func (q Question) compares() bool {
	return len(q.Options) > 1 && slices.ContainsFunc(q.Options, func(t Tried) bool { return t.N != 1 || t.Partial+t.Failures > 0 })
}

// sameWay reports whether one wording of a way has all the words of the other.
func sameWay(a, b string) bool {
	x, y := keys.Words(a), keys.Words(b)
	least := min(len(x), len(y))
	return least > 0 && keys.Shared(x, y) == least
}
