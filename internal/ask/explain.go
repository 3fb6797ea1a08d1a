package ask

import (
	"context"
	"errors"
	"strings"

	"episodes/internal/lazy"
	"episodes/internal/plain"
	"episodes/internal/term"
	"episodes/patterns"
	"episodes/query"
	"episodes/query/text"
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
	o := query.ExplainOptions{Limit: r.Limit}
	if patternRef().MatchString(r.Ref) {
		mined, err := m.mine(ctx, patterns.Defaults())
		if err != nil {
			return nil, err
		}
		o.Patterns = mined.Patterns
	}
	x, err := query.Explain(g, m, r.Ref, o)
	if missing := (*query.NotFoundError)(nil); errors.As(err, &missing) {
		m.noteMissing(missing)
		return &ExplainAnswer{NotFound: missing}, nil
	}
	if err != nil {
		return nil, err
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

// mostPath is the largest number of bytes of a path in a note.
const mostPath = 300

// patternRef matches what may name a pattern; patterns are not searched for less.
var patternRef = lazy.Pattern(`^p[0-9a-f]+$`)

// Reference reports whether a text has the form of a reference to a node, an edge, a record, a link or a pattern.
func Reference(text string) bool {
	return graphRef().MatchString(text) || strings.ContainsAny(text, "#>") && !strings.Contains(text, "\n")
}

// graphRef matches the id of a node or a pattern.
var graphRef = lazy.Pattern(`^[np][0-9a-f]{6,12}$`)

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
