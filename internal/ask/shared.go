package ask

import (
	"context"
	"fmt"
	"slices"

	"episodes/graph"
	"episodes/internal/track"
	"episodes/query"
)

// sharedPart is the memory as everyone who clones has it: its graph is made in memory of the
// shared episodes alone, and nothing that is computed for it is kept.
type sharedPart struct{ *local }

// sharedStore is the graph of the shared part alone. It ends with the process.
const sharedStore = "mem:shared"

func (p sharedPart) loader([]string) (query.Episodes, map[string]string, error) {
	files, err := track.Load(p.folder).Set()
	if err != nil {
		return nil, nil, err
	}
	files = files.Shared()
	return files, hashes(files), nil
}

func (p sharedPart) writeKept(string, string, []byte) error { return nil }

// shared is the memory to ask for what may be passed on: m itself where nothing is private. done
// is to be called when it is no longer needed.
func (m *Memory) shared(ctx context.Context) (s *Memory, done func(), err error) {
	any, err := m.folder.AnyPrivate()
	if err != nil || !any {
		return m, func() {}, err
	}
	set, err := track.Load(m.folder).Set()
	if err != nil {
		return nil, nil, err
	}
	part := newLocal(&m.Options, m.folder, nil)
	part.settled, part.changed = true, true
	part.store = m.here.store
	part.store.Store, part.store.Token = sharedStore, ""
	if _, err := graph.Rebuild(ctx, sharedStore, set.Shared(), part.store.Options); err != nil {
		return nil, nil, fmt.Errorf("make the graph of the shared part: %w", err)
	}
	if part.graph, err = part.openStore(ctx, sharedStore); err != nil {
		return nil, nil, err
	}
	return &Memory{Options: m.Options, source: sharedPart{part}, here: part, folder: m.folder}, part.close, nil
}

// Reader returns the graph for rooms that have questions of their own. It is closed with the
// memory.
func (m *Memory) Reader(ctx context.Context) (query.Reader, error) { return m.openGraph(ctx) }

// SharedReader is Reader of the shared part alone: for what may be passed on. done is to be
// called when it is no longer needed.
func (m *Memory) SharedReader(ctx context.Context) (r query.Reader, done func(), err error) {
	s, done, err := m.shared(ctx)
	if err != nil {
		return nil, nil, err
	}
	r, err = s.Reader(ctx)
	return r, done, err
}

// privateOf lists which of some episodes are private, sorted.
func (m *Memory) privateOf(ids []string) (out []string) {
	for _, id := range ids {
		if m.isPrivate(id) {
			out = append(out, id)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// privateText says which episodes of an answer are private.
func privateText(ids []string) string {
	const most = 3
	switch n := len(ids); {
	case n == 0:
		return ""
	case n > most:
		return fmt.Sprintf("\nprivate: %d of the episodes", n)
	}
	text := "\nprivate:"
	for _, id := range ids {
		text += " " + id
	}
	return text
}
