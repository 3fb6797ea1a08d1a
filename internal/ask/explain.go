package ask

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"episodes/infer"
	"episodes/internal/lazy"
	"episodes/internal/plain"
	"episodes/internal/term"
	"episodes/patterns"
	"episodes/query"
	"episodes/query/text"
	"episodes/recall"
)

// ExplainRequest asks on what something rests.
type ExplainRequest struct {
	// Ref is a node (by id or words), a record EPISODE#d001, a link
	// EPISODE#d001>e002, an edge n…>causes>n…, or a pattern p….
	Ref   string
	Limit int // pieces of evidence in each list; 0: the default
}

// ExplainAnswer says on which episodes, files and lines something rests.
type ExplainAnswer struct {
	*query.Explanation
	Logs    []LogNote `json:"logs"`
	Authors string    `json:"authors,omitempty"` // of the episodes, where there are several
	// NotFound is not nil where Ref names nothing; then there is no explanation.
	NotFound *query.NotFoundError `json:"-"`
}

// Explain shows on what a reference rests, with the lines of the logs.
func (m *Memory) Explain(ctx context.Context, r ExplainRequest) (*ExplainAnswer, error) {
	g, err := m.openGraph(ctx)
	if err != nil {
		return nil, err
	}
	o := query.ExplainOptions{Limit: r.Limit, Study: func() (*infer.Study, error) { return m.studyOf(ctx) }}
	if patternRef().MatchString(r.Ref) {
		mined, err := m.mine(ctx, patterns.Defaults())
		if err != nil {
			return nil, err
		}
		o.Patterns = mined.Patterns
	}
	x, err := query.Explain(g, m, r.Ref, o)
	if missing := (*query.NotFoundError)(nil); errors.As(err, &missing) {
		if err := m.searchNearest(ctx, missing); err != nil {
			return nil, err
		}
		m.noteMissing(missing)
		return &ExplainAnswer{NotFound: missing}, nil
	}
	if err != nil {
		return nil, err
	}
	if x.Node != nil && x.Node.Account != nil && len(x.Node.Account.Fixes) > 1 {
		if err := m.advisedFirst(ctx, x.Node.Node.Label, x.Node.Account.Fixes); err != nil {
			return nil, err
		}
	}
	logs := m.quoter().explanation(x)
	var ids []string
	for _, l := range logs {
		ids = append(ids, l.Episode)
		if l.State == Changed || l.State == Gone {
			m.note("not quoted: the log %s of %s is %s", plain.Quote(m.Redact(l.Path), mostPath), l.Episode, l.State)
		}
	}
	return &ExplainAnswer{Explanation: x, Logs: logs, Authors: m.authorsOf(ids)}, nil
}

// advisedFirst moves the fix that is advised for an error before others that held as often, so that
// both answers begin with the same one.
func (m *Memory) advisedFirst(ctx context.Context, failure string, fixes []query.Said) error {
	a, err := m.Advise(ctx, AdviseRequest{Text: failure, Kind: string(recall.AnError)})
	if err != nil || !a.Answered || a.Advice[0].Kind != recall.Fix.String() {
		return err
	}
	at := a.Advice[0].Evidence[0]
	i := slices.IndexFunc(fixes, func(s query.Said) bool {
		return s.Episode == at.Episode && s.Lines != nil && at.Lines != nil && within(*s.Lines, *at.Lines)
	})
	if i > 0 && fixes[i].Held() && fixes[i].Outcomes == fixes[0].Outcomes {
		advised := fixes[i]
		copy(fixes[1:i+1], fixes[:i])
		fixes[0] = advised
	}
	return nil
}

// mostNearest is how many facts are named that may be meant.
const mostNearest = 3

// searchNearest replaces the suggestions of the error by the results of a search, if any is
// relevant. A search weighs the words of all facts, and finds the key line of pasted output.
func (m *Memory) searchNearest(ctx context.Context, e *query.NotFoundError) error {
	var near []query.Match
	for _, kind := range []string{"error", "decision"} {
		hits, err := m.Search(ctx, SearchRequest{Text: e.Ref, Kind: kind, Limit: mostNearest})
		if err != nil {
			return err
		}
		for _, h := range hits.Hits {
			if h.Score >= leastClosest && h.Record != "" {
				near = append(near, query.Match{ID: h.Episode + "#" + h.Record, Label: h.Text, Score: h.Score})
			}
		}
	}
	if len(near) > 0 {
		slices.SortStableFunc(near, func(a, b query.Match) int { return cmp.Compare(b.Score, a.Score) })
		e.Nearest = near[:min(len(near), mostNearest)]
	}
	return nil
}

// mostPath is the largest number of bytes of a path in a note.
const mostPath = 300

// patternRef matches what may name a pattern; patterns are not searched for less.
var patternRef = lazy.Pattern(`^p[0-9a-f]+$`)

// Text shows what was found, with the lines of the logs.
func (a *ExplainAnswer) Text(tokens int) string {
	if a.Empty() {
		return ""
	}
	return term.Cut(text.Explanation(a.Explanation, tokens)+authorsText(a.Authors), tokens)
}

// Empty reports whether the reference names nothing.
func (a *ExplainAnswer) Empty() bool { return a.NotFound != nil }

// MarshalJSON gives the explanation, or null when the reference names nothing.
func (a *ExplainAnswer) MarshalJSON() ([]byte, error) {
	if a.Empty() {
		return []byte("null"), nil
	}
	type plain ExplainAnswer // without this method
	return marshal((*plain)(a))
}
