package graph

import (
	"maps"
	"slices"
	"strings"

	"github.com/cayleygraph/quad"
)

// quadSum sums up the quads of one episode.
type quadSum struct {
	n   int
	sum digest
}

func (s *quadSum) add(q quad.Quad) {
	s.n++
	s.sum = s.sum.plus(digestOf(Entry{q.Subject.String() + "\x00" + q.Predicate.String(), q.Object.String()}))
}

// quads compares what Cayley holds with what the episodes say.
func (v *verifier) quads() error {
	f, err := openCayley(v.t)
	if err != nil {
		return err
	}
	copies, err := readCopies(v.ctx, v.t)
	if err != nil {
		return err
	}
	should := map[string]*quadSum{}
	for _, e := range v.set {
		if copies[e.ID] != "" {
			continue
		}
		rec, err := readEpisode(v.ctx, v.t, e.ID)
		if err != nil || rec == nil {
			continue // already said
		}
		s := &quadSum{}
		for _, q := range quads(rec.Contribution) {
			s.add(q)
		}
		should[e.ID] = s
	}
	type walk func(func(vals []quad.Value) error) error
	for _, way := range []struct {
		name string
		walk walk
	}{
		{"log", func(fn func([]quad.Value) error) error { return f.logged(v.ctx, fn) }},
		{"index", func(fn func([]quad.Value) error) error { return f.with(v.ctx, quad.Directions, fn) }},
	} {
		is, n := map[string]*quadSum{}, 0
		err := way.walk(func(vals []quad.Value) error {
			n++
			if slices.Contains(vals, nil) {
				v.problem("cayley's %s: a quad with a value that is missing: %v", way.name, vals)
				return nil
			}
			q := quad.Quad{Subject: vals[0], Predicate: vals[1], Object: vals[2], Label: vals[3]}
			ep := text(q.Label)
			if is[ep] == nil {
				is[ep] = &quadSum{}
			}
			is[ep].add(q)
			return nil
		})
		if err != nil {
			return err
		}
		if n != v.meta.Quads {
			v.problem("cayley's %s: %d quads, counted were %d", way.name, n, v.meta.Quads)
		}
		v.compareQuads(way.name, is, should)
	}
	return nil
}

func (v *verifier) compareQuads(way string, is, should map[string]*quadSum) {
	for _, ep := range sortedKeys(should, strings.Compare) {
		var have quadSum
		if is[ep] != nil {
			have = *is[ep]
		}
		if have != *should[ep] {
			v.problem("cayley's %s: %d quads of episode %q, which says %d, or others", way, have.n, ep, should[ep].n)
		}
	}
	for _, ep := range slices.Sorted(maps.Keys(is)) {
		if should[ep] == nil {
			v.problem("cayley's %s: %d quads of %q, which is no episode here", way, is[ep].n, ep)
		}
	}
}
