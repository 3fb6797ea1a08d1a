package ask

import (
	"bytes"
	"io"
	"path/filepath"

	"episodes/episode"
	"episodes/extract"
	"episodes/internal/corrections"
	"episodes/internal/lesson"
	"episodes/internal/memory"
	"episodes/query"
)

// session is the log of an episode as lessons are held to it; nil where it is not here as it was read.
func (q *quoter) session(ep *episode.Episode) *lesson.Session {
	e := &query.Evidence{Episode: ep.ID, Source: ep.Provenance.Source}
	if e.Source.Path == "" {
		return nil
	}
	format := extract.Transcript(e.Source.Format)
	if format == nil {
		if log := q.read(e); log.state == Same {
			return lesson.FromMarkdown(log.lines)
		}
		return nil
	}
	f, dir, _ := q.open(e)
	if f == nil {
		return nil
	}
	defer f.Close()
	parts, done := partsOf(q.index, q.root, filepath.Join(dir, filepath.FromSlash(e.Source.Path)))
	defer done()
	var files [][]byte
	var again []io.Reader
	left := int64(maxHeld)
	for _, part := range append([]io.Reader{f}, parts...) {
		data, err := io.ReadAll(io.LimitReader(part, left))
		if left -= int64(len(data)); err != nil || left <= 0 {
			return nil
		}
		files, again = append(files, data), append(again, bytes.NewReader(data))
	}
	digest, rendering := memory.Hash(bytes.Join(files, nil)), corrections.Lines(nil)
	if e.Source.Unit != "" || format[0].Starts != nil {
		lines, sum, err := q.reads().Rendering(again[0], e.Source, again[1:]...)
		if err != nil {
			return nil
		}
		digest, rendering = sum, lines
	}
	if digest != e.Source.SHA256 {
		return nil
	}
	for i := range files {
		files[i] = []byte(q.reads().Redactor().String(string(files[i])))
	}
	s, err := lesson.Read(files[0], rendering, format, files[1:]...)
	if err != nil {
		return nil
	}
	return s
}

// maxHeld is the size in bytes of the largest transcript that lessons are held to.
const maxHeld = 64 << 20
