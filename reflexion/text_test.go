package reflexion

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestFileName(t *testing.T) {
	for i, want := range map[int]string{0: "001.json", 4: "005.json", 9: "010.json", 998: "999.json", 999: "a1000.json", 9998: "a9999.json", 9999: "b10000.json"} {
		if got := FileName(i); got != want {
			t.Errorf("FileName(%d) = %q, want %q", i, got, want)
		}
	}
	for _, bad := range []string{"", "000", "1", "01", "0001", "1000", "a999", "b1000", "a0100", "001.json", "../001", "a99999999999999999999999"} {
		if n, ok := ParseOrdinal(bad); ok {
			t.Errorf("ParseOrdinal(%q) = %d", bad, n)
		}
	}
}

// Names sort as numbers do, whatever their length, and read back.
func TestNamesSort(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := rapid.IntRange(0, 1<<62).Draw(t, "a"), rapid.IntRange(0, 1<<62).Draw(t, "b")
		if rapid.Bool().Draw(t, "near") {
			b = a/10 + b%20
		}
		na, nb := FileName(a), FileName(b)
		if (a < b) != (na < nb) {
			t.Fatalf("%d is %q, %d is %q", a, na, b, nb)
		}
		if n, ok := ParseOrdinal(strings.TrimSuffix(na, ".json")); !ok || n != a+1 {
			t.Fatalf("%q reads as %d, %v", na, n, ok)
		}
	})
}

func TestLoopIDFrom(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.String().Draw(t, "words")
		if id := LoopIDFrom(words); !ValidLoopID(id) || LoopIDFrom(id) != id {
			t.Fatalf("%q gives %q, and that %q", words, id, LoopIDFrom(id))
		}
	})
	if got := LoopIDFrom("Fix: the ../../etc/passwd Bug!"); got != "ralph-fix-the-etc-passwd-bug" {
		t.Error(got)
	}
}
