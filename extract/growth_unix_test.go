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

// The time for a log grows as its size, whatever its shape: a byte of one that is eight times
// as long may not cost more than growth allows. What is compared is
// the time of the processor, the least of several runs where the first looks bad:
// another program on the machine makes a run longer, never shorter, and not twice as long.
func TestTimeIsLinear(t *testing.T) {
	if os.Getenv("EPISODES_HEAVY") == "" {
		t.Skip("measures time, on logs of up to 640 KB, which have fewer facts than there may be (make test-heavy)")
	}
	const growth = 3 // of time that grows with the square it would be 8; memory alone makes it 2
	all := maps.Clone(shapes)
	all["sessions in one file"] = func(size int) string { return string(longLog(t, size)) }
	for _, name := range slices.Sorted(maps.Keys(all)) {
		t.Run(name, func(t *testing.T) {
			small, large := all[name](80<<10), all[name](640<<10)
			before, now := perByte(t, small), perByte(t, large)
			for try := 0; now > growth*before && try < 6; try++ {
				now, before = min(now, perByte(t, large)), min(before, perByte(t, small))
			}
			t.Logf("%.0f ns a byte for %d kB, %.2f times that for %d kB", now, len(large)>>10, now/before, len(small)>>10)
			if now > growth*before {
				t.Errorf("time grows faster than size: %.0f ns a byte for %d kB, %.0f for %d kB", before, len(small)>>10, now, len(large)>>10)
			}
		})
	}
}

// cheap is what a byte may cost whatever it costs elsewhere: a tenth of what prose does.
const cheap = 60.0

// perByte is the time of the processor for reading a log, in nanoseconds for each byte.
func perByte(t *testing.T, log string) float64 {
	t.Helper()
	data := []byte(log)
	runtime.GC()
	start := processorTime(t)
	read(t, Source{Path: "x.md"}, data)
	return max(cheap, float64(processorTime(t)-start)/float64(len(data)))
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
