package memory

import (
	"encoding/binary"
	"hash/crc32"
	"slices"
)

// What takes long to compute, such as the statistics over all episodes, is kept for the next
// question in a derived file of its own: the CRC-32 of the data in 4 bytes, then the data.

// cachePrefix begins the names of these files.
const cachePrefix = "cache-"

// ReadCached returns what was kept under a name and a key, or nil if it is missing or damaged.
func (m *Memory) ReadCached(name, key string) []byte {
	file := m.ReadDerived(cachePrefix+name, key)
	if len(file) < 4 || binary.BigEndian.Uint32(file) != crc32.ChecksumIEEE(file[4:]) {
		return nil
	}
	return file[4:]
}

// KeepCached replaces what is kept under a name, or removes it if data is nil. Errors of the
// disk are ignored, as KeepDerived does.
func (m *Memory) KeepCached(name, key string, data []byte) error {
	if data != nil {
		sum := binary.BigEndian.AppendUint32(nil, crc32.ChecksumIEEE(data))
		return m.KeepDerived(cachePrefix+name, key, slices.Concat(sum, data))
	}
	if m.derived != nil && m.Local() == nil {
		_ = m.derived.Remove(cachePrefix + name)
	}
	return nil
}
