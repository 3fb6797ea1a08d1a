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
	want := map[string]string{"a": "first", "b": "second\n\n", "c": ""}
	for name, text := range want {
		ok(t, m.KeepCached(name, "of "+name, []byte(text)))
	}
	ok(t, m.KeepCached("d", "of d", nil))
	if m.derived.Exists(cachePrefix + "d") {
		t.Error("a file of nothing")
	}
	for name, text := range want {
		if got := m.ReadCached(name, "of "+name); got == nil || string(got) != text {
			t.Errorf("part %s is %q, want %q", name, got, text)
		}
	}
	if got := m.ReadCached("b", "of another state"); got != nil {
		t.Errorf("of another state: %q", got)
	}
	ok(t, m.KeepCached("b", "", nil))
	if got := m.ReadCached("b", "of b"); got != nil {
		t.Errorf("removed: %q", got)
	}
	file, err := m.derived.Read(cachePrefix + "a")
	ok(t, err)
	for i := range file {
		changed := bytes.Clone(file)
		changed[i] ^= 4
		for what, other := range map[string][]byte{"changed": changed, "cut": file[:i]} {
			ok(t, m.derived.Write(cachePrefix+"a", other))
			if got := m.ReadCached("a", "of a"); got != nil {
				t.Errorf("%s at %d: %q", what, i, got)
			}
		}
	}
	ok(t, m.KeepCached("a", "of a", []byte("anew")))
	if got := m.ReadCached("a", "of a"); string(got) != "anew" {
		t.Errorf("begun anew: %q", got)
	}
}
