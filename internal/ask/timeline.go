package ask

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"

	"episodes/causal"
	"episodes/episode"
	"episodes/graph"
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
// Unlike List it asks the graph, so it works where there are no files.
func (m *Memory) Timeline(ctx context.Context, r ListRequest) (*TimelineAnswer, error) {
	filter, err := r.filter(m.now())
	if err != nil {
		return nil, err
	}
	all, err := m.sessions(ctx)
	if err != nil {
		return nil, err
	}
	filter.After = r.After
	list, err := query.List(all, filter)
	if err != nil {
		return nil, err
	}
	for i := range list.Episodes {
		list.Episodes[i].Private = m.isPrivate(list.Episodes[i].ID)
	}
	counts := map[string]causal.Tally{}
	for _, e := range all {
		name := e.Timestamp[:min(len(e.Timestamp), len("2026-01"))]
		t := counts[name]
		t.Add(e.Outcome, 1)
		counts[name] = t
	}
	a := &TimelineAnswer{EpisodeList: *list, Months: []Month{}}
	for name, t := range counts {
		a.Months = append(a.Months, Month{name, t})
	}
	slices.SortFunc(a.Months, func(x, y Month) int { return strings.Compare(y.Name, x.Name) })
	a.Months = a.Months[:min(len(a.Months), mostMonths)]
	return a, nil
}

// sessions are summaries of the sessions of the graph, without copies, as its totals count them.
func (m *Memory) sessions(ctx context.Context) ([]query.EpisodeSummary, error) {
	type kept struct {
		_ struct{} `cbor:",toarray"` // decoded in half the time
		query.EpisodeSummary
	}
	all, err := keptOf(ctx, m, sessionsName, func(g *graph.Graph) ([]kept, error) {
		set, err := g.Counted()
		if err != nil {
			return nil, err
		}
		return ofEach(m, set, func(ep *episode.Episode) kept { return kept{EpisodeSummary: query.Summarise(ep)} })
	})
	out := make([]query.EpisodeSummary, len(all))
	for i := range all {
		out[i] = all[i].EpisodeSummary
	}
	return out, err
}

// ofEach returns what a function makes of each episode of a set that still exists, in its order.
func ofEach[T any](m *Memory, set []graph.Entry, f func(*episode.Episode) T) (out []T, err error) {
	ids := make([]string, len(set))
	for i, e := range set {
		ids[i] = e.ID
	}
	from, _, err := m.loader(ids)
	if err != nil {
		return nil, err
	}
	each, errs := make([]*T, len(ids)), make([]error, len(ids))
	atOnce(len(ids), func(i int) {
		ep, err := from.Load(ids[i])
		if err == nil {
			v := f(ep)
			each[i] = &v
		} else if !errors.Is(err, fs.ErrNotExist) {
			errs[i] = err
		}
	})
	for _, v := range each {
		if v != nil {
			out = append(out, *v)
		}
	}
	return out, errors.Join(errs...)
}
