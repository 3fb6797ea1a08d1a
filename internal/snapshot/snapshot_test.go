package snapshot

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func write1(t testing.TB, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	must(t, os.MkdirAll(filepath.Dir(path), 0o755))
	must(t, os.WriteFile(path, []byte(text), 0o644))
}

func take(t testing.TB, dir string, o Options) *Tree {
	t.Helper()
	tree, err := Take(dir, o)
	must(t, err)
	data, err := tree.Encode()
	must(t, err)
	back, err := Decode(data)
	must(t, err)
	return back
}

// What changed is told by kind, with lines and places; what git ignores, what tools fill,
// other repositories and what is skipped is not looked at.
func TestCompare(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{".gitignore": "*.log\n/out/\n!keep.log\n", "calc.go": "package calc\n\nfunc Add(a, b int) int {\n\treturn a - b\n}\n", "old.txt": "one\ntwo\n", "moved.txt": "the same\n",
		"image.bin": "a\x00b", "x.log": "1", "keep.log": "1", "out/a": "1", "sub/.gitignore": "*.tmp\n", "sub/a.tmp": "1", "node_modules/m/a.js": "1", ".git/config": "1", "other/.git/config": "1", "other/a": "1",
		".agents/memory/a": "1"} {
		write1(t, dir, name, text)
	}
	o := Options{Skip: []string{".agents/memory"}}
	before := take(t, dir, o)
	for name, text := range map[string]string{"calc.go": "package calc\n\nfunc Add(a, b int) int {\n\treturn a + b\n}\n\nfunc Sub(a, b int) int { return a - b }\n", "image.bin": "a\x00c", "x.log": "2", "keep.log": "2\n", "out/a": "2", "sub/a.tmp": "2",
		"node_modules/m/a.js": "2", ".git/config": "2", "other/a": "2", ".agents/memory/a": "2", "new.txt": "a\nb\n"} {
		write1(t, dir, name, text)
	}
	for _, name := range []string{"old.txt"} {
		must(t, os.Remove(filepath.Join(dir, name)))
	}
	must(t, os.Rename(filepath.Join(dir, "moved.txt"), filepath.Join(dir, "sub", "there.txt")))
	c := Compare(before, take(t, dir, o))
	var got []string
	for _, f := range c.Files {
		got = append(got, fmt.Sprintf("%s %s%s +%d -%d %v", f.Kind, f.From, f.Path, f.Additions, f.Deletions, f.Lineless))
	}
	want := []string{"changed calc.go +3 -1 false", "changed image.bin +0 -0 true", "changed keep.log +1 -1 false", "added new.txt +2 -0 false", "deleted old.txt +0 -2 false", "renamed moved.txtsub/there.txt +0 -0 false"}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if want := "--- calc.go\n+++ calc.go\n@@ -4 +4 @@\n-\treturn a - b\n+\treturn a + b\n@@ -5,0 +6,2 @@\n+\n+func Sub(a, b int) int { return a - b }\n"; !strings.HasPrefix(c.Patch, want) || c.Cut {
		t.Errorf("patch %q", c.Patch)
	}
	if again := Compare(before, before); !again.Empty() {
		t.Errorf("without a change: %+v", again)
	}
}

// The edits that a patch holds, done to the old files, give the new ones, whatever the
// lines are; a patch that is cut says so and is no larger than it may be.
func TestEditsAreTheChange(t *testing.T) {
	line := rapid.SampledFrom([]string{"a", "b", "", "-- x", "++ y", "@@ -1 +1 @@", "--- a", "+++ b", `\ No`, " @@ -3 +3 @@", "long " + strings.Repeat("x", 300)})
	rapid.Check(t, func(rt *rapid.T) {
		before, after := &Tree{Files: map[string]File{}}, &Tree{Files: map[string]File{}}
		file := func(tree *Tree, name string, lines []string) {
			text := strings.Join(append(lines, ""), "\n")
			tree.Files[name] = File{ID: "text " + text, Text: []byte(text), Size: int64(len(text)), Kept: true}
		}
		for i := range rapid.IntRange(1, 4).Draw(rt, "files") {
			name := fmt.Sprint("f", i)
			for _, tree := range []*Tree{before, after} {
				if rapid.IntRange(0, 3).Draw(rt, "there") > 0 {
					file(tree, name, rapid.SliceOfN(line, 0, 12).Draw(rt, "lines"))
				}
			}
		}
		c := Compare(before, after)
		if len(c.Patch) > maxPatch {
			rt.Fatalf("%d bytes", len(c.Patch))
		}
		edits := c.Edits()
		added, deleted := 0, 0
		for _, e := range edits {
			added, deleted = added+len(e.New), deleted+len(e.Old)
		}
		if !c.Cut && (added != c.Additions || deleted != c.Deletions) || added > c.Additions || deleted > c.Deletions {
			rt.Fatalf("+%d -%d in the patch of %+v", added, deleted, c)
		}
		if c.Cut {
			return
		}
		for _, f := range c.Files {
			if f.Kind == Renamed {
				continue
			}
			lines := strings.SplitAfter(string(before.Files[f.Path].Text), "\n")
			lines = lines[:max(0, len(lines)-1)]
			for i := len(edits) - 1; i >= 0; i-- { // from the end, so that the lines above stay where they are
				e := edits[i]
				if e.Path != f.Path {
					continue
				}
				var by []string
				for _, l := range e.New {
					by = append(by, l+"\n")
				}
				lines = slices.Replace(lines, e.OldLine-1, e.OldLine-1+len(e.Old), by...)
			}
			if got, want := strings.Join(lines, ""), string(after.Files[f.Path].Text); got != want {
				rt.Fatalf("%s: %q, want %q\n%s", f.Path, got, want, c.Patch)
			}
		}
	})
}

