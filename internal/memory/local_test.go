package memory

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"episodes/graph"
	"episodes/graph/stores"
)

// anotherUser makes what is done from here on that of another user.
func anotherUser(t *testing.T) {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("HOME", dir)
	t.Setenv("AppData", dir)
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(dir, "config"))
}

// reopen is the memory as the next process sees it.
func reopen(t *testing.T, m *Memory) *Memory {
	t.Helper()
	again, err := Open(m.Location)
	ok(t, err)
	t.Cleanup(again.Close)
	return again
}

// What one user derived is nothing to another, who removes it, but for a view, with the
// lock only; nothing of his own is touched.
func TestForeign(t *testing.T) {
	m := create(t)
	ok(t, m.WriteDerived("x", "key", []byte("data")))
	ok(t, m.SaveView(View{MinSupport: 2}))
	if foreign, err := m.Foreign(); len(foreign) > 0 || err != nil {
		t.Errorf("one's own: %q, %v", foreign, err)
	}
	anotherUser(t)
	m = reopen(t, m)
	var notes []string
	m.Note = func(text string) { notes = append(notes, text) }
	if got := m.ReadDerived("x", "key"); got != nil {
		t.Errorf("read %q", got)
	}
	if v := m.View(); v != (View{}) {
		t.Errorf("view %+v", v)
	}
	ok(t, m.WriteDerived("mine", "key", []byte("data")))
	if foreign, err := m.Foreign(); len(foreign) != 2 || err != nil {
		t.Errorf("another's: %q, %v", foreign, err)
	}
	unlock, err := m.Lock(context.Background(), 0, "a test")
	ok(t, err)
	unlock()
	names, err := m.derived.All()
	ok(t, err)
	slices.Sort(names)
	if want := []string{ignoreName, lockName, "mine", asideName}; !slices.Equal(names, want) {
		t.Errorf("left %q, want %q", names, want)
	}
	if len(notes) != 2 || m.Aside() == "" {
		t.Errorf("notes %q, aside %q", notes, m.Aside())
	}
	if got := m.ReadDerived("mine", "key"); string(got) != "data" {
		t.Errorf("one's own: %q", got)
	}
}

// Without a key nothing is read, kept or removed, and the graph ends with the process.
func TestNoKey(t *testing.T) {
	m := create(t)
	ok(t, m.WriteDerived("x", "key", []byte("data")))
	for _, name := range []string{"HOME", "XDG_CONFIG_HOME", "AppData"} {
		t.Setenv(name, "")
	}
	m = reopen(t, m)
	var why *NotKeptError
	if err := m.Local(); !errors.As(err, &why) || why.Tracked || why.Hint() == "" {
		t.Errorf("%v", err)
	}
	if got := m.ReadDerived("x", "key"); got != nil {
		t.Errorf("read %q", got)
	}
	ok(t, m.WriteDerived("x", "key", []byte("other")))
	if err := m.SaveView(View{MinSupport: 2}); !errors.As(err, &why) {
		t.Errorf("a view: %v", err)
	}
	unlock, err := m.Lock(context.Background(), 0, "a test")
	ok(t, err)
	unlock()
	if data, err := os.ReadFile(filepath.Join(m.DerivedDir(), "x")); err != nil || !strings.HasSuffix(string(data), " key\ndata") {
		t.Errorf("%q, %v", data, err)
	}
	for url, private := range map[string]bool{m.DefaultStore(): true, "badger:" + t.TempDir(): true, "mem:x": true} {
		if o := m.Bind(GraphOptions{Store: url, Options: graph.Options{}}); stores.Private(o.Store) != private || o.Token != "" {
			t.Errorf("%q: %+v", url, o)
		}
	}
}
