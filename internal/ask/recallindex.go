package ask

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"sync"

	"episodes/extract"
	"episodes/graph"
	"episodes/internal/fsstore"
	"episodes/internal/memory"
	"episodes/internal/track"
	"episodes/keys"
	"episodes/query"
	"episodes/recall"
)

// The index of retrieval is kept in derived files: a list of segments, and the segments,
// each named by what it holds. After a change only the episodes that changed are read:
// they make a new segment, and count no longer in the old ones. Where segments are many,
// the small ones are joined, by reading their episodes again.
const (
	recallName    = memory.RecallPrefix + ".json"
	segmentPrefix = memory.RecallPrefix + "-"
	newPrefix     = memory.RecallPrefix + "new-" // begins the name of the segment of episodes that are new
)

// mostSegments is the maximum number of segments of an index. staleShare is the share of
// sessions that no longer count at which the index is rebuilt.
const (
	mostSegments = 8
	staleShare   = 4
)

func recallKey() string { return fmt.Sprintf("recall %d keys %d", recall.FormatVersion, keys.Version) }

// recallList is the list of segments.
type recallList struct {
	State    string // of the graph that the index was made from
	Segments []recallSegment
	Copies   map[string]string `json:",omitempty"` // episode → the one that counts instead
}

type recallSegment struct {
	Name string
	Dead []int `json:",omitempty"` // sessions that no longer count
}

// recall answers a question from the index of retrieval, and rebuilds a damaged index.
func (l *local) recall(ctx context.Context, _ *recall.Question, ask func(*recall.Index) error) error {
	try := func() error {
		x, done, err := l.recallIndex(ctx)
		if err != nil {
			return err
		}
		defer done()
		if l.Unreviewed {
			closeNew, err := l.addNew(x)
			if err != nil {
				return err
			}
			defer closeNew()
		}
		return ask(x)
	}
	err := try()
	if errors.Is(err, recall.ErrDamaged) {
		l.folder.RemoveDerived(recallName, nil)
		err = try()
	}
	return err
}

// recallIndex opens the index of retrieval, up to date with the graph, which is not opened
// where that can be known without it. done closes it.
func (l *local) recallIndex(ctx context.Context) (x *recall.Index, done func(), err error) {
	list, open := l.keptRecall()
	if open == nil {
		list, open = recallList{}, &segments{}
		foreign, _ := l.folder.Foreign()
		if _, kept := l.folder.StatDerived(recallName); kept && !slices.Contains(foreign, recallName) {
			l.note("the search index is of another version, or incomplete, and is made again")
		}
	}
	if len(list.Segments) == 0 || !l.inStep(ctx, list.State) {
		renewed, err := l.renewRecall(ctx, &list, open)
		if err != nil {
			open.close()
			return nil, nil, err
		}
		open = renewed
	}
	x, done = l.indexOf(list, open)
	return x, done, nil
}

// keptRecall opens the stored index. The segments are nil if it cannot be read.
func (l *local) keptRecall() (recallList, *segments) {
	var list recallList
	if json.Unmarshal(l.folder.ReadDerived(recallName, recallKey()), &list) != nil {
		return recallList{}, nil
	}
	return list, l.openSegments(list)
}

// indexOf is what questions are asked of; done closes it.
func (l *local) indexOf(list recallList, open *segments) (x *recall.Index, done func()) {
	x = recall.NewIndex(open.list, open.dead)
	kept := l.keptSaid()
	for _, s := range open.list {
		s.Kept = kept
	}
	x.CountsAs = func(id string) string { return cmp.Or(list.Copies[id], id) }
	if l.origins().Others() {
		x.By = l.author
	}
	if rel, err := filepath.Rel(l.Location.Root, l.Location.Dir); l.Location.Bare || err != nil || !filepath.IsLocal(rel) {
		return x, open.close // the memory is of another work tree
	}
	tree, err := fsstore.Open(l.Location.Root)
	if err != nil {
		return x, open.close
	}
	x.State = l.fixStates(tree)
	return x, func() { tree.Close(); open.close() }
}

