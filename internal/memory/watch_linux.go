package memory

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"strings"
	"unsafe"

	"golang.org/x/sys/unix"
)

// watch tells what happens to the names in a folder while it is open. To be told
// about what is written to its files takes the system longer the more there are.
type watch struct{ fd int }

// watchFolder begins a watch; nil where that cannot be.
func watchFolder(root *os.Root) *watch {
	dir, err := root.Open(".")
	if err != nil {
		return nil
	}
	defer dir.Close()
	fd, err := unix.InotifyInit1(unix.IN_CLOEXEC | unix.IN_NONBLOCK)
	if err != nil {
		return nil
	}
	const names = unix.IN_CREATE | unix.IN_DELETE | unix.IN_MOVED_FROM | unix.IN_MOVED_TO | unix.IN_DELETE_SELF | unix.IN_MOVE_SELF
	// By its descriptor: the path may lead to another folder by now.
	if _, err := unix.InotifyAddWatch(fd, fmt.Sprintf("/proc/self/fd/%d", dir.Fd()), names|unix.IN_ONLYDIR); err != nil {
		unix.Close(fd)
		return nil
	}
	return &watch{fd: fd}
}

func (w *watch) close() {
	if w.fd >= 0 {
		unix.Close(w.fd)
	}
	w.fd = -1
}

// others reports whether since the last call anything happened to the names of JSON
// files but that ours were put into place, each once. It says so too when it cannot
// be told.
func (w *watch) others(ours func(name string) bool) bool {
	put := map[string]bool{}
	buf := make([]byte, 64<<10)
	for {
		n, err := unix.Read(w.fd, buf)
		if err == unix.EINTR {
			continue
		}
		if err == unix.EAGAIN {
			return false
		}
		if err != nil || n <= 0 {
			return true
		}
		for rest := buf[:n]; len(rest) > 0; {
			if len(rest) < unix.SizeofInotifyEvent {
				return true
			}
			var e unix.InotifyEvent
			mask := binary.NativeEndian.Uint32(rest[unsafe.Offsetof(e.Mask):])
			end := unix.SizeofInotifyEvent + int(binary.NativeEndian.Uint32(rest[unsafe.Offsetof(e.Len):]))
			if end > len(rest) {
				return true
			}
			text, _, _ := bytes.Cut(rest[unix.SizeofInotifyEvent:end], []byte{0})
			name := string(text)
			rest = rest[end:]
			switch {
			case name == "": // the folder itself, or too much happened
				return true
			case !strings.HasSuffix(name, ".json") || strings.HasPrefix(name, "."):
			case mask&unix.IN_MOVED_TO == 0 || !ours(name) || put[name]:
				return true
			default:
				put[name] = true
			}
		}
	}
}
