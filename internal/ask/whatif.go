package ask

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"episodes/internal/term"
	"episodes/query"
	"episodes/query/text"
)

// WhatIfRequest asks what another option would have done.
type WhatIfRequest struct {
	Option  string // in words; or EPISODE#d001 without Episode and Context
	Context string // words of the question that was decided
	Episode string // compare with what this episode chose
}

// WhatIfAnswer compares an option with what was done instead.
type WhatIfAnswer struct {
	query.WhatIfResult
	Private []string `json:"private,omitempty"` // private episodes that were counted
}

// Check refuses a request that cannot be answered.
func (r WhatIfRequest) Check() error {
	if strings.TrimSpace(r.Option) == "" {
		return &RequestError{Params: []string{"decision"}, Help: true}
	}
	return cmp.Or(tooLong("decision", r.Option), tooLong("context", r.Context))
}

// WhatIf compares an option with the others at the same question. The error is
// ErrNoEpisode if the episode of the request does not exist, and ErrTogether if parts
// of the request exclude each other.
func (m *Memory) WhatIf(ctx context.Context, r WhatIfRequest) (*WhatIfAnswer, error) {
	if err := r.Check(); err != nil {
		return nil, err
	}
	g, err := m.openGraph(ctx)
	if err != nil {
		return nil, err
	}
	q := query.WhatIfQuery{Context: r.Context, Episodes: m}
	if r.Episode != "" {
		if q.Episode, err = m.find(r.Episode); err != nil {
			return nil, err
		}
	}
	if q.Option, err = m.decisionRef(r.Option); err != nil {
		return nil, err
	}
	if q.Study, err = m.studyOf(g); err != nil {
		return nil, err
	}
	found, err := query.WhatIf(g, q)
	if err != nil {
		return nil, err
	}
	if len(found.Matched)+len(found.Asked) == 0 {
		if err := m.closest(ctx, found, r.Option); err != nil {
			return nil, err
		}
	}
	var ids []string
	for _, use := range found.Matched {
		ids = append(ids, use.Episode)
	}
	for _, a := range found.Asked {
		if a.Last != nil {
			ids = append(ids, a.Last.Episode)
		}
	}
	if found.Closest != nil && found.Closest.Episode != "" {
		ids = append(ids, found.Closest.Episode)
	}
	return &WhatIfAnswer{*found, m.privateOf(ids)}, nil
}

// leastClosest is the least score in a search at which a decision is offered as what may be
// meant.
const leastClosest = 4

// closest offers the decision that a search for the words finds, where it is near enough.
func (m *Memory) closest(ctx context.Context, r *query.WhatIfResult, words string) error {
	hits, err := m.Search(ctx, SearchRequest{Text: words, Kind: "decision", Limit: 1})
	if err != nil || len(hits.Hits) == 0 || hits.Hits[0].Score < leastClosest {
		return err
	}
	hit := hits.Hits[0]
	ep, err := m.Load(hit.Episode)
	if err != nil {
		return err
	}
	d := ep.Decision(hit.Record)
	if d == nil {
		return nil
	}
	r.Closest = &query.ClosestChoice{Context: d.Context, Option: d.Chosen, Reason: d.Rationale, Episode: ep.ID, Record: d.ID,
		Not: slices.DeleteFunc(slices.Clone(d.Options), func(o string) bool { return o == d.Chosen })}
	return nil
}

// Text gives the verdict and what it rests on.
func (a *WhatIfAnswer) Text(tokens int) string {
	return term.Cut(text.WhatIf(&a.WhatIfResult, tokens)+privateText(a.Private), tokens)
}

// Empty reports whether there is too little evidence for a verdict.
func (a *WhatIfAnswer) Empty() bool { return a.Verdict == query.NotEnoughEvidence }
