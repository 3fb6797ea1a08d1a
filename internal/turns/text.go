package turns

// Text gathers the lines of one text of any length in little memory: of a long one the
// beginning and the end are kept, at least as much of them as Clip keeps.
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

// String is the text without the end of its last line.
func (t *Text) String() string {
	if len(t.buf) == 0 {
		return ""
	}
	return string(t.buf[:len(t.buf)-1])
}
