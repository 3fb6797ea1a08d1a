//go:build !(linux || darwin || freebsd || dragonfly)

package memory

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// statter returns what looks at a name in a folder.
func statter(dir *os.File) func(name string) (look, error) {
	return func(name string) (look, error) {
		info, err := os.Lstat(filepath.Join(dir.Name(), name))
		if errors.Is(err, fs.ErrNotExist) {
			return look{gone: true}, nil
		}
		if err != nil {
			return look{}, err
		}
		return look{Stat: StatOf(info), regular: info.Mode().IsRegular()}, nil
	}
}
