package ask

import (
	"context"
	"fmt"

	"episodes/graph"
	"episodes/infer"
)

// studiedAtOnce is the number of episodes up to which a study is made for a question
// that has an answer without it. It takes a second then, at 10 000 some seconds and
// at 100 000 minutes. A variable for the tests.
var studiedAtOnce = 2000

// studyOf returns the statistics over all episodes of the graph.
func (m *Memory) studyOf(ctx context.Context) (*infer.Study, error) {
	return m.studyUpTo(ctx, -1)
}

// studyAtHand is studyOf for a question that must be answered soon: where many
// episodes are not studied yet it returns nil, and notes how to come by a study.
func (m *Memory) studyAtHand(ctx context.Context) (*infer.Study, error) {
	return m.studyUpTo(ctx, studiedAtOnce)
}

// studyUpTo returns the kept study or makes one, of more than most episodes (when
// most is not negative) only the kept one.
func (m *Memory) studyUpTo(ctx context.Context, most int) (*infer.Study, error) {
	if m.study != nil {
		return m.study, nil
	}
	g, err := m.openGraph(ctx)
	if err != nil {
		return nil, err
	}
	state := stateOf(g.Info().Digest)
	defer m.working("studying the episodes")()
	if most >= 0 {
		if kept, ok := infer.Load(m.readKept(studyName, state)); ok {
			m.study = kept
			return m.study, nil
		}
		t, err := g.Totals()
		if err != nil {
			return nil, fmt.Errorf("count the graph: %w", err)
		}
		if t.Episodes > most {
			m.note("the statistics over all sessions are left out, since they are not computed yet; `episodes patterns` computes them")
			return nil, nil
		}
	}
	m.study, err = cached(m.source, studyName, state, infer.Load, func() ([]byte, bool, error) { return m.makeStudy(g) })
	return m.study, err
}

// makeStudy returns the bytes of a study, and whether they may be kept.
func (m *Memory) makeStudy(g *graph.Graph) (data []byte, keep bool, err error) {
	kept, err := m.records(g)
	if err != nil {
		return nil, false, err
	}
	records := make([]infer.Record, len(kept))
	for i := range kept {
		records[i] = kept[i].Record
	}
	data, err = infer.New(records).Save()
	return data, !m.changed, err
}