// addNew adds to an index one of the episodes that are new.
func (l *local) addNew(x *recall.Index) (done func(), err error) {
	done = func() {}
	fresh := l.origins().Fresh()
	if len(fresh) == 0 {
		l.folder.RemoveDerived(newPrefix, nil)
		return done, nil
	}
	set, err := track.Load(l.folder).Set()
	if err != nil || len(set.New) == 0 {
		return done, err
	}
	h := sha256.New()
	for _, e := range set.New {
		fmt.Fprintln(h, e.ID, e.Hash)
	}
	name := newPrefix + hex.EncodeToString(h.Sum(nil)[:8])
	open := l.openSegments(recallList{Segments: []recallSegment{{Name: name}}})
	if open == nil {
		data, err := l.recallSegment(set.New)
		if err != nil {
			return done, err
		}
		l.folder.RemoveDerived(newPrefix, nil)
		if err := l.folder.KeepDerived(name, recallKey(), data); err != nil {
			return done, err
		}
		seg, err := recall.OpenSegment(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			return done, fmt.Errorf("index the new episodes: %w", err)
		}
		open = &segments{list: []*recall.Segment{seg}}
	}
	open.list[0].Kept = l.keptSaid()
	x.New = x.With(open.list[0]).OnlyLast()
	return open.close, nil
}

// keptSaid reads the text of transcripts, each once.
func (l *local) keptSaid() func(id string) string {
	var mu sync.Mutex
	read := map[string]string{}
	return func(id string) string {
		mu.Lock()
		defer mu.Unlock()
		text, ok := read[id]
		if !ok {
			text = l.folder.Said(id)
			read[id] = text
		}
		return text
	}
}

// inStep reports whether the graph has a state, without opening it; it may say no when it
// has.
func (l *local) inStep(ctx context.Context, state string) bool {
	if l.graph != nil {
		return false
	}
	l.settle(ctx)
	digest, ok := track.InStep(l.folder, l.store.Store)
	return ok && stateOf(digest) == state
}

// renewRecall brings the index up to date with the graph.
func (l *local) renewRecall(ctx context.Context, list *recallList, open *segments) (*segments, error) {
	g, err := l.openGraph(ctx)
	if err != nil {
		return nil, err
	}
	state := stateOf(g.Info().Digest)
	if list.State == state && len(list.Segments) > 0 {
		return open, nil
	}
	defer l.working("indexing the episodes")()
	return l.updateRecall(g, state, list, open)
}

// segments are the open segments of an index.
type segments struct {
	list []*recall.Segment
	dead []map[int]bool
	done []func()
}

func (s *segments) close() {
	for _, f := range s.done {
		f()
	}
}

// openSegments returns nil when one of them is not there.
func (l *local) openSegments(list recallList) *segments {
	out := &segments{}
	for _, s := range list.Segments {
		data, size, done := l.folder.OpenDerived(s.Name, recallKey())
		if data == nil {
			out.close()
			return nil
		}
		out.done = append(out.done, done)
		seg, err := recall.OpenSegment(data, size)
		if err != nil {
			out.close()
			return nil
		}
		dead := make(map[int]bool, len(s.Dead))
		for _, n := range s.Dead {
			dead[n] = true
		}
		out.list, out.dead = append(out.list, seg), append(out.dead, dead)
	}
	return out
}

// updateRecall brings the index to the episodes of a graph.
func (l *local) updateRecall(g *graph.Graph, state string, list *recallList, open *segments) (*segments, error) {
	set, err := g.Episodes()
	if err != nil {
		return nil, fmt.Errorf("list the episodes of the graph: %w", err)
	}
	missing, gone, err := missingFrom(set, list, open)
	if err != nil {
		return nil, err
	}
	switch {
	case gone || stale(*list, open) || len(missing) > len(set)/2:
		open.close()
		*list, open, missing = recallList{}, &segments{}, set
	case len(missing) > 0 && len(list.Segments) >= mostSegments:
		if missing, err = joinSmall(set, list, open); err != nil {
			return nil, err
		}
	}
	list.State, list.Copies = state, map[string]string{}
	for _, e := range set {
		of, err := g.CountsAs(e.ID)
		if err != nil {
			return nil, fmt.Errorf("read which episodes count: %w", err)
		}
		if of != e.ID {
			list.Copies[e.ID] = of
		}
	}
	if len(missing) > 0 || len(list.Segments) == 0 {
		data, err := l.recallSegment(missing)
		if err != nil {
			return nil, err
		}
		sum := sha256.Sum256(data)
		name := segmentPrefix + hex.EncodeToString(sum[:8])
		if !l.changed {
			if err := l.folder.KeepDerived(name, recallKey(), data); err != nil {
				return nil, err
			}
		}
		seg, err := recall.OpenSegment(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			return nil, fmt.Errorf("index the episodes: %w", err)
		}
		list.Segments = append(list.Segments, recallSegment{Name: name})
		open.list, open.dead = append(open.list, seg), append(open.dead, map[int]bool{})
	}
	if !l.changed {
		data, err := json.Marshal(list)
		if err == nil {
			err = l.folder.KeepDerived(recallName, recallKey(), data)
		}
		if err != nil {
			return nil, fmt.Errorf("keep the index: %w", err)
		}
		names := make([]string, len(list.Segments))
		for i, s := range list.Segments {
			names[i] = s.Name
		}
		l.folder.RemoveDerived(segmentPrefix, names)
	}
	return open, nil
}

