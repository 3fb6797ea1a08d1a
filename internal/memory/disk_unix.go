//go:build linux || darwin || freebsd || dragonfly

package memory

import "golang.org/x/sys/unix"

// FreeBytes returns the space that is free for this user on the disk of dir;
// false where the system does not report it.
func FreeBytes(dir string) (uint64, bool) {
	var st unix.Statfs_t
	if unix.Statfs(dir, &st) != nil {
		return 0, false
	}
	return uint64(max(int64(st.Bavail), 0)) * uint64(st.Bsize), true
}
