package reader

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// Cache is a folder of answers, in the user's own cache. Nobody else may read it: answers
// quote logs. "": none is kept.
type Cache string

// OpenCache makes the folder where it is missing.
func OpenCache() (Cache, error) {
	dir, err := folder("reader")
	return Cache(dir), err
}

// Folder returns an empty folder of the user, in which a reader can run.
func Folder() (string, error) { return folder("empty") }

func folder(name string) (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	dir := filepath.Join(cache, "episodes", name)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	return dir, os.Chmod(dir, 0o700) // also one that was there
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

// Forget removes the answers to an order, by its key, which may come from others.
func (c Cache) Forget(key string) error {
	if c == "" {
		return nil
	}
	files, err := os.ReadDir(string(c))
	for _, f := range files {
		if strings.HasPrefix(f.Name(), key+"-") {
			err = errors.Join(err, os.Remove(filepath.Join(string(c), f.Name())))
		}
	}
	return err
}
