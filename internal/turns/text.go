package turns

import (
	"bytes"
	"strings"
)

// Text collects the lines of a text in bounded memory. Of a long text it keeps the beginning and
// the end, at least as much of them as Clip keeps.
type Text struct {
	buf []byte
	on  []int // the lines of the file that AddLine was given
}

// AddLine adds line n of the file.
func (t *Text) AddLine(n int, line []byte) {
	t.on = append(t.on, n)
	t.Add(line)
}

// Lines returns the lines of the file on which the lines of a text stand that is a part of String; nil if they are
// not known.
func (t *Text) Lines(text string) []int {
	at := bytes.Index(t.buf, []byte(text))
	if at < 0 || len(t.on) != bytes.Count(t.buf, []byte("\n")) {
		return nil
	}
	from := bytes.Count(t.buf[:at], []byte("\n"))
	return t.on[from:min(from+strings.Count(text, "\n")+1, len(t.on))]
}

// Add adds a line.
func (t *Text) Add(line []byte) {
	t.buf = append(append(t.buf, line...), '\n')
	if len(t.buf) > 8*MaxText {
		t.buf = append(t.buf[:MaxText], t.buf[len(t.buf)-MaxText:]...)
	}
}

// Reset empties t.
func (t *Text) Reset() { t.buf, t.on = t.buf[:0], nil }

// String returns the text without its final newline.
func (t *Text) String() string {
	if len(t.buf) == 0 {
		return ""
	}
	return string(t.buf[:len(t.buf)-1])
}
