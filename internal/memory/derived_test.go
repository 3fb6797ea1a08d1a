package memory

import (
	"bytes"
	"testing"
)

// A derived file is read under the key that it was written under and no other; its
// head is read without the rest.
func TestDerived(t *testing.T) {
	m := create(t)
	ok(t, m.WriteDerived("x", "key 1", []byte("head\nbody")))
	for key, want := range map[string]string{"key 1": "head\nbody", "key 2": "", "key": "", "": ""} {
		if got := m.ReadDerived("x", key); string(got) != want {
			t.Errorf("%q: %q", key, got)
		}
	}
	if got := m.ReadDerivedHead("x", "key 1", 10); string(got) != "head" {
		t.Errorf("%q", got)
	}
	if got := m.ReadDerived("none", "key 1"); got != nil {
		t.Errorf("%q", got)
	}
}

// The cache keeps parts that come and go by themselves, and none that is damaged.
func TestCache(t *testing.T) {
	m := create(t)
	want := map[string]string{}
	check := func(step string) {
		t.Helper()
		for _, name := range []string{"a", "b", "c"} {
			got := m.ReadCached(name, "of "+name)
			if text, there := want[name]; string(got) != text || (got != nil) != there {
				t.Errorf("%s: part %s is %q, want %q", step, name, got, text)
			}
		}
	}
	keep := func(name, text string) {
		t.Helper()
		ok(t, m.KeepCached(name, "of "+name, []byte(text)))
		want[name] = text
	}
	ok(t, m.KeepCached("a", "of a", nil))
	if m.derived.Exists(cachePrefix + "a") {
		t.Error("a file of nothing")
	}
	check("none")
	keep("a", "first")
	keep("b", "second\n\n")
	keep("c", "")
	check("three")
	keep("a", "another first")
	check("one replaced")
	if got := m.ReadCached("b", "of another state"); got != nil {
		t.Errorf("of another state: %q", got)
	}
	ok(t, m.KeepCached("b", "", nil))
	delete(want, "b")
	check("one removed")

	file, err := m.derived.Read(cachePrefix + "a")
	ok(t, err)
	damaged := func(what string, at int, other []byte) {
		t.Helper()
		ok(t, m.derived.Write(cachePrefix+"a", other))
		if got := m.ReadCached("a", "of a"); got != nil {
			t.Errorf("%s at %d: %q", what, at, got)
		}
	}
	for i := range file {
		other := bytes.Clone(file)
		other[i] ^= 4
		damaged("changed", i, other)
		damaged("cut", i, file[:i])
	}
	delete(want, "a")
	check("one damaged")
	keep("b", "after the damage")
	check("begun anew")
}

// Derived files that only older versions write are removed by the next command that holds the
// lock, although this user made them.
func TestOlderDerivedFiles(t *testing.T) {
	m := create(t)
	older := []string{"cache", "records.cbor", "team-0123456789abcdef-study.cbor", "notes"}
	for _, name := range append(older, "index") {
		ok(t, m.WriteDerived(name, "key", nil))
	}
	ok(t, m.SaveView(View{MinSupport: 2}))
	unlock, err := m.Lock(t.Context(), 0, "test")
	ok(t, err)
	unlock()
	for _, name := range older {
		if m.derived.Exists(name) {
			t.Errorf("%s is still there", name)
		}
	}
	if !m.derived.Exists("index") || m.View().MinSupport != 2 {
		t.Error("more was removed")
	}
}
