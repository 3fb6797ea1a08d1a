package local

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"episodes/internal/fsstore"
	"episodes/internal/gitdir"
)

// Tracked returns the path, relative to dir, of a file below the absolute path dir that git
// tracks, or "". Tracked files may have been written by anybody who pushed. The .gitignore of
// dir itself is ignored. Tracked reads git's index without starting git, and returns an error
// if the format of the index is not known.
//
// All folders above dir are examined, since repositories may be nested, and a planted one
// must not hide the real one.
func Tracked(dir string) (string, error) {
	if real, err := filepath.EvalSymlinks(filepath.Dir(dir)); err == nil { // dir itself may be gone
		dir = filepath.Join(real, filepath.Base(dir))
	}
	if _, err := os.Lstat(filepath.Join(dir, gitName)); err == nil {
		return gitName, nil // a repository of its own, which no program of ours made
	}
	q := query{fold: foldsCase(dir)}
	for top := filepath.Dir(dir); ; top = filepath.Dir(top) {
		below, err := filepath.Rel(top, dir)
		if err != nil {
			return "", err
		}
		q.prefix = []byte(filepath.ToSlash(below) + "/")
		if found, err := q.repository(top); found != "" || err != nil {
			return found, err
		}
		if top == filepath.Dir(top) {
			return "", nil
		}
	}
}

const (
	gitName    = ".git"
	ignoreName = ".gitignore"
)

// query asks indexes for a path that begins with prefix.
type query struct {
	prefix []byte
	fold   bool // paths that differ in the case of letters are one
}

// foldsCase reports whether the file system takes names for one that differ in case
// only. Then a path in an index leads to the folder however it is written.
func foldsCase(dir string) bool {
	here, err := os.Lstat(dir)
	if err != nil {
		return false
	}
	upper, err := os.Lstat(filepath.Join(filepath.Dir(dir), strings.ToUpper(filepath.Base(dir))))
	return err == nil && os.SameFile(here, upper)
}

// repository looks into the index of the repository in a folder, if there is one.
func (q query) repository(top string) (string, error) {
	git := gitdir.Folder(top)
	if git == "" {
		return "", nil
	}
	path := filepath.Join(git, "index")
	index, err := readAll(path)
	if err != nil || len(index) == 0 {
		return "", err
	}
	found, err := q.index(index)
	if found != "" || err != nil {
		return found, failed(path, err)
	}
	// Of a split index the other part holds most paths. It is named by a hash. What was
	// taken out of it since is not looked at, so a path may be said to be tracked too long.
	parts, _ := os.ReadDir(git)
	for _, e := range parts {
		name, split := strings.CutPrefix(e.Name(), "sharedindex.")
		hash, err := hex.DecodeString(name)
		if !split || err != nil || len(hash) < 20 || !bytes.Contains(index, hash) {
			continue
		}
		path := filepath.Join(git, e.Name())
		shared, err := readAll(path)
		if err == nil && len(shared) > 0 {
			found, err = q.index(shared)
		}
		if found != "" || err != nil {
			return found, failed(path, err)
		}
	}
	return "", nil
}

func failed(path string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("read the index of git %q: %w", path, err)
}

// maxIndex is the size in bytes of the largest index that is read: ten times that of
// the largest repositories.
const maxIndex = 1 << 30

// readAll reads an index. It returns nothing if the file is missing or git could not
// read it either.
func readAll(path string) ([]byte, error) {
	f, err := fsstore.OpenInput("", path)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) || errors.Is(err, fsstore.ErrNotRegular) {
		return nil, nil
	}
	if err != nil {
		return nil, fsstore.Cause(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if info.Size() > maxIndex {
		return nil, fmt.Errorf("%d MB is too large", info.Size()>>20)
	}
	data := make([]byte, info.Size())
	n, err := io.ReadFull(f, data)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = nil
	}
	return data[:n], err
}

var errIndex = errors.New("it has no form that is known")

// index returns a path of an index that begins with the prefix, without it. Most indexes have no such bytes, so that no
// entry need be decoded; those of version 4 have paths in parts.
func (q query) index(data []byte) (found string, err error) {
	const head = "DIRC\x00\x00\x00"
	if !bytes.HasPrefix(data, []byte(head)) || len(data) < 12 {
		return "", errIndex
	}
	prefix := q.folded(q.prefix)
	if version := data[len(head)]; (version == 2 || version == 3) && !bytes.Contains(q.folded(data), prefix) {
		return "", nil
	}
	_, ok := gitdir.Entries(data, func(path, _ []byte) {
		if found == "" && len(path) > len(prefix) && bytes.Equal(q.folded(path[:len(prefix)]), prefix) && matters(path[len(prefix):]) {
			found = string(path[len(prefix):])
		}
	})
	if !ok {
		return "", errIndex
	}
	return found, nil
}

// matters reports whether a path below the folder is of something derived: our
// .gitignore is to be tracked.
func matters(rest []byte) bool { return len(rest) > 0 && string(rest) != ignoreName }

// folded is b with small letters of ASCII, where case does not count.
func (q query) folded(b []byte) []byte {
	if !q.fold {
		return b
	}
	b = slices.Clone(b)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return b
}
