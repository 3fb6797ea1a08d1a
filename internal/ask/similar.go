package ask

import (
	"context"
	"strings"

	"episodes/query"
	"episodes/query/text"
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
	return tooLong("context", r.Context)
}

// Similar lists the decisions whose context is most like the words. Copies of a session
// count once.
func (m *Memory) Similar(ctx context.Context, r SimilarRequest) (*SimilarAnswer, error) {
	if err := r.Check(); err != nil {
		return nil, err
	}
	all, g, err := m.alike(ctx, r.Context)
	if err != nil {
		return nil, err
	}
	of := 0
	if g != nil {
		totals, err := g.Totals()
		if err != nil {
			return nil, err
		}
		of = totals.Decisions
	}
	found, more := query.Similar(all, of, r.Context, r.Limit)
	if g != nil {
		if err := query.CountAll(found, g.Node); err != nil {
			return nil, err
		}
	}
	if len(found) == 0 {
		m.note("no decision was taken in a situation like %q", r.Context)
	}
	for i := range found {
		found[i].Private = m.isPrivate(found[i].Episode)
		found[i].Project, found[i].Episode = m.project(found[i].Episode)
	}
	return &SimilarAnswer{append([]query.SimilarDecision{}, found...), more}, nil
}

// Text shows the decisions.
func (a *SimilarAnswer) Text(tokens int) string { return text.Similar(a.Decisions, a.More, tokens) }

// Empty reports whether no decision fits.
func (a *SimilarAnswer) Empty() bool { return len(a.Decisions) == 0 }
