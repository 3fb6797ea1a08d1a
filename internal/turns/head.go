package turns

import "bytes"

// headLines is how many lines at the beginning of a file tell its format.
const headLines = 40

// AnyLine reports whether one of the whole lines at the beginning of a file fits.
func AnyLine(head []byte, fits func(line []byte) bool) bool {
	for range headLines {
		line, rest, whole := bytes.Cut(head, []byte("\n"))
		if line = bytes.TrimSpace(line); len(line) > 0 && line[0] == '{' && fits(line) {
			return true
		}
		if !whole {
			return false
		}
		head = rest
	}
	return false
}
