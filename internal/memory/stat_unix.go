//go:build linux || darwin || freebsd || dragonfly

package memory

import (
	"errors"
	"io/fs"
	"os"

	"golang.org/x/sys/unix"
)

// statter returns what looks at a name in a folder, without the detour over
// fs.FileInfo and the folder's path.
func statter(dir *os.File) func(name string) (look, error) {
	fd := int(dir.Fd())
	return func(name string) (look, error) {
		var st unix.Stat_t
		err := unix.Fstatat(fd, name, &st, unix.AT_SYMLINK_NOFOLLOW)
		if err != nil {
			return unseen(name, err)
		}
		return seen(&st), nil
	}
}

func unseen(name string, err error) (look, error) {
	if errors.Is(err, fs.ErrNotExist) {
		return look{gone: true}, nil
	}
	return look{}, &fs.PathError{Op: "lstat", Path: name, Err: err}
}

func seen(st *unix.Stat_t) look {
	const all = 0o444
	return look{
		Stat:    Stat{Size: st.Size, ModTime: modTime(st)},
		touched: touched(st),
		regular: st.Mode&unix.S_IFMT == unix.S_IFREG,
		open:    st.Mode&all == all,
	}
}

func modTime(st *unix.Stat_t) int64 {
	sec, nsec := st.Mtim.Unix()
	return sec*1e9 + nsec
}

func touched(st *unix.Stat_t) int64 {
	sec, nsec := st.Ctim.Unix()
	return sec*1e9 + nsec
}
