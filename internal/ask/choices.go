package ask

import (
	"cmp"
	"context"

	"episodes/graph"
	"episodes/query"
)

// ChoicesRequest asks for the questions that sessions decided more than once.
type ChoicesRequest struct {
	Skip, Limit int // Limit 0: ten
}

// ChoicesAnswer lists questions with the ways that were tried, those of most sessions first.
type ChoicesAnswer struct {
	Questions []query.Question `json:"questions"`
	Total     int              `json:"total"`
	Next      *int             `json:"next"`
}

// mostQuestions is how many questions are kept.
const mostQuestions = 300

// Choices lists questions that sessions decided more than once.
func (m *Memory) Choices(ctx context.Context, r ChoicesRequest) (*ChoicesAnswer, error) {
	kept, err := keptOf(ctx, m, choicesName, func(g *graph.Graph) (all ChoicesAnswer, err error) {
		all.Questions, all.Total, err = query.Questions(g, mostQuestions)
		return all, err
	})
	if err != nil {
		return nil, err
	}
	a := &ChoicesAnswer{Total: kept.Total}
	a.Questions, a.Next = paged(kept.Questions, r.Skip, r.Limit)
	return a, nil
}

// paged is a part of a list, and what to skip for the next; nil at the end. A limit of 0 is searchLimit.
func paged[T any](list []T, skip, limit int) (page []T, next *int) {
	skip = max(0, min(skip, len(list)))
	end := min(len(list), skip+cmp.Or(limit, searchLimit))
	if end < len(list) {
		next = &end
	}
	return append([]T{}, list[skip:end]...), next
}
