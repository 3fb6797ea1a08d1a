package turns

// Text collects the lines of a text in bounded memory. Of a long text it keeps the beginning and
// the end, at least as much of them as Clip keeps.
type Text struct{ buf []byte }

// Add adds a line.
func (t *Text) Add(line []byte) {
	t.buf = append(append(t.buf, line...), '\n')
	if len(t.buf) > 8*MaxText {
		t.buf = append(t.buf[:MaxText], t.buf[len(t.buf)-MaxText:]...)
	}
}

// Reset empties t.
func (t *Text) Reset() { t.buf = t.buf[:0] }

// String returns the text without its final newline.
func (t *Text) String() string {
	if len(t.buf) == 0 {
		return ""
	}
	return string(t.buf[:len(t.buf)-1])
}
