package memories

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"episodes/keys"
)

// consolidated is the similarity from which two memories of a type are merged.
const consolidated = 0.8

// Merge is a group of memories with the same content, the strongest first.
type Merge struct {
	Into *Memory   `json:"into"`
	From []*Memory `json:"from"`
}

// Merges returns what a consolidation would merge. Episodic and meta memories are each
// about one thing and are never merged, nor are private ones.
func Merges(all []*Memory) []Merge {
	out := []Merge{}
	for _, t := range []Type{Semantic, Procedural, Feedback} {
		var ms []*Memory
		for _, m := range all {
			if m.Type == t && !m.Metadata.Private {
				ms = append(ms, m)
			}
		}
		slices.SortStableFunc(ms,
			func(a, b *Memory) int { return cmp.Or(cmp.Compare(b.value(), a.value()), strings.Compare(a.ID, b.ID)) })
		gone := map[string]bool{}
		for i, m := range ms {
			if gone[m.ID] {
				continue
			}
			g := Merge{Into: m}
			for _, o := range ms[i+1:] {
				if !gone[o.ID] && keys.Similarity(contentKey(m), contentKey(o)) >= consolidated {
					gone[o.ID] = true
					g.From = append(g.From, o)
				}
			}
			if len(g.From) > 0 {
				out = append(out, g)
			}
		}
	}
	return out
}

// contentKey is the key of a memory's content, without the counts of its summary.
func contentKey(m *Memory) string {
	if len(m.Content.Lessons) > 0 {
		return keys.Canonical(m.Content.Lessons[0])
	}
	return keys.Canonical(m.Content.Summary)
}

// Consolidate merges memories: the strongest takes over the evidence, the tags and the
// access counts of the others and refers to them. The others go to the trash, with the
// previous state of the strongest.
func (s *Store) Consolidate(ctx context.Context, merges []Merge, by string) (batch string, err error) {
	err = s.locked(ctx, func() error {
		batch = s.newBatch()
		for _, g := range merges {
			if err := s.merge(g, by, batch); err != nil {
				return err
			}
		}
		return s.index()
	})
	return batch, err
}

func (s *Store) merge(g Merge, by, batch string) error {
	before, err := encode(g.Into)
	if err != nil {
		return err
	}
	d, err := s.dir.Sub(mergedDir(batch) + "/" + string(g.Into.Type))
	if err != nil {
		return err
	}
	err = d.Write(g.Into.ID+".json", before)
	d.Close()
	if err != nil {
		return err
	}
	for _, o := range g.From {
		if !slices.Contains(g.Into.Content.Related, o.ID) { // else a killed merge counted it already
			g.Into.AccessCount += o.AccessCount
		}
		g.Into.LastAccessed = max(g.Into.LastAccessed, o.LastAccessed)
		g.Into.Relevance = max(g.Into.Relevance, o.Relevance)
		g.Into.Content.Evidence = union(g.Into.Content.Evidence, o.Content.Evidence)
		g.Into.Content.Scenarios = union(g.Into.Content.Scenarios, o.Content.Scenarios)
		g.Into.Content.Related = union(g.Into.Content.Related, []string{o.ID})
		g.Into.Tags = union(g.Into.Tags, o.Tags)
	}
	if err := s.write(g.Into); err != nil {
		return err
	}
	if err := s.audit("merge", g.Into, by, batch); err != nil {
		return err
	}
	for _, o := range g.From {
		if err := s.remove(o, "delete", by, batch); err != nil {
			return err
		}
	}
	return nil
}

func union(a, b []string) []string {
	out := slices.Clone(a)
	for _, x := range b {
		if !slices.Contains(out, x) {
			out = append(out, x)
		}
	}
	return out
}
