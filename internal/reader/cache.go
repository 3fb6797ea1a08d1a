package reader

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
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

func (c Cache) read(name string) (string, bool) {
	if c == "" {
		return "", false
	}
	f, err := os.Open(filepath.Join(string(c), name))
	if err != nil {
		return "", false
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxAnswer+1))
	return string(data), err == nil && len(data) <= maxAnswer
}

// write keeps an answer, whole or not at all.
func (c Cache) write(name, answer string) error {
	if c == "" {
		return nil
	}
	f, err := os.CreateTemp(string(c), ".tmp-") // 0600
	if err != nil {
		return err
	}
	_, err = f.WriteString(answer)
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), filepath.Join(string(c), name))
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
	return err
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
