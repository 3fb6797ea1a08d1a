package track

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"episodes/episode"
	"episodes/graph"
	"episodes/internal/fsstore"
	"episodes/internal/memory"
	"episodes/redact"
)

// Set is the set of episode files as it was at one moment: a graph.Source.
type Set struct {
	// Entries is the set that is in view, All with what is out of view. The hash of
	// an entry is of the file.
	Entries, All []graph.Entry
	// New are episodes in view that are not in Entries, since their authors are not known here.
	New []graph.Entry
	// Unreadable are files that cannot even be read; they are in no graph.
	Unreadable map[string]error
	// Logs, which may be nil, opens the logs that additions are held to when an episode is loaded.
	Logs Logs

	addedTo   []memory.File   // the folders of additions, with stats as files
	added     map[string]bool // episodes with additions
	dropped   *sync.Map       // what of them was left out
	authors   *Origins
	strange   []error // what is in place of episode files and is no file
	m         *memory.Memory
	files     []memory.File      // their stats as they may be kept
	folders   [2]fsstore.Stat    // likewise
	leftovers bool               // of killed writers, in the folder
	seen      map[string]Episode // of the index
	view      memory.View
	// data are the bytes of files that were hashed now, of the first maxData: what the
	// graph is given is what the hash is of.
	data map[string][]byte
}

// maxData bounds how much of an update of many files is kept in the memory of the
// process.
const maxData = 1024

// Set lists the set as it is now, and brings x in step with the files: those whose
// stat differs are read and hashed, entries of files that are gone are dropped.
func (x *Index) Set() (*Set, error) {
	s := &Set{m: x.m, dropped: &sync.Map{}, seen: x.Episodes, Unreadable: map[string]error{}, data: map[string][]byte{},
		view: x.m.View()}
	looked := time.Now()
	folders, err := x.m.FoldersChanged()
	if err != nil {
		return nil, err
	}
	for i := range folders {
		s.folders[i] = folders[i].Proven(looked)
	}
	list, err := x.m.List()
	if err != nil {
		return nil, err
	}
	s.files, s.leftovers = list.Files, len(list.Leftovers) > 0
	if s.addedTo, err = x.m.More(); err != nil {
		return nil, err
	}
	s.added = map[string]bool{}
	for i, f := range s.addedTo {
		s.added[f.ID], s.addedTo[i].Stat = true, f.Proven(looked)
	}
	for _, name := range list.Strange {
		if err := x.m.Strange(name); err != nil {
			s.strange = append(s.strange, err)
		}
	}
	s.All = make([]graph.Entry, 0, len(s.files))
	for i, f := range s.files {
		e, known := x.Episodes[f.ID]
		if !known || e.Stat != f.Stat {
			if e, err = s.hash(f, e); err != nil {
				s.Unreadable[f.ID] = err
				continue
			}
			e.Stat = f.Proven(looked)
			s.files[i].Stat = e.Stat
			x.Episodes[f.ID] = e
		}
		s.All = append(s.All, graph.Entry{ID: f.ID, Hash: e.SHA256})
	}
	x.keepOnly(s.All)
	x.origins = load(x.m, looked)
	if !x.origins.open {
		x.origins.see(s, x)
	}
	x.authors = x.origins.authors()
	s.authors = x.authors
	s.All = x.withAdditions(s.All, s.added)
	s.Entries = x.inView(s)
	if fresh := x.authors.Fresh(); len(fresh) > 0 {
		isNew := func(e graph.Entry) bool { _, found := slices.BinarySearch(fresh, e.ID); return found }
		s.New = slices.DeleteFunc(slices.Clone(s.Entries), func(e graph.Entry) bool { return !isNew(e) })
		s.Entries = slices.DeleteFunc(slices.Clone(s.Entries), isNew)
	}
	return s, nil
}

// hash reads a file whose entry is missing or out of date.
func (s *Set) hash(f memory.File, e Episode) (Episode, error) {
	data, err := s.m.Read(f.ID)
	if err != nil {
		return e, err
	}
	if sum := memory.Hash(data); sum != e.SHA256 {
		e.SHA256, e.Start = sum, ""
	}
	if len(s.data) < maxData {
		s.data[f.ID] = data
	}
	return e, nil
}

