//go:build unix

package pgkv

import (
	"io/fs"
	"os"
	"syscall"
)

// owned reports whether a folder is this user's: in a folder for all users nobody else can
// then put something in its place.
func owned(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(st.Uid) == os.Getuid()
}
