package fsstore

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// WriteOut writes a file that the user named. A regular file is replaced, whole or
// not at all, and keeps its mode; a link stays, and what it leads to is written.
// What is no file (a terminal, a pipe) is written into and never replaced; a disk,
// or a pipe that nobody reads, is refused.
func WriteOut(path string, data []byte) error {
	return failed("write", path, writeOut(path, data))
}

func writeOut(path string, data []byte) error {
	info, err := os.Stat(path)
	var mode fs.FileMode
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if _, err := os.Lstat(path); err == nil {
			return errors.New("a link that leads nowhere")
		}
	case err != nil:
		return err
	case info.IsDir():
		return errors.New("is a folder")
	case !info.Mode().IsRegular():
		return writeInto(path, info.Mode(), data)
	default:
		mode = info.Mode().Perm()
		if path, err = filepath.EvalSymlinks(path); err != nil {
			return err
		}
	}
	dir, err := os.OpenRoot(filepath.Dir(path))
	if err != nil {
		return err
	}
	defer dir.Close()
	return replace(dir, filepath.Base(path), mode, true, data)
}

// writeInto writes into what is no regular file. It does not wait for a reader.
func writeInto(path string, mode fs.FileMode, data []byte) error {
	if mode&fs.ModeDevice != 0 && mode&fs.ModeCharDevice == 0 {
		return errors.New("is a disk")
	}
	f, err := os.OpenFile(path, os.O_WRONLY|syscall.O_NONBLOCK, 0)
	if errors.Is(err, syscall.ENXIO) {
		return errors.New("nobody reads from it")
	}
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Close())
}

// Real returns a path without links in it, or the path itself if it cannot be followed.
func Real(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}
