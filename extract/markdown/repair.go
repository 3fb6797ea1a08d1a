package markdown

import (
	"bytes"
	"unicode/utf8"

	"episodes/episode"
)

// repair makes the bytes fit to parse without moving any line.
func (r *reader) repair(data []byte) []byte {
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	if bytes.IndexByte(data, '\r') >= 0 {
		data = bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))
		// A carriage return by itself ends lines only where nothing else does; in
		// other texts it stems from a progress display.
		end := []byte(" ")
		if bytes.IndexByte(data, '\n') < 0 {
			end = []byte("\n")
		}
		data = bytes.ReplaceAll(data, []byte("\r"), end)
	}
	if !utf8.Valid(data) {
		clean := bytes.ToValidUTF8(data, []byte("\uFFFD"))
		at := 0
		for at < len(data) && at < len(clean) && data[at] == clean[at] {
			at++
		}
		r.Note(episode.LineAt(data, at), "invalid-utf8", "bytes that are no UTF-8 were replaced")
		data = clean
	}
	return r.closeFence(data)
}

// closeFence takes the opening mark away from a code fence that is never
// closed: it would hide the rest of the log.
func (r *reader) closeFence(data []byte) []byte {
	open, openAt, openLen := -1, 0, 0
	var mark byte
	line := 0
	for at := 0; at < len(data); {
		end := bytes.IndexByte(data[at:], '\n')
		if end < 0 {
			end = len(data) - at
		}
		l := data[at : at+end]
		line++
		t := bytes.TrimLeft(l, " \t>")
		if n := fenceLen(t); n >= 3 {
			switch {
			case open < 0:
				open, openAt, openLen, mark = line, at+len(l)-len(t), n, t[0]
			case t[0] == mark && n >= openLen && len(bytes.TrimSpace(t[n:])) == 0:
				open = -1
			}
		}
		at += end + 1
	}
	if open < 0 {
		return data
	}
	r.Note(open, "unclosed-fence", "a code fence is never closed; the text after it was read as text")
	out := bytes.Clone(data)
	for i := 0; i < openLen; i++ {
		out[openAt+i] = ' '
	}
	return out
}

func fenceLen(t []byte) int {
	if len(t) == 0 || t[0] != '`' && t[0] != '~' {
		return 0
	}
	n := 0
	for n < len(t) && t[n] == t[0] {
		n++
	}
	if t[0] == '`' && bytes.IndexByte(t[n:], '`') >= 0 {
		return 0 // inline code
	}
	return n
}

// lineStarts is where each line of src starts.
func lineStarts(src []byte) []int {
	starts := []int{0}
	for i, c := range src {
		if c == '\n' && i+1 < len(src) {
			starts = append(starts, i+1)
		}
	}
	return starts
}
