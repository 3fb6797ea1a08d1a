package ask

import (
	"context"
	"fmt"

	"episodes/internal/plain"
)

// DropRequest asks to remove an episode from the project of a team's store.
type DropRequest struct {
	Episode string // id, session or unique prefix
	DryRun  bool
}

// DropAnswer says what was removed.
type DropAnswer struct {
	full
	Project string `json:"project"`
	Removed string `json:"removed"`
	DryRun  bool   `json:"dry_run,omitempty"`
}

// Drop removes an episode from the project.
func (m *Memory) Drop(ctx context.Context, r DropRequest) (*DropAnswer, error) {
	s, err := m.teamStore(ctx)
	if err != nil {
		return nil, err
	}
	if _, err := s.Project(ctx); err != nil {
		return nil, err
	}
	id, err := m.source.find(r.Episode)
	if err != nil {
		return nil, err
	}
	a := &DropAnswer{Project: s.Name(), Removed: id, DryRun: r.DryRun}
	if r.DryRun {
		return a, s.MayWrite(ctx)
	}
	return a, s.Write(ctx, nil, []string{id})
}

// Text says what was removed.
func (a *DropAnswer) Text(int) string {
	would := wouldBe(a.DryRun)
	return fmt.Sprintf("project %s: %s %sremoved\n", plain.Words(a.Project), plain.Words(a.Removed), would)
}

// wouldBe tells of a dry run.
func wouldBe(dry bool) string {
	if dry {
		return "would be "
	}
	return ""
}
