//go:build unix

package fsstore

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// Whatever the umask is, and wherever a link leads: what is private is the user's alone.
func TestPrivate(t *testing.T) {
	d, _ := open(t)
	outside := t.TempDir()
	sub, err := d.SubPrivate("a/b")
	must(t, err)
	defer sub.Close()
	must(t, errors.Join(sub.MakePrivate("c"), sub.WritePrivate("w", []byte("x")), sub.WritePrivate("w", []byte("y")), sub.WriteOncePrivate("once", nil)))
	for name, f := range map[string]func(string, int) (*os.File, error){"new": sub.NewPrivate, "opened": sub.OpenPrivate} {
		file, err := f(name, os.O_RDWR)
		must(t, err)
		file.Close()
	}
	if _, err := sub.NewPrivate("new", os.O_RDWR); !errors.Is(err, fs.ErrExist) {
		t.Errorf("made twice: %v", err)
	}
	for name, want := range map[string]fs.FileMode{"a": 0o700, "a/b": 0o700, "a/b/c": 0o700, "a/b/w": 0o600, "a/b/once": 0o600, "a/b/new": 0o600, "a/b/opened": 0o600} {
		if info, err := os.Stat(d.Path(name)); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v", name, info.Mode(), err)
		}
	}
	must(t, errors.Join(os.Symlink(outside, d.Path("link")), os.Symlink(filepath.Join(outside, "new"), sub.Path("away"))))
	var other *TypeError
	if _, err := d.SubPrivate("link/c"); !errors.As(err, &other) {
		t.Errorf("followed: %v", err)
	}
	if _, err := sub.OpenPrivate("away", os.O_RDWR); !errors.As(err, &other) {
		t.Errorf("followed: %v", err)
	}
	if err := sub.AppendPrivate("away", []byte("x"), 1); err == nil {
		t.Error("appended to a link")
	}
	if names, _ := os.ReadDir(outside); len(names) > 0 {
		t.Errorf("wrote %v", names)
	}
}
