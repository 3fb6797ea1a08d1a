package turns

import "bytes"

// headLines is how many lines at the beginning of a file AnyLine examines.
const headLines = 40

// AnyLine reports whether fits is true for one of the first lines of a file that begin with "{".
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
