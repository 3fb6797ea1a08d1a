//go:build !unix

package pgkv

import "io/fs"

// owned is true: each user has a folder for temporary files of his own.
func owned(fs.FileInfo) bool { return true }
