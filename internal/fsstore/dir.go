// Package fsstore reads and writes files in a folder: whole or not at all.
//
// Everything goes through os.Root, and no symbolic link is followed below the folder
// that Open was given, so that nothing in a folder that came with a repository leads
// out of it. Names are given by the program, never by the text of a log. Only regular
// files are opened; a pipe in the place of one never blocks. A file is written aside,
// synced and renamed.
package fsstore

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
)

// TempPrefix begins the names of files that are not yet whole.
const TempPrefix = ".tmp-"

// Dir is an open folder.
type Dir struct{ root *os.Root }

// Open opens a folder. The error is fs.ErrNotExist if it does not exist, and a *TypeError if
// it is something else. The path itself may be a link, since the caller chose it.
func Open(path string) (*Dir, error) {
	info, err := os.Stat(path) // to open a pipe would wait for its writer
	if err == nil && !info.IsDir() {
		err = &TypeError{Found: info.Mode(), Folder: true}
	}
	var r *os.Root
	if err == nil {
		r, err = os.OpenRoot(path)
	}
	if err != nil {
		return nil, failed("open", path, err)
	}
	return &Dir{r}, nil
}

// Create opens a folder and makes it where it is missing.
func Create(path string) (*Dir, error) {
	if err := os.MkdirAll(path, 0o755); err != nil {
		return nil, failed("make", path, err)
	}
	return Open(path)
}

// Make makes the folder name inside d; the error is fs.ErrExist when something of
// that name is there.
func (d *Dir) Make(name string) error {
	return failed("make", d.Path(name), d.root.Mkdir(name, 0o755))
}

// Sub opens the folder name inside d and makes it where it is missing. Errors are
// those of Existing.
func (d *Dir) Sub(name string) (*Dir, error) { return d.folder(name, 0o755) }

// Existing opens the folder name inside d. The error is fs.ErrNotExist when there is
// none, and a *TypeError when a link or something else is there.
func (d *Dir) Existing(name string) (*Dir, error) { return d.folder(name, 0) }

// folder opens one path element after another, so that no element can be a link. Missing ones
// are made with a mode, unless that is 0.
func (d *Dir) folder(name string, make fs.FileMode) (*Dir, error) {
	at := d
	for part := range strings.SplitSeq(filepath.ToSlash(name), "/") {
		next, err := at.child(part, make)
		if at != d {
			at.Close()
		}
		if err != nil {
			return nil, err
		}
		at = next
	}
	return at, nil
}

func (d *Dir) child(name string, make fs.FileMode) (*Dir, error) {
	info, err := d.root.Lstat(name)
	if make != 0 && errors.Is(err, fs.ErrNotExist) {
		if err = d.root.Mkdir(name, make); err == nil || errors.Is(err, fs.ErrExist) {
			info, err = d.root.Lstat(name)
		}
	}
	if err == nil && !info.IsDir() {
		err = &TypeError{Found: info.Mode(), Folder: true}
	}
	var r *os.Root
	if err == nil {
		r, err = d.root.OpenRoot(name)
	}
	if err != nil {
		return nil, failed("open", d.Path(name), err)
	}
	if opened, err := r.Stat("."); err != nil || !os.SameFile(info, opened) {
		_ = r.Close()
		return nil, failed("open", d.Path(name), errReplaced)
	}
	return &Dir{r}, nil
}

// Close releases the folder. A nil Dir has nothing to release.
func (d *Dir) Close() {
	if d != nil {
		_ = d.root.Close()
	}
}

// Path is the path of a file of the folder.
func (d *Dir) Path(name string) string { return filepath.Join(d.root.Name(), name) }

// Exists reports whether there is a file or folder of that name.
func (d *Dir) Exists(name string) bool {
	_, err := d.root.Lstat(name)
	return err == nil
}

// Lstat describes a file of the folder and follows no link.
func (d *Dir) Lstat(name string) (fs.FileInfo, error) {
	info, err := d.root.Lstat(name)
	return info, failed("look at", d.Path(name), err)
}

