package memory

import (
	"errors"
	"fmt"
	"io/fs"
)

// ReadDerived returns a derived file by name, or nil when it cannot be read: it
// can be made anew.
func (m *Memory) ReadDerived(name string) []byte {
	if m.derived == nil {
		return nil
	}
	if info, err := m.derived.Lstat(name); err != nil || !info.Mode().IsRegular() {
		return nil // opening a pipe would wait for its writer
	}
	data, err := m.derived.ReadFile(name)
	if err != nil {
		return nil
	}
	return data
}

// WriteDerived replaces a derived file. A reader sees the old one or the new one,
// never a part.
func (m *Memory) WriteDerived(name string, data []byte) error {
	if err := m.EnsureDerived(); err != nil {
		return err
	}
	if err := replace(m.derived, name, data, newFile, false); err != nil {
		return fmt.Errorf("write %q: %w", m.path(derivedDir, name), cause(err))
	}
	return nil
}

// dropDerived removes a derived file, if it is there.
func (m *Memory) dropDerived(name string) error {
	if err := m.derived.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove %q: %w", m.path(derivedDir, name), cause(err))
	}
	return nil
}
