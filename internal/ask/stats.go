package ask

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"episodes/causal"
	"episodes/internal/memory"
	"episodes/internal/plain"
	"episodes/internal/term"
	"episodes/patterns"
	"episodes/query/text"
)

// StatsRequest asks for the figures of the graph.
type StatsRequest struct{}

// StatsAnswer are the figures of the graph.
type StatsAnswer struct {
	Episodes   int          `json:"episodes"`
	Copies     int          `json:"copies,omitempty"` // of them, copies of sessions
	Nodes      Nodes        `json:"nodes"`
	Edges      Edges        `json:"edges"`
	Patterns   int          `json:"patterns"`
	Bytes      int64        `json:"bytes"`
	Generation string       `json:"generation"`
	View       *memory.View `json:"view,omitempty"` // absent: all is shown
	Outcomes   causal.Tally `json:"outcomes"`       // of the sessions
}

// Nodes counts nodes.
type Nodes struct {
	Total    int            `json:"total"`
	ByType   map[string]int `json:"by_type"`
	Isolated int            `json:"isolated"` // touched by no edge
	Shared   int            `json:"shared"`   // of two or more episodes
}

// Edges counts edges, and the statements behind them.
type Edges struct {
	Total    int            `json:"total"`
	ByType   map[string]int `json:"by_type"`
	Evidence int            `json:"evidence"`
}

// Stats counts what is in the graph.
func (m *Memory) Stats(ctx context.Context, _ StatsRequest) (*StatsAnswer, error) {
	g, err := m.openGraph(ctx)
	if err != nil {
		return nil, err
	}
	t, err := g.Totals()
	if err != nil {
		return nil, fmt.Errorf("count the graph: %w", err)
	}
	size, err := g.Size()
	if err != nil {
		return nil, fmt.Errorf("read the graph: %w", err)
	}
	mined, err := m.mine(ctx, patterns.Defaults())
	if err != nil {
		return nil, err
	}
	st := &StatsAnswer{Episodes: t.Episodes, Copies: t.Copies, Patterns: len(mined.Patterns), Bytes: size,
		Generation: g.Info().Generation, Outcomes: t.Outcomes,
		Nodes: Nodes{ByType: map[string]int{}, Isolated: t.Isolated, Shared: t.Shared},
		Edges: Edges{ByType: map[string]int{}, Evidence: t.Evidence}}
	if v := m.view(); v != (memory.View{}) {
		st.View = &v
	}
	for typ, n := range t.Nodes {
		st.Nodes.ByType[string(typ)] = n
		st.Nodes.Total += n
	}
	for typ, n := range t.Edges {
		st.Edges.ByType[string(typ)] = n
		st.Edges.Total += n
	}
	return st, nil
}

// Text gives the figures, and what can be learned from the episodes.
func (a *StatsAnswer) Text(tokens int) string {
	view := ""
	if a.View != nil {
		view = "\nin view: " + viewText(*a.View)
	}
	copies := ""
	if a.Copies > 0 {
		copies = fmt.Sprintf(" of %d sessions", a.Episodes-a.Copies)
	}
	return term.Cut(fmt.Sprintf("%s%s\n%s: %s; %d in several sessions, %d without a link\n%s: %s; stated %s\n%s\n%d KB, generation %s%s\n%s\n",
		term.Plural(a.Episodes, "episode"), copies,
		term.Plural(a.Nodes.Total, "node"), countsText(a.Nodes.ByType), a.Nodes.Shared, a.Nodes.Isolated,
		term.Plural(a.Edges.Total, "edge"), countsText(a.Edges.ByType), term.Plural(a.Edges.Evidence, "time"),
		term.Plural(a.Patterns, "pattern"), a.Bytes>>10, plain.Line(a.Generation), view, text.Outcomes(a.Outcomes)), tokens)
}

// Empty reports whether there is no episode in the graph.
func (a *StatsAnswer) Empty() bool { return a.Episodes == 0 }

// countsText lists counts, the largest first.
func countsText(counts map[string]int) string {
	names := slices.SortedFunc(maps.Keys(counts), func(x, y string) int {
		return cmp.Or(counts[y]-counts[x], strings.Compare(x, y))
	})
	var parts []string
	for _, n := range names {
		if counts[n] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", counts[n], n))
		}
	}
	if parts == nil {
		return "none"
	}
	return strings.Join(parts, ", ")
}
