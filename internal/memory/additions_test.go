package memory

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"episodes/internal/fsstore"
	"episodes/internal/testing/few"
)

// addition is the text of one with a head and some lines.
func addition(who string, lines ...string) []byte {
	return []byte(`{"by":"` + who + `"}` + "\n" + strings.Join(append(lines, ""), "\n"))
}

// texts are the additions of an episode, sorted, without the spaces in front of lines.
func texts(t testing.TB, m *Memory, id string) (out []string) {
	t.Helper()
	files, leftOut, err := m.Additions(id)
	if err != nil || len(leftOut) > 0 {
		t.Fatalf("%v, left out %v", err, leftOut)
	}
	for _, f := range files {
		if AdditionHash(f.Data) != f.Hash {
			t.Errorf("%q is not %q", f.Hash, f.Data)
		}
		out = append(out, string(lineStart.ReplaceAll(f.Data, []byte("{"))))
	}
	slices.Sort(out)
	return out
}

// tree lists the files below a folder of the memory, with their content.
func tree(t testing.TB, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) || e.IsDir() {
			return nil
		}
		data, err := os.ReadFile(path)
		out[strings.TrimPrefix(path, dir+"/")] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func add(t testing.TB, m *Memory, id string, data []byte, private, want bool) {
	t.Helper()
	before := fmt.Sprint(tree(t, m.home(private).Path(addedOf.dir)))
	err := m.Add(id, data, private)
	if added := fmt.Sprint(tree(t, m.home(private).Path(addedOf.dir))) != before; err != nil || added != want {
		t.Fatalf("add to %s: %v, %v; want %v", id, added, err, want)
	}
}

// What is added is one file under its hash, in the part of the episode; the same again changes nothing.
func TestAdditions(t *testing.T) {
	m := create(t)
	one, two := addition("agent", `{"lesson":1}`), addition("person", `{"lesson":2}`)
	if err := m.Add("episode-b", one, true); !errors.Is(err, errNoPrivate) {
		t.Errorf("without a private part: %v", err)
	}
	ok(t, m.MakePrivate())
	store(t, m, "episode-a", "shared", false)
	store(t, m, "episode-b", "private", true)
	want(t, "none", texts(t, m, "episode-a"), nil)
	for _, first := range []bool{true, false} {
		add(t, m, "episode-a", one, false, first)
		add(t, m, "episode-a", two, false, first)
		add(t, m, "episode-b", two, true, first)
	}
	add(t, m, "episode-orphan", one, false, true) // of a log that was renamed
	m = reopen(t, m)
	want(t, "shared", texts(t, m, "episode-a"), []string{string(one), string(two)})
	want(t, "private", texts(t, m, "episode-b"), []string{string(two)})
	want(t, "of no episode", texts(t, m, "episode-orphan"), []string{string(one)})
	name := AdditionName("episode-a", AdditionHash(one))
	if data, err := os.ReadFile(m.path(filepath.FromSlash(name))); err != nil || string(data) != string(one) {
		t.Errorf("%s: %q, %v", name, data, err)
	}
	if got := tree(t, m.path(addedOf.dir)); len(got) != 3 {
		t.Errorf("in the shared part: %q", got)
	}
	ids, err := m.Added()
	if err != nil || fmt.Sprint(ids) != "map[episode-a:true episode-b:true episode-orphan:true]" {
		t.Errorf("added to %v, %v", ids, err)
	}
	if info, err := os.Stat(filepath.Join(m.PrivateDir(), fileIn("episode-b", two))); err != nil || info.Mode().Perm()&0o077 != 0 {
		t.Errorf("others may read what is private: %v, %v", info, err)
	}
	for range 2 {
		ok(t, m.RemoveAddition("episode-a", AdditionHash(one)))
		ok(t, m.RemoveAddition("episode-orphan", AdditionHash(one)))
		ok(t, m.DropAdditions("episode-b"))
	}
	want(t, "the other stays", texts(t, m, "episode-a"), []string{string(two)})
	if ids, err := m.Added(); err != nil || fmt.Sprint(ids) != "map[episode-a:true]" {
		t.Errorf("left in %v, %v", ids, err)
	}
}

