package memory

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
)

// readEpisodeLine reads a line of the index that is about an episode. There is
// one for each episode, and encoding/json takes ten times as long; what is not
// just as the writer writes it is left to encoding/json.
func readEpisodeLine(line string) (e EpisodeEntry, ok bool) {
	if !strings.HasPrefix(line, episodePrefix) {
		return e, false
	}
	r := lineReader{rest: line, ok: true}
	e.ID = r.text(episodePrefix)
	e.Size = r.number(`,"size":`)
	e.ModTime = r.number(`,"mtime":`)
	if r.next(`,"touched":`) {
		e.Touched = r.number(`,"touched":`)
	}
	e.SHA256 = r.text(`,"sha256":`)
	if r.next(`,"source":`) {
		e.Source = r.text(`,"source":`)
	}
	if r.next(`,"place":`) {
		e.Place = r.text(`,"place":`)
	}
	if r.next(`,"start":`) {
		e.Start = r.text(`,"start":`)
	}
	if !r.ok || r.rest != "}" {
		e = EpisodeEntry{}
		r.ok = json.Unmarshal([]byte(line), &e) == nil
	}
	return e, r.ok && e.ID != ""
}

// lineReader takes fields from the beginning of a line, as long as it can.
type lineReader struct {
	rest string
	ok   bool
}

func (r *lineReader) next(name string) bool { return strings.HasPrefix(r.rest, name) }

func (r *lineReader) skip(name string) bool {
	if r.ok = r.ok && r.next(name); r.ok {
		r.rest = r.rest[len(name):]
	}
	return r.ok
}

func (r *lineReader) text(name string) (s string) {
	if !r.skip(name + `"`) {
		return ""
	}
	s, r.rest, r.ok = strings.Cut(r.rest, `"`)
	r.ok = r.ok && !strings.Contains(s, `\`)
	return s
}

func (r *lineReader) number(name string) int64 {
	if !r.skip(name) {
		return 0
	}
	i := 0
	for i < len(r.rest) && (r.rest[i] == '-' || '0' <= r.rest[i] && r.rest[i] <= '9') {
		i++
	}
	n, err := strconv.ParseInt(r.rest[:i], 10, 64)
	r.rest, r.ok = r.rest[i:], err == nil
	return n
}

// wantedLines returns what tells from the beginning of a line whether it is about
// one of some logs, or an episode whose id matches, or about the index itself. In
// doubt it does.
func wantedLines(logs []string, match func(id []byte) bool) func(line []byte) bool {
	paths := make([][]byte, 0, len(logs))
	for _, path := range logs {
		var b bytes.Buffer
		enc := json.NewEncoder(&b)
		enc.SetEscapeHTML(false)
		if enc.Encode(path) == nil {
			paths = append(paths, append(bytes.TrimSpace(b.Bytes()), ','))
		}
	}
	return func(line []byte) bool {
		if rest, ok := bytes.CutPrefix(line, []byte(episodePrefix+`"`)); ok {
			id, _, ok := bytes.Cut(rest, []byte(`"`))
			return !ok || bytes.IndexByte(id, '\\') >= 0 || match(id)
		}
		if rest, ok := bytes.CutPrefix(line, []byte(logPrefix)); ok {
			return slices.ContainsFunc(paths, func(path []byte) bool { return bytes.HasPrefix(rest, path) })
		}
		return bytes.HasPrefix(line, []byte(headerPrefix)) || bytes.HasPrefix(line, []byte(gonePrefix))
	}
}
