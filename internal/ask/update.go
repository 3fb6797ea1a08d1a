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

// write changes the graph under the lock. how brings it up to date and returns what it was
// made from. leftOut says, a line each, which episodes could not be taken in; the user is warned of them.
func (m *Memory) write(ctx context.Context,
	how func(memory.GraphOptions) (graph.Report, *track.Set, error)) (rep graph.Report, leftOut []string, err error) {
	if err := m.here.absent; err != nil {
		return rep, nil, err
	}
	defer m.working("writing the graph")()
	asked := m.here.store // other files may be written
	m.here.settle(ctx)
	unlock, err := m.folder.LockFor(ctx, asked)
	if err != nil {
		return rep, nil, err
	}
	defer unlock()
	rep, src, err := how(m.here.store)
	if err != nil {
		return rep, nil, err
	}
	leftOut = src.LeftOut(rep)
	m.warn(leftOut)
	return rep, leftOut, nil
}

// change is write for a change of files, after which the graph is updated.
func (m *Memory) change(ctx context.Context, files func() error) (done *Change, leftOut []string, err error) {
	rep, leftOut, err := m.write(ctx, func(o memory.GraphOptions) (graph.Report, *track.Set, error) {
		if err := files(); err != nil {
			return graph.Report{}, nil, err
		}
		rep, src, err := track.Load(m.folder).Update(ctx, o, m.Indexer())
		if err != nil {
			err = fmt.Errorf("bring the graph in step: %w", err)
		}
		return rep, src, err
	})
	return capture.ChangeOf(rep), leftOut, err
}