func fileIn(id string, data []byte) string {
	return filepath.FromSlash(AdditionName(id, AdditionHash(data)))
}

// Nothing but whole lines is added, nothing under a name that leads elsewhere, and nothing that would not be read.
func TestAddRefuses(t *testing.T) {
	m := create(t)
	long := []byte(strings.Repeat("x", MaxAddition-1) + "\n")
	for name, c := range map[string]struct {
		id   string
		data []byte
	}{
		"nothing":          {"episode-a", nil},
		"half a line":      {"episode-a", []byte("{}\n{")},
		"CR LF":            {"episode-a", []byte("{}\r\n")},
		"one byte more":    {"episode-a", append([]byte("x"), long...)},
		"an id that leads": {"../episode-a", addition("agent")},
		"a path":           {"episode-a/../../episodes/x", addition("agent")},
	} {
		if err := m.Add(c.id, c.data, false); err == nil {
			t.Errorf("%s: added", name)
		}
	}
	for _, id := range []string{"../episode-a", "", "..", "episodes"} {
		if _, _, err := m.Additions(id); err == nil {
			t.Errorf("read of %q", id)
		}
		if err := m.DropAdditions(id); err == nil {
			t.Errorf("dropped %q", id)
		}
	}
	for _, hash := range []string{"", "../../episodes/episode-a", strings.Repeat("A", 16), strings.Repeat("1", 15), strings.Repeat("1", 17)} {
		if err := m.RemoveAddition("episode-a", hash); err == nil {
			t.Errorf("removed %q", hash)
		}
		if err := m.ReplaceAddition("episode-a", Addition{Hash: hash}, addition("agent")); err == nil {
			t.Errorf("replaced %q", hash)
		}
	}
	if got := tree(t, m.path(addedOf.dir)); len(got) > 0 {
		t.Errorf("written: %q", got)
	}

	for i := range MaxAdditions / MaxAddition { // of which the first bytes differ
		long[0] = byte('a' + i)
		add(t, m, "episode-a", long, false, true)
	}
	if err := m.Add("episode-a", addition("agent"), false); !errors.Is(err, errLimit) {
		t.Errorf("over the limit of an episode: %v", err)
	}
	add(t, m, "episode-a", long, false, false)
	add(t, m, "episode-b", long, false, true)
	if len(texts(t, m, "episode-a")) != MaxAdditions/MaxAddition {
		t.Error("what was added is not read")
	}
}