// What is missing comes back as it was, and what is there stays.
func TestRestore(t *testing.T) {
	dir := t.TempDir()
	write1(t, dir, "a/b.json", "1")
	write1(t, dir, "c", "x\x00y")
	write1(t, dir, "d", "1")
	must(t, os.Chmod(filepath.Join(dir, "c"), 0o600))
	tree := take(t, dir, Options{All: true})
	must(t, os.RemoveAll(filepath.Join(dir, "a")))
	must(t, os.Remove(filepath.Join(dir, "c")))
	write1(t, dir, "d", "2")
	got, err := tree.Restore(dir)
	if err != nil || fmt.Sprint(got) != "[a/b.json c]" {
		t.Fatal(got, err)
	}
	c, _ := os.ReadFile(filepath.Join(dir, "c"))
	d, _ := os.ReadFile(filepath.Join(dir, "d"))
	info, err := os.Stat(filepath.Join(dir, "c"))
	if err != nil || string(c) != "x\x00y" || string(d) != "2" || info.Mode().Perm() != 0o600 {
		t.Errorf("%q %q %v %v", c, d, info, err)
	}
}

// Links are not followed, and what leads out of the folder is not read.
func TestLinks(t *testing.T) {
	outside, dir := t.TempDir(), t.TempDir()
	write1(t, outside, "secret", "secret")
	if err := os.Symlink(filepath.Join(outside, "secret"), filepath.Join(dir, "file")); err != nil {
		t.Skipf("links cannot be made here: %v", err)
	}
	must(t, os.Symlink(outside, filepath.Join(dir, "folder")))
	tree := take(t, dir, Options{})
	if len(tree.Files) != 2 || string(tree.Files["folder"].Text) != outside || strings.Contains(string(tree.Files["file"].Text), "secret\n") || tree.Files["file"].Mode == 0 {
		t.Errorf("%+v", tree.Files)
	}
}

// Where there are more files than are looked at, only what was looked at both times counts.
func TestTooManyFiles(t *testing.T) {
	most := maxFiles
	defer func() { maxFiles = most }()
	maxFiles = 4
	dir := t.TempDir()
	for _, name := range []string{"a/x", "a.txt", "b", "c", "d", "e"} {
		write1(t, dir, name, name)
	}
	before := take(t, dir, Options{})
	write1(t, dir, "a/y", "new")
	write1(t, dir, "c", "changed")
	write1(t, dir, "e", "changed")
	c := Compare(before, take(t, dir, Options{}))
	if len(c.Files) != 1 || c.Files[0].Path != "a/y" || !c.Partly {
		t.Errorf("%+v, of %v", c, before.End)
	}
}

// What leads from one tree to another is done to a folder, but for files that are in a third
// state, that are too large, or of which nobody knows whether they are there; done again it
// changes nothing.
func TestApply(t *testing.T) {
	dir, copied := t.TempDir(), filepath.Join(t.TempDir(), "copy")
	for _, name := range []string{"changed", "deleted", "mine", "same", "hidden"} {
		write1(t, dir, name, "1\n")
	}
	o := Options{Binary: true}
	must(t, Copy(dir, copied, Options{}))
	from := take(t, dir, o)
	for name, text := range map[string]string{"changed": "2\n", "mine": "2\n", "new/file": "a\x00b", "large": strings.Repeat("x", maxText+1)} {
		write1(t, copied, name, text)
	}
	must(t, os.Remove(filepath.Join(copied, "deleted")))
	to := take(t, copied, o)
	write1(t, dir, "mine", "3\n")
	write1(t, dir, unfinished, "ha") // as a kill left it
	done, left, err := Apply(dir, from, to, o)
	if err != nil || fmt.Sprint(done, left) != "[changed deleted new/file] [large mine]" {
		t.Errorf("%v %v %v", done, left, err)
	}
	if c := Compare(take(t, dir, o), to); len(c.Files) != 2 { // what was left
		t.Errorf("%+v", c)
	}
	if done, _, err = Apply(dir, from, to, o); err != nil || len(done) > 0 {
		t.Errorf("again: %v %v", done, err)
	}
	delete(to.Files, "hidden")
	to.Unseen = 1
	if done, _, err = Apply(dir, from, to, o); err != nil || len(done) > 0 {
		t.Errorf("one that could not be read: %v %v", done, err)
	}
}

// must ends a test at an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
