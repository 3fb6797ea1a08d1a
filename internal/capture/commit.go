package capture

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"episodes/graph/stores"
	"episodes/internal/fsstore"
	"episodes/internal/memory"
	"episodes/internal/track"
)

// commit keeps what was extracted, under the lock. It empties logs.
func (r *run) commit(ctx context.Context, logs []parsed) (rep *Report, err error) {
	rep = &Report{}
	unlock, err := r.m.Lock(ctx, r.Graph.LockTimeout, r.Graph.Who)
	if err != nil {
		return rep, err
	}
	defer unlock()
	plan, err := r.plan(logs)
	if err != nil {
		return rep, err
	}
	if err := r.checkDisk(plan.bytes()); err != nil {
		return rep, err
	}
	if rep.Renamed, err = r.move(plan); err != nil {
		return rep, err
	}
	done, writeErr := r.write(ctx, plan.pending)
	if writeErr == nil {
		writeErr = r.saveReadings(plan)
	}
	rep.Episodes = r.report(plan, done)
	if writeErr != nil {
		return rep, errors.Join(writeErr, plan.idx.Save())
	}
	if err := r.saveSaid(plan, done); err != nil {
		return rep, err // the next run reads these logs again
	}
	if rep.Joined, err = r.join(plan, done); err != nil {
		return rep, errors.Join(err, plan.idx.Save())
	}
	written := len(done)+len(rep.Renamed)+len(rep.Joined) > 0
	idx := plan.idx
	clear(logs) // they are kept, and graph and index need the room
	if r.NoGraph || !written && r.inStep() {
		return rep, r.saveAsIs(idx)
	}
	change, set, err := idx.Update(ctx, r.Graph, r.Index)
	if err != nil {
		return rep, errors.Join(fmt.Errorf("bring the graph in step: %w", err), idx.Save())
	}
	rep.Graph = ChangeOf(change)
	for _, text := range slices.Concat(set.LeftOut(change), set.Dropped()) {
		r.note(text)
	}
	if stores.Private(r.Graph.Store) { // Update saved nothing
		return rep, idx.Save()
	}
	return rep, nil
}

// write writes episodes, and says how many are written.
func (r *run) write(ctx context.Context, pending []memory.Pending) (done map[string]bool, err error) {
	const atOnce = 256
	done = map[string]bool{}
	for part := range slices.Chunk(pending, atOnce) {
		written, err := r.m.Write(ctx, part, r.Jobs)
		if maps.Copy(done, written); err != nil {
			return done, err
		}
		if r.Written != nil {
			r.Written(len(done), len(pending))
		}
	}
	return done, nil
}

// saveSaid keeps the text of transcripts with their episodes. With a shared episode it is kept only
// if somebody shared it before.
func (r *run) saveSaid(p *plan, done map[string]bool) error {
	for i, l := range p.logs {
		id, status := p.names[i].id, p.verdict[i].status
		if len(l.text) == 0 || p.verdict[i].fail != nil || p.names[i].isCopy || status == Kept || status == Written && !done[id] {
			continue
		}
		private, before := r.m.IsPrivate(id), r.m.Said(id)
		if before == string(l.text) || !private && before == "" {
			continue
		}
		if err := r.m.SaveSaid(id, l.text, private); err != nil {
			return err
		}
	}
	return nil
}

// saveAsIs saves an index of the files as they are, and leaves the graph as it is.
func (r *run) saveAsIs(idx *track.Index) error {
	r.m.Clean()
	if _, err := idx.Set(); err != nil {
		return err
	}
	return idx.Save()
}

// rehearse reports what commit would do, and writes nothing.
func (r *run) rehearse(ctx context.Context, logs []parsed) (*Report, error) {
	plan, err := r.plan(logs)
	if err != nil {
		return &Report{}, err
	}
	done := map[string]bool{}
	for _, p := range plan.pending {
		done[p.ID] = true
	}
	rep := &Report{}
	for _, mv := range plan.moves {
		rep.Renamed = append(rep.Renamed, Rename{From: mv.from, To: mv.to})
	}
	rep.Episodes = r.report(plan, done)
	rep.Joined = plan.joins(done)
	return rep, ctx.Err()
}

// report turns verdicts into items and notes in the index what was done.
func (r *run) report(p *plan, done map[string]bool) []Item {
	items, seen, failed := make([]Item, len(p.logs)), map[string]bool{}, []string{}
	for i, l := range p.logs {
		it, v, id := l.item, p.verdict[i], p.names[i].id
		it.ID = id
		if r.m != nil {
			if it.Private = l.private; v.status != Written {
				it.Private = (l.private || v.status == Kept) && r.m.IsPrivate(id)
			}
			it.File = r.m.PathIn(it.Private, id)
		} else { // a rehearsal without a memory
			it.Private = l.private
			it.File = r.Location.EpisodePath(l.private, id)
		}
		switch {
		case v.fail != nil:
			bad := failedItem(l.shown, id, *v.fail)
			bad.Diagnostics = append(it.Diagnostics, bad.Diagnostics...)
			bad.File = it.File
			items[i], failed = bad, append(failed, l.path)
			continue
		case v.status == Written && !done[id]:
			items[i] = failedItem(l.shown, id, failure{code: "not-written", err: errors.New("its episode was not written")})
			failed = append(failed, l.path)
			continue
		}
		it.Status = v.status
		items[i] = it
		if r.m != nil {
			p.remember(i, r.start, seen[l.path])
			seen[l.path] = true
		}
	}
	for _, path := range failed {
		if log := p.idx.Logs[path]; seen[path] { // another session of it was kept
			log.Stat = fsstore.Stat{}
			p.idx.Logs[path] = log
		}
	}
	return items
}

// remember notes what was seen of log i, so that the next run need not read it. It was
// looked at after start. more says that it is of the same file as one before it.
func (p *plan) remember(i int, start time.Time, more bool) {
	l, id := p.logs[i], p.names[i].id
	if !p.names[i].isCopy {
		e := p.idx.Episodes[id]
		e.Log = l.logPath
		p.idx.Episodes[id] = e
	}
	if l.path != Stdin {
		log := track.Log{Stat: l.stat.Proven(start), SHA256: l.sha, Extractor: l.ep.Provenance.Extractor,
			Episode: id, EpisodeSHA256: p.hashes[id], Counts: l.item.Counts, Parts: l.partPaths()}
		if more {
			first := p.idx.Logs[l.path]
			first.More = append(first.More, log)
			log = first
		}
		p.idx.Logs[l.path] = log
		for _, part := range slices.Concat(l.parts, l.idle) {
			if p.verdict[i].status != Kept {
				delete(p.idx.Logs, part.path)
			}
		}
	}
}
