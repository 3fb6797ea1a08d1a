package export

import (
	"time"

	"episodes/causal"
	"episodes/episode"
)

// support is which episodes are evidence of every node and edge.
type support struct {
	episodes []string // ids, sorted
	nodes    map[string][]int32
	edges    map[edgeID][]int32
	newest   time.Time // the newest start of a session
}

// edgeID names an edge.
type edgeID struct {
	source, target string
	typ            episode.LinkType
}

// draw gives the nodes of a graph that edges touch, and then its edges.
func draw(g Graph, node func(causal.Node), edge func(causal.Edge)) error {
	ends, err := connected(g)
	if err != nil {
		return err
	}
	err = g.Nodes(func(n causal.Node) error {
		if ends[n.ID] {
			node(n)
		}
		return nil
	})
	if err != nil {
		return err
	}
	return g.Edges(func(e causal.Edge) error {
		edge(e)
		return nil
	})
}

func idOf(e causal.Edge) edgeID { return edgeID{e.Source, e.Target, e.Type} }

// supportOf reads the evidence of every episode.
func supportOf(g Graph) (*support, error) {
	s := &support{nodes: map[string][]int32{}, edges: map[edgeID][]int32{}}
	err := g.Contributions(func(c causal.Contribution, began string) error {
		n := int32(len(s.episodes))
		s.episodes = append(s.episodes, c.Episode)
		for _, m := range c.Mentions {
			if list := s.nodes[m.Node]; len(list) == 0 || list[len(list)-1] != n {
				s.nodes[m.Node] = append(list, n)
			}
		}
		for _, st := range c.Statements {
			id := edgeID{st.Source, st.Target, st.Type}
			s.edges[id] = append(s.edges[id], n)
		}
		if t, err := time.Parse(time.RFC3339, began); err == nil && t.After(s.newest) {
			s.newest = t
		}
		return nil
	})
	return s, err
}

// names returns the ids of episodes by their numbers.
func (s *support) names(of []int32) []string {
	out := make([]string, len(of))
	for i, n := range of {
		out[i] = s.episodes[n]
	}
	return out
}

// updated is the newest start of a session, or "".
func (s *support) updated() string {
	if s.newest.IsZero() {
		return ""
	}
	return s.newest.UTC().Format(time.RFC3339Nano)
}

// connected returns the ids of the nodes that edges touch.
func connected(g Graph) (map[string]bool, error) {
	ids := map[string]bool{}
	err := g.Edges(func(e causal.Edge) error {
		ids[e.Source], ids[e.Target] = true, true
		return nil
	})
	return ids, err
}
