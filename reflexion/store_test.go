package reflexion

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func newStore(t *testing.T) (*Store, string) {
	t.Helper()
	dir := t.TempDir()
	s, err := CreateStore(dir)
	must(t, err)
	t.Cleanup(s.Close)
	return s, dir
}

func save(t *testing.T, s *Store, rs ...*Record) {
	t.Helper()
	for _, r := range rs {
		must(t, s.Save(r))
	}
}

// Two loops with names that begin alike keep to their own files, iteration 0 is
// legal, and what was written comes back in the order of iterations (rows G14,
// G15, G20, R3).
func TestStore(t *testing.T) {
	s, dir := newStore(t)
	for _, i := range []int{11, 0, 999, 4, 998, 1000} {
		save(t, s, failed("ralph-a", i, "text"))
	}
	save(t, s, failed("ralph-a-b", 0, "other"))
	rs, err := s.Loop("ralph-a")
	must(t, err)
	var got []int
	for _, r := range rs {
		got = append(got, r.Iteration)
	}
	if want := []int{0, 4, 11, 998, 999, 1000}; !slices.Equal(got, want) {
		t.Errorf("iterations %v, want %v", got, want)
	}
	if _, err := os.Stat(filepath.Join(dir, "reflections", "ralph-a", "001.json")); err != nil {
		t.Error(err)
	}
	if other, err := s.Loop("ralph-a-b"); err != nil || len(other) != 1 || other[0].Reflection.Text != "other" {
		t.Errorf("%v, %v", other, err)
	}
	if err := s.Save(failed("ralph-a", 4, "again")); !errors.Is(err, fs.ErrExist) {
		t.Errorf("written twice: %v", err)
	}
	for _, id := range []string{"ralph-none", "../x", ""} {
		if _, err := s.Loop(id); !errors.Is(err, ErrNoLoop) {
			t.Errorf("Loop(%q): %v", id, err)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "reflections", "*", ".tmp-*")); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
}

// A damaged file, one of another loop or in another's place, is named; the rest
// is read.
func TestStoreDamage(t *testing.T) {
	s, dir := newStore(t)
	save(t, s, failed("ralph-a", 0, "x"), failed("ralph-a", 1, "x"), failed("ralph-b", 0, "x"))
	folder := filepath.Join(dir, "reflections", "ralph-a")
	for name, data := range map[string]string{"003.json": "{", "004.json": mustRead(t, filepath.Join(folder, "001.json")),
		"005.json": mustRead(t, filepath.Join(dir, "reflections", "ralph-b", "001.json")), "notes.txt": "no record"} {
		must(t, os.WriteFile(filepath.Join(folder, name), []byte(data), 0o644))
	}
	rs, err := s.Loop("ralph-a")
	var damage *DamageError
	if !errors.As(err, &damage) || len(damage.Files) != 3 || len(rs) != 2 {
		t.Fatalf("%d records, %v", len(rs), err)
	}
	for i, want := range []string{"003.json", `iteration 0 of "ralph-a" in the place of iteration 3`, `of "ralph-b" in the place`} {
		if !strings.Contains(damage.Files[i].Error(), want) {
			t.Errorf("%v, want %q", damage.Files[i], want)
		}
	}
	if all, bad, err := s.All(nil); err != nil || len(all) != 3 || len(bad) != 3 {
		t.Errorf("%d records, %d bad, %v", len(all), len(bad), err)
	}
}

func mustRead(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	must(t, err)
	return string(data)
}
