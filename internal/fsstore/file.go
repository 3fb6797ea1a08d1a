package fsstore

import (
	"bytes"
	"cmp"
	"crypto/rand"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// MaxFile is the size in bytes of the largest file that Read takes: more than any
// record or episode needs.
const MaxFile = 64 << 20

// newMode is the mode of a new file where none is given; the umask takes from it.
const newMode fs.FileMode = 0o644

// Read reads a whole file. Errors: fs.ErrNotExist, ErrNotRegular, *TooLargeError.
func (d *Dir) Read(name string) ([]byte, error) { return d.ReadLarge(name, MaxFile) }

// ReadLarge is Read with another limit, in bytes.
func (d *Dir) ReadLarge(name string, limit int64) ([]byte, error) {
	data, err := d.read(name, limit)
	return data, failed("read", d.Path(name), err)
}

func (d *Dir) read(name string, limit int64) ([]byte, error) {
	f, size, err := d.openRegular(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if size > limit {
		return nil, &TooLargeError{size}
	}
	return readFull(f, size)
}

// ReadHead reads the first bytes of a file, at most limit.
func (d *Dir) ReadHead(name string, limit int64) ([]byte, error) {
	f, size, err := d.openRegular(name)
	if err != nil {
		return nil, failed("read", d.Path(name), err)
	}
	defer f.Close()
	data, err := readFull(f, min(size, limit))
	return data, failed("read", d.Path(name), err)
}

// readFull reads size bytes, or fewer where the file has become shorter.
func readFull(f *os.File, size int64) ([]byte, error) {
	data := make([]byte, size)
	n, err := io.ReadFull(f, data)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return nil, err
	}
	return data[:n], nil
}

func (d *Dir) openRegular(name string) (f *os.File, size int64, err error) {
	f, info, err := d.open(name, os.O_RDONLY)
	var other *TypeError
	switch {
	case errors.As(err, &other):
		return nil, 0, ErrNotRegular
	case err != nil:
		return nil, 0, err
	}
	return f, info.Size(), nil
}

// OpenFile opens a regular file of the folder: flag is os.O_RDONLY or os.O_RDWR, and
// os.O_CREATE makes it when it is missing. The error is fs.ErrNotExist when there is
// none, and a *TypeError when something else is there. It waits for nobody. Who writes to
// it in place should ask Linked before.
func (d *Dir) OpenFile(name string, flag int) (*os.File, error) {
	f, _, err := d.open(name, flag)
	return f, failed("open", d.Path(name), err)
}

// open compares what it opened with what had the name before, since os.Root follows
// links that stay inside of it.
func (d *Dir) open(name string, flag int) (*os.File, fs.FileInfo, error) {
	if dir, base := filepath.Split(name); dir != "" {
		sub, err := d.Existing(filepath.Clean(dir))
		if err != nil {
			return nil, nil, Cause(err)
		}
		defer sub.Close()
		return sub.open(base, flag)
	}
	const tries = 100 // while others make and remove the file
	for range tries {
		info, err := d.root.Lstat(name)
		if flag&os.O_CREATE != 0 && errors.Is(err, fs.ErrNotExist) {
			f, err := d.root.OpenFile(name, flag|os.O_EXCL, newMode)
			if errors.Is(err, fs.ErrExist) {
				continue
			}
			return withInfo(f, err)
		}
		if err != nil {
			return nil, nil, err
		}
		if !info.Mode().IsRegular() {
			return nil, nil, &TypeError{Found: info.Mode()}
		}
		f, opened, err := withInfo(d.root.OpenFile(name, flag&^os.O_CREATE|syscall.O_NONBLOCK, 0))
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return nil, nil, err
		case !os.SameFile(info, opened):
			_ = f.Close()
		default:
			return f, opened, nil
		}
	}
	return nil, nil, errReplaced
}

func withInfo(f *os.File, err error) (*os.File, fs.FileInfo, error) {
	if err != nil {
		return nil, nil, err
	}
	info, err := f.Stat()
	if err != nil {
		_ = f.Close()
		return nil, nil, err
	}
	return f, info, nil
}

// OpenInput opens a regular file that the user named; links are followed. Whoever
// walked to it gives the folder that it must be in as root, with the path relative to
// it. The error is ErrNotRegular when something else is there.
func OpenInput(root, path string) (*os.File, error) {
	open := func() (*os.File, error) { return os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0) }
	if root != "" {
		dir, err := os.OpenRoot(root)
		if err != nil {
			return nil, err
		}
		defer dir.Close()
		open = func() (*os.File, error) { return dir.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0) }
	}
	f, info, err := withInfo(open())
	if err == nil && !info.Mode().IsRegular() {
		_ = f.Close()
		err = ErrNotRegular
	}
	if err != nil {
		return nil, err
	}
	return f, nil
}

// ReadInput reads a file that the user named, at most limit bytes; links are followed.
// Errors: fs.ErrNotExist, ErrNotRegular, *TooLargeError.
func ReadInput(path string, limit int64) ([]byte, error) {
	f, err := OpenInput("", path)
	if err != nil {
		return nil, failed("read", path, err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err == nil && int64(len(data)) > limit {
		err = &TooLargeError{int64(len(data))}
	}
	return data, failed("read", path, err)
}

// Write writes a file and replaces the one of that name.
func (d *Dir) Write(name string, data []byte) error { return d.WriteMode(name, 0, data) }

// WriteMode is Write for a file of exactly this mode, regardless of the umask; 0: that of new files.
func (d *Dir) WriteMode(name string, mode fs.FileMode, data []byte) error {
	return failed("write", d.Path(name), replace(d.root, name, mode, true, data))
}

// WriteOnce writes a file that must not exist yet; else the error is fs.ErrExist.
func (d *Dir) WriteOnce(name string, data []byte) error { return d.writeOnce(name, 0, data) }

func (d *Dir) writeOnce(name string, mode fs.FileMode, data []byte) error {
	temp := tempFor(name)
	defer d.root.Remove(temp)
	err := writeNew(d.root, temp, mode, true, data)
	if err == nil {
		err = d.root.Link(temp, name) // unlike a rename it replaces nothing
		if err != nil && !d.Exists(name) {
			err = d.root.Rename(temp, name) // a file system without links
		}
	}
	return failed("write", d.Path(name), err)
}

func tempFor(name string) string {
	return filepath.Join(filepath.Dir(name), TempPrefix+rand.Text())
}

// replace writes a file aside and renames it.
func replace(dir *os.Root, name string, mode fs.FileMode, sync bool, parts ...[]byte) error {
	temp := tempFor(name)
	err := writeNew(dir, temp, mode, sync, parts...)
	if err == nil {
		err = dir.Rename(temp, name)
	}
	if err != nil {
		_ = dir.Remove(temp)
	}
	return err
}

// writeNew writes a new file; mode 0 is newMode.
func writeNew(dir *os.Root, name string, mode fs.FileMode, sync bool, parts ...[]byte) error {
	f, err := dir.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, cmp.Or(mode, newMode))
	if err != nil {
		return err
	}
	for _, part := range parts {
		if err == nil {
			_, err = f.Write(part)
		}
	}
	if err == nil && mode != 0 {
		err = f.Chmod(mode) // regardless of the umask
	}
	if err == nil && sync {
		err = f.Sync()
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	return err
}

// Linked reports whether a file has other names (hard links), so that writing to it would
// change a file elsewhere. It is false on systems that do not report links.
func Linked(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && links(info) > 1
}

// Lines returns the whole lines of a file; nothing when there is no file. A half line that a
// killed writer left at the end is ignored.
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
