package query

import (
	"episodes/causal"
	"episodes/episode"
)

// edge finds an edge.
func (e *explainer) edge(ref string) (*EdgeFacts, error) {
	at := edgeRef().FindStringSubmatchIndex(ref)
	t := episode.LinkType(ref[at[2]:at[3]])
	var ends [2]Node
	for i, part := range []string{ref[:at[0]], ref[at[1]:]} {
		res, err := Resolve(e.r, part, e.sources.eps)
		if err != nil {
			return nil, err
		}
		ends[i] = res.Node
	}
	ways := [][2]Node{ends}
	if t == episode.Correlates { // it has no direction
		ways = append(ways, [2]Node{ends[1], ends[0]})
	}
	for _, way := range ways {
		edges, err := e.r.Out(way[0].ID)
		if err != nil {
			return nil, err
		}
		for _, edge := range edges {
			if edge.Target != way[1].ID || edge.Type != t {
				continue
			}
			return e.edgeFacts(way[0], way[1], edge)
		}
	}
	return nil, notFound(ref, "no episode says that %s %s %s", Quote(ends[0].Label), LinkVerb(t, false), Quote(ends[1].Label))
}

func (e *explainer) edgeFacts(source, target Node, edge causal.Edge) (*EdgeFacts, error) {
	v := newViewer(e.r)
	hop, err := v.hop(source, target, edge)
	if err != nil {
		return nil, err
	}
	f := &EdgeFacts{Hop: hop, Statements: []Evidence{}}
	sts, err := e.r.Statements(edge.Source, edge.Target, edge.Type)
	if err != nil {
		return nil, err
	}
	for _, st := range sts[:min(len(sts), e.o.Limit)] {
		ev, err := e.sources.evidence(st.Episode, st.Link)
		if err != nil {
			return nil, err
		}
		ev.Explicit = &st.Explicit
		if ep := e.sources.seen[st.Episode]; ep != nil {
			ev.Text = linkText(ep.Episode, st.Link)
		}
		f.Statements = append(f.Statements, ev)
	}
	f.LeftOut = len(sts) - len(f.Statements)
	return f, nil
}
