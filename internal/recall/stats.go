package recall

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"time"

	"episodes/export"
	"episodes/graph"
	"episodes/infer"
	"episodes/internal/memory"
	"episodes/patterns"
	"episodes/query"
)

// Stats are the figures of the graph.
type Stats struct {
	Episodes   int          `json:"episodes"`
	Nodes      Nodes        `json:"nodes"`
	Edges      Edges        `json:"edges"`
	Patterns   int          `json:"patterns"`
	Bytes      int64        `json:"bytes"`
	Generation string       `json:"generation"`
	View       *memory.View `json:"view,omitempty"` // absent: all is shown
	Health     infer.Health `json:"health"`
	Learned    int          `json:"learned_edges"` // statistical ones
	// Across are the statistical edges, the surest first, as many as mostAcross.
	Across []query.LearnedHop `json:"across_sessions"`
}

// mostAcross is how many statistical edges the figures list.
const mostAcross = 100

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
func (s *Session) Stats(ctx context.Context) (*Stats, error) {
	g, err := s.Graph(ctx)
	if err != nil {
		return nil, err
	}
	t, err := g.Totals()
	if err != nil {
		return nil, fmt.Errorf("count the graph: %w", err)
	}
	info, err := g.Info()
	if err != nil {
		return nil, fmt.Errorf("read the graph: %w", err)
	}
	study, err := s.Study(ctx)
	if err != nil {
		return nil, fmt.Errorf("study the episodes: %w", err)
	}
	mined, err := s.Patterns(ctx, patterns.Defaults())
	if err != nil {
		return nil, err
	}
	st := &Stats{Episodes: t.Episodes, Patterns: len(mined.Patterns), Bytes: info.Bytes, Generation: info.Generation, Health: study.Health(), Learned: len(study.Edges()), Across: []query.LearnedHop{},
		Nodes: Nodes{ByType: map[string]int{}, Isolated: t.Isolated, Shared: t.Shared},
		Edges: Edges{ByType: map[string]int{}, Evidence: t.Evidence}}
	for _, e := range study.Edges() {
		st.Across = append(st.Across, query.LearnedEdge(e))
	}
	slices.SortStableFunc(st.Across, func(a, b query.LearnedHop) int { return cmp.Compare(a.Q, b.Q) })
	st.Across = st.Across[:min(len(st.Across), mostAcross)]
	if v := s.View(); v != (memory.View{}) {
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

// Export writes the graph, with its patterns and statistical edges, in a format of
// package export.
func (s *Session) Export(ctx context.Context, w io.Writer, format string) error {
	g, err := s.Graph(ctx)
	if err != nil {
		return err
	}
	mined, err := s.Patterns(ctx, patterns.Defaults())
	if err != nil {
		return err
	}
	study, err := s.Study(ctx)
	if err != nil {
		return fmt.Errorf("study the episodes: %w", err)
	}
	if err := export.Write(w, g, format, export.Findings{Patterns: mined.Patterns, Edges: study.Edges()}); err != nil {
		return fmt.Errorf("export the graph: %w", err)
	}
	return nil
}

// GraphWriter brings the graph to the episode files one way or another, and
// says which episodes it had to leave out.
type GraphWriter func(s *Session, ctx context.Context) (rep graph.Report, leftOut []string, err error)

// UpdateGraph brings the graph to exactly the episode files.
func (s *Session) UpdateGraph(ctx context.Context) (graph.Report, []string, error) {
	return s.write(ctx, s.Follow)
}

// RebuildGraph writes the graph anew.
func (s *Session) RebuildGraph(ctx context.Context) (graph.Report, []string, error) {
	return s.write(ctx, func(ctx context.Context, o memory.GraphOptions, now func() time.Time) (graph.Report, *memory.Source, error) {
		return s.Rebuild(ctx, s.LoadIndex(), o, now)
	})
}

type step func(context.Context, memory.GraphOptions, func() time.Time) (graph.Report, *memory.Source, error)

func (s *Session) write(ctx context.Context, how step) (graph.Report, []string, error) {
	o := s.opt.Graph
	unlock, err := s.LockFor(ctx, o)
	if err != nil {
		return graph.Report{}, nil, err
	}
	defer unlock()
	rep, src, err := how(ctx, o, s.opt.Now)
	if err != nil {
		return rep, nil, fmt.Errorf("write the graph: %w", err)
	}
	return rep, src.LeftOut(rep), nil
}
