package memory

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"episodes/graph/stores"
	"episodes/internal/fsstore"
)

// A derived file starts with a line that has the token of its writer and a key of its
// inputs; the data follows. A file with another first line is ignored.

// maxDerived is the size in bytes of the largest derived file that is read.
const maxDerived = 512 << 20

// OriginsName is the derived file of who brought the episodes. What it has of this user's own runs cannot be computed
// again, so that it is kept with the view.
const OriginsName = "origins"

// OriginsTold is what questions need of it.
const OriginsTold = "origins-told"

// IndexName is the derived file of what the graph has seen.
const IndexName = "index"

// RecallPrefix begins the names of the derived files of the index of retrieval.
const RecallPrefix = "recall"

// ReadDerived returns the data of a derived file that was written under a key, or nil if it is
// missing or cannot be read. Derived files can be computed again.
func (m *Memory) ReadDerived(name, key string) []byte {
	if m.ReadDerivedHead(name, key, int64(len(key))+1) == nil {
		return nil // before the data, which may be large, is read
	}
	data, err := m.derived.ReadLarge(name, maxDerived)
	return m.unwrap(data, key, err)
}

// ReadDerivedHead is like ReadDerived but returns at most the first limit bytes.
func (m *Memory) ReadDerivedHead(name, key string, limit int64) []byte {
	if m.derived == nil || !m.derived.Exists(name) {
		return nil
	}
	token, err := m.token()
	if err != nil {
		return nil
	}
	data, err := m.derived.ReadHead(name, int64(len(token))+1+limit)
	return m.unwrap(data, key, err)
}

func (m *Memory) unwrap(file []byte, key string, err error) []byte {
	first, data, ok := bytes.Cut(file, []byte("\n"))
	if err != nil || !ok || string(first) != m.line(key) {
		return nil
	}
	return data
}

// line returns the first line of a derived file, if derived files may be written.
func (m *Memory) line(key string) string {
	token, _ := m.token()
	return token + " " + key
}

// WriteDerived replaces a derived file atomically. Only the user may read it, since it may
// hold words of private episodes. The key must be one line. If derived files
// may not be kept (see Local), it does nothing.
func (m *Memory) WriteDerived(name, key string, data []byte) error {
	if m.Local() != nil {
		return nil
	}
	if err := m.EnsureDerived(); err != nil {
		return err
	}
	return m.derived.WriteCachePrivate(name, []byte(m.line(key)+"\n"), data)
}

// StatDerived describes a derived file, to detect another version. If the file does not exist,
// ok is false.
func (m *Memory) StatDerived(name string) (st fsstore.Stat, ok bool) {
	if m.derived == nil {
		return st, false
	}
	info, err := m.derived.Lstat(name)
	if err != nil {
		return st, false
	}
	return fsstore.StatOf(info), true
}

// KeepDerived is like WriteDerived, but ignores errors of the disk and removal of the file by
// another process.
func (m *Memory) KeepDerived(name, key string, data []byte) error {
	err := m.WriteDerived(name, key, data)
	if fsstore.Unwritable(err) || errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// DropDerived removes all derived files except the graph with its index of retrieval, which the caller
// rebuilds. The view and the origins are kept, since they cannot be computed again. The caller must hold the lock.
func (m *Memory) DropDerived() error {
	if m.derived == nil {
		return nil
	}
	err := removeBut(m.derived, func(name string) bool {
		return slices.Contains([]string{lockName, graphName, ignoreName, viewName, asideName, OriginsName, IndexName}, name) ||
			strings.HasPrefix(name, RecallPrefix)
	})
	if err != nil {
		return err
	}
	graph, err := m.derived.Existing(graphName)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer graph.Close()
	return removeBut(graph, func(name string) bool { return stores.Uses(m.DefaultStore(), name) })
}

// removeBut removes the content of a folder except what is to be kept.
func removeBut(dir *fsstore.Dir, keep func(name string) bool) error {
	names, err := dir.All()
	if err != nil {
		return err
	}
	for _, name := range names {
		if keep(name) {
			continue
		}
		if err := dir.RemoveAll(name); err != nil {
			return err
		}
	}
	return nil
}

// OpenDerived opens a derived file that was written under a key, to read parts of it. It
// returns the data, its size in bytes and a function that closes it, or nil if the file is
// missing or cannot be read.
func (m *Memory) OpenDerived(name, key string) (data io.ReaderAt, size int64, done func()) {
	head := m.ReadDerivedHead(name, key, int64(len(key))+1)
	if head == nil {
		return nil, 0, nil
	}
	f, err := m.derived.OpenFile(name, os.O_RDONLY)
	if err != nil {
		return nil, 0, nil
	}
	info, err := f.Stat()
	first := int64(len(m.line(key))) + 1
	if err != nil || info.Size() < first {
		_ = f.Close()
		return nil, 0, nil
	}
	return io.NewSectionReader(f, first, info.Size()-first), info.Size() - first, func() { _ = f.Close() }
}

// RemoveDerived removes the derived files with a prefix, with exceptions. Errors are ignored.
func (m *Memory) RemoveDerived(prefix string, but []string) {
	if m.derived == nil {
		return
	}
	names, _ := m.derived.All()
	for _, name := range names {
		if strings.HasPrefix(name, prefix) && !slices.Contains(but, name) {
			_ = m.derived.Remove(name)
		}
	}
}
