package local

import (
	"path/filepath"

	"episodes/internal/fsstore"
)

// confirmed is the file, next to the key, of what the user confirmed under a name.
func confirmed(name string) (path string, err error) {
	mark, err := Mark(name)
	if err != nil {
		return "", err
	}
	dir, err := Aside("confirmed")
	return filepath.Join(dir, mark), err
}

// Confirmed returns what this user confirmed last under a name; nil for nothing.
func Confirmed(name string) []byte {
	path, err := confirmed(name)
	if err != nil {
		return nil
	}
	data, _ := fsstore.ReadInput(path, fsstore.MaxFile)
	return data
}

// Confirm keeps what this user confirms under a name, in place of what was confirmed before.
func Confirm(name string, what []byte) error {
	path, err := confirmed(name)
	if err != nil {
		return err
	}
	dir, err := fsstore.Create(filepath.Dir(path))
	if err != nil {
		return err
	}
	defer dir.Close()
	return dir.WritePrivate(filepath.Base(path), what)
}
