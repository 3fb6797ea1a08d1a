package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// An actor and a verifier that print 100 MB on each output take less than 100 MB of
// memory, and leave next to nothing on the disk.
func TestFloodsAreBounded(t *testing.T) {
	long(t)
	t.Setenv("GOGC", "100") // as users run it, whatever the tests themselves are run with
	const most = 128 << 20  // of 200 MB of output
	flood := "yes 'src/file.c:12:3: error: something is wrong here' | head -c 100000000; yes 'FAIL: a line of a test (a.B) that no report has' | head -c 100000000 >&2; exit 1"
	for name, args := range map[string][]string{
		"eval": {"loop", "eval", "--verify", flood},
		"loop": {"loop", "--memory", "m", "--root", ".", "--task", "flood", "--actor", flood, "--verify", flood, "--max", "1"},
	} {
		dir := folder(t)
		must(t, dir, "init", "--memory", "m", "--root", ".")
		cmd := program(dir, args...)
		must0(t, cmd.Start())
		peak := peakMemory(cmd.Process.Pid)
		if err := cmd.Wait(); err == nil {
			t.Errorf("%s passed", name)
		}
		if peak == 0 || peak > most && !underRace() {
			t.Errorf("%s took %d MB of memory", name, peak>>20)
		}
		t.Logf("%s: %d MB of memory", name, peak>>20)
		var left int64
		err := filepath.WalkDir(filepath.Join(dir, "m"), func(_ string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			info, err := d.Info()
			if err == nil {
				left += info.Size()
			}
			return err
		})
		if err != nil || left > 2<<20 {
			t.Errorf("%s left %d bytes, %v", name, left, err)
		}
	}
}

// underRace reports whether these tests run with the race detector, which takes several times
// the memory.
func underRace() bool {
	info, ok := debug.ReadBuildInfo()
	return ok && slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"})
}

// peakMemory is the most memory that a process had in its life, in bytes, looked at until it
// ends. What the system counts for a child contains that of its parent when it was made.
func peakMemory(pid int) (peak int) {
	for {
		data, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
		_, rest, found := strings.Cut(string(data), "VmHWM:")
		if err != nil || !found { // it ended
			return peak
		}
		if kb, err := strconv.Atoi(strings.Fields(rest)[0]); err == nil {
			peak = max(peak, kb<<10)
		}
		time.Sleep(10 * time.Millisecond)
	}
}
