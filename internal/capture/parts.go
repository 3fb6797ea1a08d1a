package capture

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"episodes/episode"
	"episodes/internal/corrections"
	"episodes/internal/fsstore"
	"episodes/internal/track"
)

// withKnownParts adds the parts that a session was read with before and that are still
// there: whoever names a session alone does not mean to lose what its sub-agents did.
func (r *run) withKnownParts(logs []input) []input {
	if r.m == nil {
		return logs
	}
	idx, given := r.index(), map[string]bool{}
	for _, in := range logs {
		given[in.path] = true
		for _, p := range in.parts {
			given[p.path] = true
		}
	}
	for i := range logs {
		in := &logs[i]
		if in.transcript { // all of these are given
			continue
		}
		for _, path := range idx.Logs[in.path].Parts {
			info, err := os.Lstat(path)
			if given[path] || err != nil || !info.Mode().IsRegular() {
				continue
			}
			p := part{path: path}
			inside := false
			if _, p.source, inside = placeOf(r.Location, path); inside {
				p.root = r.Location.Root
			}
			in.parts, in.stat = append(in.parts, p), in.stat.With(fsstore.StatOf(info))
		}
		slices.SortStableFunc(in.parts, func(a, b part) int { return strings.Compare(a.path, b.path) })
	}
	return logs
}

// agentMark is part of the ids of the episodes of sub-agents.
const agentMark = "-agent-"

// absorbed lists the episodes that the parts of a log had when they were read as logs of
// their own, or the log under another name; their facts are in the episode of the session now. kept are those with
// corrections by a person or a reader. Their ids say so, or the index; or they are among ids.
func (r *run) absorbed(idx *track.Index, in input, session string, ids []string) (out, kept []string) {
	parts, of := slices.Concat(in.parts, in.idle), map[string]bool{in.source: true}
	if r.m == nil || len(parts)+len(ids) == 0 {
		return nil, nil
	}
	if r.agents == nil { // plan reports an unreadable folder
		r.agents, _ = r.m.Taken(func(id string) bool { return strings.Contains(id, agentMark) })
	}
	for id := range r.agents {
		if strings.HasPrefix(id, session+agentMark) {
			ids = append(ids, id)
		}
	}
	for _, p := range parts {
		of[p.source] = true
		ids = append(ids, idx.Logs[p.path].Episode)
	}
	slices.Sort(ids)
	for _, id := range slices.Compact(ids) {
		if _, exists := r.m.StatOf(id); id == "" || !exists || in.private && !r.m.IsPrivate(id) {
			continue // what is shared stays while private ones are made
		}
		switch old := r.oldEpisode(id, true); {
		case old.ep == nil || !of[old.ep.Provenance.Source.Path]:
		case r.m.HasMore(id) || corrections.Edited(old.data):
			kept = append(kept, id)
		default:
			out = append(out, id)
		}
	}
	return out, kept
}

// absorb finds for each log of a plan what it absorbs.
func (r *run) absorb(p *plan) {
	p.absorbs, r.agents = make([][]string, len(p.logs)), nil // they may be others now
	for i := range p.logs {
		l := &p.logs[i]
		ids := slices.Clone(l.partIDs)
		if file := episode.SessionFromPath(l.path); file != l.session { // so the log was named once
			for _, id := range []string{episode.IDFromSession(file), qualifiedID(file, l.logPath)} {
				if at := p.idx.Episodes[id].Log; at == l.logPath || at == "" && !filepath.IsAbs(l.logPath) {
					ids = append(ids, id)
				}
			}
		}
		var kept []string
		p.absorbs[i], kept = r.absorbed(p.idx, l.input, episode.IDFromSession(l.ep.Provenance.Source.Session), ids)
		for _, id := range kept {
			l.item.Diagnostics = append(l.item.Diagnostics, Diagnostic{File: l.shown, Code: "sub-agent-kept",
				Message: fmt.Sprintf("the facts of the episode %s are in this one now; it was edited or corrected, so it stays; episodes forget removes it",
					id)})
		}
	}
}

// joins lists what is to be removed, for the sessions whose episodes are as they should be.
func (p *plan) joins(done map[string]bool) (out []Rename) {
	seen := map[string]bool{}
	for _, n := range p.names {
		seen[n.id] = true // of a log of this run
	}
	for i, ids := range p.absorbs {
		v, id := p.verdict[i], p.names[i].id
		if v.fail != nil || v.status == Kept || v.status == Written && !done[id] {
			continue
		}
		for _, from := range ids {
			if !seen[from] {
				seen[from] = true
				out = append(out, Rename{From: from, To: id})
			}
		}
	}
	return out
}

// join removes the episodes of sub-agents whose facts are in those of their sessions now. A
// kill before it is mended by the next run, which finds them again.
func (r *run) join(p *plan, done map[string]bool) (joined []Rename, err error) {
	for _, j := range p.joins(done) {
		if err := r.m.Remove(j.From); err != nil {
			return joined, err
		}
		delete(p.idx.Episodes, j.From)
		joined = append(joined, j)
	}
	return joined, nil
}
