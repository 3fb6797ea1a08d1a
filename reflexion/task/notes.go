package task

import (
	"context"
	"fmt"
	"strings"

	"episodes/internal/fsstore"
	"episodes/reflexion"
)

// Mark stores a milestone of the current attempt.
func (s *Store) Mark(ctx context.Context, id, event, details string) error {
	x := Milestone{Timestamp: s.stamp(), Event: reflexion.Clean(strings.TrimSpace(event)), Details: reflexion.Clean(details)}
	return s.attempt(ctx, id, func(d *fsstore.Dir, in string, _ *Metadata, _ *Trajectory) error {
		return appendLine(d, in+"/"+milestonesFile, &x)
	})
}

// Reflect stores a reflection on the current attempt, or else the last one (triggered_by
// manual). It returns the stored reflection.
func (s *Store) Reflect(ctx context.Context, id string, r Reflection) (*Reflection, error) {
	r.Timestamp, r.TriggeredBy = s.stamp(), manual
	r.ActionItems = cleaned(r.ActionItems)
	for _, p := range []*string{&r.Observation, &r.Analysis, &r.Learning} {
		*p = reflexion.Clean(strings.TrimSpace(*p))
	}
	err := s.change(ctx, id, func(d *fsstore.Dir, m *Metadata, t *Trajectory) error {
		if len(t.Attempts) == 0 {
			return fmt.Errorf("%w: there is no attempt of %s to reflect on", ErrState, id)
		}
		r.AttemptID = len(t.Attempts)
		if err := appendLine(d, "reflections.jsonl", &r); err != nil {
			return err
		}
		m.Updated = r.Timestamp
		return write(d, "metadata.json", m)
	})
	return &r, err
}

// Pause marks a task as paused; its next attempt ends the pause.
func (s *Store) Pause(ctx context.Context, id string) (*Metadata, error) {
	var out *Metadata
	err := s.change(ctx, id, func(d *fsstore.Dir, m *Metadata, _ *Trajectory) error {
		switch {
		case m.CurrentAttempt > 0:
			return fmt.Errorf("%w: attempt %d of %s is under way", ErrState, m.CurrentAttempt, id)
		case m.Status != Running && m.Status != Paused:
			return fmt.Errorf("%w: %s is %s", ErrState, id, m.Status)
		}
		m.Status, m.Updated = Paused, s.stamp()
		out = m
		return write(d, "metadata.json", m)
	})
	return out, err
}
