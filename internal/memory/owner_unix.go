//go:build unix

package memory

import (
	"os"
	"strconv"
	"syscall"
)

// untrusted returns why another user could have written a folder or its content, or "".
func untrusted(path string) string {
	info, err := os.Stat(path)
	if err != nil {
		return "" // the folder does not exist
	}
	if st, ok := info.Sys().(*syscall.Stat_t); ok && !ownUser(st.Uid) {
		return "belongs to another user"
	}
	if info.IsDir() && info.Mode()&0o002 != 0 {
		return "can be written by everyone"
	}
	return ""
}

// ownUser reports whether a user runs the program, directly or by sudo.
func ownUser(uid uint32) bool {
	own := os.Geteuid()
	if uint32(own) == uid {
		return true
	}
	sudo, err := strconv.ParseUint(os.Getenv("SUDO_UID"), 10, 32)
	return own == 0 && err == nil && uint32(sudo) == uid
}
