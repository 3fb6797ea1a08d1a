package graph

import "github.com/cayleygraph/quad"

// What is in Cayley. Every quad carries the episode that says so as its label,
// so evidence is added and removed with its episode and needs no order:
//
//	<node> <mentioned:OUTCOME> "RECORD" <episode>   a record of the episode mentions the node
//	<node> <causes> <node> <episode>                the episode states the link
//	<node> <causes:implied> <node> <episode>        the episode implies it
//
// and so with enables, prevents and correlates. Numbers are not in Cayley: they
// would change with every episode, and a quad that changes leaves a dead one.
const (
	mentioned = "mentioned:"
	implied   = ":implied"
)

// predicates of mentions by outcomeNumber, and of links by linkNumber.
var (
	mentionPredicates = func() (p [len(outcomes)]quad.Value) {
		for i, o := range outcomes {
			p[i] = quad.IRI(mentioned + string(o))
		}
		return p
	}()
	linkPredicates = func() (p [len(linkTypes)][2]quad.Value) {
		for i, t := range linkTypes {
			p[i] = [2]quad.Value{quad.IRI(string(t) + implied), quad.IRI(string(t))}
		}
		return p
	}()
)

// linkPredicate is the predicate of a link of type number t.
func linkPredicate(t byte, explicit bool) quad.Value {
	if explicit {
		return linkPredicates[t][1]
	}
	return linkPredicates[t][0]
}

// mentionQuad says that a record of an episode, with its outcome, mentions a node.
func mentionQuad(n nodeID, outcome byte, record, ep string) quad.Quad {
	return quad.Quad{Subject: quad.IRI(n.String()), Predicate: mentionPredicates[outcome], Object: quad.String(record), Label: quad.IRI(ep)}
}

// statementQuad says that an episode states an edge.
func statementQuad(e edgeID, explicit bool, ep string) quad.Quad {
	return quad.Quad{Subject: quad.IRI(e.source.String()), Predicate: linkPredicate(e.typ, explicit), Object: quad.IRI(e.target.String()), Label: quad.IRI(ep)}
}

// quads returns the evidence in rec, each quad once.
func (rec *episodeRecord) quads(ep string) []quad.Quad {
	seen := make(map[quad.Quad]bool, len(rec.Mentions)+len(rec.Statements))
	out := make([]quad.Quad, 0, len(rec.Mentions)+len(rec.Statements))
	add := func(q quad.Quad) {
		if !seen[q] {
			seen[q] = true
			out = append(out, q)
		}
	}
	for _, m := range rec.Mentions {
		add(mentionQuad(rec.node(m.Node), m.Outcome, m.Record, ep))
	}
	for _, s := range rec.Statements {
		add(statementQuad(rec.edge(s), s.Explicit, ep))
	}
	return out
}
