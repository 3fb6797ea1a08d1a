package memory

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"episodes/episode"
	"episodes/internal/fsstore"
)

// correctionsDir is the folder of corrections by persons and readers: one file for each
// episode, kept in git as well; see package corrections.
const correctionsDir = "corrections"

const correctionsSuffix = ".jsonl"

// Corrected lists the ids of the episodes that have corrections.
func (m *Memory) Corrected() (map[string]bool, error) {
	ids := map[string]bool{}
	for _, home := range m.homes() {
		dir, err := home.Existing(correctionsDir)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		names, err := dir.All()
		dir.Close()
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			if id, ok := strings.CutSuffix(name, correctionsSuffix); ok && episode.ValidID(id) {
				ids[id] = true
			}
		}
	}
	return ids, nil
}

// Corrections returns the corrections of an episode, at most limit bytes of them, or nil.
// They are in the same part as the episode.
func (m *Memory) Corrections(id string, limit int64) ([]byte, error) {
	return m.correctionsIn(m.home(m.IsPrivate(id)), id, limit)
}

func (m *Memory) correctionsIn(home *fsstore.Dir, id string, limit int64) ([]byte, error) {
	dir, err := home.Existing(correctionsDir)
	if err == nil {
		defer dir.Close()
		var data []byte
		if data, err = dir.ReadLarge(id+correctionsSuffix, limit); err == nil {
			return data, nil
		}
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return nil, &FileError{Path: m.CorrectionsPath(id), Err: fsstore.Cause(err)}
}

// CorrectionsPath returns the path of the corrections of an episode.
func (m *Memory) CorrectionsPath(id string) string {
	if m.IsPrivate(id) {
		return filepath.Join(m.privatePath, correctionsDir, id+correctionsSuffix)
	}
	return m.path(correctionsDir, id+correctionsSuffix)
}

// SaveCorrections replaces the corrections of an episode; none remove the file. private says
// in which part the episode is, or will be. The caller holds the lock, and writes the
// episode afterwards.
func (m *Memory) SaveCorrections(id string, data []byte, private bool) error {
	if !episode.ValidID(id) {
		return fmt.Errorf("write corrections: %q is no episode id", id)
	}
	return m.saveIn(m.home(private), id, data)
}

// DropCorrections removes the corrections of an episode from both parts.
func (m *Memory) DropCorrections(id string) (err error) {
	for i := range m.homes() {
		err = errors.Join(err, m.SaveCorrections(id, nil, i > 0))
	}
	return err
}

func (m *Memory) saveIn(home *fsstore.Dir, id string, data []byte) error {
	own := home != m.top
	open := home.Sub
	switch {
	case len(data) == 0:
		open = home.Existing
	case own:
		open = home.SubPrivate
	}
	dir, err := open(correctionsDir)
	if len(data) == 0 && errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer dir.Close()
	_ = dir.Clean()
	name := id + correctionsSuffix
	switch {
	case len(data) == 0:
		if err = dir.Remove(name); errors.Is(err, fs.ErrNotExist) {
			return nil
		}
	case own:
		err = dir.WritePrivate(name, data)
	default:
		err = dir.Write(name, data)
	}
	if err != nil {
		return fmt.Errorf("write corrections %q: %w", dir.Path(name), fsstore.Cause(err))
	}
	return dir.Sync()
}

// MoveCorrections follows an episode to its new id in the same part, unless there are
// corrections of that id already; the caller holds the lock.
func (m *Memory) MoveCorrections(from, to string) error {
	home := m.home(m.IsPrivate(from))
	data, err := m.correctionsIn(home, from, fsstore.MaxFile)
	if err != nil || data == nil {
		return err
	}
	if there, err := m.correctionsIn(home, to, fsstore.MaxFile); err != nil || there != nil {
		return err
	}
	if err := m.saveIn(home, to, data); err != nil {
		return err
	}
	return m.saveIn(home, from, nil)
}