// A clone may hold anything. What is no addition is named and left out, and costs nothing else.
func TestHostileAdditions(t *testing.T) {
	good := addition("agent", `{"lesson":1}`)
	hash := AdditionHash(good)
	elsewhere := filepath.Join(t.TempDir(), "elsewhere")
	ok(t, os.MkdirAll(elsewhere, 0o755))
	ok(t, os.WriteFile(filepath.Join(elsewhere, fileOf(hash)), good, 0o644))
	write := func(name string, data []byte) func(string) error {
		return func(dir string) error { return os.WriteFile(filepath.Join(dir, name), data, 0o644) }
	}
	large := []byte(strings.Repeat("x", MaxAddition) + "\n")
	for name, spoil := range map[string]func(dir string) error{
		"other content":         write(strings.Repeat("0", 16)+".jsonl", good),
		"half of it":            write(fileOf(AdditionHash(append(good, "{}\n"...))), good),
		"nothing":               write(strings.Repeat("e", 16)+".jsonl", nil),
		"too large":             write(fileOf(AdditionHash(large)), large),
		"a hash in capitals":    write(strings.ToUpper(hash)+".jsonl", good),
		"another hash":          write(Hash(good)+".jsonl", good),
		"another kind of file":  write(hash+".json", good),
		"a name with a newline": write(hash[:15]+"\n.jsonl", good),
		"a link out": func(dir string) error {
			return os.Symlink(filepath.Join(elsewhere, fileOf(hash)), filepath.Join(dir, strings.Repeat("1", 16)+".jsonl"))
		},
		"a link inside": func(dir string) error {
			return os.Symlink(fileOf(hash), filepath.Join(dir, strings.Repeat("1", 16)+".jsonl"))
		},
		"a folder": func(dir string) error { return os.Mkdir(filepath.Join(dir, strings.Repeat("1", 16)+".jsonl"), 0o755) },
	} {
		t.Run(name, func(t *testing.T) {
			m := create(t)
			add(t, m, "episode-a", good, false, true)
			dir := m.path(addedOf.dir, "episode-a")
			if err := spoil(dir); err != nil {
				t.Skipf("cannot be made here: %v", err)
			}
			files, leftOut, err := m.Additions("episode-a")
			if err != nil || len(files) != 1 || string(files[0].Data) != string(good) || len(leftOut) != 1 {
				t.Fatalf("%d files, left out %v, %v", len(files), leftOut, err)
			}
			if f := (*FileError)(nil); !errors.As(leftOut[0], &f) || filepath.Dir(f.Path) != dir || f.Err.Error() == "" {
				t.Errorf("%v", leftOut[0])
			}
			before := tree(t, dir)
			ok(t, m.MoveAttached("episode-a", "episode-z"))
			if name != "a folder" && len(tree(t, dir)) != len(before) {
				t.Error("what is not believed was removed by a move")
			}
			want(t, "moved", texts(t, m, "episode-z"), []string{string(good)})
			ok(t, m.DropAdditions("episode-a"))
			if _, err := os.Lstat(dir); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("not dropped: %v", err)
			}
		})
	}
	if data, err := os.ReadFile(filepath.Join(elsewhere, fileOf(hash))); err != nil || string(data) != string(good) {
		t.Errorf("what a link led to: %q, %v", data, err)
	}

	for name, spoil := range map[string]func(m *Memory) error{
		"the folder of an episode": func(m *Memory) error {
			ok(t, os.Mkdir(m.path(addedOf.dir), 0o755))
			return os.Symlink(elsewhere, m.path(addedOf.dir, "episode-a"))
		},
		"the folder of all": func(m *Memory) error {
			ok(t, os.Mkdir(filepath.Join(elsewhere, "episode-a"), 0o755))
			ok(t, os.WriteFile(filepath.Join(elsewhere, "episode-a", fileOf(hash)), good, 0o644))
			return os.Symlink(elsewhere, m.path(addedOf.dir))
		},
	} {
		m := create(t)
		ok(t, spoil(m))
		if files, leftOut, err := m.Additions("episode-a"); err != nil || len(files) > 0 || len(leftOut) != 1 {
			t.Errorf("%s is a link: %v, left out %v, %v", name, files, leftOut, err)
		}
		before := tree(t, elsewhere)
		if err := m.Add("episode-a", addition("person"), false); err == nil {
			t.Errorf("%s is a link: written", name)
		}
		_ = m.RemoveAddition("episode-a", hash)
		_ = m.DropAdditions("episode-a")
		m.Clean()
		if after := tree(t, elsewhere); fmt.Sprint(before) != fmt.Sprint(after) {
			t.Errorf("%s is a link: %q became %q", name, before, after)
		}
	}
}

// Over the limits the files with the first names are read, whoever wrote them.
func TestAdditionLimits(t *testing.T) {
	m := create(t)
	dir := m.path(addedOf.dir, "episode-a")
	ok(t, os.MkdirAll(dir, 0o755))
	flood := func(n, size int) {
		for i := range n {
			data := fmt.Appendf(nil, "{%q:%d}\n", strings.Repeat("x", size), i)
			ok(t, os.WriteFile(filepath.Join(dir, fileOf(AdditionHash(data))), data, 0o644))
		}
	}
	honest := addition("person")
	flood(9, MaxAddition-20)
	add(t, m, "episode-b", honest, false, true)
	ok(t, os.Rename(m.path(addedOf.dir, "episode-b", fileOf(AdditionHash(honest))), filepath.Join(dir, fileOf(AdditionHash(honest)))))
	files, leftOut, err := m.Additions("episode-a")
	sum := 0
	for _, f := range files {
		sum += len(f.Data)
	}
	if err != nil || sum > MaxAdditions || len(files) < 8 || len(files)+len(leftOut) != 10 || !errors.Is(leftOut[0], errLimit) {
		t.Errorf("%d files of %d bytes, %d left out, %v", len(files), sum, len(leftOut), err)
	}
	ok(t, os.RemoveAll(dir))
	ok(t, os.Mkdir(dir, 0o755))
	flood(mostFiles+2, 1)
	files, leftOut, err = m.Additions("episode-a")
	if err != nil || len(files) != mostFiles || len(leftOut) != 2 {
		t.Errorf("%d files, %d left out, %v", len(files), len(leftOut), err)
	}
	if err := m.Add("episode-a", honest, false); !errors.Is(err, errLimit) {
		t.Errorf("one more: %v", err)
	}
}

