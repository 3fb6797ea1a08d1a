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

// A derived file is a line with the token of who wrote it and the key of what it was
// made from and how, and then the data. A file with another such line is as good as none.

// maxDerived is the size in bytes of the largest derived file that is read.
const maxDerived = 512 << 20

// ReadDerived returns the data of a derived file that was written under a key; nil
// when there is none, or it cannot be read: it can be made again.
func (m *Memory) ReadDerived(name, key string) []byte {
	if m.ReadDerivedHead(name, key, int64(len(key))+1) == nil {
		return nil // before what may be large is read
	}
	data, err := m.derived.ReadLarge(name, maxDerived)
	return m.unwrap(data, key, err)
}

// ReadDerivedHead is ReadDerived of the beginning of a file, at most limit bytes.
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

// line is the first line of a derived file, where anything may be kept.
func (m *Memory) line(key string) string {
	token, _ := m.token()
	return token + " " + key
}

// WriteDerived replaces a derived file. A reader sees the old one or the new one,
// never a part. The key is one line. Where nothing may be kept, nothing is written.
func (m *Memory) WriteDerived(name, key string, data []byte) error {
	if m.Local() != nil {
		return nil
	}
	if err := m.EnsureDerived(); err != nil {
		return err
	}
	return m.derived.WriteCache(name, []byte(m.line(key)+"\n"), data)
}

// StatDerived describes a derived file, to notice another version; ok is false when
// there is none.
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

// KeepDerived is WriteDerived without an error when the disk refuses the file, or
// another process removed it before it was whole.
func (m *Memory) KeepDerived(name, key string, data []byte) error {
	err := m.WriteDerived(name, key, data)
	if fsstore.Unwritable(err) || errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// DropDerived removes all that is derived but the graph, which whoever calls it makes
// anew; the caller holds the lock. The view is no such thing: nothing says it again.
func (m *Memory) DropDerived() error {
	if m.derived == nil {
		return nil
	}
	err := removeBut(m.derived, func(name string) bool {
		return slices.Contains([]string{lockName, graphName, ignoreName, viewName, asideName}, name)
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

// removeBut removes all in a folder but what is to be kept.
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

// OpenDerived opens a derived file that was written under a key, to read parts of it;
// nil when there is none, or it cannot be read. What it returns is the data, its size and
// how to close it.
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

// RemoveDerived removes the derived files whose names begin with a prefix, but some.
// That it cannot is no error.
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
