//go:build !unix

package fsstore

import "io/fs"

// links is not known here: an open file is said to have one name.
func links(fs.FileInfo) uint64 { return 1 }
