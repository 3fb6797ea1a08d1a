package ask

import (
	"context"
	"slices"
	"strings"

	"episodes/causal"
	"episodes/query"
)

// TimelineAnswer lists sessions by time, and counts all by month.
type TimelineAnswer struct {
	query.EpisodeList
	Months []Month `json:"months"` // newest first; sessions without a date last
}

// Month counts the sessions of a month by outcome.
type Month struct {
	Name string       `json:"name"` // 2026-01; "" for sessions without a date
	Of   causal.Tally `json:"sessions"`
}

// mostMonths is how many months are counted, the newest.
const mostMonths = 24

// Timeline lists the sessions that a request lets pass, the newest first, with the count of each month.
func (m *Memory) Timeline(ctx context.Context, r ListRequest) (*TimelineAnswer, error) {
	list, err := m.List(ctx, r)
	if err != nil {
		return nil, err
	}
	all, _, err := m.summaries(ctx)
	if err != nil {
		return nil, err
	}
	counts := map[string]causal.Tally{}
	for _, e := range all {
		name := e.Timestamp[:min(len(e.Timestamp), len("2026-01"))]
		t := counts[name]
		t.Add(e.Outcome, 1)
		counts[name] = t
	}
	a := &TimelineAnswer{EpisodeList: list.EpisodeList, Months: []Month{}}
	for name, t := range counts {
		a.Months = append(a.Months, Month{name, t})
	}
	slices.SortFunc(a.Months, func(x, y Month) int { return strings.Compare(y.Name, x.Name) })
	a.Months = a.Months[:min(len(a.Months), mostMonths)]
	return a, nil
}
