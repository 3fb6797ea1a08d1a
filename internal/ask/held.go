package ask

import (
	"io"

	"episodes/episode"
	"episodes/extract"
	"episodes/internal/capture"
	"episodes/internal/lesson"
	"episodes/query"
)

// session is the log of an episode as lessons are held to it; nil where it is not here as it was read.
func (q *quoter) session(ep *episode.Episode) *lesson.Session {
	e := &query.Evidence{Episode: ep.ID, Source: ep.Provenance.Source}
	if e.Source.Path == "" {
		return nil
	}
	if !extract.IsTranscript(e.Source.Format) {
		if log := q.read(e); log.state == Same {
			return lesson.FromMarkdown(log.lines)
		}
		return nil
	}
	f, parts, done, _ := q.transcript(e)
	if f == nil {
		return nil
	}
	defer done()
	return capture.Session(q.reads(), e.Source, append([]io.Reader{f}, parts...)...)
}
