//go:build linux && (amd64 || arm64)

package memory

import (
	"bytes"
	"encoding/binary"
	"io"
	"io/fs"
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// A large folder is read here without a copy of any name: a scan looks at each once
// and keeps hardly one of them.

// nameBuffer is what the system gives names into, at a time; some 1000 of them.
const nameBuffer = 64 << 10

// readNames adds the next names of a folder to those of a step, and reads into the
// buffer of the step. The error is io.EOF when there are no more.
func readNames(dir *os.File, s *step) error {
	if s.buf == nil {
		s.buf = make([]byte, nameBuffer)
	}
	n, err := unix.Getdents(int(dir.Fd()), s.buf)
	for err == unix.EINTR {
		n, err = unix.Getdents(int(dir.Fd()), s.buf)
	}
	if err != nil {
		return &fs.PathError{Op: "readdirent", Path: dir.Name(), Err: err}
	}
	if n <= 0 {
		return io.EOF
	}
	// An entry is an inode and an offset of eight bytes each, its length in two
	// bytes, a byte for its type, and the name with a zero byte.
	const lengthAt, nameAt = 16, 19
	for rest := s.buf[:n]; len(rest) > nameAt; {
		size := int(binary.NativeEndian.Uint16(rest[lengthAt:]))
		if size <= nameAt || size > len(rest) {
			return &fs.PathError{Op: "readdirent", Path: dir.Name(), Err: unix.EINVAL}
		}
		name := rest[nameAt:size]
		if end := bytes.IndexByte(name, 0); end > 0 {
			s.add(name[:end+1])
		}
		rest = rest[size:]
	}
	return nil
}

// nameStatter is statter for names that end with a zero byte.
func nameStatter(dir *os.File) func(name []byte) (look, error) {
	fd := dir.Fd()
	return func(name []byte) (look, error) {
		var st unix.Stat_t
		_, _, errno := unix.Syscall6(unix.SYS_NEWFSTATAT, fd, uintptr(unsafe.Pointer(&name[0])), uintptr(unsafe.Pointer(&st)), unix.AT_SYMLINK_NOFOLLOW, 0, 0)
		if errno != 0 {
			return unseen(string(name[:len(name)-1]), errno)
		}
		return seen(&st), nil
	}
}
