package memory

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"unsafe"

	"golang.org/x/sys/unix"
)

// watch tells what happens to the names in a folder while it is open. To be told
// about what is written to its files takes the system longer the more there are.
type watch struct {
	fd  int
	dir *os.File
}

// watched are the file systems, by their magic numbers, of which every change is made
// by this machine. Of others it may not be told.
var watched = []int64{
	unix.EXT4_SUPER_MAGIC, unix.XFS_SUPER_MAGIC, unix.BTRFS_SUPER_MAGIC, unix.F2FS_SUPER_MAGIC, unix.BCACHEFS_SUPER_MAGIC, zfsMagic,
	unix.TMPFS_MAGIC, unix.OVERLAYFS_SUPER_MAGIC,
}

const zfsMagic = 0x2fc12fc1

// watchFolder begins a watch; nil where that cannot be.
func watchFolder(root *os.Root) *watch {
	dir, err := root.Open(".")
	if err != nil {
		return nil
	}
	w := watchOpen(dir)
	if w == nil {
		dir.Close()
	}
	return w
}

func watchOpen(dir *os.File) *watch {
	var st unix.Statfs_t
	if unix.Fstatfs(int(dir.Fd()), &st) != nil || !slices.Contains(watched, int64(uint32(st.Type))) {
		return nil
	}
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
	return &watch{fd, dir}
}

func (w *watch) close() {
	if w.fd >= 0 {
		unix.Close(w.fd)
		w.dir.Close()
	}
	w.fd = -1
}

// others reports whether since the last call anything happened to the names of JSON
// files but that ours were put into place, each once. It says so too when it cannot
// be told.
func (w *watch) others(ours func(name string) bool) bool {
	// To read a name waits for who is about to change one, and so to tell of it.
	if _, err := w.dir.Readdirnames(1); err != nil && err != io.EOF {
		return true
	}
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
