package reader

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"episodes/internal/fsstore"
)

// Cache is a folder of answers, in the user's own cache. Nobody else may read it: answers
// quote logs. "": none is kept.
type Cache string

// OpenCache makes the folder where it is missing.
func OpenCache() (Cache, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	dir := filepath.Join(cache, "episodes", "reader")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	return Cache(dir), os.Chmod(dir, 0o700) // also one that was there
}

// read returns an answer, or "".
func (c Cache) read(name string) string {
	d, err := fsstore.Open(string(c))
	if err != nil {
		return ""
	}
	defer d.Close()
	data, _ := d.ReadLarge(name, maxAnswer)
	return string(data)
}

func (c Cache) write(name, answer string) error {
	d, err := fsstore.Open(string(c))
	if err != nil {
		return err
	}
	defer d.Close()
	return d.WriteCachePrivate(name, []byte(answer))
}

// PathMark names the log at a path in the names of answers.
func PathMark(path string) string { return hashOf(path) }

// Forget removes answers from the user's cache: those to orders of some keys, or about the logs of
// some marks.
func Forget(names ...string) error {
	if len(names) == 0 {
		return nil
	}
	dir, err := OpenCache()
	if err != nil {
		return nil // there is no cache
	}
	files, err := os.ReadDir(string(dir))
	for _, f := range files {
		if slices.ContainsFunc(strings.Split(f.Name(), "-"), func(part string) bool { return slices.Contains(names, part) }) {
			err = errors.Join(err, os.Remove(filepath.Join(string(dir), f.Name())))
		}
	}
	return err
}
