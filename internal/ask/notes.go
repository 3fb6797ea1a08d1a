package ask

import (
	"bytes"
	"fmt"
	"hash/fnv"
	"strings"
	"time"

	"episodes/export"
	"episodes/internal/notes"
	"episodes/internal/plain"
	"episodes/recall"
)

// withNotes adds the notes of other tools that lie in the repository to an index.
func (l *local) withNotes(x *recall.Index) (*recall.Index, error) {
	if l.Location.Bare {
		return x, nil
	}
	began := time.Now()
	files, whole := notes.List(l.Location.Root)
	if len(files) == 0 {
		return x, l.writeKept(notesName, "", nil)
	}
	h, proven := fnv.New128a(), true
	for _, f := range files {
		proven = proven && f.Stat == f.Stat.Proven(began)
		fmt.Fprintf(h, "%q %v\n", f.Path, f.Stat)
	}
	load := func(data []byte) (*recall.Segment, bool) {
		s, err := recall.OpenSegment(bytes.NewReader(data), int64(len(data)))
		return s, err == nil
	}
	s, err := cached(l, notesName, fmt.Sprintf("%s notes %x", recallKey(), h.Sum(nil)), load, func() ([]byte, bool, error) {
		defer l.working("indexing the notes of other tools")()
		if !whole {
			l.note("some files in %s or %s are too large or too many and are left out", notes.SerenaDir, notes.ForgetfulDir)
		}
		return l.notesSegment(files), proven, nil
	})
	if err != nil {
		return nil, fmt.Errorf("index the notes of other tools: %w", err)
	}
	return x.With(s), nil
}

// notesSegment makes a segment of the notes of some files, without secrets.
func (l *local) notesSegment(files []notes.File) []byte {
	var sessions []*recall.Session
	for _, n := range notes.Read(l.Location.Root, files) {
		if n.Agent == export.ATIFAgent || strings.HasPrefix(n.Text, export.SerenaMark) {
			continue // a digest of episodes says nothing that they do not say
		}
		id := n.Source + ":" + plain.Words(n.Name)
		s := &recall.Session{Episode: id, Name: id, Log: plain.Words(n.Path), Date: n.Date}
		s.AddNote(l.redactor().String(strings.ReplaceAll(n.Text, "\r\n", "\n")), n.Lined)
		sessions = append(sessions, s)
	}
	return recall.Build(sessions)
}
