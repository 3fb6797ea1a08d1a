package ask

import (
	"errors"
	"testing"
)

// What is cached is made once for a key; what may not be kept, each time.
func TestCached(t *testing.T) {
	m := newMemory(t)
	made := 0
	get := func(key string, keep bool, err error) (string, error) {
		return cached(m.source, "x", key, func(data []byte) (string, bool) { return string(data), data != nil },
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
