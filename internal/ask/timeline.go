package ask

import (
	"context"
	"slices"
	"strings"

	"episodes/causal"
	"episodes/episode"
	"episodes/graph"
	"episodes/query"
)

// TimelineAnswer lists sessions by time, and counts them by month, listed or not.
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

// Timeline lists the sessions that a request lets pass, the newest first, with their count of each month.
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
		if !filter.Keeps(&e) {
			continue
		}
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

// outline is what pages show of each session.
type outline struct {
	_       struct{} `cbor:",toarray"`
	Summary query.EpisodeSummary
	Errors  []query.ErrorMet
}

func (m *Memory) outlines(g *graph.Graph) ([]outline, error) {
	return keptEach(m, g, outlinesName, 1, func(ep *episode.Episode) outline {
		return outline{Summary: query.Summarise(ep), Errors: query.ErrorsMet(ep)}
	})
}

// sessions are summaries of the sessions of the graph, without copies, as its totals count them.
func (m *Memory) sessions(ctx context.Context) ([]query.EpisodeSummary, error) {
	return keptOf(ctx, m, sessionsName, func(g *graph.Graph) (all []query.EpisodeSummary, err error) {
		outlines, err := m.outlines(g)
		if len(outlines) == 0 {
			return nil, err
		}
		for _, s := range outlines {
			all = append(all, s.Summary)
		}
		list, err := query.List(all, query.Filter{Limit: len(all)}) // sorted, so that it need not be each time
		return list.Episodes, err
	})
}
