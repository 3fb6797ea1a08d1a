package local

import (
	"bytes"
	"encoding/binary"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// repo is a repository that git itself made, with other files around those that count.
type repo struct {
	t   *testing.T
	dir string
}

const derived = "sub/.agents/memory/causality"

func newRepo(t *testing.T, args ...string) *repo {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skipf("needs git: %v", err)
	}
	r := &repo{t, t.TempDir()}
	r.git(append([]string{"init", "-q"}, args...)...)
	near := []string{"a.go", "sub/.agents/memory/causality.txt", "sub/.agents/memory/causalit/y", "other/" + derived + "/x", derived + "/.gitignore", "zzz"}
	for _, name := range append(near, derived+"/graph/CURRENT") {
		r.write(name)
	}
	r.git(append([]string{"add"}, near...)...)
	return r
}

func (r *repo) write(name string) {
	r.t.Helper()
	path := filepath.Join(r.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(name), 0o644); err != nil {
		r.t.Fatal(err)
	}
}

func (r *repo) git(args ...string) string {
	r.t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.email=a@example.com", "-c", "user.name=a", "-c", "protocol.file.allow=always"}, args...)...)
	cmd.Dir = r.dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		r.t.Skipf("this git cannot do it: %q: %v\n%s", args, err, out)
	}
	return string(out)
}

// want fails unless a file of a folder is said to be tracked.
func want(t *testing.T, dir, path string) {
	t.Helper()
	if got, err := Tracked(dir); got != path || err != nil {
		t.Errorf("%q: %q, %v; want %q", dir, got, err, path)
	}
}

// However git writes its index, what it tracks is found, and nothing else: not the
// .gitignore of the folder, and no path that only looks like one of it.
func TestTracked(t *testing.T) {
	for name, c := range map[string]struct {
		init, before, after []string
	}{
		"as it is":        {},
		"version 2":       {before: []string{"update-index", "--index-version", "2"}},
		"version 4":       {before: []string{"update-index", "--index-version", "4"}, after: []string{"update-index", "--index-version", "4"}},
		"SHA-256":         {init: []string{"--object-format=sha256"}},
		"SHA-256, 4":      {init: []string{"--object-format=sha256"}, after: []string{"update-index", "--index-version", "4"}},
		"split":           {after: []string{"update-index", "--split-index"}},
		"skipped":         {after: []string{"update-index", "--skip-worktree", derived + "/graph/CURRENT"}},
		"assumed":         {after: []string{"update-index", "--assume-unchanged", derived + "/graph/CURRENT"}},
		"untracked cache": {before: []string{"update-index", "--force-untracked-cache"}, after: []string{"status", "--short"}},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRepo(t, c.init...)
			dir := filepath.Join(r.dir, filepath.FromSlash(derived))
			if c.before != nil {
				r.git(c.before...)
			}
			want(t, dir, "")
			want(t, filepath.Join(r.dir, "elsewhere"), "")
			if name == "split" {
				r.git("update-index", "--split-index")
				want(t, dir, "")
			}
			r.git("add", "-f", derived+"/graph/CURRENT")
			if c.after != nil {
				r.git(c.after...)
			}
			want(t, dir, "graph/CURRENT")
			r.git("update-index", "--no-split-index")
			r.git("update-index", "--no-skip-worktree", derived+"/graph/CURRENT") // rm leaves such a file
			r.git("rm", "-qr", "--cached", derived)
			want(t, dir, "")
		})
	}
	t.Run("to be added", func(t *testing.T) { // version 3
		r := newRepo(t)
		r.git("add", "-fN", derived+"/graph/CURRENT")
		want(t, filepath.Join(r.dir, filepath.FromSlash(derived)), "graph/CURRENT")
	})
}

// The index need not lie in the folder .git, nor in the nearest one.
func TestTrackedElsewhere(t *testing.T) {
	r := newRepo(t)
	r.git("commit", "-qm", "x")
	r.git("add", "-f", derived+"/graph/CURRENT")
	r.git("worktree", "add", "-q", "tree")
	dir := filepath.Join(r.dir, filepath.FromSlash(derived))
	tree := filepath.Join(r.dir, "tree", filepath.FromSlash(derived))
	want(t, dir, "graph/CURRENT")
	want(t, tree, "")
	in := &repo{t, filepath.Join(r.dir, "tree")}
	in.write(derived + "/index")
	in.git("add", "-f", derived+"/index")
	want(t, tree, "index")

	// One that was planted in between hides nothing, and one inside is nobody's of ours.
	for _, plant := range []string{"sub/.agents/.git/HEAD", "sub/.agents/memory/.git"} {
		r.write(plant)
	}
	want(t, dir, "graph/CURRENT")
	r.write(derived + "/.git")
	want(t, dir, ".git")
}

