//go:build unix

package lock

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// What a lock file says that came from elsewhere makes nobody wait, and goes into a
// message only as one short line without controls. One that is a hard link locks as any
// other, and is not written to.
func TestPlantedText(t *testing.T) {
	for name, text := range map[string]string{
		"a name":    fmt.Sprintf("%d 2026-01-02T03:04:05Z episodes\x1b[31m graph\u202e\x07 %s\n", os.Getpid(), strings.Repeat("long ", 800)),
		"no pid":    "-1 2026-01-02T03:04:05Z episodes\n",
		"all pids":  "0 2026-01-02T03:04:05Z episodes\n",
		"no number": strings.Repeat("9", 4000) + " 2026-01-02T03:04:05Z episodes\n",
		"binary":    "\x00\xff\xfe",
	} {
		path := newPath(t)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		reader, err := Shared(ctx, path, 0)
		if err != nil {
			t.Fatal(err)
		}
		_, err = Acquire(ctx, path, 10*time.Millisecond, "test")
		var late *TimeoutError
		if !errors.As(err, &late) || len(late.Error()) > len(path)+300 || strings.ContainsAny(late.Error(), "\x1b\x07\x00\u202e") {
			t.Errorf("%s: %v", name, err)
		}
		if named := late != nil && late.Holder != nil; named != (name == "a name") {
			t.Errorf("%s: %v", name, err)
		}
		_ = reader.Release()
		// Who gave up is still in the kernel's queue, and gives way when it is its turn.
		if l, err := Acquire(ctx, path, time.Minute, "test"); err != nil {
			t.Errorf("%s: when it is free: %v", name, err)
		} else {
			_ = l.Release()
		}
	}

	path, outside := newPath(t), filepath.Join(t.TempDir(), "outside")
	if err := errors.Join(os.WriteFile(outside, []byte("kept"), 0o644), os.Link(outside, path)); err != nil {
		t.Skipf("needs hard links: %v", err)
	}
	l, err := Acquire(ctx, path, 0, "test")
	if err != nil {
		t.Fatal(err)
	}
	if _, free, err := Try(path, "test"); free || err != nil {
		t.Errorf("locked twice: %v", err)
	}
	_ = l.Release()
	if text, err := os.ReadFile(outside); string(text) != "kept" {
		t.Errorf("%q, %v", text, err)
	}
}
