package ask

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"

	"episodes/extract"
	"episodes/graph"
	"episodes/graph/stores"
	"episodes/internal/memory"
	"episodes/internal/track"
	"episodes/keys"
	"episodes/query"
	"episodes/recall"
)

// The index of retrieval is made by whoever brings the graph up to date, and published with it.
// After a change only the episodes that changed are read: they make a new segment, and count no
// longer in the old ones. Where segments are many, the small ones are joined, by reading their
// episodes again; where these are most of all, with the first.

// mostSegments is the maximum number of segments of an index.
const mostSegments = 8

// recallKey is what the segments are written under.
func recallKey() string { return fmt.Sprintf("recall %d keys %d", recall.FormatVersion, keys.Version) }

// Indexer returns what makes the index of retrieval of a graph, and opens the logs for it.
func (o Options) Indexer() track.Indexer {
	logs := func(x *track.Index) track.Logs { return newQuoter(o.Location, x, x.Memory().IsPrivate).session }
	return track.Indexer{Logs: logs, Make: func(ctx context.Context, x *track.Index, set *track.Set, store memory.GraphOptions) (track.Passages, error) {
		var p track.Passages
		g, err := openStore(ctx, store)
		if err != nil {
			return p, err
		}
		in, err := g.Episodes()
		if err == nil {
			p.Copies, err = g.Copies()
		}
		_ = g.Close()
		if err != nil {
			return p, fmt.Errorf("list the episodes of the graph: %w", err)
		}
		i := &indexer{x.Memory(), set, newQuoter(o.Location, x, x.Memory().IsPrivate), !stores.Private(store.Store), o.progress("episodes indexed", toIndex)}
		if p.Segments, err = i.update(x.Passages().Segments, in, mostSegments); err == nil && len(set.New) > 0 {
			p.New, err = i.update(x.Passages().New, set.New, 1)
		}
		return p, err
	}}
}

// indexer makes the segments of a set.
type indexer struct {
	m      *memory.Memory
	set    *track.Set
	quoter *quoter
	keep   bool // in files
	done   func(done, total int)
}

// update brings an index of at most so many segments to some episodes. One that was removed leaves nothing behind.
func (i *indexer) update(list []track.Segment, want []graph.Entry, most int) ([]track.Segment, error) {
	open := openSegments(i.m, list)
	defer open.close()
	list = slices.Clone(list)
	missing, gone, err := missingFrom(want, list, open)
	if err == nil && len(missing) > 0 && len(list) >= most {
		list = list[:min(1, most-1)] // the first is the largest
		missing, _, err = missingFrom(want, list, open)
	}
	if open == nil || err != nil || gone || len(missing) > len(want)/2 {
		list, missing = nil, want
	}
	if len(missing) > 0 || len(list) == 0 {
		s, err := i.segment(missing)
		if err != nil {
			return nil, err
		}
		list = append(list, s)
	}
	return list, nil
}

// missingFrom returns the episodes that are in no segment, and marks as dead what the segments
// contain but the set does not. gone reports whether an episode was removed.
func missingFrom(set []graph.Entry, list []track.Segment, open *segments) (missing []graph.Entry, gone bool, err error) {
	if open == nil {
		return set, false, nil
	}
	want, known := make(map[string]string, len(set)), make(map[string]bool, len(set))
	for _, e := range set {
		want[e.ID], known[e.ID] = e.Hash, true
	}
	for i := range list {
		all, err := open.list[i].AllSessions()
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
			list[i].Dead = append(slices.Clip(list[i].Dead), n)
		}
	}
	missing = slices.DeleteFunc(slices.Clone(set), func(e graph.Entry) bool { _, ok := want[e.ID]; return !ok })
	return missing, gone, nil
}

var spoke = map[extract.Speaker]recall.Who{extract.Person: recall.APerson, extract.Agent: recall.AnAgent, extract.Printed: recall.ATool}

// segment makes a segment of episodes, and of their logs if they can be read. Some are
// read while others are indexed.
func (i *indexer) segment(set []graph.Entry) (s track.Segment, err error) {
	const ahead = 64
	sessions, failed := make(chan *recall.Session, ahead), make(chan error, 1)
	go func() {
		defer close(sessions)
		failed <- i.readSessions(set, sessions)
	}()
	defer func() {
		for range sessions { // nothing is read once this returns
		}
	}()
	var b recall.Builder
	n := 0
	for s := range sessions {
		b.Add(s)
		if n++; i.done != nil {
			i.done(n, len(set))
		}
	}
	data := b.Segment()
	if err := <-failed; err != nil {
		return s, err
	}
	sum := sha256.Sum256(data)
	s.Name = memory.RecallPrefix + "-" + hex.EncodeToString(sum[:8])
	if !i.keep {
		s.Data = data
		return s, nil
	}
	return s, i.m.KeepDerived(s.Name, recallKey(), data)
}

// readSessions reads the sessions of episodes, in order, but for those that cannot be read. A panic is an
// error: the caller, who may recover, is in another goroutine.
func (i *indexer) readSessions(set []graph.Entry, to chan<- *recall.Session) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("a bug of this program stopped it here, please report it: %v", p)
		}
	}()
	for _, e := range set {
		ep, err := i.set.Load(e.ID)
		if err != nil {
			continue // removed since
		}
		s := recall.FromEpisode(ep)
		s.SHA256 = e.Hash
		if source := ep.Provenance.Source; source.Path != "" {
			log := &query.Evidence{Episode: ep.ID, Source: source}
			if extract.IsTranscript(source.Format) {
				said := extract.ParseSaid(i.m.Said(ep.ID))
				if said == nil {
					said = i.quoter.words(log)
				}
				for _, t := range said {
					s.AddSaid(t.At, t.Line, spoke[t.Who], t.Text, t.From)
				}
			} else if log := i.quoter.read(log); log.state == Same {
				s.AddPassages(source.Format, log.lines)
			}
		}
		to <- s
	}
	return nil
}
