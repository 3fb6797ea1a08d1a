package fsstore

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func open(t *testing.T) (*Dir, string) {
	t.Helper()
	dir := t.TempDir()
	d, err := Open(dir)
	must(t, err)
	t.Cleanup(d.Close)
	return d, dir
}

func TestWrite(t *testing.T) {
	d, dir := open(t)
	for _, text := range []string{"one", "two"} {
		must(t, d.Write("a.json", []byte(text)))
		if got, err := d.Read("a.json"); err != nil || string(got) != text {
			t.Errorf("got %q, %v", got, err)
		}
	}
	if err := d.WriteOnce("a.json", nil); !errors.Is(err, fs.ErrExist) {
		t.Errorf("replaced: %v", err)
	}
	if err := d.WriteOnce("b.json", []byte("b")); err != nil {
		t.Error(err)
	}
	// What a killed writer left aside is not listed, and can be cleaned away.
	must(t, os.WriteFile(filepath.Join(dir, TempPrefix+"X"), []byte("x"), 0o644))
	if names, err := d.Names(); err != nil || strings.Join(names, " ") != "a.json b.json" {
		t.Errorf("%q, %v", names, err)
	}
	if err := d.Clean(); err != nil {
		t.Error(err)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".tmp-*")); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
	if _, err := d.Read("none"); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

// A half line of a killed writer is ignored.
func TestLines(t *testing.T) {
	d, _ := open(t)
	for text, want := range map[string]string{"": "", "half": "", "one\n": "one", "one\ntwo\nhalf": "one|two", "\n\nx": "|"} {
		must(t, d.Write("log", []byte(text)))
		if got, err := d.Lines("log"); err != nil || string(bytes.Join(got, []byte("|"))) != want {
			t.Errorf("%q: %q, %v", text, got, err)
		}
	}
	if got, err := d.Lines("none"); got != nil || err != nil {
		t.Errorf("%q, %v", got, err)
	}
}

// The head of a file is read without the rest, and a file beyond the limit not at all.
func TestLimits(t *testing.T) {
	d, _ := open(t)
	must(t, d.WriteCachePrivate("a", []byte("head\n"), []byte("body")))
	for limit, want := range map[int64]string{0: "", 4: "head", 9: "head\nbody", 99: "head\nbody"} {
		if got, err := d.ReadHead("a", limit); err != nil || string(got) != want {
			t.Errorf("%d: %q, %v", limit, got, err)
		}
	}
	var large *TooLargeError
	if _, err := d.ReadLarge("a", 8); !errors.As(err, &large) {
		t.Error(err)
	}
}

// must ends a test at an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
