package badgerkv

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"episodes/graph/engine"
)

// publish makes a new, empty generation the current one.
func publish(t *testing.T, s *Store) string {
	t.Helper()
	release, err := s.Lock(context.Background(), engine.Wait{})
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	g, err := s.Create()
	if err == nil {
		err = errors.Join(g.Close(), s.Publish(g.Name()))
	}
	if err != nil {
		t.Fatal(err)
	}
	return g.Name()
}

func reads(s *Store) error {
	g, err := s.Read(context.Background(), engine.Wait{})
	if err == nil {
		err = g.Close()
	}
	return err
}

// What was written under another token, or none, is not there; without a token all is.
func TestToken(t *testing.T) {
	dir := t.TempDir()
	mine, other, any := OpenStore(dir, 1, "mine"), OpenStore(dir, 1, "other"), OpenStore(dir, 1, "")
	publish(t, mine)
	for name, c := range map[string]struct {
		store *Store
		want  error
	}{"mine": {mine, nil}, "other": {other, engine.ErrMissing}, "any": {any, nil}} {
		if err := reads(c.store); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	publish(t, any)
	if err := reads(mine); !errors.Is(err, engine.ErrMissing) {
		t.Errorf("without a token: %v", err)
	}
	name := publish(t, other)
	if left, _ := filepath.Glob(filepath.Join(dir, "gen-*")); len(left) != 1 || filepath.Base(left[0]) != name {
		t.Errorf("left: %q, want %q", left, name)
	}
}

// Nothing in place of CURRENT is believed, or keeps a new generation from being made:
// not even the last number that a generation can have.
func TestPlantedCurrent(t *testing.T) {
	for name, plant := range map[string]func(path string) error{
		"without a token": func(path string) error { return os.WriteFile(path, []byte("gen-000007\n"), 0o644) },
		"another token":   func(path string) error { return os.WriteFile(path, []byte("gen-000007 other\n"), 0o644) },
		"the last number": func(path string) error { return os.WriteFile(path, []byte("gen-999999999\n"), 0o644) },
		"no text":         func(path string) error { return os.WriteFile(path, []byte{0, 1, 2, 255}, 0o644) },
		"empty":           func(path string) error { return os.WriteFile(path, nil, 0o644) },
		"long":            func(path string) error { return os.WriteFile(path, make([]byte, 1<<20), 0o644) },
		"folder":          func(path string) error { return os.MkdirAll(filepath.Join(path, "x"), 0o755) },
	} {
		dir := t.TempDir()
		s := OpenStore(dir, 1, "mine")
		for _, gen := range []string{"gen-000007", "gen-999999999"} {
			if err := os.MkdirAll(filepath.Join(dir, gen, "deep"), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		if err := plant(filepath.Join(dir, currentName)); err != nil {
			t.Fatal(err)
		}
		if err := reads(s); !errors.Is(err, engine.ErrMissing) {
			t.Errorf("%s: %v", name, err)
		}
		publish(t, s)
		if err := reads(s); err != nil {
			t.Errorf("%s: afterwards: %v", name, err)
		}
		if left, _ := filepath.Glob(filepath.Join(dir, "gen-*")); len(left) != 1 {
			t.Errorf("%s: left %q", name, left)
		}
	}
}

// A token changes nothing in the last number, which is followed by the lowest free one.
func TestLastGeneration(t *testing.T) {
	dir := t.TempDir()
	s := OpenStore(dir, 1, "mine")
	first := publish(t, s)
	if err := errors.Join(
		os.Rename(filepath.Join(dir, first), filepath.Join(dir, "gen-999999999")),
		os.WriteFile(filepath.Join(dir, currentName), []byte("gen-999999999 mine\n"), 0o644),
		reads(s)); err != nil {
		t.Fatal(err)
	}
	if next := publish(t, s); next != "gen-000001" {
		t.Errorf("after the last: %q", next)
	}
	if err := reads(s); err != nil {
		t.Error(err)
	}
}
