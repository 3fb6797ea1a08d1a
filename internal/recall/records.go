package recall

import (
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"slices"
	"sync"

	"github.com/fxamacker/cbor/v2"

	"episodes/graph"
	"episodes/infer"
	"episodes/internal/track"
	"episodes/keys"
	"episodes/patterns"
)

// recordsName is the derived file that keeps what the statistics need of every
// episode, so that after a change only the episodes that changed are read.
const recordsName = "records.cbor"

type keptRecords struct {
	Records []keptRecord `cbor:"1,keyasint"`
}

type keptRecord struct {
	_      struct{} `cbor:",toarray"`
	Hash   string   // of the episode, as the graph has it
	Record infer.Record
	Notes  []patterns.Note
}

// records returns what is kept of the episodes of a graph, made anew where it is not
// kept.
func (s *Session) records(g *graph.Graph) ([]keptRecord, error) {
	if s.kept != nil {
		return s.kept, nil
	}
	set, err := g.Episodes()
	if err != nil {
		return nil, fmt.Errorf("list the episodes of the graph: %w", err)
	}
	var old keptRecords
	key := fmt.Sprintf("records %d keys %d", infer.RecordVersion, keys.Version)
	if cbor.Unmarshal(s.ReadDerived(recordsName, key), &old) != nil {
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
		if err := s.read(set, missing, now.Records); err != nil {
			return nil, err
		}
	}
	now.Records = slices.DeleteFunc(now.Records, func(r keptRecord) bool { return r.Record.Episode == "" })
	s.kept = now.Records
	if s.changed || len(missing) == 0 && len(known) == len(set) {
		return s.kept, nil
	}
	data, err := cbor.Marshal(now)
	if err != nil {
		return nil, fmt.Errorf("encode what is kept of the episodes: %w", err)
	}
	return s.kept, s.KeepDerived(recordsName, key, data)
}

// read fills in the records of some episodes of a set, with their pins, and notes
// when one of them is no longer what it is in the set.
func (s *Session) read(set []graph.Entry, which []int, to []keptRecord) error {
	src, err := track.Load(s.Memory).Set()
	if err != nil {
		return err
	}
	hash := make(map[string]string, len(src.Whole))
	for _, e := range src.Whole {
		hash[e.ID] = e.Hash
	}
	next := make(chan int)
	errs := make([]error, len(set))
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(which)) {
		wg.Go(func() {
			for i := range next {
				ep, err := src.Load(set[i].ID)
				if err == nil {
					to[i] = keptRecord{Hash: set[i].Hash, Record: infer.FromEpisode(ep), Notes: patterns.NotesOf(ep)}
				} else {
					to[i], errs[i] = keptRecord{}, err
				}
			}
		})
	}
	for _, i := range which {
		s.changed = s.changed || hash[set[i].ID] != set[i].Hash
		next <- i
	}
	close(next)
	wg.Wait()
	for _, err := range errs {
		if errors.Is(err, fs.ErrNotExist) {
			s.changed = true // removed since; the next question brings the graph in step
		} else if err != nil {
			return err
		}
	}
	return nil
}
