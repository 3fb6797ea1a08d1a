package memories

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"
)

// Limits bound what is kept. Zero values keep everything.
type Limits struct {
	PerType   int           // memories of each type
	Retention time.Duration // since a memory was made or last read
}

// Removal is a memory to remove, and why.
type Removal struct {
	Memory *Memory `json:"memory"`
	Reason string  `json:"reason"`
}

// Plan returns what a cleanup would remove: what has expired, what was not used for
// longer than the retention, and what exceeds the limit of its type, the least valuable
// first. Feedback is only removed when it has expired.
func Plan(all []*Memory, l Limits, now time.Time) []Removal {
	out := []Removal{}
	kept := map[Type][]*Memory{}
	for _, m := range all {
		switch {
		case m.Expired(now):
			out = append(out, Removal{m, "expired " + m.ExpiresAt})
		case l.Retention > 0 && m.Type != Feedback && now.Sub(m.used()) > l.Retention:
			out = append(out, Removal{m, "not used since " + m.used().Format(time.RFC3339)})
		default:
			kept[m.Type] = append(kept[m.Type], m)
		}
	}
	for _, t := range Types() {
		ms := kept[t]
		if l.PerType == 0 || t == Feedback || len(ms) <= l.PerType {
			continue
		}
		slices.SortStableFunc(ms,
			func(a, b *Memory) int { return cmp.Or(cmp.Compare(b.value(), a.value()), strings.Compare(a.ID, b.ID)) })
		for _, m := range ms[l.PerType:] {
			out = append(out, Removal{m, fmt.Sprintf("beyond the limit of %d", l.PerType)})
		}
	}
	return out
}

func (m *Memory) used() time.Time {
	t, _ := time.Parse(time.RFC3339, max(m.LastAccessed, m.CreatedAt))
	return t
}

const trash = "trash"

// Remove moves memories to the trash, as one batch for Undo.
func (s *Store) Remove(ctx context.Context, rs []Removal, by string) (batch string, err error) {
	err = s.locked(ctx, func() error {
		batch = s.newBatch()
		for _, r := range rs {
			if err := s.remove(r.Memory, "delete", by, batch); err != nil {
				return err
			}
		}
		return s.index()
	})
	return batch, err
}

// trashed lists the ids of the memories in the trash, which are not derived again.
func (s *Store) trashed() (map[string]bool, error) {
	batches, err := s.batches()
	out := map[string]bool{}
	for _, b := range batches {
		files, err := s.files(trash + "/" + b)
		if err != nil {
			return nil, err
		}
		for _, f := range files {
			out[strings.TrimSuffix(strings.TrimSuffix(path.Base(f), publicEnd), ".private")] = true
		}
	}
	return out, err
}

// batches lists what was removed together, the oldest first.
func (s *Store) batches() ([]string, error) {
	d, err := s.dir.Existing(trash)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer d.Close()
	return d.Names()
}

func (s *Store) newBatch() string { return s.Now().UTC().Format("20060102T150405.000000000") }

func (s *Store) remove(m *Memory, op, by, batch string) error {
	d, err := s.dir.Sub(trash + "/" + batch + "/" + string(m.Type))
	if err != nil {
		return err
	}
	d.Close()
	if err := s.dir.Rename(s.place(m), trash+"/"+batch+"/"+name(m)); err != nil {
		return err
	}
	return s.audit(op, m, by, batch)
}

// Undo reverts the last batch of a cleanup or a consolidation, and returns the restored
// memories. A memory that was created again since then stays as it is.
func (s *Store) Undo(ctx context.Context, by string) (restored []*Memory, err error) {
	err = s.locked(ctx, func() error {
		batches, err := s.batches()
		if err != nil || len(batches) == 0 {
			return err
		}
		last := batches[len(batches)-1]
		var taken []*Memory
		if restored, taken, err = s.restore(last, by); err != nil {
			return err
		}
		if err := s.unmerge(last, taken, by); err != nil {
			return err
		}
		for _, t := range Types() {
			_ = s.dir.Remove(trash + "/" + last + "/" + string(t))
			_ = s.dir.Remove(mergedDir(last) + "/" + string(t))
		}
		_ = s.dir.Remove(mergedDir(last))
		_ = s.dir.Remove(trash + "/" + last)
		return s.index()
	})
	return restored, err
}

// restore moves the memories of a batch back, unless they exist again.
func (s *Store) restore(batch, by string) (restored, taken []*Memory, err error) {
	files, err := s.files(trash + "/" + batch)
	for _, f := range files {
		m, err := s.read(f)
		if err != nil {
			return nil, nil, err
		}
		taken = append(taken, m)
		if s.dir.Exists(s.place(m)) {
			err = s.dir.Remove(f)
		} else if err = s.dir.Rename(f, name(m)); err == nil {
			restored = append(restored, m)
			err = s.audit("restore", m, by, batch)
		}
		if err != nil {
			return nil, nil, err
		}
	}
	return restored, taken, err
}

// mergedDir is where a batch keeps the state of memories before others were merged in.
func mergedDir(batch string) string { return trash + "/" + batch + "/before" }

// unmerge restores the state of memories before others were merged in; later reads still
// count.
func (s *Store) unmerge(batch string, taken []*Memory, by string) error {
	files, err := s.files(mergedDir(batch))
	if err != nil {
		return err
	}
	for _, f := range files {
		before, err := s.read(f)
		if err != nil {
			return err
		}
		if now, err := s.Get(before.ID); err == nil {
			before.AccessCount, before.LastAccessed, before.Metadata.Private = now.AccessCount, now.LastAccessed, now.Metadata.Private
			for _, m := range taken {
				if slices.Contains(now.Content.Related, m.ID) && !slices.Contains(before.Content.Related, m.ID) {
					before.AccessCount = max(0, before.AccessCount-m.AccessCount)
				}
			}
			if err := s.write(before); err != nil {
				return err
			}
			if err := s.audit("unmerge", before, by, batch); err != nil {
				return err
			}
		}
		if err := s.dir.Remove(f); err != nil {
			return err
		}
	}
	return nil
}
