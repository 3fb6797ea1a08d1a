package actions

import (
	"runtime"
	"testing"

	"episodes/internal/turns"
)

// A check that fails again and again is compared with a bounded number of later runs: a session four times as long
// takes about four times as much.
func TestManyFailures(t *testing.T) {
	allocated := func(n int) uint64 {
		k := &talk{}
		for range n {
			k = k.sh("go test ./...", 1, failing)
		}
		b := New()
		for _, turn := range k.turns {
			if err := b.Add(turn); err != nil {
				t.Fatal(err)
			}
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		b.Draft(turns.Session{ID: "s", Dir: "/src/shop"})
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	if small, large := allocated(mostSought), allocated(4*mostSought); large > 7*small {
		t.Errorf("%d bytes, %d for a session four times as long", small, large)
	}
}
