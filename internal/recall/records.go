package recall

import (
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"sync"

	"github.com/fxamacker/cbor/v2"

	"episodes/graph"
	"episodes/infer"
	"episodes/keys"
)

// recordsName is the derived file that keeps what the statistics need of every
// episode, so that after a change only the episodes that changed are read.
const recordsName = "records.cbor"

type keptRecords struct {
	Version int          `cbor:"1,keyasint"` // infer.RecordVersion
	Keys    int          `cbor:"2,keyasint"` // keys.Version
	Records []keptRecord `cbor:"3,keyasint"`
}

type keptRecord struct {
	_      struct{} `cbor:",toarray"`
	Hash   string   // of the episode, as the graph has it
	Record infer.Record
}

// records returns what the statistics need of a set of episodes. whole is false
// when it is not that of the set, since a file changed after the graph was made.
func (s *Session) records(set []graph.Entry) (out []infer.Record, whole bool, err error) {
	var kept keptRecords
	if err := cbor.Unmarshal(s.ReadDerived(recordsName), &kept); err != nil || kept.Version != infer.RecordVersion || kept.Keys != keys.Version {
		kept = keptRecords{}
	}
	known := make(map[string]keptRecord, len(kept.Records))
	for _, r := range kept.Records {
		known[r.Record.Episode] = r
	}
	now := keptRecords{infer.RecordVersion, keys.Version, make([]keptRecord, len(set))}
	var missing []int
	for i, e := range set {
		if now.Records[i] = known[e.ID]; now.Records[i].Hash != e.Hash {
			missing = append(missing, i)
		}
	}
	whole = true
	if len(missing) > 0 {
		if whole, err = s.read(set, missing, now.Records); err != nil {
			return nil, false, err
		}
	}
	out = make([]infer.Record, 0, len(set))
	for _, r := range now.Records {
		if r.Record.Episode != "" {
			out = append(out, r.Record)
		}
	}
	if whole && (len(missing) > 0 || len(known) != len(set)) {
		if data, err := cbor.Marshal(now); err != nil {
			return nil, false, fmt.Errorf("encode what is kept of the episodes: %w", err)
		} else if err := s.WriteDerived(recordsName, data); err != nil && !dispensable(err) {
			return nil, false, err
		}
	}
	return out, whole, nil
}

// read fills in the records of some episodes of a set, with their pins. whole is
// false when one of them is no longer what it is in the set.
func (s *Session) read(set []graph.Entry, which []int, to []keptRecord) (whole bool, err error) {
	src, err := s.Source(s.LoadIndex())
	if err != nil {
		return false, err
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
					to[i] = keptRecord{Hash: set[i].Hash, Record: infer.FromEpisode(ep)}
				} else {
					to[i], errs[i] = keptRecord{}, err
				}
			}
		})
	}
	whole = true
	for _, i := range which {
		whole = whole && hash[set[i].ID] == set[i].Hash
		next <- i
	}
	close(next)
	wg.Wait()
	for _, err := range errs {
		if errors.Is(err, fs.ErrNotExist) {
			whole = false // removed since; the next question brings the graph in step
		} else if err != nil {
			return false, err
		}
	}
	return whole, nil
}
