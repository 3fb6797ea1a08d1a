package graph

import (
	"bufio"
	"cmp"
	_ "embed"
	"fmt"
	"html/template"
	"slices"
	"strings"
	"sync"

	"episodes/causal"
	"episodes/episode"
)

//go:embed export.html.tmpl
var pageText string

// page is parsed when it is first needed: every command would wait for it.
var page = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("").Funcs(template.FuncMap{
		"plain":    plain,
		"percent":  func(rate float64) string { return fmt.Sprintf("%.0f %%", 100*rate) },
		"episodes": someEpisodes,
		"verb": func(t episode.LinkType) string {
			if t == episode.Correlates {
				return "goes with"
			}
			return string(t)
		},
	}).Parse(pageText))
})

// someEpisodes names a few episodes and counts the others.
func someEpisodes(ids []string) string {
	const most = 3
	if len(ids) > most {
		return fmt.Sprintf("%s and %d more", strings.Join(ids[:most], ", "), len(ids)-most)
	}
	return strings.Join(ids, ", ")
}

// pageNode and pageEdge are what the page shows of a node and of an edge at it.
type pageNode struct {
	causal.Node
	Episodes []string
	Rated    bool
	Rate     float64
	In, Out  []pageEdge
}

type pageEdge struct {
	causal.Edge
	Other, Label string // the node at the other end
	Episodes     []string
}

// exportHTML writes a page of hypertext: the nodes that edges touch, those of most
// episodes first, with links along their edges. It works without scripts, and asks
// for nothing from elsewhere.
func (g *Graph) exportHTML(w *bufio.Writer, d Derived) error {
	s, err := g.support()
	if err != nil {
		return err
	}
	nodes, edges, err := g.joined(s, d.Learned)
	if err != nil {
		return err
	}
	total := 0
	if err := g.Nodes(func(causal.Node) error { total++; return nil }); err != nil {
		return err
	}
	write := func(part string, data any) {
		if err == nil {
			err = page().ExecuteTemplate(w, part, data)
		}
	}
	write("head", map[string]any{"Episodes": len(s.ids), "Nodes": total, "Joined": len(nodes), "Edges": edges, "Updated": s.when()})
	if len(d.Patterns) > 0 {
		write("patterns", d.Patterns)
	}
	if len(d.Learned) > 0 {
		type between struct {
			LearnedRecord
			From, To string
		}
		var list []between
		for _, e := range d.Learned {
			list = append(list, between{e, nodes[e.Source].Label, nodes[e.Target].Label})
		}
		write("learned", list)
	}
	if len(nodes) > 0 {
		write("nodes", nil)
	}
	all := make([]*pageNode, 0, len(nodes))
	for _, n := range nodes {
		all = append(all, n)
	}
	slices.SortFunc(all, func(a, b *pageNode) int {
		return cmp.Or(cmp.Compare(len(b.Episodes), len(a.Episodes)), strings.Compare(a.ID, b.ID))
	})
	for _, n := range all {
		write("node", n)
	}
	write("tail", nil)
	return err
}

// joined are the nodes that edges touch, with their edges, and how many stated edges
// there are.
func (g *Graph) joined(s *support, learned []LearnedRecord) (nodes map[string]*pageNode, edges int, err error) {
	ends, err := g.ends(learned)
	if err != nil {
		return nil, 0, err
	}
	nodes = make(map[string]*pageNode, len(ends))
	err = g.Nodes(func(n causal.Node) error {
		if ends[n.ID] {
			id, _ := parseNode(n.ID)
			rate, rated := n.Tally.Rate()
			nodes[n.ID] = &pageNode{Node: n, Episodes: s.names(s.nodes[id]), Rated: rated && n.Type != causal.OutcomeNode, Rate: rate}
		}
		return nil
	})
	if err != nil {
		return nil, 0, err
	}
	err = g.allEdges(func(e causal.Edge, id edgeID) error {
		from, to := nodes[e.Source], nodes[e.Target]
		if from == nil || to == nil {
			return badKey(id.source.key(), "missing")
		}
		edges++
		names := s.names(s.edges[id])
		from.Out = append(from.Out, pageEdge{e, e.Target, to.Label, names})
		to.In = append(to.In, pageEdge{e, e.Source, from.Label, names})
		return nil
	})
	for _, n := range nodes {
		for _, list := range [][]pageEdge{n.In, n.Out} {
			slices.SortStableFunc(list, func(a, b pageEdge) int { return cmp.Compare(b.Weight(), a.Weight()) })
		}
	}
	return nodes, edges, err
}
