package query

import (
	"fmt"

	"episodes/causal"
	"episodes/episode"
	"episodes/infer"
)

// edge finds a stated edge, or else a statistical one.
func (e *explainer) edge(ref string) (*EdgeFacts, *LearnedHop, error) {
	at := edgeRef().FindStringSubmatchIndex(ref)
	t := episode.LinkType(ref[at[2]:at[3]])
	var ends [2]Node
	for i, part := range []string{ref[:at[0]], ref[at[1]:]} {
		res, err := Resolve(e.r, part, e.sources.eps)
		if err != nil {
			return nil, nil, err
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
			return nil, nil, err
		}
		for _, edge := range edges {
			if edge.Target != way[1].ID || edge.Type != t {
				continue
			}
			f, err := e.edgeFacts(way[0], way[1], edge)
			if err == nil {
				f.Learned, err = e.learned(way, "")
			}
			return f, nil, err
		}
	}
	for _, way := range ways {
		if hop, err := e.learned(way, t); hop != nil || err != nil {
			return nil, hop, err
		}
	}
	return nil, nil, &NotFoundError{Ref: ref,
		Reason: fmt.Sprintf("no episode says that %s %s %s", Quote(ends[0].Label), LinkVerb(t, false), Quote(ends[1].Label))}
}

// learnedAt returns the statistical edges at a node.
func (e *explainer) learnedAt(n Node) (out []LearnedHop, err error) {
	if e.o.Study == nil {
		return nil, nil
	}
	s, err := e.o.Study()
	if err != nil {
		return nil, err
	}
	at, ok := factAt(s, n)
	for _, edge := range s.Edges() {
		if ok && (edge.Source == at || edge.Target == at) {
			out = append(out, LearnedEdge(edge))
		}
	}
	return out, nil
}

// learned returns the statistical edge between two nodes, of a type or, for "", of any type.
// It returns nil if no edge exists.
func (e *explainer) learned(way [2]Node, t episode.LinkType) (*LearnedHop, error) {
	if e.o.Study == nil {
		return nil, nil
	}
	s, err := e.o.Study()
	if err != nil {
		return nil, err
	}
	from, ok := factAt(s, way[0])
	to, known := factAt(s, way[1])
	for _, edge := range s.Edges() {
		if ok && known && edge.Source == from && edge.Target == to && (t == "" || t == edge.Type) {
			hop := LearnedEdge(edge)
			return &hop, nil
		}
	}
	return nil, nil
}

// factAt returns the statistical fact of a node. Of the outcomes only success is one.
func factAt(s *infer.Study, n Node) (infer.Fact, bool) {
	if n.Type == causal.OutcomeNode {
		return infer.Fact{}, n.Label == "outcome: "+string(episode.Success)
	}
	return s.FactOf(n.ID)
}

func (e *explainer) edgeFacts(source, target Node, edge causal.Edge) (*EdgeFacts, error) {
	v := newViewer(e.r)
	hop, err := v.hop(source, target, edge)
	if err != nil {
		return nil, err
	}
	i := posterior(edge).Interval(Level)
	f := &EdgeFacts{Hop: hop, Low: i.Low, High: i.High, Statements: []Evidence{}}
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
