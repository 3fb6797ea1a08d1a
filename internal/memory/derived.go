package memory

import "fmt"

// ReadDerived returns a derived file by name, or nil when it cannot be read: it
// can be made anew.
func (m *Memory) ReadDerived(name string) []byte { return []byte(m.derivedText(name)) }

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
