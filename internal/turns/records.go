package turns

import (
	"bytes"

	"episodes/episode"
)

// Records calls each with every line of a file of JSON lines, decoded, and its place. A line that is no JSON object is
// reported as torn, except a comment and a last one that is still being written. begin is how a record begins that may follow a torn
// one on its line, or "".
func Records[T any](r *Reader, begin string, each func(rec *T, at episode.Span)) error {
	return r.Lines(func(n int, line []byte, full bool) {
		if line = bytes.TrimSpace(line); len(line) == 0 || bytes.HasPrefix(line, []byte("//")) {
			return
		}
		rec := new(T)
		if line[0] != '{' || !Decode(line, rec) {
			if !full {
				return
			}
			r.Torn(n)
			next := bytes.LastIndex(line, []byte(begin))
			if rec = new(T); begin == "" || next <= 0 || !Decode(line[next:], rec) {
				return
			}
		}
		each(rec, episode.Span{n, n})
	})
}
