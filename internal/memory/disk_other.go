//go:build !(linux || darwin || freebsd || dragonfly)

package memory

// FreeBytes is not implemented on this system.
func FreeBytes(dir string) (uint64, bool) { return 0, false }
