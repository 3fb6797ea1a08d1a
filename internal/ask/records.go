package ask

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"

	"github.com/fxamacker/cbor/v2"

	"episodes/episode"
	"episodes/graph"
	"episodes/infer"
	"episodes/keys"
)

// figures are statistics over the episodes of a source, computed once.
type figures struct {
	study *infer.Study   // nil until it is needed
	kept  []infer.Record // of the episodes of the graph; nil until they are needed
	// changed: an episode is no longer what the graph was made from, so that nothing computed
	// from both may be kept.
	changed bool
}

// records returns the records of the episodes of a graph that count, by episode.
func (m *Memory) records(g *graph.Graph) (_ []infer.Record, err error) {
	if m.kept == nil {
		m.kept, err = keptEach(m, g, recordsName, infer.RecordVersion, infer.FromEpisode)
	}
	return m.kept, err
}

// keptOne is what is kept of an episode.
type keptOne[T any] struct {
	_        struct{} `cbor:",toarray"`
	ID, Hash string   // of the episode, as the graph has it
	Of       *T       // nil for one that was removed since
}

func eachKey(name string, version int) string {
	return fmt.Sprintf("%s %d keys %d", name, version, keys.Version)
}

// keptEach returns what a function makes of each episode of a graph that counts, by episode. It is kept, so
// that after a change only the episodes that changed are read. version is that of what the function makes.
func keptEach[T any](m *Memory, g *graph.Graph, name string, version int, of func(*episode.Episode) T) (out []T, err error) {
	set, err := g.Counted()
	if err != nil {
		return nil, fmt.Errorf("list the episodes of the graph: %w", err)
	}
	key := eachKey(name, version)
	before := m.readKept(name, key)
	var old []keptOne[T]
	if cbor.Unmarshal(before, &old) != nil {
		old = nil
	}
	known := make(map[string]keptOne[T], len(old))
	for _, k := range old {
		known[k.ID] = k
	}
	now := make([]keptOne[T], len(set))
	var missing []string
	var to []*keptOne[T]
	for i, e := range set {
		if now[i] = known[e.ID]; now[i].Of == nil || now[i].Hash != e.Hash {
			now[i] = keptOne[T]{ID: e.ID, Hash: e.Hash}
			missing, to = append(missing, e.ID), append(to, &now[i])
		}
	}
	if len(missing) > 0 {
		src, hash, err := m.loader(missing)
		if err != nil {
			return nil, err
		}
		errs := make([]error, len(missing))
		atOnce(len(missing), func(i int) {
			ep, err := src.Load(missing[i])
			if err == nil {
				v := of(ep)
				to[i].Of = &v
			} else if !errors.Is(err, fs.ErrNotExist) {
				errs[i] = err
			}
		})
		if err := errors.Join(errs...); err != nil {
			return nil, err
		}
		for _, k := range to { // what is kept is of the graph
			m.changed = m.changed || k.Of == nil || hash[k.ID] != k.Hash
		}
	}
	for _, k := range now {
		if k.Of != nil {
			out = append(out, *k.Of)
		}
	}
	if len(missing) == 0 && len(old) == len(set) || m.changed {
		return out, nil
	}
	data := bytes.NewBuffer(make([]byte, 0, len(before)+len(before)/16)) // as large as it will be: it is most of the time
	if err := cbor.MarshalToBuffer(now, data); err != nil {
		return nil, fmt.Errorf("encode what is kept of the episodes: %w", err)
	}
	return out, m.writeKept(name, key, data.Bytes())
}
