package ask

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/fxamacker/cbor/v2"

	"episodes/graph"
	"episodes/infer"
	"episodes/keys"
	"episodes/patterns"
)

// keptRecords is what the statistics read of every episode, so that after a change
// only the episodes that changed are read.
type keptRecords struct {
	Records []keptRecord `cbor:"1,keyasint"` // by episode
}

type keptRecord struct {
	_      struct{} `cbor:",toarray"`
	Hash   string   // of the episode, as the graph has it
	Record infer.Record
	Notes  []patterns.Note
}

func recordsKey() string { return fmt.Sprintf("records %d keys %d", infer.RecordVersion, keys.Version) }

// figures are statistics over the episodes of a source, computed once.
type figures struct {
	study *infer.Study // nil until it is needed
	kept  []keptRecord // of the episodes of the graph; nil until they are needed
	// changed: an episode is no longer what the graph was made from, so that nothing computed
	// from both may be kept.
	changed bool
}

// records returns the records of the episodes of a graph that count, by episode.
func (m *Memory) records(g *graph.Graph) ([]keptRecord, error) {
	if m.kept != nil {
		return m.kept, nil
	}
	set, err := g.Counted()
	if err != nil {
		return nil, fmt.Errorf("list the episodes of the graph: %w", err)
	}
	var old keptRecords
	key := recordsKey()
	before := m.readKept(recordsName, key)
	if cbor.Unmarshal(before, &old) != nil {
		old = keptRecords{}
	}
	known := make(map[string]keptRecord, len(old.Records))
	for _, r := range old.Records {
		known[r.Record.Episode] = r
	}
	now := keptRecords{make([]keptRecord, len(set))}
	var missing []int
	for i, e := range set {
		if now.Records[i] = known[e.ID]; now.Records[i].Hash != e.Hash {
			missing = append(missing, i)
		}
	}
	if len(missing) > 0 {
		if err := m.readRecords(set, missing, now.Records); err != nil {
			return nil, err
		}
	}
	now.Records = slices.DeleteFunc(now.Records, func(r keptRecord) bool { return r.Record.Episode == "" })
	m.kept = now.Records
	if len(missing) == 0 && len(known) == len(set) {
		return m.kept, nil
	}
	data := bytes.NewBuffer(make([]byte, 0, len(before)+len(before)/16)) // as large as it will be: it is most of the time
	if err := cbor.MarshalToBuffer(now, data); err != nil {
		return nil, fmt.Errorf("encode what is kept of the episodes: %w", err)
	}
	return m.kept, m.writeKept(recordsName, key, data.Bytes())
}

// readRecords fills in the records of some episodes of a set, with their pins. It
// sets m.changed when one of them is no longer what it is in the set.
func (m *Memory) readRecords(set []graph.Entry, which []int, to []keptRecord) error {
	ids := make([]string, len(which))
	for i, n := range which {
		ids[i] = set[n].ID
	}
	src, hash, err := m.loader(ids)
	if err != nil {
		return err
	}
	errs := make([]error, len(set))
	atOnce(len(which), func(n int) {
		i := which[n]
		ep, err := src.Load(set[i].ID)
		if err == nil {
			to[i] = keptRecord{Hash: set[i].Hash, Record: infer.FromEpisode(ep), Notes: patterns.NotesOf(ep)}
		} else {
			to[i], errs[i] = keptRecord{}, err
		}
	})
	for _, i := range which {
		m.changed = m.changed || hash[set[i].ID] != set[i].Hash
	}
	for _, err := range errs {
		if errors.Is(err, fs.ErrNotExist) {
			m.changed = true // removed since
		} else if err != nil {
			return err
		}
	}
	return nil
}
