package ask

import (
	"bytes"
	"io"
	"path/filepath"
	"strings"

	"episodes/episode"
	"episodes/extract"
	"episodes/internal/corrections"
	"episodes/internal/lesson"
	"episodes/internal/turns"
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
	f, dir, _ := q.open(e)
	if f == nil {
		return nil
	}
	defer f.Close()
	parts, done := partsOf(q.index, q.root, filepath.Join(dir, filepath.FromSlash(e.Source.Path)))
	defer done()
	var raw bytes.Buffer
	for i, p := range parts {
		parts[i] = io.TeeReader(p, &raw)
	}
	list, digest, err := q.reads().Turns(io.TeeReader(f, &raw), e.Source, parts...)
	if err != nil || digest != e.Source.SHA256 {
		return nil
	}
	lines := corrections.Split([]byte(q.reads().Redactor().String(raw.String())))
	if e.Source.Unit != "" { // what spans count are no lines of the file
		lines = make(corrections.Lines, 0, len(list))
		for _, t := range list {
			for len(lines) < t.At[1] {
				lines = append(lines, "")
			}
		}
	}
	return lesson.FromTurns(lines, spokenIn(list))
}

func spokenIn(list []turns.Turn) (out []lesson.Turn) {
	put := func(who lesson.Who, t turns.Turn, text ...string) {
		if s := strings.TrimSpace(strings.Join(text, "\n")); s != "" {
			out = append(out, lesson.Turn{At: t.At, Who: who, Text: s})
		}
	}
	for _, t := range list {
		switch t.Role {
		case turns.User:
			put(lesson.ByPerson, t, t.Text)
		case turns.Call:
			put(lesson.ByCall, t, append([]string{t.Call.Command, t.Call.Old, t.Call.New, t.Call.Text}, t.Call.Files...)...)
		case turns.Result:
			put(lesson.ByPerson, t, t.Result.Said)
			put(lesson.ByTool, t, t.Result.Text)
		default:
			put(lesson.ByAgent, t, t.Text)
		}
	}
	return out
}