// keepOnly removes what has no readable episode file.
func (x *Index) keepOnly(set []graph.Entry) {
	if len(x.Episodes) > len(set) {
		maps.DeleteFunc(x.Episodes, func(id string, _ Episode) bool {
			_, found := slices.BinarySearchFunc(set, id, func(e graph.Entry, id string) int { return strings.Compare(e.ID, id) })
			return !found
		})
	}
	maps.DeleteFunc(x.Logs, func(_ string, l Log) bool {
		_, found := x.Episodes[l.Episode]
		return !found
	})
}

// Shared is the part of the set that is in the shared part of the memory: the set as everyone who clones has it.
func (s *Set) Shared() *Set {
	c := *s
	private := map[string]bool{}
	for _, f := range s.files {
		private[f.ID] = f.Private
	}
	c.seen = maps.Clone(s.seen)
	maps.DeleteFunc(c.seen, func(id string, _ Episode) bool { return private[id] })
	in := map[string]bool{}
	for _, e := range s.Entries {
		in[e.ID] = true
	}
	c.Entries, c.All = nil, nil
	for _, e := range s.All {
		if !private[e.ID] {
			c.All = append(c.All, graph.Entry{ID: e.ID, Hash: s.seen[e.ID].SHA256})
		}
	}
	for _, e := range c.All {
		if in[e.ID] {
			c.Entries = append(c.Entries, e)
		}
	}
	return &c
}

// List returns the set, sorted by id.
func (s *Set) List() ([]graph.Entry, error) { return s.Entries, nil }

// Load returns one episode.
func (s *Set) Load(id string) (ep *episode.Episode, err error) {
	if data, ok := s.data[id]; ok {
		ep, err = s.m.Parse(id, data)
	} else {
		ep, err = s.m.Load(id)
	}
	if err == nil {
		if s.added[id] {
			_, leftOut, _ := s.authors.Join(s.m, ep, s.Logs)
			for _, out := range leftOut {
				s.dropped.Store(out, true)
			}
		}
		redact.Default.Foreign(ep)
	}
	return ep, err
}

// Dropped lists, a line each, what of additions was found not to hold any more, and why.
func (s *Set) Dropped() (out []string) {
	for what := range s.dropped.Range {
		out = append(out, what.(string))
	}
	slices.Sort(out)
	return out
}

// LeftOut lists, a line each, which episodes a graph could not take in, and why.
func (s *Set) LeftOut(rep graph.Report) []string {
	var out []string
	for _, err := range s.strange {
		out = append(out, fmt.Sprintf("left out of the graph: %v", err))
	}
	for _, id := range slices.Sorted(maps.Keys(s.Unreadable)) {
		out = append(out, fmt.Sprintf("left out of the graph: %v", s.Unreadable[id]))
	}
	for _, sk := range rep.Skipped {
		out = append(out, fmt.Sprintf("left out of the graph: %v", sk.Err))
	}
	return out
}

// noStart is the Start of an entry whose episode gives no time.
const noStart = "none"

// inView leaves the entries whose episodes are not older than the view allows. An
// episode that cannot be read is in view, so that whoever loads it reports it.
func (x *Index) inView(s *Set) []graph.Entry {
	start := s.view.Start()
	if start.IsZero() {
		return s.All
	}
	var in []graph.Entry
	for _, entry := range s.All {
		e := x.Episodes[entry.ID]
		if e.Start == "" {
			e.Start = startOf(x.m, entry.ID)
			x.Episodes[entry.ID] = e
		}
		if t, err := time.Parse(time.RFC3339, e.Start); err != nil || !t.Before(start) {
			in = append(in, entry)
		}
	}
	return in
}

// startOf returns when the session of an episode started: RFC 3339, noStart, or
// "" when the episode cannot be read.
func startOf(m *memory.Memory, id string) string {
	ep, err := m.Load(id)
	if err != nil {
		return ""
	}
	if t, ok := ep.Time(); ok {
		return t.Format(time.RFC3339)
	}
	return noStart
}
