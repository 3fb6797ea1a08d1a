package turns

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"episodes/episode"
)

// MaxRecord is the longest record that is read, in bytes. Longer ones hold images or
// data; they are counted and passed over.
const MaxRecord = 32 << 20

// ErrOwn says that this program wrote the file: it tells what episodes say, and is no
// evidence of a session.
var ErrOwn = errors.New("an export of this program, which is no session")

// Reader is what a format is given to read a transcript: its bytes, and whom to tell of
// what it finds. Formats read it once, from its beginning to its end.
type Reader struct {
	Session Session
	// Redact takes out of a text what must not be kept; nil: nothing.
	Redact  func(string) string
	in      *bufio.Reader
	yield   func(Turn) error
	unknown map[string]int // records of no known type
	dropped map[string]int // calls of which Dropped is true, by tool
	torn    []int          // lines that are no record
	notes   []episode.Diagnostic
	large   []int
	extent  int
}

// NewReader makes a Reader that gives each turn to yield, which may end the reading by an
// error.
func NewReader(in io.Reader, yield func(Turn) error) *Reader {
	return &Reader{in: bufio.NewReaderSize(in, 1<<16), yield: yield, unknown: map[string]int{}, dropped: map[string]int{}}
}

// Put gives a turn on. Its texts are redacted, and then clipped: half a secret would not
// be known as one.
func (r *Reader) Put(t Turn) error {
	keep := func(texts ...*string) {
		for _, s := range texts {
			if r.Redact != nil {
				*s = r.Redact(*s)
			}
			*s = Clip(*s)
		}
	}
	keep(&t.Text)
	if c := t.Call; c != nil {
		keep(&c.Command, &c.Old, &c.New, &c.Text)
		if c.Dropped {
			count(r.dropped, c.Name)
		}
	}
	if s := t.Result; s != nil {
		keep(&s.Text, &s.Said)
	}
	return r.yield(t)
}

// Unknown counts a record of a type that the format does not know.
func (r *Reader) Unknown(kind string) {
	count(r.unknown, kind)
}

// count counts one more of a kind. The last kinds of very many are counted together.
func count(of map[string]int, kind string) {
	if _, seen := of[kind]; !seen && len(of) >= mostUnknown {
		kind = "others"
	}
	of[kind]++
}

// mostUnknown is how many kinds of what is unknown are told apart.
const mostUnknown = 20

// Torn notes a line, or another place, that should be a record and is none.
func (r *Reader) Torn(at int) { r.torn = append(r.torn, at) }

// Note adds a remark on how the file was read; line is 0 where it is about no line.
func (r *Reader) Note(line int, code, message string) {
	r.notes = append(r.notes, episode.Diagnostic{Line: line, Code: code, Message: message})
}

// JSONLines reports whether the input is JSON lines: the first is a whole JSON value and
// others follow.
func (r *Reader) JSONLines() bool {
	head, _ := r.in.Peek(headBytes)
	line, rest, more := bytes.Cut(bytes.TrimLeft(head, " \t\r\n"), []byte("\n"))
	return more && len(bytes.TrimSpace(rest)) > 0 && json.Valid(line)
}

// headBytes is how much of a file JSONLines looks at.
const headBytes = 1 << 16

// Extent is how many of what spans count were read: lines, or elements.
func (r *Reader) Extent() int { return r.extent }

// Lines calls each with the physical lines of the file, without their ends and numbered
// from 1. The bytes are only good until each returns. A last line that has no end may
// still be in the writing: whole is false.
func (r *Reader) Lines(each func(n int, line []byte, whole bool) error) error {
	var long []byte
	for n := 1; ; n++ {
		line, err := r.in.ReadSlice('\n')
		large := false
		for errors.Is(err, bufio.ErrBufferFull) {
			if !large {
				if large = len(long)+len(line) > MaxRecord; !large {
					long = append(long, line...)
				}
			}
			line, err = r.in.ReadSlice('\n')
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		if len(long) > 0 {
			line = append(long, line...)
			long = line[:0]
		}
		if large || len(line) > 0 {
			r.extent = n
		}
		whole := len(line) > 0 && line[len(line)-1] == '\n'
		switch {
		case large:
			r.large = append(r.large, n)
			long = nil
		case len(line) > 0:
			if whole {
				line = line[:len(line)-1]
			}
			if e := each(n, line, whole); e != nil {
				return e
			}
		}
		if err != nil {
			return nil
		}
	}
}

// Remarks say what was passed over.
func (r *Reader) Remarks() []episode.Diagnostic {
	out := slices.Clone(r.notes)
	note := func(line int, code, format string, args ...any) {
		out = append(out, episode.Diagnostic{Line: line, Code: code, Message: fmt.Sprintf(format, args...)})
	}
	for _, kind := range slices.Sorted(maps.Keys(r.unknown)) {
		note(0, "unknown-record", "%d records of the unknown type %q were passed over", r.unknown[kind], kind)
	}
	for _, tool := range slices.Sorted(maps.Keys(r.dropped)) {
		note(0, "unknown-tool", "%d calls of the unknown tool %q, which may change files, were not understood", r.dropped[tool], tool)
	}
	for i, at := range r.torn {
		if i == mostTold {
			note(at, "torn-record", "and %d more that are no records", len(r.torn)-i)
			break
		}
		note(at, "torn-record", "not a record: torn or damaged; it was passed over")
	}
	for _, at := range r.large {
		note(at, "large-record", "a record of more than %d MB was passed over", MaxRecord>>20)
	}
	return out
}

// mostTold is how many torn records are told one by one.
const mostTold = 3