// entry is an entry of an index of version 2.
func entry(path string) []byte {
	b := make([]byte, 60, 80+len(path))
	b = binary.BigEndian.AppendUint16(b, uint16(min(len(path), 0xfff)))
	b = append(append(b, path...), 0)
	for len(b)%8 != 0 {
		b = append(b, 0)
	}
	return b
}

func indexOf(version uint32, entries ...[]byte) []byte {
	b := binary.BigEndian.AppendUint32([]byte("DIRC"), version)
	return append(binary.BigEndian.AppendUint32(b, uint32(len(entries))), bytes.Join(entries, nil)...)
}

// Without git: names that differ in case are one where the file system says so, paths
// longer than the flags can say are found, and what is no index is an error.
func TestIndex(t *testing.T) {
	const prefix = ".agents/memory/causality/"
	long := strings.Repeat("x", 5000)
	for name, c := range map[string]struct {
		fold  bool
		index []byte
		want  string
		bad   bool
	}{
		"none":          {index: indexOf(2, entry("a"), entry("b"))},
		"found":         {index: indexOf(2, entry("a"), entry(prefix+"x"), entry("b")), want: "x"},
		"the ignore":    {index: indexOf(2, entry(prefix+".gitignore"))},
		"behind it":     {index: indexOf(2, entry(prefix+".gitignore"), entry(prefix+"index")), want: "index"},
		"a part":        {index: indexOf(2, entry("x/"+prefix+"index"))},
		"long":          {index: indexOf(3, entry(prefix+long)), want: long},
		"other case":    {index: indexOf(2, entry(strings.ToUpper(prefix)+"Index"))},
		"folded":        {fold: true, index: indexOf(2, entry(strings.ToUpper(prefix)+"Index")), want: "Index"},
		"version 1":     {index: indexOf(1), bad: true},
		"version 5":     {index: indexOf(5), bad: true},
		"cut, 4":        {index: indexOf(4, entry("a"), entry("b"))[:60], bad: true},
		"no index":      {index: []byte("something else"), bad: true},
		"almost none":   {index: []byte("DIRC"), bad: true},
		"no end":        {index: append(indexOf(2, entry("a")), prefix+"x"...)},
		"not an entry":  {index: append(indexOf(2, entry("a")), []byte("REUC"+prefix+"x\x00")...)},
		"extended":      {index: indexOf(3, extendedEntry(prefix+"x")), want: "x"},
		"not so flags":  {index: append(indexOf(2), prefix+"x\x00"...)},
		"of length 4,2": {index: indexOf(4, []byte(strings.Repeat("\x00", 60)+"\x00\x01\x00a\x00")), want: ""},
	} {
		q := query{prefix: []byte(prefix), fold: c.fold}
		if got, err := q.index(c.index); got != c.want || (err != nil) != c.bad {
			t.Errorf("%s: %.40q, %v", name, got, err)
		}
	}
}

func extendedEntry(path string) []byte {
	b := make([]byte, 60)
	b = binary.BigEndian.AppendUint16(b, uint16(0x4000|len(path)))
	b = binary.BigEndian.AppendUint16(b, 1<<13)
	return append(append(b, path...), 0, 0, 0)
}

// Whatever an index holds, the reader ends, and finds only what is in it.
func FuzzIndex(f *testing.F) {
	f.Add(indexOf(2, entry("a"), entry("b/c/x")), "b/c/", false)
	f.Add(indexOf(3, extendedEntry("b/c/x")), "B/c/", true)
	f.Add(indexOf(4, []byte(strings.Repeat("\x00", 60)+"\x00\x05\x00b/c/x\x00")), "b/c/", false)
	f.Add([]byte("DIRC\x00\x00\x00\x03000\x00\x00"), "\x00", false)
	f.Fuzz(func(t *testing.T, index []byte, prefix string, fold bool) {
		if prefix == "" {
			return
		}
		got, err := query{prefix: []byte(prefix), fold: fold}.index(index)
		if got != "" && (err != nil || len(got) > len(index) && binary.BigEndian.Uint32(index[4:]) != 4) {
			t.Errorf("%q, %v", got, err)
		}
	})
}
