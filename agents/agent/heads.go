package agent

import (
	"bufio"
	"errors"
	"io"

	"episodes/internal/fsstore"
	"episodes/internal/lazy"
)

// Heads reads the beginnings of files, one after another. A file that cannot be read is empty.
type Heads struct {
	b    *bufio.Reader
	edge [edge]byte
}

const (
	longest  = 1 << 20  // of a line that is looked at, in bytes
	headSize = 16 << 20 // of what Lines looks at of a file
	edge     = 4 << 10  // of what Start and Tail return
)

// NewHeads makes a reader of beginnings.
func NewHeads() *Heads { return &Heads{b: bufio.NewReaderSize(nil, longest)} }

// Lines calls f with the lines at the beginning of a file until it returns true. Lines of more
// than 1 MB are left out. The bytes are good until f returns.
func (h *Heads) Lines(path string, f func(line []byte) (done bool)) {
	file, err := fsstore.OpenInput("", path)
	if err != nil {
		return
	}
	defer file.Close()
	h.b.Reset(io.LimitReader(file, headSize))
	for {
		line, err := h.b.ReadSlice('\n')
		long := false
		for errors.Is(err, bufio.ErrBufferFull) {
			long = true
			_, err = h.b.ReadSlice('\n')
		}
		if !long && f(line) || err != nil {
			return
		}
	}
}

// Begin returns up to 1 MB of the beginning of a file, good until the next use of h.
func (h *Heads) Begin(path string) []byte {
	f, err := fsstore.OpenInput("", path)
	if err != nil {
		return nil
	}
	defer f.Close()
	h.b.Reset(f)
	head, _ := h.b.Peek(longest)
	return head
}

// Start returns up to 4 KB of the beginning of a file, good until the next use of h.
func (h *Heads) Start(path string) []byte {
	f, err := fsstore.OpenInput("", path)
	if err != nil {
		return nil
	}
	defer f.Close()
	n, _ := io.ReadFull(f, h.edge[:])
	return h.edge[:n]
}

// Tail returns up to 4 KB of the end of a file.
func Tail(path string) []byte {
	f, err := fsstore.OpenInput("", path)
	if err != nil {
		return nil
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil
	}
	buf := make([]byte, edge)
	n, _ := f.ReadAt(buf, max(info.Size()-edge, 0))
	return buf[:n]
}

var sessionID = lazy.Pattern(`"sessionId"\s*:\s*"([^"\\]+)"`)

// SessionID is the first value of a member "sessionId" in a text; "" where there is none.
func SessionID(text []byte) string {
	if found := sessionID().FindSubmatch(text); found != nil {
		return string(found[1])
	}
	return ""
}
