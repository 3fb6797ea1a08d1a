//go:build unix

package fsstore

import (
	"errors"
	"path/filepath"
	"syscall"
	"testing"
)

// A pipe in the place of a file blocks nobody.
func TestPipe(t *testing.T) {
	d, dir := open(t)
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Read("pipe"); !errors.Is(err, ErrNotRegular) {
		t.Error(err)
	}
	if _, err := d.ReadHead("pipe", 1); !errors.Is(err, ErrNotRegular) {
		t.Error(err)
	}
}
