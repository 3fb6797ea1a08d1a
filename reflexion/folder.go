package reflexion

import (
	"errors"
	"io/fs"

	"episodes/internal/fsstore"
)

// OpenFolder opens a folder inside the reflexion folder top. To write, it creates both
// where they are missing, and gives the folder a .gitignore with the lines in ignore;
// else it returns nil for a missing one.
func OpenFolder(top, name, ignore string, write bool) (*fsstore.Dir, error) {
	if !write {
		d, err := existingFolder(top, name)
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
	// Another one may have come with a repository, and let git take what is private.
	if is, err := d.ReadHead(".gitignore", int64(len(ignore))+1); err != nil || string(is) != ignore {
		if err := d.WriteCache(".gitignore", []byte(ignore)); err != nil {
			d.Close()
			return nil, err
		}
	}
	return d, nil
}

func existingFolder(top, name string) (*fsstore.Dir, error) {
	t, err := fsstore.Open(top)
	if err != nil {
		return nil, err
	}
	defer t.Close()
	return t.Existing(name)
}
