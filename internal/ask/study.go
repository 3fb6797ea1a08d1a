package ask

import (
	"context"

	"episodes/graph"
	"episodes/infer"
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