// A damaged file does not keep its text from being added again.
func TestDamagedAddition(t *testing.T) {
	m := create(t)
	data := addition("agent", `{"lesson":1}`)
	path := m.path(fileIn("episode-a", data))
	for _, spoil := range []func() error{
		func() error { return os.WriteFile(path, data[:9], 0o644) },
		func() error { return errors.Join(os.Remove(path), os.Symlink("x", path)) },
		func() error { return errors.Join(os.Remove(path), os.MkdirAll(filepath.Join(path, "x"), 0o755)) },
	} {
		ok(t, m.Add("episode-a", data, false))
		ok(t, spoil())
		ok(t, m.Add("episode-a", data, false))
		want(t, "again", texts(t, m, "episode-a"), []string{string(data)})
	}
}

// git may write CR LF where it checks files out.
func TestAdditionsWithCRLF(t *testing.T) {
	m := create(t)
	data := addition("agent", `{"lesson":1}`)
	add(t, m, "episode-a", data, false, true)
	path := m.path(fileIn("episode-a", data))
	ok(t, os.WriteFile(path, []byte(strings.ReplaceAll(string(data), "\n", "\r\n")), 0o644))
	want(t, "read", texts(t, m, "episode-a"), []string{string(data)})
	add(t, m, "episode-a", data, false, false)
}

// Who replaces an addition finds it, and the new one stands where it was: also one of a private session that is gone.
func TestReplaceAddition(t *testing.T) {
	m := create(t)
	ok(t, m.MakePrivate())
	before, after := addition("agent", `{"lesson":1}`, `{"lesson":2}`), addition("agent", `{"forgotten":1}`, `{"lesson":2}`)
	if err := m.ReplaceAddition("episode-a", Addition{AdditionHash(before), before}, after); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("none is there: %v", err)
	}
	for _, private := range []bool{false, true} {
		add(t, m, "episode-a", before, private, true)
	}
	add(t, m, "episode-b", before, true, true) // without an episode
	for _, id := range []string{"episode-a", "episode-b"} {
		old := Addition{AdditionHash(before), before}
		for n, data := range [][]byte{after, before, after} { // each but the first with the spaces of the one before
			ok(t, m.ReplaceAddition(id, old, append(slices.Clone(data), '\n')))
			text := strings.ReplaceAll(string(data), "{", strings.Repeat(" ", n+1)+"{") + "\n"
			hash := AdditionHash([]byte(text))
			old = Addition{hash, []byte(text)}
			for _, home := range m.homes() {
				got := tree(t, home.Path(addedOf.dir))
				if id == "episode-b" && home == m.top {
					if _, leaked := got[id+"/"+fileOf(hash)]; leaked {
						t.Error("what is private is in the shared part")
					}
				} else if got[id+"/"+fileOf(hash)] != text {
					t.Errorf("%d: %q, want %q", n, got, text)
				}
			}
		}
	}
	if shared, private := tree(t, m.path(addedOf.dir)), tree(t, filepath.Join(m.PrivateDir(), addedOf.dir)); len(shared) != 1 || len(private) != 2 {
		t.Errorf("%q, %q", shared, private)
	}
}

