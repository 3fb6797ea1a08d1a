package recall

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"

	"episodes/causal"
	"episodes/episode"
	"episodes/graph"
	"episodes/infer"
	"episodes/internal/memory"
	"episodes/internal/track"
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
// package graph.
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
	var d graph.Derived
	for _, p := range mined.Patterns {
		d.Patterns = append(d.Patterns, graph.PatternRecord{ID: p.ID, Name: p.Name, Description: p.Description, Trigger: p.Trigger, Action: p.Action,
			SuccessRate: p.SuccessRate, Occurrences: p.Occurrences, Episodes: p.Episodes})
	}
	for _, e := range study.Edges() {
		d.Learned = append(d.Learned, graph.LearnedRecord{Source: factNode(e.Source), Target: factNode(e.Target), Type: e.Type, Weight: e.Weight,
			With: e.With, Without: e.Without, N: e.N, OtherN: e.OtherN, P: e.P, Q: e.Q})
	}
	if err := g.Export(w, format, &d); err != nil {
		return fmt.Errorf("export the graph: %w", err)
	}
	return nil
}

// factNode is the node of the causal graph that stands for a fact.
func factNode(f infer.Fact) string {
	if f.IsOutcome() {
		return causal.NodeID(causal.OutcomeNode, "outcome: "+string(episode.Success))
	}
	return f.Node
}

// GraphWriter brings the graph to the episode files one way or another, and
// says which episodes it had to leave out.
type GraphWriter func(s *Session, ctx context.Context) (rep graph.Report, leftOut []string, err error)

// UpdateGraph brings the graph to exactly the episode files.
func (s *Session) UpdateGraph(ctx context.Context) (graph.Report, []string, error) {
	return s.write(ctx, (*track.Index).Update)
}

// RebuildGraph writes the graph anew.
func (s *Session) RebuildGraph(ctx context.Context) (graph.Report, []string, error) {
	return s.write(ctx, (*track.Index).Rebuild)
}

type writer func(*track.Index, context.Context, memory.GraphOptions) (graph.Report, *track.Set, error)

func (s *Session) write(ctx context.Context, how writer) (graph.Report, []string, error) {
	o := s.opt.Graph
	unlock, err := s.LockFor(ctx, o)
	if err != nil {
		return graph.Report{}, nil, err
	}
	defer unlock()
	rep, src, err := how(track.Load(s.Memory), ctx, o)
	if err != nil {
		return rep, nil, fmt.Errorf("write the graph: %w", err)
	}
	return rep, src.LeftOut(rep), nil
}
