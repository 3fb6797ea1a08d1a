package memory

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"episodes/graph"
)

// Hold is a memory whose graph held exactly the files of its folder when the hold
// was taken, and a watch on that folder since. What is there is known by the roll
// then, so that one more episode costs about the same however many there are:
// nobody looks at the others. As far as many files go (see manyFiles), it trusts
// the time of the folder as questions do.
type Hold struct {
	m     *Memory
	o     GraphOptions
	state GraphState
	files []File // by id; only those of a small memory
	roll  *roll
	watch *watch // nil: it has ended
}

// Hold takes one. It is nil where every file must be looked at: the graph is not in
// step, or the system cannot watch a folder. The caller holds the lock, and closes
// it.
func (m *Memory) Hold(o GraphOptions) *Hold {
	state, _ := m.GraphState()
	if Private(o.Store) || state.Roll == 0 || state.Roll != m.rollSize() || state.Before != "" {
		return nil
	}
	h := &Hold{m: m, o: o, state: state}
	if h.watch = watchFolder(m.episodes); h.watch == nil { // first, so that nothing comes between
		return nil
	}
	settled := false
	if h.files, settled = m.settled(o.Store); settled {
		h.roll = m.loadRoll()
	}
	if !h.roll.isOf(o.Store, state.Pins) {
		h.Close()
		return nil
	}
	return h
}

// Close ends the watch.
func (h *Hold) Close() {
	if h != nil && h.watch != nil {
		h.watch.close()
		h.watch = nil
	}
}

// seal ends the watch early, since to close one takes the system as long as the graph
// takes meanwhile. It gives the folder a time just before that of its last change, so
// that whatever happens to a name from here on shows in it. folder is that time; 0: it
// cannot be set, and the watch goes on. alone is whether nobody else changed a name
// before.
func (h *Hold) seal(changed int64, ours func(name string) bool) (folder int64, alone bool) {
	if changed%int64(time.Second) == 0 {
		return 0, false // a file system that tells no fractions
	}
	folder = changed - clockTick - 1
	for folder == h.state.Folder || folder%int64(time.Second) == 0 {
		folder--
	}
	if h.m.episodes.Chtimes(".", time.Time{}, time.Unix(0, folder)) != nil || h.m.folderTime().ModTime != folder {
		return 0, false // it may be another user's
	}
	alone = !h.watch.others(ours)
	go h.watch.close()
	h.watch = nil
	return folder, alone
}

// IDs lists the episodes of the folder that match.
func (h *Hold) IDs(match func(id []byte) bool) (ids []string) {
	for _, e := range h.roll.base {
		if id := e.id(); match(id) {
			if _, again := h.roll.later[string(id)]; !again {
				ids = append(ids, string(id))
			}
		}
	}
	for id, e := range h.roll.later {
		if e.rollStat != absent && match([]byte(id)) {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}

// Index is LoadIndexOf, unless what was read before for the same logs is the
// newest; nil when it is time to write the index anew.
func (h *Hold) Index(before *Index, logs []string, match func(id []byte) bool) *Index {
	idx := before
	if !h.m.isNewest(before) {
		idx = h.m.LoadIndexOf(logs, match)
	}
	idx.Graph = h.state
	if idx.lines > 4*h.state.Files+1000 { // with a log for each, two lines of each and two of who wrote them
		return nil
	}
	return idx
}

// ErrNoHold: the hold does not suffice. Memory.Step does.
var ErrNoHold = errors.New("every file must be looked at")

// Update brings the graph to what was written to some episodes since the hold was
// taken. Where somebody else changed the folder meanwhile, the graph is as it would
// be without that, and not settled. What is kept in the index is part of it only.
func (h *Hold) Update(ctx context.Context, ids []string, idx *Index, now func() time.Time) (rep graph.Report, src *Source, err error) {
	m, r, o := h.m, h.roll, h.o
	if h.watch == nil { // used up
		return rep, nil, ErrNoHold
	}
	found, err := h.look(ids)
	if err != nil {
		return rep, nil, err
	}
	if src, err = m.sourceOf(r, found, now); errors.Is(err, errNoFollow) {
		return rep, nil, ErrNoHold
	} else if err != nil {
		return rep, src, err
	}
	if err := m.saveState(GraphState{}, now()); err != nil {
		return rep, src, err
	}
	o.Only, o.Base = src.ids(nil), r.head.Digest
	ours := func(name string) bool { return slices.Contains(o.Only, strings.TrimSuffix(name, ".json")) }
	changed := m.folderTime().ModTime
	folder, alone := h.seal(changed, ours)
	rep, err = graph.Update(ctx, o.Store, src, o.Options)
	if errors.Is(err, graph.ErrNeedsAll) || errors.Is(err, graph.ErrMissing) || errors.Is(err, graph.ErrVersion) {
		return rep, nil, ErrNoHold
	} else if err != nil {
		return rep, src, err
	}
	noted := pass(changed, now)
	same, err := h.unchanged(found, src)
	if err != nil {
		return rep, src, err
	}
	if folder == 0 {
		folder, alone = m.folderTime().ModTime, !h.watch.others(ours)
	}
	head := rollHead{Store: o.Store, Digest: rep.Digest, Pins: r.head.Pins}
	if err := m.keepRoll(r, head, src, found, rep, noted); err != nil {
		return rep, src, err
	}
	for i, f := range found.changed {
		if e, ok := idx.Episodes[f.ID]; ok {
			if sum := src.Entries[i].Hash; sum != e.SHA256 { // somebody else wrote it since
				e.SHA256, e.Source, e.Start = sum, "", ""
			}
			e.Stat, e.Touched = f.Stat, f.touched
			idx.Episodes[f.ID] = e
		}
	}
	idx.Graph = GraphState{}
	if alone && same && len(rep.Skipped) == 0 {
		idx.Graph = h.state
		idx.Graph.Folder, idx.Graph.Files = folder, h.state.Files+rep.Added
		idx.Graph.Stats, idx.Graph.Roll = statsOf(h.with(found.changed), idx.Graph.Files), m.rollSize()
	}
	return rep, src, m.SaveIndex(idx, noted)
}

// with is h.files, with those that are new or changed.
func (h *Hold) with(changed []File) []File {
	at := map[string]File{}
	for _, f := range slices.Concat(h.files, changed) {
		at[f.ID] = f
	}
	return slices.SortedFunc(maps.Values(at), compareFiles)
}

// look looks at the files of some episodes.
func (h *Hold) look(ids []string) (*scanned, error) {
	dir, err := h.m.episodes.Open(".")
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	at := statter(dir)
	out := &scanned{}
	for _, id := range slices.Sorted(slices.Values(ids)) {
		l, err := at(id + ".json")
		if err != nil {
			return nil, err
		}
		if !l.regular || l.gone {
			return nil, ErrNoHold
		}
		out.changed = append(out.changed, l.file([]byte(id)))
	}
	return out, nil
}

// unchanged reports whether the files are still what the graph was given. One that is
// not is marked, so that it is read again.
func (h *Hold) unchanged(found *scanned, src *Source) (bool, error) {
	same := true
	for i := range found.changed {
		f, known := &found.changed[i], src.Entries[i]
		// First the look: what is written after it shows in the time of the file.
		again, err := h.look([]string{f.ID})
		if err != nil && !errors.Is(err, ErrNoHold) {
			return false, err
		}
		if data, rerr := h.m.Read(f.ID); err == nil && rerr == nil && Hash(data) == known.Hash {
			*f = again.changed[0]
		} else {
			f.Stat, f.touched, same = Stat{Size: unproven.Size}, 0, false
		}
	}
	return same, nil
}
