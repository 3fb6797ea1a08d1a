package memory

import (
	"context"
	"errors"
	"time"

	"episodes/graph"
)

// errNoFollow: the way by the roll does not lead to the goal; Step does.
var errNoFollow = errors.New("the roll does not tell what to do")

// Follow does what Step does, in a time that grows only with the number of names
// in the folder: it tells by the roll what changed and gives the graph nothing
// else. Where that cannot be, it is Step. The caller holds the lock.
func (m *Memory) Follow(ctx context.Context, o GraphOptions, now func() time.Time) (graph.Report, *Source, error) {
	rep, src, err := m.follow(ctx, o, now)
	if errors.Is(err, errNoFollow) || errors.Is(err, graph.ErrNeedsAll) || errors.Is(err, graph.ErrMissing) || errors.Is(err, graph.ErrVersion) {
		return m.Step(ctx, m.LoadIndex(), o, now)
	}
	return rep, src, err
}

func (m *Memory) follow(ctx context.Context, o GraphOptions, now func() time.Time) (rep graph.Report, src *Source, err error) {
	if Private(o.Store) || m.View().Before != "" {
		return rep, nil, errNoFollow
	}
	r := m.loadRoll()
	if !r.isOf(o.Store, m.pinsDigest()) {
		return rep, nil, errNoFollow
	}
	m.CleanDerived()
	folder, noted := m.settle(now)
	found, err := m.scan(r)
	if err != nil {
		return rep, nil, err
	}
	if found.left && m.clean(m.episodes) > 0 { // which Hold does not look for
		return rep, nil, errNoFollow
	}
	if src, err = m.sourceOf(r, found, now); err != nil {
		return rep, src, err
	}
	if err := m.saveState(GraphState{}, now()); err != nil {
		return rep, src, err
	}
	o.Only, o.Base = src.ids(found.gone), r.head.Digest
	if rep, err = graph.Update(ctx, o.Store, src, o.Options); err != nil {
		return rep, src, err
	}
	head := rollHead{Store: o.Store, Digest: rep.Digest, Pins: r.head.Pins}
	if err := m.keepRoll(r, head, src, found, rep, noted); err != nil {
		return rep, src, err
	}
	state := GraphState{Store: o.Store, Stats: statsOf(found.all, found.files), Files: found.files, Roll: m.wholeRoll(rep), Folder: folder, Pins: r.head.Pins}
	return rep, src, m.saveState(state, noted)
}

// wholeRoll is GraphState.Roll after an update.
func (m *Memory) wholeRoll(rep graph.Report) int64 {
	if len(rep.Skipped) > 0 {
		return 0
	}
	return m.rollSize()
}

// sourceOf reads what changed.
func (m *Memory) sourceOf(r *roll, found *scanned, now func() time.Time) (*Source, error) {
	pins := m.pinned()
	if found.failed || len(found.changed)+len(found.gone) > len(r.base)/2+manyFiles {
		return nil, errNoFollow // the one needs a message, the other a roll made anew
	}
	s := &Source{m: m, pins: pins, Files: found.changed, pinsDigest: r.head.Pins, read: map[string][]byte{}}
	for _, f := range found.changed {
		if pins.touch(f.ID) {
			return nil, errNoFollow // others change with it
		}
		data, err := m.Read(f.ID)
		if err != nil {
			return nil, errNoFollow
		}
		if len(s.read) < mostRead {
			s.read[f.ID] = data
		}
		s.Entries = append(s.Entries, graph.Entry{ID: f.ID, Hash: Hash(data)})
	}
	for _, e := range found.gone {
		if pins.touch(e.id) {
			return nil, errNoFollow
		}
	}
	s.Whole = s.Entries
	return s, nil
}

// ids lists what changed, with what is gone. It is never nil.
func (s *Source) ids(gone []rollEntry) []string {
	ids := make([]string, 0, len(s.Entries)+len(gone))
	for _, e := range s.Entries {
		ids = append(ids, e.ID)
	}
	for _, e := range gone {
		ids = append(ids, e.id)
	}
	return ids
}

// touch reports whether a pin is on an episode, or names it.
func (ps pinned) touch(id string) bool {
	if len(ps[id]) > 0 {
		return true
	}
	for _, pins := range ps {
		for _, p := range pins {
			if other, _, _ := SplitRef(p.As); other == id {
				return true
			}
		}
	}
	return false
}

// keepRoll brings the roll to what the graph holds now. What the graph could not
// take in is not on it, so that the next update says so again.
func (m *Memory) keepRoll(r *roll, head rollHead, src *Source, found *scanned, rep graph.Report, noted time.Time) error {
	if len(src.Entries)+len(found.gone) == 0 {
		return nil
	}
	skipped := map[string]bool{}
	for _, s := range rep.Skipped {
		skipped[s.ID] = true
	}
	changed := found.gone
	for _, f := range found.changed {
		e := f.onRoll()
		if skipped[f.ID] {
			e.rollStat = absent
		}
		changed = append(changed, e)
	}
	if r.parts+len(changed) > len(r.base)/4+1000 {
		return m.dropRoll() // Step makes a shorter one
	}
	if m.extendRoll(head, changed, noted.UnixNano()) != nil { // it may be another user's, in a folder of ours
		return m.dropRoll()
	}
	return nil
}
