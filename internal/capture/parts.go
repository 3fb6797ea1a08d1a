package capture

import (
	"slices"

	"episodes/internal/revise"
	"episodes/internal/track"
)

// absorbed lists the episodes that the parts of a log had when they were read as logs of
// their own, and that hold nothing but what their transcripts say: these are told by the
// session's episode now. ids are the ids that the parts would give their episodes, as far as
// they are known; the index knows the others.
func (r *run) absorbed(idx *track.Index, in input, ids []string) (out []string) {
	if r.m == nil {
		return nil
	}
	for i, p := range in.parts {
		candidates := []string{idx.Logs[p.path].Episode}
		if i < len(ids) {
			candidates = append(candidates, ids[i])
		}
		for _, id := range candidates {
			if id != "" && !slices.Contains(out, id) && r.onlyOf(id, p) {
				out = append(out, id)
			}
		}
	}
	return out
}

// onlyOf reports whether an episode says what the transcript of a sub-agent says, and
// nothing of a person or a reader. What is shared stays while private ones are made.
func (r *run) onlyOf(id string, p part) bool {
	if _, exists := r.m.StatOf(id); !exists || r.fixes.ids[id] || r.Private && !r.m.IsPrivate(id) {
		return false
	}
	old := r.oldEpisode(id, true)
	return old.ep != nil && old.ep.Provenance.Source.Path == p.source && revise.OriginOf(old.ep, old.data) == revise.Extracted
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
