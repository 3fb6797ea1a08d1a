// Package records keeps record files in a folder: whole or not at all, one file
// a record, and lists of lines that only grow.
//
// Everything goes through os.Root, so that no symbolic link in a folder that
// came with a repository leads out of it. Names are given by the program, never
// by the text of a log. A file is written aside, synced and renamed; a line is
// appended in one write and synced, and a half line that a killed writer left is
// cut off by the next writer and passed over by readers.
package records

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// maxFile is more than any record needs.
const maxFile = 64 << 20

const tempPrefix = ".tmp-"

// Dir is a folder of records.
type Dir struct{ root *os.Root }

// Open opens a folder; an error that is fs.ErrNotExist when there is none.
func Open(path string) (*Dir, error) {
	r, err := os.OpenRoot(path)
	if err != nil {
		return nil, fmt.Errorf("open %q: %w", path, Cause(err))
	}
	return &Dir{r}, nil
}

// Create opens a folder and makes it where it is missing.
func Create(path string) (*Dir, error) {
	if err := os.MkdirAll(path, 0o755); err != nil {
		return nil, fmt.Errorf("make %q: %w", path, Cause(err))
	}
	return Open(path)
}

// Sub opens the folder name inside d; it is made when it is missing.
func (d *Dir) Sub(name string) (*Dir, error) {
	if err := d.root.MkdirAll(name, 0o755); err != nil {
		return nil, fmt.Errorf("make %q: %w", d.Path(name), Cause(err))
	}
	return d.Existing(name)
}

// Existing is Sub that makes nothing.
func (d *Dir) Existing(name string) (*Dir, error) {
	r, err := d.root.OpenRoot(name)
	if err != nil {
		return nil, fmt.Errorf("open %q: %w", d.Path(name), Cause(err))
	}
	return &Dir{r}, nil
}

// Close releases the folder.
func (d *Dir) Close() { _ = d.root.Close() }

// Path is where a file of the folder stands.
func (d *Dir) Path(name string) string { return filepath.Join(d.root.Name(), name) }

// Exists reports whether there is a file or folder of that name.
func (d *Dir) Exists(name string) bool {
	_, err := d.root.Lstat(name)
	return err == nil
}

// Write writes a file, replacing what stands there.
func (d *Dir) Write(name string, data []byte) error {
	temp := filepath.Join(filepath.Dir(name), tempPrefix+rand.Text())
	err := d.writeNew(temp, data)
	if err == nil {
		err = d.root.Rename(temp, name)
	}
	if err != nil {
		_ = d.root.Remove(temp)
		return fmt.Errorf("write %q: %w", d.Path(name), Cause(err))
	}
	return nil
}

// WriteOnce writes a file that must not exist yet; else the error is fs.ErrExist.
func (d *Dir) WriteOnce(name string, data []byte) error {
	temp := filepath.Join(filepath.Dir(name), tempPrefix+rand.Text())
	defer d.root.Remove(temp)
	err := d.writeNew(temp, data)
	if err == nil {
		err = d.root.Link(temp, name) // unlike a rename it replaces nothing
		if err != nil && !d.Exists(name) {
			err = d.root.Rename(temp, name) // a file system without links
		}
	}
	if err != nil {
		return fmt.Errorf("write %q: %w", d.Path(name), Cause(err))
	}
	return nil
}

func (d *Dir) writeNew(name string, data []byte) error {
	f, err := d.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Sync(), f.Close())
}

// Read reads a whole file; an error that is fs.ErrNotExist when there is none.
func (d *Dir) Read(name string) ([]byte, error) {
	f, err := d.root.Open(name)
	if err != nil {
		return nil, fmt.Errorf("read %q: %w", d.Path(name), Cause(err))
	}
	defer f.Close()
	data, err := readRegular(f)
	if err != nil {
		return nil, fmt.Errorf("read %q: %w", d.Path(name), Cause(err))
	}
	return data, nil
}

