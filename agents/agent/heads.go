package agent

import (
	"bufio"
	"errors"
	"io"

	"episodes/internal/fsstore"
	"episodes/internal/lazy"
)

// Heads reads the beginnings of files, one file at a time. Its methods report no errors: a file
// that cannot be read counts as empty.
type Heads struct {
	b    *bufio.Reader
	edge [edge]byte
}

const (
	longest  = 1 << 20  // maximum length of a line, in bytes
	headSize = 16 << 20 // how much of a file Lines reads, in bytes
	edge     = 4 << 10  // how much Start and Tail return, in bytes
)

// NewHeads returns a Heads with a buffer of its own. It is not safe for concurrent use.
func NewHeads() *Heads { return &Heads{b: bufio.NewReaderSize(nil, longest)} }

// Lines calls f with the lines in the first 16 MB of a file until f returns true. Lines of more
// than 1 MB are skipped. The bytes are valid only until f returns.
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

// Begin returns up to 1 MB of the beginning of a file, valid until the next use of h.
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

// Start returns up to 4 KB of the beginning of a file, valid until the next use of h.
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

// SessionID returns the value of the first member "sessionId" in a text, or "".
func SessionID(text []byte) string {
	if found := sessionID().FindSubmatch(text); found != nil {
		return string(found[1])
	}
	return ""
}
