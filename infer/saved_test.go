package infer

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A loaded study answers what the original does, to the bit.
func TestLoadedStudyAnswersTheSame(t *testing.T) {
	for name, world := range map[string]func(*rand.Rand, int) []Record{"confounded": confounded, "chain": chain, "idle": idle} {
		s := New(world(seeded(20), 200))
		data, err := s.Save()
		if err != nil {
			t.Fatal(err)
		}
		l, ok := Load(data)
		if !ok {
			t.Fatal("not loaded")
		}
		if d := cmp.Diff(told(s), told(l), plain); d != "" {
			t.Errorf("%s:\n%s", name, d)
		}
		if d := cmp.Diff(s.Health(), l.Health()); d != "" {
			t.Errorf("%s: health\n%s", name, d)
		}
		a, n := s.Asserted()
		b, m := l.Asserted()
		if d := cmp.Diff(a, b); d != "" || n != m {
			t.Errorf("%s: claims\n%s", name, d)
		}
		again, err := New(world(seeded(20), 200)).Save()
		if err != nil || !bytes.Equal(data, again) {
			t.Errorf("%s: other bytes, %v", name, err)
		}
	}
}

func TestLoadRejectsOtherBytes(t *testing.T) {
	data, err := New(confounded(seeded(21), 60)).Save()
	if err != nil {
		t.Fatal(err)
	}
	for _, bad := range [][]byte{nil, {0}, data[:len(data)/2], []byte("no study")} {
		if _, ok := Load(bad); ok {
			t.Errorf("%d bytes were taken for a study", len(bad))
		}
	}
}
