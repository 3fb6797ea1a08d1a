package memory

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"episodes/episode"
	"episodes/internal/fsstore"
)

// correctionsDir is the folder of what persons and readers corrected: one file an
// episode, in git beside it; see package corrections.
const correctionsDir = "corrections"

const correctionsSuffix = ".jsonl"

// Corrected lists the ids of the episodes that have corrections.
func (m *Memory) Corrected() (map[string]bool, error) {
	dir, err := m.top.Existing(correctionsDir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	names, err := dir.All()
	ids := map[string]bool{}
	for _, name := range names {
		if id, ok := strings.CutSuffix(name, correctionsSuffix); ok && episode.ValidID(id) {
			ids[id] = true
		}
	}
	return ids, err
}

// Corrections returns the corrections of an episode, at most limit bytes of them; nil
// when there are none.
func (m *Memory) Corrections(id string, limit int64) ([]byte, error) {
	dir, err := m.top.Existing(correctionsDir)
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

// CorrectionsPath is the path of the corrections of an episode.
func (m *Memory) CorrectionsPath(id string) string {
	return m.path(correctionsDir, id+correctionsSuffix)
}

// SaveCorrections replaces the corrections of an episode; none remove the file. The caller
// holds the lock, and writes the episode afterwards.
func (m *Memory) SaveCorrections(id string, data []byte) error {
	if !episode.ValidID(id) {
		return fmt.Errorf("write corrections: %q is no episode id", id)
	}
	open := m.top.Sub
	if len(data) == 0 {
		open = m.top.Existing
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
	if len(data) > 0 {
		err = dir.Write(id+correctionsSuffix, data)
	} else if err = dir.Remove(id + correctionsSuffix); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("write corrections %q: %w", m.CorrectionsPath(id), fsstore.Cause(err))
	}
	return dir.Sync()
}

// MoveCorrections follows an episode to its new id, unless there are corrections of that
// id already; the caller holds the lock.
func (m *Memory) MoveCorrections(from, to string) error {
	data, err := m.Corrections(from, fsstore.MaxFile)
	if err != nil || data == nil {
		return err
	}
	if there, err := m.Corrections(to, fsstore.MaxFile); err != nil || there != nil {
		return err
	}
	if err := m.SaveCorrections(to, data); err != nil {
		return err
	}
	return m.SaveCorrections(from, nil)
}
