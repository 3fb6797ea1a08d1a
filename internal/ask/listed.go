package ask

import (
	"errors"
	"io/fs"
	"sync"
	"time"

	"github.com/fxamacker/cbor/v2"

	"episodes/episode"
	"episodes/internal/fsstore"
	"episodes/internal/memory"
	"episodes/query"
)

// What a list shows of each episode is kept in the cache, with the stat of the
// episode file that it was read from: of 10 000 files only those that changed are read.
// Of more than manyListed files the times of their folders are believed, as track.InStep
// does.
const (
	listedKey  = "episodes listed 2"
	manyListed = 4096
)

// leastListed is the number of episodes from which on a list is kept: fewer are read in no
// time. A variable for the tests.
var leastListed = 200

type keptList struct {
	Rows    []listedRow `cbor:"1,keyasint"` // by id
	Folders [2]int64    `cbor:"2,keyasint"` // times of the last change; Unproven when a file was left out
}

type listedRow struct {
	_             struct{} `cbor:",toarray"`
	ID            string
	Size          int64
	Modified      int64
	Changed       int64
	Private       bool
	Session       string
	Timestamp     string
	Outcome       string
	OutcomeSource string
	State         string
	SupersededBy  string
	Task          string
	Counts        [4]int // decisions, events, links, lessons
}

func (r listedRow) stat() fsstore.Stat {
	return fsstore.Stat{Size: r.Size, Modified: r.Modified, Changed: r.Changed}
}

func (r listedRow) summary() query.EpisodeSummary {
	return query.EpisodeSummary{ID: r.ID, Session: r.Session, Timestamp: r.Timestamp, Outcome: episode.Outcome(r.Outcome),
		OutcomeSource: episode.OutcomeSource(r.OutcomeSource), State: episode.State(r.State), SupersededBy: r.SupersededBy, Task: r.Task,
		Decisions: r.Counts[0], Events: r.Counts[1], Links: r.Counts[2], Lessons: r.Counts[3], Private: r.Private}
}

func rowOf(ep *episode.Episode, stat fsstore.Stat) listedRow {
	s := query.Summarise(ep)
	return listedRow{ID: s.ID, Size: stat.Size, Modified: stat.Modified, Changed: stat.Changed, Session: s.Session,
		Timestamp: s.Timestamp, Outcome: string(s.Outcome), OutcomeSource: string(s.OutcomeSource),
		State: string(s.State), SupersededBy: s.SupersededBy, Task: s.Task,
		Counts: [4]int{s.Decisions, s.Events, s.Links, s.Lessons}}
}

// summaries returns what a list shows of each episode, by id. One that is no valid
// episode is noted and left out.
func (m *Memory) summaries() (out []query.EpisodeSummary, unreadable []error, err error) {
	var kept keptList
	if cbor.Unmarshal(m.folder.ReadCached(listedName, listedKey), &kept) != nil {
		kept = keptList{}
	}
	looked := time.Now()
	changed, err := m.folder.FoldersChanged()
	if err != nil {
		return nil, nil, err
	}
	if len(kept.Rows) > manyListed && kept.Folders == [2]int64{changed[0].Modified, changed[1].Modified} {
		out = make([]query.EpisodeSummary, len(kept.Rows))
		for i, r := range kept.Rows {
			out[i] = r.summary()
		}
		return out, nil, nil
	}
	files, _, err := m.folder.Files()
	if err != nil {
		return nil, nil, err
	}
	rows := make([]listedRow, len(files))
	var missing []int
	next := 0 // of kept, which is in the order of files
	for i, f := range files {
		for next < len(kept.Rows) && kept.Rows[next].ID < f.ID {
			next++
		}
		if next < len(kept.Rows) && kept.Rows[next].ID == f.ID && kept.Rows[next].stat() == f.Stat {
			rows[i] = kept.Rows[next]
		} else {
			missing = append(missing, i)
		}
	}
	errs := m.readRows(files, missing, rows, looked)
	now := keptList{Rows: make([]listedRow, 0, len(files)), Folders: [2]int64{fsstore.Unproven, fsstore.Unproven}}
	if len(errs) == 0 {
		now.Folders = [2]int64{changed[0].Proven(looked).Modified, changed[1].Proven(looked).Modified}
	}
	for i, f := range files {
		switch {
		case errs[i] == nil:
			rows[i].Private = f.Private
			out = append(out, rows[i].summary())
			now.Rows = append(now.Rows, rows[i])
		case errors.Is(errs[i], fs.ErrPermission):
			unreadable = append(unreadable, errs[i])
		case !errors.Is(errs[i], fs.ErrNotExist):
			m.note("left out: %v", errs[i])
		}
	}
	if len(files) < leastListed || len(missing) == len(errs) && len(kept.Rows) == len(now.Rows) && kept.Folders == now.Folders {
		return out, unreadable, nil
	}
	data, err := cbor.Marshal(now)
	if err != nil {
		return nil, nil, err
	}
	return out, unreadable, m.folder.KeepCached(listedName, listedKey, data)
}

// readRows fills in the rows of files; the errors are by the index of the file.
func (m *Memory) readRows(files []memory.File, which []int, to []listedRow, looked time.Time) map[int]error {
	var mu sync.Mutex
	errs := map[int]error{}
	atOnce(len(which), func(n int) {
		i := which[n]
		ep, err := m.folder.Load(files[i].ID)
		if err != nil {
			mu.Lock()
			defer mu.Unlock()
			errs[i] = err
			return
		}
		to[i] = rowOf(ep, files[i].Proven(looked))
	})
	return errs
}
