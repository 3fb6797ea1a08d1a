package capture

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"episodes/graph"
	"episodes/internal/memory"
)

// commit keeps what was extracted, under the lock.
func (r *run) commit(ctx context.Context, logs []parsed) (rep *Report, err error) {
	rep = &Report{}
	unlock, err := r.m.Lock(ctx, r.Graph.LockTimeout, r.Graph.Who)
	if err != nil {
		return rep, err
	}
	defer unlock()
	if len(logs) <= few && !r.NoGraph {
		r.hold = r.m.Hold(r.Graph)
		defer func() { r.hold.Close() }()
	}
	plan, err := r.plan(logs)
	if err != nil {
		return rep, err
	}
	if r.hold == nil {
		r.m.Clean()
	} else {
		r.m.CleanDerived()
	}
	if err := r.checkDisk(plan.bytes()); err != nil {
		return rep, err
	}
	if rep.Renamed, err = r.move(plan.moves, plan.idx); err != nil {
		return rep, err
	}
	done, writeErr := r.m.Write(ctx, plan.pending, r.Jobs)
	rep.Episodes = r.settle(plan, done)
	if writeErr != nil {
		return rep, errors.Join(writeErr, r.m.SaveIndex(plan.idx, r.Now()))
	}
	if r.hold != nil {
		rep.Graph, err = r.follow(ctx, plan, done)
		if !errors.Is(err, memory.ErrNoHold) {
			return rep, err
		}
		plan.idx = r.m.WholeIndex(plan.idx)
	}
	settled := len(done)+len(rep.Renamed) == 0 && r.m.Settled(r.Graph.Store)
	if r.NoGraph || settled {
		if !settled {
			plan.idx.Graph = memory.GraphState{}
		}
		if _, err := r.m.Source(plan.idx); err != nil {
			return rep, err
		}
		return rep, r.m.SaveIndex(plan.idx, r.Now())
	}
	change, src, err := r.m.Step(ctx, plan.idx, r.Graph, r.Now)
	if err != nil {
		return rep, fmt.Errorf("bring the graph in step: %w", err)
	}
	rep.Graph = ChangeOf(change)
	r.noteLeftOut(src, change)
	if memory.Private(r.Graph.Store) { // Step kept nothing
		plan.idx.Graph = memory.GraphState{}
		return rep, r.m.SaveIndex(plan.idx, r.Now())
	}
	return rep, nil
}

// follow is the way of a hold to bring the graph in step.
func (r *run) follow(ctx context.Context, p *plan, done map[string]memory.Stat) (*GraphChange, error) {
	if len(done) == 0 {
		return nil, r.m.SaveIndex(p.idx, r.Now())
	}
	change, src, err := r.hold.Update(ctx, slices.Collect(maps.Keys(done)), p.idx, r.Now)
	if err != nil {
		return nil, fmt.Errorf("bring the graph in step: %w", err)
	}
	r.noteLeftOut(src, change)
	return ChangeOf(change), nil
}

// letGo goes on without a hold.
func (r *run) letGo() {
	r.hold.Close()
	r.hold = nil
}

// noteLeftOut names the episodes that the graph cannot hold.
func (r *run) noteLeftOut(src *memory.Source, change graph.Report) {
	for _, text := range src.LeftOut(change) {
		r.note(text)
	}
}

// rehearse says what commit would do, and writes nothing.
func (r *run) rehearse(ctx context.Context, logs []parsed) (*Report, error) {
	plan, err := r.plan(logs)
	if err != nil {
		return &Report{}, err
	}
	done := map[string]memory.Stat{}
	for _, p := range plan.pending {
		done[p.ID] = memory.Stat{}
	}
	rep := &Report{}
	for _, mv := range plan.moves {
		rep.Renamed = append(rep.Renamed, Rename(mv))
	}
	rep.Episodes = r.settle(plan, done)
	return rep, ctx.Err()
}

// move gives existing episodes their new ids: the new file first, then the old
// one goes, so that a kill between the two loses nothing.
func (r *run) move(moves []memory.Move, idx *memory.Index) ([]Rename, error) {
	var done []Rename
	for _, mv := range moves {
		moved, err := r.m.Rename(mv.From, mv.To)
		if err != nil {
			return done, fmt.Errorf("rename episode %q: %w", mv.From, err)
		}
		if moved {
			idx.Move(mv.From, mv.To)
			done = append(done, Rename(mv))
		}
	}
	if len(done) > 0 {
		return done, r.m.SyncEpisodes()
	}
	return done, nil
}

// settle turns verdicts into items and notes in the index what was done.
func (r *run) settle(p *plan, done map[string]memory.Stat) []Item {
	items := make([]Item, len(p.logs))
	for i, l := range p.logs {
		it, v, id := l.item, p.verdict[i], p.names[i].ID
		it.ID = id
		if r.m != nil {
			it.File = r.m.EpisodePath(id)
		} else {
			it.File = filepath.Join(r.Location.Dir, "episodes", id+".json")
		}
		stat, written := done[id]
		switch {
		case v.fail != nil:
			bad := failedItem(l.shown, id, *v.fail)
			bad.Diagnostics = append(it.Diagnostics, bad.Diagnostics...)
			bad.File = it.File
			items[i] = bad
			continue
		case v.status == Written && !written:
			it = failedItem(l.shown, id, failure{code: "not-written", err: errors.New("its episode was not written")})
			items[i] = it
			continue
		}
		it.Status = v.status
		items[i] = it
		r.remember(p, i, stat, written)
		if p.idx.Logs != nil && l.path != Stdin {
			p.idx.Logs[l.path] = memory.LogEntry{Path: l.path, Stat: l.stat, SHA256: l.sha, Extractor: r.extractor.Rules(), Episode: id, Counts: it.counts()}
		}
	}
	return items
}

// remember notes of which log an episode is, so that the next run need not look.
func (r *run) remember(p *plan, i int, stat memory.Stat, written bool) {
	if p.idx.Episodes == nil {
		return
	}
	id := p.names[i].ID
	e := p.idx.Episodes[id]
	if !written {
		stat = p.stats[id] // if it is not known, the file is looked at again by the next listing
	}
	if e.Stat != stat {
		e.Stat, e.Touched = stat, 0
	}
	if e.SHA256 != p.hashes[id] {
		e.Start = ""
	}
	e.ID, e.SHA256, e.Source = id, p.hashes[id], p.logs[i].sha
	if !p.names[i].Copy {
		e.Place = p.logs[i].place
	}
	p.idx.Episodes[id] = e
}

func sortItems(items []Item) []Item {
	slices.SortStableFunc(items, func(a, b Item) int { return strings.Compare(a.Path, b.Path) })
	if items == nil {
		items = []Item{}
	}
	return items
}
