package memory

import (
	"errors"
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

// What is cached is made once for a key; what may not be kept, each time.
func TestCached(t *testing.T) {
	m := create(t)
	made := 0
	get := func(key string, keep bool, err error) (string, error) {
		return Cached(m, "x", key, func(data []byte) (string, bool) { return string(data), data != nil },
			func() ([]byte, bool, error) { made++; return []byte("of " + key), keep, err })
	}
	for _, c := range []struct {
		key  string
		keep bool
		made int
	}{{"a", false, 1}, {"a", true, 2}, {"a", true, 2}, {"b", true, 3}, {"a", true, 4}} {
		if got, err := get(c.key, c.keep, nil); err != nil || got != "of "+c.key || made != c.made {
			t.Errorf("%+v: %q, %v, made %d times", c, got, err, made)
		}
	}
	if _, err := get("c", true, errors.New("no")); err == nil {
		t.Error("no error")
	}
}
