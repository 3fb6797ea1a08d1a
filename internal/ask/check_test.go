package ask

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// Files that break the schema are named with their line. Those of older tools are counted, and
// what is no episode is left alone.
func TestValidate(t *testing.T) {
	m := memoryOf(t, 3)
	if a, err := Validate(Options{Location: m.Location}); err != nil || len(a.Problems) != 0 || a.Text(0) != "3 files, all valid" || a.Empty() {
		t.Fatalf("%+v, %v", a, err)
	}
	broken := filepath.Join(m.folder.EpisodesDir(), uploads(1).ID+".json")
	for name, text := range map[string]string{
		broken: "{\n  \"id\": \"" + uploads(1).ID + "\",\n  \"outcome\": \"good\"\n}\n",
		filepath.Join(m.folder.EpisodesDir(), "notes.json"): "{}",
	} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	a, err := Validate(Options{Location: m.Location})
	if err != nil || a.Files != 3 || len(a.Problems) == 0 {
		t.Fatalf("%+v, %v", a, err)
	}
	for _, p := range a.Problems {
		if filepath.Base(p.File) != filepath.Base(broken) || p.Line < 1 || p.Message == "" {
			t.Errorf("%+v", p)
		}
	}
	one, err := ValidateFiles(m.folder.EpisodesDir(), []string{uploads(0).ID + ".json"}, nil)
	if err != nil || one.Files != 1 || len(one.Problems) != 0 {
		t.Errorf("%+v, %v", one, err)
	}
	if _, err := Validate(Options{Location: Location{Root: t.TempDir(), Dir: filepath.Join(t.TempDir(), "none")}}); !errors.Is(err, ErrNoMemory) {
		t.Errorf("no memory: %v", err)
	}
}
