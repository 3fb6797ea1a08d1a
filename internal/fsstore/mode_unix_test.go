//go:build unix

package fsstore

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// A file that is replaced has the mode that is asked for, whatever the umask is.
func TestWriteMode(t *testing.T) {
	d, dir := open(t)
	old := syscall.Umask(0o077)
	defer syscall.Umask(old)
	for _, mode := range []os.FileMode{0o644, 0o600, 0o444, 0o664} {
		must(t, d.WriteMode("a", mode, []byte(mode.String())))
		info, err := os.Stat(filepath.Join(dir, "a"))
		if err != nil || info.Mode() != mode {
			t.Errorf("mode %v, want %v: %v", info.Mode(), mode, err)
		}
		if got, err := d.Read("a"); err != nil || string(got) != mode.String() {
			t.Errorf("%q, %v", got, err)
		}
	}
	if left, err := d.Leftovers(); err != nil || len(left) > 0 {
		t.Errorf("left: %v, %v", left, err)
	}
}
