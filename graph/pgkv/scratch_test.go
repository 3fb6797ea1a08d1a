package pgkv

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"episodes/internal/testing/pgtest"
)

// What a killed process left in the folder for temporary files is removed by the next one; what
// another one works on is not.
func TestScratch(t *testing.T) {
	tmp := t.TempDir()
	url := project(t, pgtest.Store(t), "p")
	t.Setenv("TMPDIR", tmp)
	t.Setenv("TMP", tmp)
	folders := func() []string {
		t.Helper()
		found, err := filepath.Glob(filepath.Join(tmp, "*"))
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	aged := func(dir string) {
		t.Helper()
		old := time.Now().Add(-time.Hour)
		if err := os.Chtimes(dir, old, old); err != nil {
			t.Fatal(err)
		}
	}
	first, second := Open(url, 1), Open(url, 1)
	if err := prepare(first); err != nil {
		t.Fatal(err)
	}
	if len(folders()) > 0 {
		t.Errorf("a generation that was published left %q", folders())
	}
	left := filepath.Join(tmp, scratchName+"1")
	if err := os.MkdirAll(filepath.Join(left, "graph", "gen"), 0o700); err != nil {
		t.Fatal(err)
	}
	aged(left)
	g, err := first.Create()
	if err != nil {
		t.Fatal(err)
	}
	working := folders()
	if len(working) != 1 || working[0] == left {
		t.Fatalf("there are %q", working)
	}
	aged(working[0])
	other, err := second.Create()
	if err != nil {
		t.Fatal(err)
	}
	if len(folders()) != 2 {
		t.Errorf("there are %q", folders())
	}
	if err := g.Close(); err != nil {
		t.Error(err)
	}
	if err := first.Publish(g.Name()); err != nil {
		t.Errorf("what another one left alone: %v", err)
	}
	if err := other.Close(); err != nil {
		t.Error(err)
	}
	if err := second.Discard(other.Name()); err != nil || len(folders()) > 0 {
		t.Errorf("there are %q, %v", folders(), err)
	}
}
