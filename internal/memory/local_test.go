package memory

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"episodes/graph"
	"episodes/graph/stores"
)

// reopen is the memory as the next process sees it.
func reopen(t *testing.T, m *Memory) *Memory {
	t.Helper()
	again, err := Open(m.Location)
	ok(t, err)
	t.Cleanup(again.Close)
	return again
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
