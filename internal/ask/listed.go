package ask

import (
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"time"

	"github.com/fxamacker/cbor/v2"

	"episodes/internal/memory"
	"episodes/query"
)

// leastListed is the number of episodes from which on a list is kept: fewer are read in no
// time. A variable for the tests.
var leastListed = 200

// summaries returns what a list shows of each episode, by id. One that is no valid episode is
// noted and left out, as are those that may not be read. A list without any of these is kept
// until a file changes.
func (m *Memory) summaries() (all []query.EpisodeSummary, unreadable []error, err error) {
	began := time.Now()
	files, _, err := m.folder.Files()
	if err != nil {
		return nil, nil, err
	}
	h, keep := fnv.New128a(), len(files) >= leastListed
	for _, f := range files {
		keep = keep && f.Stat == f.Proven(began)
		fmt.Fprintf(h, "%s %v %v\n", f.ID, f.Private, f.Stat)
	}
	added, err := m.folder.More()
	if err != nil {
		return nil, nil, err
	}
	for _, f := range added {
		keep = keep && f.Stat == f.Proven(began)
		fmt.Fprintf(h, "+ %s %v %v\n", f.ID, f.Private, f.Stat)
	}
	load := func(data []byte) (all []query.EpisodeSummary, ok bool) { return all, cbor.Unmarshal(data, &all) == nil }
	all, err = cached(m.source, listedName, fmt.Sprintf("listed 4 %x", h.Sum(nil)), load, func() ([]byte, bool, error) {
		list, errs := m.summarise(files)
		for _, err := range errs {
			switch {
			case errors.Is(err, fs.ErrPermission):
				unreadable = append(unreadable, err)
			case !errors.Is(err, fs.ErrNotExist):
				m.note("left out: %v", err)
			}
		}
		data, err := cbor.Marshal(list)
		return data, keep && len(errs) == 0, err
	})
	return all, unreadable, err
}

// summarise reads episodes, and returns the errors of those that cannot be read.
func (m *Memory) summarise(files []memory.File) (list []query.EpisodeSummary, errs []error) {
	each, failed := make([]query.EpisodeSummary, len(files)), make([]error, len(files))
	atOnce(len(files), func(i int) {
		ep, err := m.folder.Load(files[i].ID)
		if err != nil {
			failed[i] = err
			return
		}
		m.here.origins().Join(m.folder, ep, nil)
		each[i] = query.Summarise(ep)
		each[i].Private = files[i].Private
	})
	for i, err := range failed {
		if err == nil {
			list = append(list, each[i])
		} else {
			errs = append(errs, err)
		}
	}
	return list, errs
}
