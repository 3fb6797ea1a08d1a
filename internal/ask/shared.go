package ask

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"episodes/episode"
	"episodes/graph"
	"episodes/query"
	"episodes/recall"
)

// sharedPart is the memory as everyone who clones has it: its graph, which is kept next to that of the
// whole memory, is made of the shared episodes alone.
type sharedPart struct {
	*local
	whole *local
}

// sharedStore is the graph of the shared part where none can be kept. It ends with the process.
const sharedStore = "mem:shared"

func (p sharedPart) loader([]string) (query.Episodes, map[string]string, error) {
	files, err := p.set()
	if err != nil {
		return nil, nil, err
	}
	files = files.Shared()
	return files, hashes(files), nil
}

// openGraph brings the graph of the shared part up to date, if it is not open.
func (p sharedPart) openGraph(ctx context.Context) (*graph.Graph, error) {
	if p.graph != nil {
		return p.graph, nil
	}
	set, err := p.set()
	if err != nil {
		return nil, err
	}
	o := p.folder.Bind(p.store)
	rep, err := updateKept(ctx, p.folder, set.Shared(), o)
	if unwritable(err) || errors.Is(err, ErrLocked) {
		o.Store, o.Token = sharedStore, ""
		rep, err = graph.Rebuild(ctx, o.Store, set.Shared(), o.Options)
	}
	if err != nil {
		return nil, fmt.Errorf("make the graph of the shared part: %w", err)
	}
	for _, text := range set.LeftOut(rep) {
		p.note("%s", text)
	}
	p.graph, err = openStore(ctx, o)
	return p.graph, err
}

// recall asks the index of the whole memory without what is private.
func (p sharedPart) recall(ctx context.Context, q *recall.Question, ask func(*recall.Index) error) error {
	return p.whole.recall(ctx, q, func(x *recall.Index) error {
		shared, err := x.Without(p.isPrivate)
		if err != nil {
			return err
		}
		return ask(shared)
	})
}

func (p sharedPart) find(ref string) (string, error) {
	id, err := p.local.find(ref)
	several := (*AmbiguousError)(nil)
	if errors.As(err, &several) {
		several.IDs = slices.DeleteFunc(several.IDs, p.isPrivate)
		switch len(several.IDs) {
		case 0:
			err = ErrNoEpisode
		case 1:
			return several.IDs[0], nil
		}
	}
	if errors.Is(err, ErrNoEpisode) || err == nil && p.isPrivate(id) {
		return "", noEpisode(ref, nil) // without those of similar names
	}
	return id, err
}

func (p sharedPart) load(id string) (*episode.Episode, error) {
	if p.isPrivate(id) {
		return nil, noEpisode(id, nil)
	}
	return p.local.load(id)
}

const sharedPrefix = "shared-" // of what is kept of the shared part

func (p sharedPart) readKept(name, key string) []byte {
	return p.local.readKept(sharedPrefix+name, key)
}

func (p sharedPart) writeKept(name, key string, data []byte) error {
	return p.local.writeKept(sharedPrefix+name, key, data)
}

func (p sharedPart) close() {
	p.local.close()
	p.whole.close()
}

func newSharedPart(all *local) sharedPart {
	part := newLocal(all.Options, all.folder, nil)
	part.settled = true
	part.store.Store = all.folder.GraphNamed("shared")
	return sharedPart{part, all}
}

// shared is the memory to ask for what may be passed on: m itself where nothing is private. done
// is to be called when it is no longer needed.
func (m *Memory) shared() (s *Memory, done func(), err error) {
	any, err := m.folder.AnyPrivate()
	if err != nil || !any {
		return m, func() {}, err
	}
	o := m.Options
	o.Shared = true
	if s, err = Open(o); err != nil {
		return nil, nil, err
	}
	return s, s.Close, nil
}

// Reader returns the graph for rooms that have questions of their own. It is closed with the
// memory.
func (m *Memory) Reader(ctx context.Context) (query.Reader, error) { return m.openGraph(ctx) }

// SharedReader is Reader of the shared part alone: for what may be passed on. done is to be
// called when it is no longer needed.
func (m *Memory) SharedReader(ctx context.Context) (r query.Reader, done func(), err error) {
	s, done, err := m.shared()
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
