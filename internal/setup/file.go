package setup

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"episodes/internal/fsstore"
)

// backupSuffix ends the name of the copy that is made of a file before it is changed first.
const backupSuffix = ".episodes-backup"

// mostBytes is the size of the largest file that is changed.
const mostBytes = 64 << 20

// file is a file of settings.
type file struct {
	path string // as it is shown
	root string // the folder below which no link is followed
	name string // below root, with slashes
	own  bool   // of the user's own settings, not of a repository

	text   []byte
	mode   fs.FileMode
	exists bool
	backup []byte // nil if it does not exist
}

// LinkError says that a file of a repository would be written through a link that leads
// somewhere else.
type LinkError struct {
	Path string
	To   string // "": nowhere
}

func (e *LinkError) Error() string {
	if e.To == "" {
		return fmt.Sprintf("%q is behind a link that leads nowhere", e.Path)
	}
	return fmt.Sprintf("%q is behind a link that leads to %q, where nothing of the repository is written", e.Path, e.To)
}

func (e *LinkError) Hint() string { return "take the link away, or wire the user's settings: --user" }

// openFile reads a file of a repository, which is relative to its root, or of the user's own,
// which is absolute. That it is missing is no error.
func openFile(root, path string) (*file, error) {
	f := &file{path: path}
	var err error
	if f.own = root == ""; f.own {
		err = f.followOwn()
	} else {
		f.path = filepath.Join(root, filepath.FromSlash(path))
		err = f.within(root)
	}
	if err != nil {
		return nil, err
	}
	return f, f.read()
}

// followOwn follows the links that users make in their home folders, to folders of settings
// that they keep elsewhere.
func (f *file) followOwn() error {
	real, err := filepath.EvalSymlinks(f.path)
	if errors.Is(err, fs.ErrNotExist) {
		if _, lerr := os.Lstat(f.path); lerr == nil {
			return &LinkError{Path: f.path}
		}
		real, err = f.path, nil
	}
	if err != nil {
		return fmt.Errorf("settings %q: %w", f.path, fsstore.Cause(err))
	}
	f.root, f.name = filepath.Dir(real), filepath.Base(real)
	return nil
}

// within finds the place of a file in a repository. Links may lead to another place in it, but
// not out of it, nor to what git keeps there.
func (f *file) within(root string) error {
	var err error
	if f.root, err = filepath.EvalSymlinks(root); err != nil {
		return fmt.Errorf("root folder %q: %w", root, fsstore.Cause(err))
	}
	real, rest := f.path, ""
	for {
		to, err := filepath.EvalSymlinks(real)
		if err == nil {
			real = filepath.Join(to, rest)
			break
		}
		if errors.Is(err, fs.ErrPermission) {
			return fmt.Errorf("settings %q: %w", f.path, fsstore.Cause(err))
		}
		if _, lerr := os.Lstat(real); lerr == nil || !errors.Is(err, fs.ErrNotExist) {
			return &LinkError{Path: f.path} // a link to nowhere, or a circle of them
		}
		real, rest = filepath.Dir(real), filepath.Join(filepath.Base(real), rest)
	}
	name, err := filepath.Rel(f.root, real)
	f.name = filepath.ToSlash(name)
	gits := slices.ContainsFunc(strings.Split(f.name, "/"), func(part string) bool { return strings.EqualFold(part, ".git") })
	if err != nil || !filepath.IsLocal(name) || gits {
		return &LinkError{Path: f.path, To: real}
	}
	return nil
}

// folder opens the folder of the file; with make it makes it where it is missing.
func (f *file) folder(make bool) (*fsstore.Dir, string, error) {
	open := fsstore.Open
	if make && f.own {
		open = fsstore.Create
	}
	dir, err := open(f.root)
	if err != nil {
		return nil, "", err
	}
	in, base := filepath.Split(filepath.FromSlash(f.name))
	if in == "" {
		return dir, base, nil
	}
	defer dir.Close()
	below := dir.Existing
	if make {
		below = dir.Sub
	}
	sub, err := below(filepath.Clean(in))
	return sub, base, err
}

func (f *file) read() error {
	dir, name, err := f.folder(false)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer dir.Close()
	if f.text, f.exists, err = readIn(dir, name); err != nil || !f.exists {
		return err
	}
	info, err := dir.Lstat(name)
	if err != nil {
		return err
	}
	f.mode = info.Mode().Perm()
	if backup, ok, err := readIn(dir, name+backupSuffix); err == nil && ok {
		f.backup = append([]byte{}, backup...)
	}
	return nil
}

func readIn(dir *fsstore.Dir, name string) ([]byte, bool, error) {
	data, err := dir.ReadLarge(name, mostBytes)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false, nil
	}
	return data, err == nil, err
}

// write replaces the text. With keep it makes a backup of the old text, which setup has not
// changed before.
func (f *file) write(text []byte, keep bool) error {
	dir, name, err := f.folder(true)
	if err != nil {
		return err
	}
	defer dir.Close()
	if err := f.unchanged(dir, name); err != nil {
		return err
	}
	switch {
	case f.exists && keep:
		err = dir.WriteMode(name+backupSuffix, f.mode, f.text)
	case !f.exists:
		err = removeIn(dir, name+backupSuffix) // of a file that is gone
	}
	switch {
	case err != nil:
		return err
	case f.exists:
		return dir.WriteMode(name, f.mode, text)
	case f.own:
		return dir.WritePrivate(name, text)
	}
	return dir.Write(name, text)
}

// unchanged reports an error where somebody else wrote to the file meanwhile.
func (f *file) unchanged(dir *fsstore.Dir, name string) error {
	now, exists, err := readIn(dir, name)
	if err == nil && (exists != f.exists || !bytes.Equal(now, f.text)) {
		err = fmt.Errorf("%q was changed meanwhile; nothing was written to it, try again", f.path)
	}
	return err
}

// restore writes what is left without what setup added; made: setup made the file, and it
// goes, with the folders that are empty then.
func (f *file) restore(text []byte, made bool) error {
	dir, name, err := f.folder(false)
	if err != nil {
		return err
	}
	defer dir.Close()
	if err := f.unchanged(dir, name); err != nil {
		return err
	}
	if made {
		err = dir.Remove(name)
	} else {
		err = dir.WriteMode(name, f.mode, text)
	}
	if err == nil {
		err = removeIn(dir, name+backupSuffix)
	}
	if err == nil && made {
		f.removeEmpty()
	}
	return err
}

// ownFolders are names of folders below those of the user's settings.
var ownFolders = []string{"hooks", "plugin"}

// removeEmpty removes the folders of a removed file that are empty now, but not the agent's
// own, by which it is found. In a repository git would not keep them.
func (f *file) removeEmpty() {
	if f.own {
		if slices.Contains(ownFolders, filepath.Base(f.root)) {
			_ = os.Remove(f.root) // which fails where it is not empty
		}
		return
	}
	dir, err := fsstore.Open(f.root)
	if err != nil {
		return
	}
	defer dir.Close()
	for in := filepath.Dir(filepath.FromSlash(f.name)); in != "."; in = filepath.Dir(in) {
		if dir.Remove(in) != nil {
			return // not empty
		}
	}
}

func removeIn(dir *fsstore.Dir, name string) error {
	if err := dir.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