// missingFrom returns the episodes that are in no segment, and marks as dead what the segments
// contain but the set does not. gone reports whether an episode was removed, which must leave
// nothing behind.
func missingFrom(set []graph.Entry, list *recallList, open *segments) (missing []graph.Entry, gone bool, err error) {
	want, known := make(map[string]string, len(set)), make(map[string]bool, len(set))
	for _, e := range set {
		want[e.ID], known[e.ID] = e.Hash, true
	}
	for i, seg := range open.list {
		all, err := seg.AllSessions()
		if err != nil {
			return nil, false, fmt.Errorf("read the index: %w", err)
		}
		for n, s := range all {
			if open.dead[i][n] {
				continue
			}
			gone = gone || !known[s.Episode]
			if hash, ok := want[s.Episode]; ok && hash == s.SHA256 {
				delete(want, s.Episode)
				continue
			}
			open.dead[i][n] = true
			list.Segments[i].Dead = append(list.Segments[i].Dead, n)
		}
	}
	missing = slices.DeleteFunc(slices.Clone(set), func(e graph.Entry) bool { _, ok := want[e.ID]; return !ok })
	return missing, gone, nil
}

// joinSmall drops all segments but the first, which is the largest, and returns the
// episodes that it does not hold.
func joinSmall(set []graph.Entry, list *recallList, open *segments) ([]graph.Entry, error) {
	for _, done := range open.done[1:] {
		done()
	}
	list.Segments, open.list, open.dead, open.done = list.Segments[:1], open.list[:1], open.dead[:1], open.done[:1]
	missing, _, err := missingFrom(set, list, open)
	return missing, err
}

func stale(list recallList, open *segments) bool {
	all, dead := 0, 0
	for i, s := range list.Segments {
		all, dead = all+open.list[i].Sessions(), dead+len(s.Dead)
	}
	return dead*staleShare > all
}

var spoke = map[extract.Speaker]recall.Who{extract.Person: recall.APerson, extract.Agent: recall.AnAgent, extract.Printed: recall.ATool}

// recallSegment makes a segment of episodes, and of their logs if they can be read. Some are
// read while others are indexed.
func (l *local) recallSegment(set []graph.Entry) ([]byte, error) {
	const ahead = 64
	sessions, failed := make(chan *recall.Session, ahead), make(chan error, 1)
	go func() {
		defer close(sessions)
		failed <- l.readSessions(set, sessions)
	}()
	defer func() {
		for range sessions { // nothing is read once this returns
		}
	}()
	var b recall.Builder
	for s := range sessions {
		b.Add(s)
	}
	return b.Segment(), <-failed
}

// readSessions reads the sessions of episodes, in order. A panic is an error: the caller, who may
// recover, is in another goroutine.
func (l *local) readSessions(set []graph.Entry, to chan<- *recall.Session) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("a bug of this program stopped it here, please report it: %v", p)
		}
	}()
	index := track.Load(l.folder)
	src, err := index.Set()
	if err != nil {
		return err
	}
	hash, quoter := hashes(src), newQuoter(l.Location, index, l.isPrivate)
	for _, e := range set {
		l.changed = l.changed || hash[e.ID] != e.Hash
		ep, err := src.Load(e.ID)
		if errors.Is(err, fs.ErrNotExist) {
			l.changed = true // removed since
			continue
		}
		if err != nil {
			return err
		}
		s := recall.FromEpisode(ep)
		s.SHA256 = e.Hash
		if source := ep.Provenance.Source; source.Path != "" {
			log := &query.Evidence{Episode: ep.ID, Source: source}
			if extract.IsTranscript(source.Format) {
				said := extract.ParseSaid(l.folder.Said(ep.ID))
				if said == nil {
					said = quoter.words(log)
				}
				for _, t := range said {
					s.AddSaid(t.At, t.Line, spoke[t.Who], t.Text, t.From)
				}
			} else if log := quoter.read(log); log.state == Same {
				s.AddPassages(source.Format, log.lines)
			}
		}
		to <- s
	}
	return nil
}
