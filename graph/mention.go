package graph

import (
	"fmt"
	"maps"
	"slices"

	"github.com/cayleygraph/quad"

	"episodes/causal"
	"episodes/episode"
)

// Cayley knows which episodes say something; in which words they say it is stored
// with each of them.

// evidence returns Cayley, which not every question needs.
func (g *Graph) evidence() (quadStore, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.opened {
		return g.cayley, nil
	}
	f, err := openCayley(g.t)
	if err == nil {
		g.cayley, g.opened = f, true
	}
	return f, err
}

// Mentions returns the records that mention a node, by episode and record.
func (g *Graph) Mentions(id string) ([]causal.Mention, error) {
	f, err := g.evidence()
	if err != nil {
		return nil, err
	}
	episodes := map[string]bool{}
	for _, o := range outcomes {
		err := f.with(g.ctx, []quad.Direction{quad.Label}, func(vals []quad.Value) error {
			episodes[text(vals[0])] = true
			return nil
		}, quad.IRI(id), mentioned(o))
		if err != nil {
			return nil, err
		}
	}
	var out []causal.Mention
	err = g.evidenceFrom(slices.Sorted(maps.Keys(episodes)), func(rec *episodeRecord) error {
		n := len(out)
		for _, m := range rec.Mentions { // by record
			if m.Node == id {
				out = append(out, m)
			}
		}
		if n == len(out) {
			return badKey(episodeKey(rec.Episode), "said to mention "+id+", but does not")
		}
		return nil
	})
	return out, err
}

// evidenceFrom reads the episodes that Cayley names as evidence.
func (g *Graph) evidenceFrom(episodes []string, fn func(*episodeRecord) error) error {
	for _, ep := range episodes {
		rec, err := readEpisode(g.ctx, g.t, ep)
		if err == nil && rec == nil {
			err = badKey(episodeKey(ep), "missing, but said to be evidence")
		}
		if err == nil {
			err = fn(rec)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Statements returns the links that support one edge, by episode.
func (g *Graph) Statements(source, target string, t episode.LinkType) ([]causal.Statement, error) {
	f, err := g.evidence()
	if err != nil {
		return nil, err
	}
	var episodes []string
	for _, explicit := range []bool{false, true} {
		err := f.with(g.ctx, []quad.Direction{quad.Label}, func(vals []quad.Value) error {
			episodes = append(episodes, text(vals[0]))
			return nil
		}, quad.IRI(source), stated(t, explicit), quad.IRI(target))
		if err != nil {
			return nil, err
		}
	}
	slices.Sort(episodes)
	var out []causal.Statement
	err = g.evidenceFrom(slices.Compact(episodes), func(rec *episodeRecord) error {
		i := slices.IndexFunc(rec.Statements, func(s causal.Statement) bool {
			return s.Source == source && s.Target == target && s.Type == t
		})
		if i < 0 {
			return badKey(episodeKey(rec.Episode), "said to state "+source+">"+target+", but does not")
		}
		out = append(out, rec.Statements[i])
		return nil
	})
	return out, err
}

// Contributions yields what each episode that counts says but its decisions, by episode,
// and when its session began (RFC 3339, or "").
func (g *Graph) Contributions(yield func(c causal.Contribution, began string) error) error {
	copies, err := g.Copies()
	if err != nil {
		return err
	}
	return g.t.scan(g.ctx, []byte(keyEpisode), func(k, v []byte) error {
		if copies[string(k[len(keyEpisode):])] != "" {
			return nil
		}
		rec, err := decodeEpisode(k, v)
		if err != nil {
			return err
		}
		return yield(rec.Contribution, rec.Time)
	})
}

// Quads yields the evidence as Cayley holds it, in any order; see vocabulary.go.
func (g *Graph) Quads(yield func(subject, predicate, object, episode string) error) error {
	f, err := g.evidence()
	if err != nil {
		return err
	}
	return f.with(g.ctx, quad.Directions, func(vals []quad.Value) error {
		for _, v := range vals {
			switch v.(type) {
			case quad.IRI, quad.String:
			default:
				return fmt.Errorf("%w: cayley: %T in a quad", ErrDamaged, v)
			}
		}
		return yield(text(vals[0]), text(vals[1]), text(vals[2]), text(vals[3]))
	})
}