func readRegular(f *os.File) ([]byte, error) {
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, errors.New("is no regular file")
	case info.Size() > maxFile:
		return nil, fmt.Errorf("%d MB is too large for a record", info.Size()>>20)
	}
	data := make([]byte, info.Size(), info.Size()+1)
	n, err := io.ReadFull(f, data)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return nil, err
	}
	return data[:n], nil
}

// Names lists what stands in the folder, sorted; hidden files are left out.
func (d *Dir) Names() ([]string, error) {
	f, err := d.root.Open(".")
	if err != nil {
		return nil, fmt.Errorf("list %q: %w", d.root.Name(), Cause(err))
	}
	defer f.Close()
	all, err := f.Readdirnames(-1)
	if err != nil {
		return nil, fmt.Errorf("list %q: %w", d.root.Name(), Cause(err))
	}
	names := slices.DeleteFunc(all, func(n string) bool { return strings.HasPrefix(n, ".") })
	slices.Sort(names)
	return names, nil
}

// Clean removes what killed writers left behind; the caller keeps others from
// writing.
func (d *Dir) Clean() error {
	f, err := d.root.Open(".")
	if err != nil {
		return fmt.Errorf("list %q: %w", d.root.Name(), Cause(err))
	}
	defer f.Close()
	entries, err := f.ReadDir(-1)
	if err != nil {
		return fmt.Errorf("list %q: %w", d.root.Name(), Cause(err))
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), tempPrefix) && e.Type().IsRegular() {
			err = errors.Join(err, d.Remove(e.Name()))
		}
	}
	return err
}

// Remove deletes a file.
func (d *Dir) Remove(name string) error {
	if err := d.root.Remove(name); err != nil {
		return fmt.Errorf("remove %q: %w", d.Path(name), Cause(err))
	}
	return nil
}

// Rename moves a file inside the folder.
func (d *Dir) Rename(from, to string) error {
	if err := d.root.Rename(from, to); err != nil {
		return fmt.Errorf("move %q: %w", d.Path(from), Cause(err))
	}
	return nil
}

// Append adds one line to a file, in one write, and syncs it.
func (d *Dir) Append(name string, line []byte) error {
	if bytes.ContainsRune(line, '\n') {
		return fmt.Errorf("append to %q: the line holds a line end", d.Path(name))
	}
	err := d.append(name, append(slices.Clone(line), '\n'))
	if err != nil {
		return fmt.Errorf("append to %q: %w", d.Path(name), Cause(err))
	}
	return nil
}

func (d *Dir) append(name string, line []byte) (err error) {
	f, err := d.root.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return errors.New("is no regular file")
	}
	end, err := lastLineEnd(f, info.Size())
	if err != nil {
		return err
	}
	if end < info.Size() { // what a killed writer left
		if err := f.Truncate(end); err != nil {
			return err
		}
	}
	if _, err := f.WriteAt(line, end); err != nil {
		return err
	}
	return f.Sync()
}

// lastLineEnd is the offset behind the last whole line.
func lastLineEnd(f *os.File, size int64) (int64, error) {
	buf := make([]byte, 4096)
	for end := size; end > 0; {
		start := max(0, end-int64(len(buf)))
		part := buf[:end-start]
		if _, err := f.ReadAt(part, start); err != nil {
			return 0, err
		}
		if i := bytes.LastIndexByte(part, '\n'); i >= 0 {
			return start + int64(i) + 1, nil
		}
		end = start
	}
	return 0, nil
}

// Lines returns the whole lines of a file; nothing when there is no file.
func (d *Dir) Lines(name string) ([][]byte, error) {
	data, err := d.Read(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	data = data[:bytes.LastIndexByte(data, '\n')+1]
	if len(data) == 0 {
		return nil, nil
	}
	return bytes.Split(data[:len(data)-1], []byte{'\n'}), nil
}

// Cause strips the operation and the path that package os puts before a reason.
func Cause(err error) error {
	var pe *fs.PathError
	var le *os.LinkError
	switch {
	case errors.As(err, &pe):
		return pe.Err
	case errors.As(err, &le):
		return le.Err
	}
	return err
}
