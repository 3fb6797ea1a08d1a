//go:build unix

package extract

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"runtime"
	"slices"
	"syscall"
	"testing"
	"time"
)

// The time for a log grows as its size, whatever its shape: per byte, no step to the
// next size may cost more than growth allows. What is compared is
// the time of the processor, the least of several runs where the first looks bad:
// another program on the machine makes a run longer, never shorter.
func TestTimeIsLinear(t *testing.T) {
	if os.Getenv("EPISODES_HEAVY") == "" {
		t.Skip("measures time, on logs of up to 8 MB (make test-heavy)")
	}
	const growth = 1.5
	sizes := []int{512 << 10, 2 << 20, MaxBytes - 64<<10}
	all := maps.Clone(shapes)
	all["sessions in one file"] = func(size int) string { return string(longLog(t, size)) }
	for _, name := range slices.Sorted(maps.Keys(all)) {
		t.Run(name, func(t *testing.T) {
			small := all[name](sizes[0])
			before := perByte(t, small, 3)
			for _, size := range sizes[1:] {
				large := all[name](size)
				now := perByte(t, large, 1)
				for try := 0; now > growth*before && try < 6; try++ {
					now = min(now, perByte(t, large, 1))
					before = min(before, perByte(t, small, 1))
				}
				t.Logf("%d kB: %.0f ns a byte, %.2f times that of %d kB", len(large)>>10, now, now/before, len(small)>>10)
				if now > growth*before {
					t.Fatalf("time grows faster than size: %.0f ns a byte for %d kB, %.0f for %d kB", before, len(small)>>10, now, len(large)>>10)
				}
				small, before = large, now
			}
		})
	}
}

// cheap is what a byte may cost whatever it costs elsewhere: a tenth of what prose does.
const cheap = 60.0

// perByte is the least time of the processor in n readings of a log, in nanoseconds
// for each byte.
func perByte(t *testing.T, log string, n int) float64 {
	t.Helper()
	data := []byte(log)
	var least time.Duration
	for i := range n {
		runtime.GC()
		start := processorTime(t)
		read(t, Source{Path: "x.md"}, data)
		if took := processorTime(t) - start; i == 0 || took < least {
			least = took
		}
	}
	return max(cheap, float64(least)/float64(len(data)))
}

func processorTime(t *testing.T) time.Duration {
	t.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// longLog repeats the own logs, as a file of many sessions does.
func longLog(tb testing.TB, size int) []byte {
	var b bytes.Buffer
	logs := sessionLogs(tb)
	for i := 0; b.Len() < size; i++ {
		l := logs[i%len(logs)]
		if l.name == "broken" { // its open fence would swallow the rest
			continue
		}
		fmt.Fprintf(&b, "%s\n\n", bytes.TrimSpace(l.data))
	}
	return b.Bytes()
}
