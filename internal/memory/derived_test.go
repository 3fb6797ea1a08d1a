package memory

import "testing"

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
