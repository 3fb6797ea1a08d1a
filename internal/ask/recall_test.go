package ask

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"episodes/episode"
	"episodes/graph"
	"episodes/internal/memory"
)

// searched is what searches and an advice say, asked by another process.
func searched(t *testing.T, of *Memory) string {
	t.Helper()
	m, err := reopened(of)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	return recalled(t, m)
}

// recalled is what searches and an advice say.
func recalled(t *testing.T, m *Memory) string {
	t.Helper()
	var b strings.Builder
	for _, text := range []string{"database locked", "busy timeout", "zebra"} {
		a, err := m.Search(context.Background(), SearchRequest{Text: text, Limit: 30})
		if err != nil {
			t.Fatal(err)
		}
		b.WriteString(text + "\n" + a.Text(0))
	}
	a, err := m.Advise(context.Background(), AdviseRequest{Kind: "choice", Text: "Set a busy timeout, or wrap the upload in a retry loop? The uploads fail: database is locked."})
	if err != nil {
		t.Fatal(err)
	}
	return b.String() + a.Text(0)
}

// A search says the same however the index came to be, and nothing of an episode that
// was removed stays in it.
func TestSearchesDoNotDependOnWhatIsKept(t *testing.T) {
	m := newMemory(t)
	for i := range 20 {
		write(t, m, uploads(i))
		if i%3 == 0 {
			searched(t, m) // one segment after another
		}
	}
	grown := searched(t, m)
	if !strings.Contains(grown, "session-019") || !strings.Contains(grown, "busy timeout") {
		t.Fatalf("too little is found:\n%s", grown)
	}
	files, err := filepath.Glob(filepath.Join(m.folder.DerivedDir(), "recall*"))
	if err != nil || len(files) < 2 {
		t.Fatalf("%v, %v", files, err)
	}
	remade := func(name string) {
		t.Helper()
		if got := searched(t, m); got != grown {
			t.Errorf("%s: another answer:\n%s\nnot\n%s", name, got, grown)
		}
	}
	for _, f := range files {
		if err := os.WriteFile(f, []byte("broken"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	remade("broken")
	files, _ = filepath.Glob(filepath.Join(m.folder.DerivedDir(), memory.RecallPrefix+"*"))
	if len(files) == 0 {
		t.Fatal("nothing is kept")
	}
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err == nil {
			clear(data[len(data)/2:]) // its texts and postings
			err = os.WriteFile(f, data, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	remade("damaged inside")
	forget(t, m, memory.IndexName)
	remade("without the index of files")

	zebra := uploads(3)
	zebra.ID, zebra.Session, zebra.Task = "episode-zebra", "zebra", "the zebra left its enclosure"
	edited := uploads(7)
	edited.Outcome = episode.Success
	write(t, m, zebra, edited)
	if !strings.Contains(searched(t, m), "zebra left") {
		t.Error("a new episode is not found")
	}
	write(t, m, uploads(7))
	if err := m.folder.Remove(zebra.ID); err != nil {
		t.Fatal(err)
	}
	remade("a session came and went")
	files, _ = filepath.Glob(filepath.Join(m.folder.DerivedDir(), "recall*"))
	for _, f := range files {
		if data, err := os.ReadFile(f); err != nil || strings.Contains(string(data), "zebra") {
			t.Errorf("%s still speaks of what was removed (%v)", filepath.Base(f), err)
		}
	}
}

// Of many small changes the index joins the small segments and leaves the large one.
func TestIndexOfManyChangesStaysSmall(t *testing.T) {
	m := newMemory(t)
	for i := range 60 {
		write(t, m, uploads(i))
	}
	searched(t, m)
	largest := func() (name string, n int) {
		files, _ := filepath.Glob(filepath.Join(m.folder.DerivedDir(), memory.RecallPrefix+"*"))
		size := int64(0)
		for _, f := range files {
			if info, err := os.Stat(f); err == nil && info.Size() > size {
				name, size = f, info.Size()
			}
		}
		return name, len(files)
	}
	first, _ := largest()
	for i := 60; i < 75; i++ {
		write(t, m, uploads(i))
		searched(t, m)
		if name, n := largest(); name != first || n > mostSegments {
			t.Fatalf("after %d more there are %d segments, and the largest is %s, not %s", i-59, n, name, first)
		}
	}
	grown := searched(t, m)
	forget(t, m, memory.IndexName)
	if made := searched(t, m); made != grown {
		t.Errorf("another answer:\n%s\nnot\n%s", made, grown)
	}
}

// Over the memory engine, and where nothing may be kept, the same is known.
func TestSearchesOverAnyStore(t *testing.T) {
	m := newMemory(t)
	for i := range 12 {
		write(t, m, uploads(i))
	}
	want := searched(t, m)
	other, err := Open(Options{Location: m.Location, Store: "mem:" + t.Name()})
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	if got := recalled(t, other); got != want {
		t.Errorf("over the memory engine:\n%s\nnot\n%s", got, want)
	}
	if err := os.RemoveAll(m.folder.DerivedDir()); err != nil {
		t.Fatal(err)
	}
	t.Setenv("HOME", "")
	t.Setenv("XDG_CONFIG_HOME", "")
	bare, err := reopened(m)
	if err != nil || bare.folder.Local() == nil {
		t.Fatalf("%v; it may be kept", err)
	}
	defer bare.Close()
	if got := recalled(t, bare); got != want {
		t.Errorf("where nothing may be kept:\n%s\nnot\n%s", got, want)
	}
	if files, _ := filepath.Glob(filepath.Join(m.folder.DerivedDir(), "recall*")); len(files) > 0 {
		t.Errorf("kept: %v", files)
	}
}

// A bug that shows while logs are read fails the question, as a server can bear, not the process.
func TestPanicsOfReadingAreErrors(t *testing.T) {
	if _, err := (&indexer{}).segment([]graph.Entry{{}}); err == nil || !strings.Contains(err.Error(), "report") {
		t.Error(err)
	}
}
