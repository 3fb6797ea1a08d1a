package local

import (
	"bytes"
	"encoding/binary"
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

const (
	indexHead = 12     // bytes: signature, version, number of entries
	maxLength = 0xfff  // of a path, as far as the flags of an entry say it
	extended  = 0x4000 // the flag of an entry that has 16 bits of flags more
)

// index returns a path of an index that begins with the prefix, without it; see
// gitformat-index(5).
func (q query) index(data []byte) (found string, err error) {
	if len(data) < indexHead || string(data[:4]) != "DIRC" {
		return "", errIndex
	}
	if version := binary.BigEndian.Uint32(data[4:]); version == 2 || version == 3 {
		return q.search(data), nil
	}
	prefix := q.folded(q.prefix)
	_, ok := gitdir.Entries(data, func(path, _ []byte) {
		if found == "" && bytes.HasPrefix(q.folded(path), prefix) && matters(path[len(prefix):]) {
			found = string(path[len(prefix):])
		}
	})
	if !ok {
		return "", errIndex
	}
	return found, nil
}

// search finds a path that is written out, with its length before it and a zero behind
// it. Most indexes hold no such bytes, so that no entry need be decoded.
func (q query) search(data []byte) string {
	text, prefix := q.folded(data), q.folded(q.prefix)
	for at := indexHead; ; {
		i := bytes.Index(text[at:], prefix)
		if i < 0 {
			return ""
		}
		at += i
		length := bytes.IndexByte(text[at:], 0)
		if length >= len(prefix) && pathAt(data, at, length) && matters(data[at+len(prefix):at+length]) {
			return string(data[at+len(prefix) : at+length])
		}
		at += len(prefix)
	}
}

// pathAt reports whether the flags of an entry before a path agree with its length.
func pathAt(data []byte, at, length int) bool {
	flags := func(before int) int { return int(binary.BigEndian.Uint16(data[at-before:])) }
	is := func(flags int) bool { return flags&maxLength == min(length, maxLength) }
	return is(flags(2)) || flags(4)&extended != 0 && is(flags(4))
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
