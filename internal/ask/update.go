package ask

import (
	"context"
	"fmt"

	"episodes/graph"
	"episodes/internal/capture"
	"episodes/internal/memory"
	"episodes/internal/term"
	"episodes/internal/track"
)

// UpdateRequest asks for a graph that holds exactly the episode files.
type UpdateRequest struct {
	Rebuild bool // write it from scratch, instead of only what changed
}

// UpdateAnswer says what changed in the graph.
type UpdateAnswer struct {
	full
	*Change
	// LeftOut says, a line each, which episodes the graph could not take in.
	LeftOut []string `json:"-"`
}

// Update brings the graph to exactly the episode files.
func (m *Memory) Update(ctx context.Context, r UpdateRequest) (*UpdateAnswer, error) {
	rep, leftOut, err := m.write(ctx, func(o memory.GraphOptions) (rep graph.Report, src *track.Set, err error) {
		if r.Rebuild {
			rep, src, err = track.Load(m.folder).Rebuild(ctx, o, m.Indexer())
		} else {
			rep, src, err = track.Load(m.folder).Update(ctx, o, m.Indexer())
		}
		if err != nil {
			err = fmt.Errorf("write the graph: %w", err)
		}
		return rep, src, err
	})
	if err != nil {
		return nil, err
	}
	if n := rep.OfOlderTools; n > 0 {
		m.note("%s written by older tools: outcomes taken as unknown, links that only follow order as correlations",
			term.Plural(n, "episode"))
	}
	return &UpdateAnswer{Change: capture.ChangeOf(rep), LeftOut: leftOut}, nil
}

// Text is the change in one line.
func (a *UpdateAnswer) Text(tokens int) string { return term.Cut(a.String(), tokens) }
