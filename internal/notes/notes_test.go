package notes

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"episodes/agents/agent"
	"episodes/internal/sources"
)

// tree is a repository with some files.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func all(t *testing.T, root string) []Note {
	t.Helper()
	files, _ := List(root, nil)
	return Read(files)
}

func TestRead(t *testing.T) {
	root := tree(t, map[string]string{
		".serena/memories/style.md":    "# Style\n\nTabs.\n",
		".serena/memories/db/locks.md": "One lock.",
		".serena/memories/notes.txt":   "not a memory",
		".serena/project.yml":          "x",
		// As Forgetful lists its memories, and as its tables are exported.
		".forgetful/exports/a.json": `{"memories":[{"id":3,"title":"Locks","content":"Old","context":"","keywords":["lock"],"tags":[],"is_obsolete":false,"updated_at":"2026-02-03T10:00:00Z"},
			{"id":4,"title":"Gone","content":"x","is_obsolete":true},{"id":5,"title":7,"content":"a title that is no text"},{"title":"No id","encoding_agent":"x"}],"total":3}`,
		".forgetful/exports/b.json": `{"export_metadata":{},"data":{"users":[1],"memories":[{"id":3,"title":"Locks","content":"Take one.","context":"Twice.","keywords":"[\"lock\", \"mirror\"]","tags":"[\"ops\"]","is_obsolete":0,"created_at":"2026-01-01 19:00:47.6","updated_at":null},{"id":6,"title":"Gone","is_obsolete":1}]}}`,
		".forgetful/exports/c.json": `[{"id":"u-1","title":"A list","created_at":"yesterday"}]`,
		".forgetful/exports/d.json": `{"memories":[{"id":1,"title":"cut`,
		".forgetful/exports/e.json": `"no list"`,
		".forgetful/exports/f.db":   "SQLite format 3",
	})
	want := []Note{
		{Source: "serena", Name: "db/locks", Path: ".serena/memories/db/locks.md", Text: "One lock.", Lined: true},
		{Source: "serena", Name: "style", Path: ".serena/memories/style.md", Text: "# Style\n\nTabs.\n", Lined: true},
		{Source: "forgetful", Name: "3", Path: ".forgetful/exports/b.json", Date: "2026-01-01", Text: "Locks: Take one.\nTwice.\nlock, mirror, ops"},
		{Source: "forgetful", Name: "5", Path: ".forgetful/exports/a.json", Text: "a title that is no text"},
		{Source: "forgetful", Name: "No id", Path: ".forgetful/exports/a.json", Agent: "x", Text: "No id"},
		{Source: "forgetful", Name: "u-1", Path: ".forgetful/exports/c.json", Text: "A list"},
	}
	if d := cmp.Diff(want, all(t, root)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if files, full := List(t.TempDir(), nil); len(files) > 0 || !full {
		t.Errorf("%v, %v in an empty repository", files, full)
	}
}

// What agents keep by themselves is read from their folders alone, as far as it is about this
// repository, and no folder that is a link is followed.
func TestOwn(t *testing.T) {
	root, outside := tree(t, nil), tree(t, map[string]string{"memory/a.md": "outside"})
	home := tree(t, map[string]string{
		"one/memory/MEMORY.md":    "- [Pumps](pumps.md)",
		"one/memory/team/pump.md": "The pump sticks.\n",
		"one/memory/notes.txt":    "not a memory",
		"one/session.md":          "not in the folder",
		"two/memories/MEMORY.md":  "keep\ndrop\nkeep",
		"two/memories/raw.md":     "not the file",
	})
	if err := errors.Join(os.Mkdir(filepath.Join(home, "three"), 0o755), os.Symlink(filepath.Join(outside, "memory"), filepath.Join(home, "three/memory"))); err != nil {
		t.Skipf("no links here: %v", err)
	}
	files, _ := List(root, []sources.Memory{
		{Agent: "one", Memory: agent.Memory{Dir: filepath.Join(home, "one/memory")}},
		{Agent: "two", Memory: agent.Memory{Dir: filepath.Join(home, "two/memories"), File: "MEMORY.md",
			Keep: func(text string) string { return strings.ReplaceAll(text, "drop", "") }}},
		{Agent: "three", Memory: agent.Memory{Dir: filepath.Join(home, "three/memory")}},
		{Agent: "four", Memory: agent.Memory{Dir: filepath.Join(home, "four/memory")}},
	})
	want := []Note{
		{Source: "one", Name: "MEMORY", Path: "memory/MEMORY.md", Text: "- [Pumps](pumps.md)", Lined: true},
		{Source: "one", Name: "team/pump", Path: "memory/team/pump.md", Text: "The pump sticks.\n", Lined: true},
		{Source: "two", Name: "MEMORY", Path: "memories/MEMORY.md", Text: "keep\n\nkeep", Lined: true},
	}
	if d := cmp.Diff(want, Read(files)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// No link is followed, and what is too large or too deep is left out and said.
func TestBounds(t *testing.T) {
	outside := tree(t, map[string]string{"secret.md": "outside", "dir/secret.md": "outside"})
	root := tree(t, map[string]string{
		".serena/memories/small.md":  "small",
		".serena/memories/large.md":  strings.Repeat("x", largestNote+1),
		".serena/memories/inside.md": "inside",
	})
	for _, link := range [][2]string{{filepath.Join(outside, "secret.md"), "out.md"}, {filepath.Join(outside, "dir"), "out"}, {"inside.md", "in.md"}, {"/dev/zero", "zero.md"}} {
		if err := os.Symlink(link[0], filepath.Join(root, SerenaDir, link[1])); err != nil {
			t.Skipf("no links here: %v", err)
		}
	}
	if err := os.MkdirAll(filepath.Join(root, ".forgetful"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(root, ForgetfulDir)); err != nil {
		t.Fatal(err)
	}
	files, full := List(root, nil)
	if full || len(files) != 2 {
		t.Errorf("%v, %v", files, full)
	}
	deep := tree(t, map[string]string{filepath.Join(SerenaDir, "a/b/c/d/e/f.md"): "deep", filepath.Join(SerenaDir, "a/b/c/d/e/f/g/h/i.md"): "too deep"})
	if files, full = List(deep, nil); full || len(files) != 1 {
		t.Errorf("%v, %v of a deep folder", files, full)
	}
	// Between listing and reading a file was replaced by a link.
	files, _ = List(root, nil)
	path := filepath.Join(root, SerenaDir, "small.md")
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(outside, "secret.md"), path); err != nil {
		t.Fatal(err)
	}
	for _, n := range Read(files) {
		if strings.Contains(n.Text, "outside") {
			t.Errorf("%s leads out", n.Path)
		}
	}
}

// Whatever stands in an export, it is read or passed over.
func FuzzExport(f *testing.F) {
	for _, s := range []string{`{"memories":[{"id":1,"title":"t","keywords":"[\"a\"]"}]}`, `{"data":{"memories":[{}]}}`, `[{"id":[],"title":{}}]`, `[1,null,"x"]`, strings.Repeat("[", 20000), "null", ""} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, n := range memoriesOf("x.json", text) {
			if strings.TrimSpace(n.Text) == "" || n.Source != "forgetful" || len(n.Date) != 0 && len(n.Date) != len("2006-01-02") {
				t.Errorf("%+v", n)
			}
		}
	})
}
