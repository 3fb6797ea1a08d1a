package graph

import (
	"github.com/cayleygraph/quad"

	"episodes/causal"
	"episodes/episode"
)

// What is in Cayley. Every quad carries the episode that says so as its label,
// so evidence is added and removed with its episode and needs no order:
//
//	<node> <mentioned:OUTCOME> "RECORD" <episode>   a record of the episode mentions the node
//	<node> <causes> <node> <episode>                the episode states the link
//	<node> <causes:implied> <node> <episode>        the episode implies it
//
// and so with enables, prevents and correlates. Numbers are not in Cayley: they
// would change with every episode, and a quad that changes leaves a dead one.

// mentioned is the predicate of a mention by a record with an outcome.
func mentioned(o episode.Outcome) quad.Value { return quad.IRI("mentioned:" + string(o)) }

// stated is the predicate of a link.
func stated(t episode.LinkType, explicit bool) quad.Value {
	if explicit {
		return quad.IRI(string(t))
	}
	return quad.IRI(string(t) + ":implied")
}

// quads returns the evidence in a contribution, each quad once.
func quads(c causal.Contribution) []quad.Quad {
	ep := quad.IRI(c.Episode)
	seen := make(map[quad.Quad]bool, len(c.Mentions)+len(c.Statements))
	out := make([]quad.Quad, 0, len(c.Mentions)+len(c.Statements))
	add := func(q quad.Quad) {
		if !seen[q] {
			seen[q] = true
			out = append(out, q)
		}
	}
	for _, m := range c.Mentions {
		add(quad.Quad{Subject: quad.IRI(m.Node), Predicate: mentioned(m.Outcome), Object: quad.String(m.Record), Label: ep})
	}
	for _, s := range c.Statements {
		add(quad.Quad{Subject: quad.IRI(s.Source), Predicate: stated(s.Type, s.Explicit), Object: quad.IRI(s.Target), Label: ep})
	}
	return out
}
