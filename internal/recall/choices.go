package recall

import (
	"context"
	"fmt"

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
	if x, ok := query.LoadChoices(s.ReadDerived(choicesName), state); ok {
		return x, nil
	}
	data, err := query.PackChoices(g, state)
	if err != nil {
		return nil, fmt.Errorf("index the decisions: %w", err)
	}
	if err := s.WriteDerived(choicesName, data); err != nil && !dispensable(err) {
		return nil, err
	}
	x, _ := query.LoadChoices(data, state)
	return x, nil
}
