package reflexion

import (
	"errors"
	"io/fs"
	"path/filepath"

	"episodes/internal/fsstore"
)

// OpenFolder opens a folder inside the reflexion folder top. To write, it creates both
// where they are missing, and gives the folder a .gitignore with the lines in ignore;
// else it returns nil for a missing one.
func OpenFolder(top, name, ignore string, write bool) (*fsstore.Dir, error) {
	if !write {
		d, err := fsstore.Open(filepath.Join(top, name))
		if errors.Is(err, fs.ErrNotExist) {
			return nil, nil
		}
		return d, err
	}
	t, err := fsstore.Create(top)
	if err != nil {
		return nil, err
	}
	defer t.Close()
	d, err := t.Sub(name)
	if err != nil {
		return nil, err
	}
	if !d.Exists(".gitignore") {
		if err := d.Write(".gitignore", []byte(ignore)); err != nil {
			d.Close()
			return nil, err
		}
	}
	return d, nil
}
