package ask

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"

	"episodes/causal"
	"episodes/episode"
	"episodes/query"
	"episodes/query/text"
	"episodes/recall"
)

// SimilarRequest asks for decisions taken in a like context.
type SimilarRequest struct {
	Context string // words
	Limit   int    // 0: query.DefaultSimilar
}

// SimilarAnswer lists decisions with their outcomes and reasons, the newest first.
type SimilarAnswer struct {
	Decisions []query.SimilarDecision `json:"decisions"`
	More      int                     `json:"more"` // that fit too, but less
}

// Check refuses a request that cannot be answered.
func (r SimilarRequest) Check() error {
	if strings.TrimSpace(r.Context) == "" {
		return &RequestError{Params: []string{"context"}, Help: true}
	}
	return nil
}

// Similar lists the decisions whose context is most like the words. Copies of a session
// count once.
func (m *Memory) Similar(ctx context.Context, r SimilarRequest) (*SimilarAnswer, error) {
	if err := r.Check(); err != nil {
		return nil, err
	}
	if m.Team != "" {
		return m.similarInTeam(ctx, r)
	}
	g, err := m.openGraph(ctx)
	if err != nil {
		return nil, err
	}
	set, err := g.Counted()
	if err != nil {
		return nil, fmt.Errorf("list the episodes of the graph: %w", err)
	}
	each, errs := make([][]query.SimilarDecision, len(set)), make([]error, len(set))
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(set)) {
		wg.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(set)); i = next.Add(1) - 1 {
				ep, err := m.Load(set[i].ID)
				if err == nil {
					each[i] = query.DecisionsOf(ep)
				} else if !errors.Is(err, fs.ErrNotExist) {
					errs[i] = err
				}
			}
		})
	}
	wg.Wait()
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	var all []query.SimilarDecision
	for _, list := range each {
		all = append(all, list...)
	}
	return m.similarOf(all, r), nil
}

// similarInTeam looks among the episodes of the store that fit the words best.
func (m *Memory) similarInTeam(ctx context.Context, r SimilarRequest) (*SimilarAnswer, error) {
	var found []*episode.Episode
	prints := map[string]causal.Print{}
	_, err := m.eachInTeam(ctx, recall.Analyse(recall.ATask, r.Context), func(ep *episode.Episode) {
		found, prints[ep.ID] = append(found, ep), causal.PrintOf(ep)
	})
	if err != nil {
		return nil, err
	}
	var all []query.SimilarDecision
	votes := causal.Votes(prints)
	for _, ep := range found {
		if votes[ep.ID] == ep.ID {
			all = append(all, query.DecisionsOf(ep)...)
		}
	}
	return m.similarOf(all, r), nil
}

func (m *Memory) similarOf(all []query.SimilarDecision, r SimilarRequest) *SimilarAnswer {
	found, more := query.Similar(all, r.Context, r.Limit)
	if len(found) == 0 {
		m.note("no decision was taken in a situation like %q", r.Context)
	}
	for i := range found {
		found[i].Private = m.isPrivate(found[i].Episode)
		found[i].Project, found[i].Episode = m.project(found[i].Episode)
	}
	return &SimilarAnswer{append([]query.SimilarDecision{}, found...), more}
}

// Text shows the decisions.
func (a *SimilarAnswer) Text(tokens int) string { return text.Similar(a.Decisions, a.More, tokens) }

// Empty reports whether no decision fits.
func (a *SimilarAnswer) Empty() bool { return len(a.Decisions) == 0 }
