package main

import (
	"io/fs"
	"path/filepath"
	"syscall"
	"testing"
)

// An actor and a verifier that print 100 MB on each output take less than 100 MB of
// memory, and leave next to nothing on the disk.
func TestFloodsAreBounded(t *testing.T) {
	long(t)
	const most = 100 << 20
	flood := "yes 'src/file.c:12:3: error: something is wrong here' | head -c 100000000; yes 'FAIL: a line of a test (a.B) that no report has' | head -c 100000000 >&2; exit 1"
	for name, args := range map[string][]string{
		"eval": {"eval", "--verify", flood},
		"loop": {"loop", "--memory", "m", "--root", ".", "--id", "ralph-flood", "--task", "x", "--actor", flood, "--verify", flood, "--max", "2"},
	} {
		dir := folder(t)
		must(t, dir, "init", "--memory", "m", "--root", ".")
		cmd := program(dir, args...)
		if err := cmd.Run(); err == nil {
			t.Errorf("%s passed", name)
		}
		used, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage)
		if !ok || used.Maxrss<<10 > most {
			t.Errorf("%s took %d MB of memory", name, used.Maxrss>>10)
		}
		t.Logf("%s: %d MB of memory", name, used.Maxrss>>10)
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
