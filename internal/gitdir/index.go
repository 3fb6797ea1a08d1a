package gitdir

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"path/filepath"
	"slices"

	"episodes/internal/fsstore"
)

// maxIndex is the size in bytes of the largest index that is read here, and mostShared how many times as long its paths
// may be, which share their beginnings.
const (
	maxIndex   = 256 << 20
	mostShared = 8
)

// Indexed returns the blobs of the files below some paths that git tracks in a working tree, by its index: "" of a file
// that is in conflict. It is nil where the form of the index is not known, or part of it is elsewhere.
func Indexed(top string, paths []string) map[string]string { return indexed(Folder(top), paths) }

// indexed is Indexed by the folder of a working tree.
func indexed(own string, paths []string) map[string]string {
	data, err := fsstore.ReadInput(filepath.Join(own, "index"), maxIndex)
	if err != nil {
		return nil
	}
	blobs, room := map[string]string{}, mostShared*len(data)
	rest, ok := Entries(data, func(path, blob []byte) {
		if room > 0 && slices.ContainsFunc(paths, func(p string) bool { return Below(p, path) }) {
			room -= len(path)
			name := hex.EncodeToString(blob)
			if _, again := blobs[string(path)]; again { // once for each side
				name = ""
			}
			blobs[string(path)] = name
		}
	})
	if !ok || room <= 0 || isSplit(rest) {
		return nil
	}
	return blobs
}

// isSplit reports whether among the extensions behind the entries of an index is the one that names another index. The
// checksum at the end, of at most 32 bytes, is shorter than that one with any checksum.
func isSplit(rest []byte) bool {
	for len(rest) > 32 {
		if string(rest[:4]) == "link" {
			return true
		}
		rest = rest[min(8+uint64(binary.BigEndian.Uint32(rest[4:])), uint64(len(rest))):]
	}
	return false
}

// Below reports whether a path is another one, or below it.
func Below[T string | []byte](dir string, name T) bool {
	n := len(dir)
	return dir == "." || len(name) >= n && string(name[:n]) == dir && (len(name) == n || name[n] == '/')
}

const (
	indexHead = 12     // bytes: signature, version, number of entries
	statSize  = 40     // of an entry, before the hash
	maxLength = 0xfff  // of a path, as far as the flags of an entry say it
	extended  = 0x4000 // the flag of an entry that has 16 bits of flags more
)

// Entries gives the path and hash of each entry of an index of git, and returns what follows them; see
// gitformat-index(5). The slices are only valid during the call. ok is false for data of another form; f may have been
// called before that is known.
func Entries(data []byte, f func(path, hash []byte)) (rest []byte, ok bool) {
	if len(data) < indexHead || string(data[:4]) != "DIRC" {
		return nil, false
	}
	version, n := binary.BigEndian.Uint32(data[4:]), int(binary.BigEndian.Uint32(data[8:]))
	if version < 2 || version > 4 {
		return nil, false
	}
	for _, size := range []int{20, 32} { // SHA-1 or SHA-256: the index does not say which
		if rest, ok = entries(data[indexHead:], n, size, version == 4, f); ok {
			return rest, true
		}
	}
	return nil, false
}

// entries reads n entries. With shared, each says how much of the path before to cut off and what to add.
func entries(data []byte, n, size int, shared bool, f func(path, hash []byte)) (rest []byte, ok bool) {
	var path []byte
	for range n {
		head := statSize + size + 2
		if len(data) < head+2 {
			return nil, false
		}
		flags := int(binary.BigEndian.Uint16(data[head-2:]))
		if flags&extended != 0 {
			head += 2
		}
		cut, skip := len(path), 0
		if shared {
			if cut, skip = offset(data[head:]); skip == 0 || cut > len(path) {
				return nil, false
			}
		}
		end := bytes.IndexByte(data[head+skip:], 0)
		if end < 0 {
			return nil, false
		}
		path = append(path[:len(path)-cut], data[head+skip:head+skip+end]...)
		if flags&maxLength != min(len(path), maxLength) {
			return nil, false
		}
		f(path, data[statSize:statSize+size])
		next := head + skip + end + 1
		if !shared {
			next = (head+end)/8*8 + 8 // entries are padded
		}
		data = data[min(next, len(data)):]
	}
	return data, true
}

// offset decodes a number in git's variable-length encoding. n is the number of bytes read, or
// 0 if there is no number.
func offset(data []byte) (value, n int) {
	const most = 5
	for n < min(len(data), most) {
		c := data[n]
		n++
		value = value<<7 | int(c&0x7f)
		if c&0x80 == 0 {
			return value, n
		}
		value++
	}
	return 0, 0
}
