//go:build unix

package fsstore

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// No link is followed below the folder that was opened, also none that stays inside; and
// nothing but a regular file is opened or written to.
func TestNothingIsFollowed(t *testing.T) {
	d, dir := open(t)
	outside := filepath.Join(filepath.Dir(dir), "outside")
	for _, err := range []error{
		os.Mkdir(outside, 0o755),
		os.WriteFile(filepath.Join(outside, "x"), []byte("kept"), 0o644),
		os.WriteFile(filepath.Join(dir, "x"), []byte("kept"), 0o644),
		os.Mkdir(filepath.Join(dir, "sub"), 0o755),
		os.Symlink("sub", filepath.Join(dir, "inner")),
		os.Symlink(outside, filepath.Join(dir, "outer")),
		os.Symlink("x", filepath.Join(dir, "near")),
		os.Symlink(filepath.Join(outside, "x"), filepath.Join(dir, "far")),
		os.Symlink(filepath.Join(outside, "new"), filepath.Join(dir, "nowhere")),
		os.Symlink("/dev/zero", filepath.Join(dir, "zeros")),
		syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o644),
	} {
		must(t, err)
	}
	var other *TypeError
	for _, name := range []string{"inner", "outer", "pipe", "x", "inner/deep", "outer/deep"} {
		for way, open := range map[string]func(string) (*Dir, error){"sub": d.Sub, "existing": d.Existing} {
			if _, err := open(name); !errors.As(err, &other) || !other.Folder {
				t.Errorf("%s %q: %v", way, name, err)
			}
		}
	}
	if _, err := Open(filepath.Join(dir, "pipe")); !errors.As(err, &other) {
		t.Errorf("open a pipe: %v", err)
	}
	for _, name := range []string{"near", "far", "nowhere", "zeros", "pipe", "sub"} {
		if _, err := d.Read(name); !errors.Is(err, ErrNotRegular) {
			t.Errorf("read %q: %v", name, err)
		}
		if _, err := d.ReadHead(name, 1); !errors.Is(err, ErrNotRegular) {
			t.Errorf("read the head of %q: %v", name, err)
		}
		if _, err := d.OpenFile(name, os.O_RDWR|os.O_CREATE); !errors.As(err, &other) {
			t.Errorf("open %q: %v", name, err)
		}
		if err := d.WriteCachePrivate(name, []byte("new")); err != nil {
			t.Errorf("write %q: %v", name, err)
		}
		if got, err := d.Read(name); err != nil || string(got) != "new" {
			t.Errorf("%q: %q, %v", name, got, err)
		}
	}
	for _, path := range []string{filepath.Join(outside, "x"), filepath.Join(dir, "x")} {
		if got, err := os.ReadFile(path); string(got) != "kept" {
			t.Errorf("%q: %q, %v", path, got, err)
		}
	}
	for _, name := range []string{"../" + filepath.Base(outside) + "/x", filepath.Join(outside, "x")} {
		if _, err := d.Read(name); err == nil {
			t.Errorf("read %q", name)
		}
		if _, err := d.OpenFile(name, os.O_RDWR|os.O_CREATE); err == nil {
			t.Errorf("opened %q", name)
		}
	}
	if names, err := os.ReadDir(outside); err != nil || len(names) != 1 {
		t.Errorf("outside: %v, %v", names, err)
	}
}

// A file that has another name too may be somebody's: it is replaced, never written to.
func TestHardLink(t *testing.T) {
	d, dir := open(t)
	outside := filepath.Join(t.TempDir(), "x")
	if err := errors.Join(os.WriteFile(outside, []byte("kept\n"), 0o644), os.Link(outside, filepath.Join(dir, "x"))); err != nil {
		t.Skipf("needs hard links: %v", err)
	}
	if !linked(t, d) {
		t.Error("its other name is not seen")
	}
	if err := d.WriteCachePrivate("x", []byte("new")); err != nil {
		t.Error(err)
	}
	if got, err := os.ReadFile(outside); string(got) != "kept\n" {
		t.Errorf("%q, %v", got, err)
	}
	if linked(t, d) {
		t.Error("a file of its own has another name")
	}
}

func linked(t *testing.T, d *Dir) bool {
	t.Helper()
	f, err := d.OpenFile("x", os.O_RDWR)
	must(t, err)
	defer f.Close()
	return Linked(f)
}
