package ask

import (
	"context"
	"fmt"
	"io"

	"episodes/causal"
	"episodes/episode"
	"episodes/graph"
	"episodes/infer"
	"episodes/patterns"
)

// Export writes the graph, with its patterns and statistical edges, in a format of
// package graph.
func (m *Memory) Export(ctx context.Context, w io.Writer, format string) error {
	g, err := m.openGraph(ctx)
	if err != nil {
		return err
	}
	mined, err := m.mine(ctx, patterns.Defaults())
	if err != nil {
		return err
	}
	study, err := m.studyOf(ctx)
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
