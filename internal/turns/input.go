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
	"strings"

	"episodes/episode"
)

// MaxRecord is the maximum size of a record, in bytes. A longer record holds images or data; it is
// skipped and reported.
const MaxRecord = 32 << 20

// ErrOwn is returned for a file that this program exported. It repeats existing episodes, so it is
// no evidence of a session.
var ErrOwn = errors.New("an export of this program, which is no session")

// Reader is the input and output of a format: the bytes of a transcript, and the methods that
// receive its turns and problems. A format reads the bytes once, from the beginning to the end.
type Reader struct {
	Session Session
	// At is the position of what was read last, in the unit of the format's spans. Lines and Each set it.
	At int
	// Redact removes secrets and personal data from a text. Nil keeps the text as it is.
	Redact  func(string) string
	in      *bufio.Reader
	yield   func(Turn) error
	unknown map[string]int // number of records of unknown types, by type
	dropped map[string]int // number of calls with Dropped set, by tool
	torn    []int          // positions without a valid record
	notes   []episode.Diagnostic
	large   []int
	atWork  bool
	err     error // of the caller, or of the disk: nothing more is read
}

// NewReader returns a Reader that passes each turn to yield. An error of yield ends the reading: Lines and Document
// return it.
func NewReader(in io.Reader, yield func(Turn) error) *Reader {
	return &Reader{in: bufio.NewReaderSize(in, 1<<16), yield: yield, unknown: map[string]int{}, dropped: map[string]int{}}
}

// Put passes a turn to the caller of the format. Its texts are redacted before they are clipped,
// since half a secret would not be recognized.
func (r *Reader) Put(t Turn) {
	if r.err != nil {
		return
	}
	keep := func(texts ...*string) {
		for _, s := range texts {
			if r.Redact != nil {
				*s = r.Redact(*s)
			}
			*s = Clip(*s)
		}
	}
	text := &t.Text
	if t.Result != nil {
		text = &t.Result.Text
	}
	if r.Redact != nil {
		*text = r.Redact(*text)
	}
	if t.Lines != nil {
		t.Lines = clipped(t.Lines, *text)
	}
	*text = Clip(*text)
	if c := t.Call; c != nil {
		keep(&c.Command, &c.Old, &c.New, &c.Text)
		if c.Dropped {
			count(r.dropped, c.Name)
		}
	}
	if s := t.Result; s != nil {
		keep(&s.Said)
	}
	if t.Sub == "" && t.Role != Result {
		r.atWork = t.Role == Call
	}
	r.err = r.yield(t)
}

// Say puts a turn with words.
func (r *Reader) Say(t Turn, role Role, text string) {
	t.Role, t.Text = role, text
	r.Put(t)
}

// Call puts a turn with a call.
func (r *Reader) Call(t Turn, c *ToolCall) {
	t.Role, t.Call = Call, c
	r.Put(t)
}

// Result puts a turn with the result of a call.
func (r *Reader) Result(t Turn, res *ToolResult) {
	t.Role, t.Result = Result, res
	r.Put(t)
}

// Stop puts a turn in which the human stopped the agent.
func (r *Reader) Stop(t Turn) {
	t.Role = Stop
	r.Put(t)
}

// Fail ends the reading with an error.
func (r *Reader) Fail(err error) { r.err = err }

// Err returns the error that ended the reading, or nil.
func (r *Reader) Err() error { return r.err }

// clipped returns the lines of what Clip keeps of a text; nil if they are not known.
func clipped(lines []int, text string) []int {
	if strings.Count(text, "\n")+1 != len(lines) {
		return nil // a secret had several
	}
	if ends := Ends(text, MaxText); len(ends) < len(text) {
		from, to := between(text, ends, MaxText)
		lines, text = slices.Concat(lines[:from+1], lines[from:from+1], lines[to:]), ends
	}
	if strings.Count(stripEscapes(text), "\n")+1 != len(lines) {
		return nil
	}
	return lines
}

// AtWork reports whether the last turn of the session's own agent, besides results, is a call: agents that
// are not killed say something after it.
func (r *Reader) AtWork() bool { return r.atWork }

// Unknown counts a record of a type that the format does not know.
func (r *Reader) Unknown(kind string) {
	count(r.unknown, kind)
}

// count increments the counter of a kind. Kinds beyond the first mostUnknown share one counter.
func count(of map[string]int, kind string) {
	if _, seen := of[kind]; !seen && len(of) >= mostUnknown {
		kind = "others"
	}
	of[kind]++
}

// mostUnknown is how many unknown kinds are counted separately.
const mostUnknown = 20

// Torn reports a position that should hold a record and does not. at is a line number, or another
// position in the unit of the format's spans.
func (r *Reader) Torn(at int) { r.torn = append(r.torn, at) }

// Note adds a diagnostic about reading the file. line is 0 if it concerns no particular line.
func (r *Reader) Note(line int, code, message string) {
	r.notes = append(r.notes, episode.Diagnostic{Line: line, Code: code, Message: message})
}

// JSONLines reports whether the input is JSON lines: the first line is a complete JSON value and
// more lines follow.
func (r *Reader) JSONLines() bool {
	head, _ := r.in.Peek(headBytes)
	line, rest, more := bytes.Cut(bytes.TrimLeft(head, " \t\r\n"), []byte("\n"))
	return more && len(bytes.TrimSpace(rest)) > 0 && json.Valid(line)
}

// Peek returns up to 64 KB of the unread input, without consuming it.
func (r *Reader) Peek() []byte {
	head, _ := r.in.Peek(r.in.Size())
	return head
}

// headBytes is how much of a file JSONLines looks at.
const headBytes = 1 << 16

// Behind makes the first line of the input the next one behind some lines of its file.
func (r *Reader) Behind(lines int) { r.At = lines }

// Extent returns how many units of the format's spans were read: lines with those before them, or elements.
func (r *Reader) Extent() int { return r.At }

// Lines calls each with the physical lines of the file, numbered from 1, or as Behind says, and without the newline.
// The bytes are valid only until each returns. whole is false for a last line without a newline,
// which the agent may still be writing. Empty lines are included; lines over MaxRecord are not.
func (r *Reader) Lines(each func(n int, line []byte, full bool)) error {
	var long []byte
	for n := r.At + 1; ; n++ {
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
			r.err = err
			return err
		}
		if len(long) > 0 {
			line = append(long, line...)
			long = line[:0]
		}
		if large || len(line) > 0 {
			r.At = n
		}
		full := len(line) > 0 && line[len(line)-1] == '\n'
		switch {
		case large:
			r.large = append(r.large, n)
			long = nil
		case len(line) > 0:
			if full {
				line = line[:len(line)-1]
			}
			each(n, line, full)
		}
		if err != nil || r.err != nil {
			return r.err
		}
	}
}

// Remarks returns the diagnostics: what was skipped, and the notes of the format.
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
		if i == mostTorn {
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

// mostTorn is how many torn records get a diagnostic each; the rest share one.
const mostTorn = 3
