package ask

import (
	"context"
	"fmt"
	"strings"

	"episodes/causal"
	"episodes/infer"
	"episodes/internal/term"
	"episodes/patterns"
	"episodes/query"
	"episodes/query/text"
)

// PatternsRequest asks what works here, or what never does. DefaultPatterns gives
// one to start from.
type PatternsRequest struct {
	Kind           query.PatternKind // query.GoodPattern or query.AntiPattern
	MinSuccess     float64           // least rate of success of a pattern, 0 to 1
	MaxSuccess     float64           // greatest rate of success of an anti-pattern, 0 to 1
	MinOccurrences int               // episodes with a known outcome, at least 1
	Limit          int               // show at most so many; 0: all
}

// DefaultPatterns returns the request with the default limits of the command line.
func DefaultPatterns(kind query.PatternKind) PatternsRequest {
	d := patterns.Defaults()
	return PatternsRequest{Kind: kind, MinSuccess: d.MinSuccess, MaxSuccess: d.MaxSuccess, MinOccurrences: d.MinOccurrences}
}

// PatternsAnswer lists the patterns that can be claimed.
type PatternsAnswer struct {
	patterns.Result
	Private []string `json:"private,omitempty"` // episodes behind the patterns that are this user's alone

	kind     query.PatternKind
	outcomes *causal.Tally // where there are too few for any pattern
}

// Check refuses a request that cannot be answered.
func (r PatternsRequest) Check() error {
	switch {
	case r.MinSuccess < 0 || r.MinSuccess > 1 || r.MaxSuccess < 0 || r.MaxSuccess > 1:
		return &RequestError{Message: "a rate of success must be between 0 and 1"}
	case r.MinOccurrences < 1:
		return badParam("min-occurrences", "", "must be 1 or more")
	}
	return nil
}

// Patterns lists actions that ended well (or badly) more often than what else was done.
func (m *Memory) Patterns(ctx context.Context, r PatternsRequest) (*PatternsAnswer, error) {
	if err := r.Check(); err != nil {
		return nil, err
	}
	o := patterns.Defaults()
	o.MinSuccess, o.MaxSuccess, o.MinOccurrences = r.MinSuccess, r.MaxSuccess, r.MinOccurrences
	mined, err := m.mine(ctx, o)
	if err != nil {
		return nil, err
	}
	found := mined.Only(r.Kind)
	if r.Limit > 0 && r.Limit < len(found.Patterns) {
		found.Patterns = found.Patterns[:r.Limit]
	}
	var few *causal.Tally
	if len(found.Patterns) == 0 {
		g, err := m.openGraph(ctx)
		if err != nil {
			return nil, err
		}
		t, err := g.Totals()
		if err != nil {
			return nil, fmt.Errorf("count the graph: %w", err)
		}
		if !infer.Enough(t.Outcomes.Success, t.Outcomes.Known()) {
			few = &t.Outcomes
		}
	}
	var ids []string
	for _, p := range found.Patterns {
		ids = append(ids, p.Episodes...)
	}
	for _, e := range found.Ledger {
		id, _, _ := strings.Cut(e.Last, "#")
		ids = append(ids, id)
	}
	return &PatternsAnswer{found, m.privateOf(ids), r.Kind, few}, nil
}

// Text shows the patterns, the best evidence first.
func (a *PatternsAnswer) Text(tokens int) string {
	why := ""
	if a.outcomes != nil {
		why = text.TooFew(*a.outcomes)
	}
	return term.Cut(text.Patterns(a.Patterns, a.Ledger, a.Closest, a.Considered, a.kind == query.AntiPattern, tokens)+why+
		privateText(a.Private), tokens)
}

// Empty reports whether no pattern can be claimed.
func (a *PatternsAnswer) Empty() bool { return len(a.Patterns) == 0 }
