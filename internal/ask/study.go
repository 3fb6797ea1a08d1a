package ask

import (
	"context"
	"fmt"

	"episodes/causal"
	"episodes/graph"
	"episodes/infer"
	"episodes/patterns"
)

// studyOf returns the statistics over all episodes of the graph.
func (m *Memory) studyOf(g *graph.Graph) (*infer.Study, error) {
	if m.study != nil {
		return m.study, nil
	}
	defer m.working("studying the episodes")()
	records, err := m.records(g)
	if err != nil {
		return nil, err
	}
	m.study = infer.New(records)
	return m.study, nil
}

// edges returns the statistical edges.
func (m *Memory) edges(ctx context.Context) ([]infer.Edge, error) {
	return keptOf(ctx, m, edgesName, func(g *graph.Graph) ([]infer.Edge, error) {
		s, err := m.studyOf(g)
		if err != nil {
			return nil, err
		}
		return s.Edges(), nil
	})
}

// mine returns the patterns that can be claimed within the thresholds.
func (m *Memory) mine(ctx context.Context, o patterns.Options) (patterns.Result, error) {
	all, err := keptOf(ctx, m, patternsName, m.mineAll)
	return all.Within(o), err
}

// mineAll finds the patterns that any thresholds let through.
func (m *Memory) mineAll(g *graph.Graph) (found patterns.Result, err error) {
	s, err := m.studyOf(g)
	if err != nil {
		return found, err
	}
	found, err = patterns.Mine(g, s, func(node string) (ms []causal.Mention) {
		for _, r := range m.kept {
			for _, e := range r.Events {
				if e.Node == node {
					ms = append(ms, causal.Mention{Episode: r.Episode, Day: r.Day, Record: e.Record})
				}
			}
		}
		return ms
	})
	if err != nil {
		return found, fmt.Errorf("mine patterns: %w", err)
	}
	return found, nil
}
