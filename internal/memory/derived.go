package memory

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// ReadDerived returns a derived file by name, or nil when it cannot be read: it
// can be made anew.
func (m *Memory) ReadDerived(name string) []byte {
	if !m.hasDerived(name) {
		return nil
	}
	data, err := m.derived.ReadFile(name)
	if err != nil {
		return nil
	}
	return data
}

// openDerived opens a derived file, or returns nil likewise.
func (m *Memory) openDerived(name string) *os.File {
	if !m.hasDerived(name) {
		return nil
	}
	f, err := m.derived.Open(name)
	if err != nil {
		return nil
	}
	return f
}

// hasDerived reports whether there is such a file. Opening a pipe in its place
// would wait for its writer.
func (m *Memory) hasDerived(name string) bool {
	if m.derived == nil {
		return false
	}
	info, err := m.derived.Lstat(name)
	return err == nil && info.Mode().IsRegular()
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
