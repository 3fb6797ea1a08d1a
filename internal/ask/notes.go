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
	"episodes/internal/sources"
	"episodes/recall"
)

// withNotes adds to an index the notes of other tools and of the user's agents.
func (l *local) withNotes(x *recall.Index) (*recall.Index, error) {
	if l.Location.Bare {
		return x, nil
	}
	own, roots, err := l.agentMemories()
	if err != nil {
		return nil, err
	}
	began := time.Now()
	files, all := notes.List(l.Location.Root, own)
	if len(files) == 0 {
		return x, l.writeKept(notesName, "", nil)
	}
	h, proven := fnv.New128a(), true
	fmt.Fprintf(h, "%q\n", roots)
	for _, f := range files {
		proven = proven && f.Stat == f.Stat.Proven(began)
		fmt.Fprintf(h, "%q %q %v\n", f.Root, f.Path, f.Stat)
	}
	load := func(data []byte) (*recall.Segment, bool) {
		s, err := recall.OpenSegment(bytes.NewReader(data), int64(len(data)))
		return s, err == nil
	}
	s, err := cached(l, notesName, fmt.Sprintf("%s notes %x", recallKey(), h.Sum(nil)), load, func() ([]byte, bool, error) {
		defer l.working("indexing the notes of other tools")()
		if !all {
			l.note("some files in %s, %s or the memories of agents are too large or too many and are left out",
				notes.SerenaDir, notes.ForgetfulDir)
		}
		return l.notesSegment(files), proven, nil
	})
	if err != nil {
		return nil, fmt.Errorf("index the notes of other tools: %w", err)
	}
	return x.With(s), nil
}

// agentMemories are the folders of agents' own notes, if wanted, and the working trees.
func (l *local) agentMemories() (own []sources.Memory, roots []string, err error) {
	if l.Home == "" || l.Shared {
		return nil, nil, nil
	}
	config, err := ReadUserConfig()
	if err != nil || config.Notes != nil && !*config.Notes {
		return nil, nil, err
	}
	here := sources.NewHere(l.Location.Root)
	return sources.Memories(sources.Environment{Home: l.Home, Getenv: l.Getenv}, here), here.Roots(), nil
}

// claim says which agent's own notes a hit is of, or "".
func (h *SearchHit) claim() string {
	of, _, _ := strings.Cut(h.Source, ":")
	if title := sources.Title(of); title != "" {
		return title + "'s own memory says "
	}
	return ""
}

// notesSegment makes a segment of the notes of some files, without secrets.
func (l *local) notesSegment(files []notes.File) []byte {
	var b recall.Builder
	for _, n := range notes.Read(files) {
		if n.Agent == export.Agent || strings.HasPrefix(n.Text, export.SerenaMark) {
			continue // a digest of episodes says nothing that they do not say
		}
		id := n.Source + ":" + plain.Words(n.Name)
		s := &recall.Session{Episode: id, Name: id, Log: plain.Words(n.Path), Date: n.Date}
		s.AddNote(l.redactor().String(strings.ReplaceAll(n.Text, "\r\n", "\n")), n.Lined)
		b.Add(s)
	}
	return b.Segment()
}
