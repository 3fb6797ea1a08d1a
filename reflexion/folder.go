package reflexion

import (
	"errors"
	"io/fs"

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
	// Another one may have come with a repository, and let git take what is private.
	if is, err := d.ReadHead(".gitignore", int64(len(ignore))+1); err != nil || string(is) != ignore {
		if err := d.WriteCache(".gitignore", []byte(ignore)); err != nil {
			d.Close()
			return nil, err
		}
	}
	return d, nil
}

// OpenFolder opens a folder inside the reflexion folder top; nil when it is missing.
func OpenFolder(top, name string) (*fsstore.Dir, error) {
	t, err := fsstore.Open(top)
	if err == nil {
		defer t.Close()
		var d *fsstore.Dir
		if d, err = t.Existing(name); err == nil {
			return d, nil
		}
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return nil, err
}
