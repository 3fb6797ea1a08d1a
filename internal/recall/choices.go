package recall

import (
	"context"
	"fmt"

	"episodes/internal/memory"
	"episodes/query"
)

// choicesName is the derived file that finds decisions by words.
const choicesName = "choices.idx"

// Choices returns the index of the decisions, kept like the study.
func (s *Session) Choices(ctx context.Context) (*query.ChoiceIndex, error) {
	g, err := s.Graph(ctx)
	if err != nil {
		return nil, err
	}
	state, err := s.state(g)
	if err != nil {
		return nil, err
	}
	load := func(data []byte) (*query.ChoiceIndex, bool) { return query.LoadChoices(data, state) }
	return memory.Cached(s.Memory, choicesName, state, load, func() ([]byte, bool, error) {
		data, err := query.PackChoices(g, state)
		if err != nil {
			return nil, false, fmt.Errorf("index the decisions: %w", err)
		}
		return data, true, nil
	})
}