// Additions go with their episode where it goes: to another id beside what is there, and to the shared part.
func TestAdditionsMove(t *testing.T) {
	m := create(t)
	ok(t, m.MakePrivate())
	one, two, three := addition("agent", "{}"), addition("person", "{}"), addition("reader", "{}")
	store(t, m, "episode-a", "private", true)
	store(t, m, "episode-b", "private", true)
	for _, id := range []string{"episode-a", "episode-b"} {
		add(t, m, id, one, true, true)
	}
	add(t, m, "episode-a", two, true, true)
	add(t, m, "episode-b", three, true, true)
	ok(t, m.MoveAttached("episode-a", "episode-b"))
	want(t, "moved", texts(t, m, "episode-b"), []string{string(one), string(two), string(three)})
	want(t, "left", texts(t, m, "episode-a"), nil)
	if got := tree(t, m.path(addedOf.dir)); len(got) > 0 {
		t.Errorf("in the shared part: %q", got)
	}

	add(t, m, "episode-b", three, false, true) // by a run that was killed
	store(t, m, "episode-b", "shared", false)
	want(t, "shared", texts(t, m, "episode-b"), []string{string(one), string(two), string(three)})
	if got := tree(t, filepath.Join(m.PrivateDir(), addedOf.dir)); len(got) > 0 {
		t.Errorf("in the private part: %q", got)
	}
	if info, err := os.Stat(m.path(fileIn("episode-b", one))); err != nil || info.Mode().Perm() != 0o644 {
		t.Errorf("shared, but not for others: %v, %v", info, err)
	}
	ok(t, m.Remove("episode-b"))
	if len(texts(t, m, "episode-b")) != 3 {
		t.Error("additions went with a file that its log may bring back")
	}
}

// A clone that brings an episode with the id of a private one gets nothing of what was added to that.
func TestShadowedAdditions(t *testing.T) {
	m := create(t)
	ok(t, m.MakePrivate())
	store(t, m, "episode-a", "private", true)
	add(t, m, "episode-a", addition("person"), true, true)
	ok(t, os.WriteFile(m.EpisodesDir()+"/episode-a.json", []byte("foreign"), 0o644))
	m = reopen(t, m)
	m.Clean()
	want(t, "read", texts(t, m, "episode-a"), nil)
	if got := tree(t, m.path(addedOf.dir)); len(got) > 0 {
		t.Errorf("in the shared part: %q", got)
	}
	ok(t, os.Remove(m.EpisodesDir()+"/episode-a.json"))
	want(t, "without it", texts(t, m, "episode-a"), []string{string(addition("person"))})
}

// Of what killed writers left, nothing is read, and the next one removes it.
func TestCleanAdditions(t *testing.T) {
	m := create(t)
	ok(t, m.MakePrivate())
	for _, private := range []bool{false, true} {
		add(t, m, "episode-a", addition("agent"), private, true)
		dir := m.home(private).Path(addedOf.dir)
		ok(t, os.WriteFile(filepath.Join(dir, fsstore.TempPrefix+"X"), []byte("{"), 0o644))
	}
	m.Clean()
	for _, private := range []bool{false, true} {
		if got := tree(t, m.home(private).Path(addedOf.dir)); len(got) != 1 {
			t.Errorf("left: %q", got)
		}
	}
}

// In whatever order, and however often, the same additions make the same folder, and nothing that was added is lost.
func TestAdditionsInAnyOrder(t *testing.T) {
	few.Checks(t, 20)
	rapid.Check(t, func(rt *rapid.T) {
		line := rapid.StringMatching(`\{"say":"[a-z ]{0,9}"\}`)
		all := rapid.SliceOfN(rapid.Map(rapid.SliceOfN(line, 0, 4), func(lines []string) string {
			return string(addition("agent", lines...))
		}), 1, 8).Draw(rt, "additions")
		var trees [2]map[string]string
		for i := range trees {
			m := create(t)
			for _, text := range rapid.Permutation(slices.Concat(all, all[:i])).Draw(rt, "order") {
				if err := m.Add("episode-a", []byte(text), false); err != nil {
					rt.Fatal(err)
				}
			}
			trees[i] = tree(t, m.path(addedOf.dir))
			got := texts(t, m, "episode-a")
			if distinct := slices.Compact(slices.Sorted(slices.Values(all))); !slices.Equal(got, distinct) {
				rt.Fatalf("%q, want %q", got, distinct)
			}
		}
		if fmt.Sprint(trees[0]) != fmt.Sprint(trees[1]) {
			rt.Fatalf("%q and %q", trees[0], trees[1])
		}
	})
}
