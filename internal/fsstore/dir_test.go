package fsstore

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func open(t *testing.T) (*Dir, string) {
	t.Helper()
	dir := t.TempDir()
	d, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.Close)
	return d, dir
}

func TestWrite(t *testing.T) {
	d, dir := open(t)
	for _, text := range []string{"one", "two"} {
		if err := d.Write("a.json", []byte(text)); err != nil {
			t.Fatal(err)
		}
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
	if names, err := d.Names(); err != nil || strings.Join(names, " ") != "a.json b.json" {
		t.Errorf("%q, %v", names, err)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".tmp-*")); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
	if _, err := d.Read("none"); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

// What a killed writer left aside is not listed, and can be cleaned away.
func TestClean(t *testing.T) {
	d, dir := open(t)
	for _, name := range []string{TempPrefix + "X", "kept"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("x"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if names, err := d.Names(); err != nil || len(names) != 1 {
		t.Errorf("%q, %v", names, err)
	}
	if err := d.Clean(); err != nil || d.Exists(TempPrefix+"X") || !d.Exists("kept") {
		t.Error(err)
	}
}

// A half line of a killed writer is ignored by readers and cut by writers.
func TestAppend(t *testing.T) {
	d, dir := open(t)
	if got, err := d.Lines("log"); got != nil || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	long := strings.Repeat("x", 9000)
	for _, line := range []string{"one", long, "three"} {
		if err := d.Append("log", []byte(line)); err != nil {
			t.Fatal(err)
		}
		f, err := os.OpenFile(filepath.Join(dir, "log"), os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.WriteString("half" + long); err != nil {
			t.Fatal(err)
		}
		f.Close()
	}
	lines, err := d.Lines("log")
	if err != nil || len(lines) != 3 || string(lines[0]) != "one" || string(lines[1]) != long || string(lines[2]) != "three" {
		t.Errorf("%d lines, %v", len(lines), err)
	}
	if err := d.Append("log", []byte("a\nb")); err == nil {
		t.Error("two lines taken for one")
	}
}

// Whatever writers are killed in the middle of, readers see the lines that were
// written whole, in their order, and none besides.
func TestAppendSurvivesKills(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		dir, err := os.MkdirTemp("", "records")
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(dir)
		d, err := Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		defer d.Close()
		line := rapid.StringMatching(`[a-z{}" ]{0,40}`)
		var want []string
		for range rapid.IntRange(1, 12).Draw(t, "writes") {
			text := line.Draw(t, "line")
			if rapid.Bool().Draw(t, "killed") { // a part of the line, without its end
				f, err := os.OpenFile(filepath.Join(dir, "log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
				if err != nil {
					t.Fatal(err)
				}
				if _, err := f.WriteString(text[:rapid.IntRange(0, len(text)).Draw(t, "written")]); err != nil {
					t.Fatal(err)
				}
				f.Close()
			} else {
				if err := d.Append("log", []byte(text)); err != nil {
					t.Fatal(err)
				}
				want = append(want, text)
			}
			got, err := d.Lines("log")
			if err != nil || len(got) != len(want) {
				t.Fatalf("%q, %v, want %q", got, err, want)
			}
			for i := range got {
				if string(got[i]) != want[i] {
					t.Fatalf("%q, want %q", got, want)
				}
			}
		}
	})
}

// No link leads out of the folder, and no name does.
func TestStaysInside(t *testing.T) {
	d, dir := open(t)
	outside := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(outside, []byte("s"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(dir, "link")); err != nil {
		t.Skip("no symbolic links here: ", err)
	}
	for _, name := range []string{"link", "../" + filepath.Base(filepath.Dir(outside)) + "/secret", outside} {
		if data, err := d.Read(name); err == nil {
			t.Errorf("read %q: %q", name, data)
		}
		if err := d.Append(name, []byte("x")); err == nil {
			t.Errorf("appended to %q", name)
		}
	}
	if data, err := os.ReadFile(outside); err != nil || string(data) != "s" {
		t.Errorf("outside: %q, %v", data, err)
	}
}

// The head of a file is read without the rest, and a file beyond the limit not at all.
func TestLimits(t *testing.T) {
	d, _ := open(t)
	if err := d.WriteCache("a", []byte("head\n"), []byte("body")); err != nil {
		t.Fatal(err)
	}
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
