package graph

import (
	"cmp"
	"fmt"
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
	nid, ok := parseNode(id)
	if !ok {
		return nil, nil
	}
	node, err := readNode(g.ctx, g.t, nid)
	if err != nil || node == nil {
		return nil, err
	}
	f, err := g.evidence()
	if err != nil {
		return nil, err
	}
	episodes := map[string]bool{}
	for _, p := range mentionPredicates {
		err := f.with(g.ctx, []quad.Direction{quad.Label}, func(vals []quad.Value) error {
			episodes[text(vals[0])] = true
			return nil
		}, quad.IRI(id), p)
		if err != nil {
			return nil, err
		}
	}
	var out []causal.Mention
	for ep := range episodes {
		rec, err := g.evidenceFrom(ep, id)
		if err != nil {
			return nil, err
		}
		i, _ := rec.find(nid)
		for _, m := range rec.Mentions {
			if m.Node == i {
				out = append(out, rec.mention(ep, m, node))
			}
		}
	}
	slices.SortStableFunc(out, func(a, b causal.Mention) int {
		return cmp.Or(cmp.Compare(a.Episode, b.Episode), cmp.Compare(a.Record, b.Record))
	})
	return out, nil
}

// evidenceFrom reads an episode that Cayley names as evidence of a node.
func (g *Graph) evidenceFrom(ep, node string) (*episodeRecord, error) {
	rec, err := readEpisode(g.ctx, g.t, ep)
	if err != nil {
		return nil, err
	}
	if rec == nil {
		return nil, badKey(episodeKey(ep), "missing, but said to mention "+node)
	}
	if id, _ := parseNode(node); rec.missing(id) {
		return nil, badKey(episodeKey(ep), "said to mention "+node+", but does not")
	}
	return rec, nil
}

func (rec *episodeRecord) missing(id nodeID) bool {
	_, ok := rec.find(id)
	return !ok
}

// Statements returns the links that support one edge, by episode.
func (g *Graph) Statements(source, target string, t episode.LinkType) ([]causal.Statement, error) {
	from, ok1 := parseNode(source)
	to, ok2 := parseNode(target)
	typ, ok3 := linkNumber(t)
	if !ok1 || !ok2 || !ok3 {
		return nil, nil
	}
	f, err := g.evidence()
	if err != nil {
		return nil, err
	}
	var episodes []string
	for _, explicit := range []bool{false, true} {
		err := f.with(g.ctx, []quad.Direction{quad.Label}, func(vals []quad.Value) error {
			episodes = append(episodes, text(vals[0]))
			return nil
		}, quad.IRI(source), linkPredicate(typ, explicit), quad.IRI(target))
		if err != nil {
			return nil, err
		}
	}
	slices.Sort(episodes)
	var out []causal.Statement
	for _, ep := range slices.Compact(episodes) {
		rec, err := g.evidenceFrom(ep, source)
		if err != nil {
			return nil, err
		}
		edge := edgeID{from, to, typ}
		i := slices.IndexFunc(rec.Statements, func(s statementRecord) bool { return rec.edge(s) == edge })
		if i < 0 {
			return nil, badKey(episodeKey(ep), "said to state "+source+">"+target+", but does not")
		}
		out = append(out, rec.statement(ep, rec.Statements[i]))
	}
	return out, nil
}

// Contributions yields what each episode says, by episode, and when its session
// began (RFC 3339, or ""). Of the mentions only episode, node, record, outcome and
// label are set; the uses are left out.
func (g *Graph) Contributions(yield func(c causal.Contribution, began string) error) error {
	return g.t.scan(g.ctx, []byte(keyEpisode), func(k, v []byte) error {
		var rec episodeRecord
		if err := decode(k, v, &rec); err != nil {
			return err
		}
		if !rec.valid() {
			return badKey(k, "points at what it does not hold")
		}
		c := causal.Contribution{Episode: string(k[len(keyEpisode):]), Outcome: outcomes[rec.Outcome]}
		for _, m := range rec.Mentions {
			c.Mentions = append(c.Mentions, causal.Mention{Episode: c.Episode, Record: m.Record, Node: rec.node(m.Node).String(), Label: m.Label, Outcome: outcomes[m.Outcome]})
		}
		for _, s := range rec.Statements {
			c.Statements = append(c.Statements, rec.statement(c.Episode, s))
		}
		return yield(c, rec.Time)
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