// Stat describes the folder itself.
func (d *Dir) Stat() (fs.FileInfo, error) {
	info, err := d.root.Stat(".")
	return info, failed("look at", d.root.Name(), err)
}

// Names lists the names in the folder, sorted; hidden files are left out.
func (d *Dir) Names() ([]string, error) {
	all, err := d.All()
	names := slices.DeleteFunc(all, func(n string) bool { return strings.HasPrefix(n, ".") })
	slices.Sort(names)
	return names, err
}

// All lists all names in the folder, in no order, hidden files too.
func (d *Dir) All() ([]string, error) {
	f, err := d.root.Open(".")
	if err != nil {
		return nil, failed("list", d.root.Name(), err)
	}
	defer f.Close()
	names, err := f.Readdirnames(-1)
	return names, failed("list", d.root.Name(), err)
}

// Entries describes all that is in the folder, in no order, hidden files too. All
// processors share the work, which in a large folder is most of what finding a change
// takes.
func (d *Dir) Entries() ([]fs.FileInfo, error) {
	names, err := d.All()
	if err != nil {
		return nil, err
	}
	infos, errs := make([]fs.FileInfo, len(names)), make([]error, len(names))
	var wg sync.WaitGroup
	share := len(names)/runtime.GOMAXPROCS(0) + 1
	for first := 0; first < len(names); first += share {
		wg.Go(func() {
			for i := first; i < min(first+share, len(names)); i++ {
				infos[i], errs[i] = d.Lstat(names[i])
			}
		})
	}
	wg.Wait()
	found := infos[:0]
	for i, err := range errs {
		switch {
		case err == nil:
			found = append(found, infos[i])
		case !errors.Is(err, fs.ErrNotExist): // else it was removed since it was listed
			return nil, err
		}
	}
	return found, nil
}

// Leftovers lists the names of files that killed writers left. A writer at work
// has such files too. A nil Dir has none.
func (d *Dir) Leftovers() ([]string, error) {
	if d == nil {
		return nil, nil
	}
	all, err := d.All()
	return slices.DeleteFunc(all, func(name string) bool {
		if !strings.HasPrefix(name, TempPrefix) {
			return true
		}
		info, err := d.root.Lstat(name)
		return err != nil || !info.Mode().IsRegular()
	}), err
}

// Clean removes what killed writers left; the caller keeps others from writing.
func (d *Dir) Clean() error {
	names, err := d.Leftovers()
	for _, name := range names {
		err = errors.Join(err, d.Remove(name))
	}
	return err
}

// Remove deletes a file.
func (d *Dir) Remove(name string) error {
	return failed("remove", d.Path(name), d.root.Remove(name))
}

// RemoveAll deletes what has the name, with all that is in it. Links are deleted, never
// followed. That there is nothing is no error.
func (d *Dir) RemoveAll(name string) error {
	return failed("remove", d.Path(name), d.root.RemoveAll(name))
}

// Clear deletes anything but a regular file under a name, so that a file can be written there.
func (d *Dir) Clear(name string) error {
	if info, err := d.root.Lstat(name); err == nil && !info.Mode().IsRegular() {
		return d.RemoveAll(name)
	}
	return nil
}

// Rename moves a file inside the folder.
func (d *Dir) Rename(from, to string) error {
	return failed("move", d.Path(from), d.root.Rename(from, to))
}

// Sync makes the names in the folder outlast a power cut, where the system can
// sync a folder.
func (d *Dir) Sync() error {
	f, err := d.root.Open(".")
	if err == nil {
		err = f.Sync()
		_ = f.Close()
	}
	if err == nil || runtime.GOOS == "windows" || errors.Is(err, syscall.EINVAL) || errors.Is(err, errors.ErrUnsupported) {
		return nil
	}
	return failed("sync", d.root.Name(), err)
}
