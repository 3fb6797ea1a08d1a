package reflexion

import (
	"errors"
	"io/fs"
	"path/filepath"

	"episodes/internal/fsstore"
)

// CreateFolder opens a folder inside the reflexion folder top. It creates both where
// they are missing, and gives the folder a .gitignore with the lines in ignore.
func CreateFolder(top, name, ignore string) (*fsstore.Dir, error) {
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

// OpenFolder opens a folder inside the reflexion folder top; nil when it is missing.
func OpenFolder(top, name string) (*fsstore.Dir, error) {
	d, err := fsstore.Open(filepath.Join(top, name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return d, err
}
