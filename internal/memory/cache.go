package memory

import (
	"bytes"
	"encoding/json"
	"hash/crc32"
	"io"
	"strings"
)

// The cache is one derived file of parts: what takes long to compute, such as the statistics
// over all episodes, is kept in a part for the next question. The first line of the data
// lists the parts, whose bytes follow in this order. Of two processes that write at once
// the last one wins, and the part of the other is computed again.
const (
	cacheName = "cache"
	cacheKey  = "cache 1"
)

// maxParts is the maximum size of the list of parts in bytes; a larger list is started
// again.
const maxParts = 64 << 10

// part is a part of the cache.
type part struct {
	Name string // what it is
	Key  string // what it was computed from
	Size int64  // in bytes
	Sum  uint32 // CRC-32 of the bytes
}

// ReadCached returns the part of a name if it was kept under a key, or nil if it is missing or
// damaged.
func (m *Memory) ReadCached(name, key string) []byte {
	parts, bodies, done := m.openCache()
	defer done()
	for i, p := range parts {
		if p.Name == name && p.Key == key {
			return p.read(bodies[i])
		}
	}
	return nil
}

// KeepCached replaces the part of a name, or removes it if data is nil. What is unchanged is not
// written. Errors of the disk are ignored, as KeepDerived does.
func (m *Memory) KeepCached(name, key string, data []byte) error {
	old, bodies, done := m.openCache()
	defer done()
	var parts []part
	var body bytes.Buffer
	for i, p := range old {
		if p.Name == name {
			continue
		}
		if data := p.read(bodies[i]); data != nil {
			parts = append(parts, p)
			body.Write(data)
		}
	}
	switch {
	case data != nil:
		parts = append(parts, part{name, key, int64(len(data)), crc32.ChecksumIEEE(data)})
		body.Write(data)
	case len(parts) == len(old):
		return nil
	}
	list, err := json.Marshal(parts)
	if err != nil {
		return err
	}
	if len(list) >= maxParts {
		return m.KeepDerived(cacheName, cacheKey, nil)
	}
	return m.KeepDerived(cacheName, cacheKey, append(append(list, '\n'), body.Bytes()...))
}

// openCache returns the parts that are kept, with their bytes, which can be read until done is
// called. There are none in a damaged file.
func (m *Memory) openCache() (parts []part, bodies []io.ReaderAt, done func()) {
	data, size, done := m.OpenDerived(cacheName, cacheKey)
	if data == nil {
		return nil, nil, func() {}
	}
	head := make([]byte, min(size, maxParts))
	if _, err := data.ReadAt(head, 0); err != nil && err != io.EOF {
		return nil, nil, done
	}
	list, _, whole := bytes.Cut(head, []byte("\n"))
	if !whole || json.Unmarshal(list, &parts) != nil {
		return nil, nil, done
	}
	at := int64(len(list)) + 1
	for _, p := range parts {
		if p.Size < 0 || p.Size > size-at {
			return nil, nil, done
		}
		bodies = append(bodies, io.NewSectionReader(data, at, p.Size))
		at += p.Size
	}
	return parts, bodies, done
}

// read returns the bytes of a part, or nil if they are damaged.
func (p part) read(from io.ReaderAt) []byte {
	data := make([]byte, p.Size)
	if _, err := from.ReadAt(data, 0); err != nil && err != io.EOF || crc32.ChecksumIEEE(data) != p.Sum {
		return nil
	}
	return data
}

// ofOlderVersions reports whether a derived file is one that only older versions write.
func ofOlderVersions(name string) bool { return name == "notes" || strings.HasSuffix(name, ".cbor") }
