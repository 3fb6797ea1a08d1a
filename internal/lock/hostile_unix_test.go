//go:build unix

package lock

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"episodes/internal/fsstore"
)

// What came in place of a lock file is neither waited for nor written to.
func TestNoLockFile(t *testing.T) {
	for name, plant := range map[string]func(path, outside string) error{
		"link":   func(path, outside string) error { return os.Symlink(outside, path) },
		"device": func(path, _ string) error { return os.Symlink("/dev/zero", path) },
		"pipe":   func(path, _ string) error { return syscall.Mkfifo(path, 0o644) },
		"folder": func(path, _ string) error { return os.Mkdir(path, 0o755) },
		"nowhere": func(path, outside string) error {
			return os.Symlink(outside+".new", path)
		},
	} {
		path, outside := newPath(t), filepath.Join(t.TempDir(), "outside")
		if err := errors.Join(os.WriteFile(outside, []byte("kept"), 0o644), plant(path, outside)); err != nil {
			t.Fatal(err)
		}
		for way, try := range map[string]func() error{
			"acquire": func() error { _, err := Acquire(ctx, path, time.Second, "test"); return err },
			"shared":  func() error { _, err := Shared(ctx, path, time.Second); return err },
			"try":     func() error { _, _, err := Try(path, "test"); return err },
		} {
			var other *fsstore.TypeError
			if err := try(); !errors.As(err, &other) {
				t.Errorf("%s, %s: %v", name, way, err)
			}
		}
		if HeldBy(path) != nil {
			t.Errorf("%s: held", name)
		}
		if text, err := os.ReadFile(outside); string(text) != "kept" {
			t.Errorf("%s: %q, %v", name, text, err)
		}
		if _, err := os.Stat(outside + ".new"); err == nil {
			t.Errorf("%s: made a file outside", name)
		}
	}
}
