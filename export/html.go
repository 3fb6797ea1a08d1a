package export

import (
	"bufio"
	"cmp"
	_ "embed"
	"fmt"
	"html/template"
	"maps"
	"slices"
	"strings"
	"sync"

	"episodes/causal"
	"episodes/episode"
	"episodes/internal/plain"
	"episodes/query"
)

//go:embed export.html.tmpl
var pageText string

// page is parsed when it is first needed: every command would wait for it.
var page = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("").Funcs(template.FuncMap{
		"plain":    plain.Line,
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

// writeHTML writes a page of hypertext: the nodes that edges touch, those of most
// episodes first, with links along their edges. It works without scripts, and asks
// for nothing from elsewhere.
func writeHTML(w *bufio.Writer, g Graph, found findings) error {
	s, err := supportOf(g)
	if err != nil {
		return err
	}
	nodes, edges, err := pageNodes(g, s, found)
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
	write("head",
		map[string]any{"Episodes": len(s.episodes), "Nodes": total, "Joined": len(nodes), "Edges": edges, "Updated": s.updated()})
	if len(found.patterns) > 0 {
		write("patterns", found.patterns)
	}
	if len(found.statistical) > 0 {
		type between struct {
			statisticalEdge
			From, To string
		}
		var list []between
		for _, e := range found.statistical {
			list = append(list, between{e, nodes[e.Source].Label, nodes[e.Target].Label})
		}
		write("statistical", list)
	}
	if len(nodes) > 0 {
		write("nodes", nil)
	}
	all := slices.SortedFunc(maps.Values(nodes), func(a, b *pageNode) int {
		return cmp.Or(cmp.Compare(len(b.Episodes), len(a.Episodes)), strings.Compare(a.ID, b.ID))
	})
	for _, n := range all {
		write("node", n)
	}
	write("tail", nil)
	return err
}

// pageNodes returns the nodes that edges touch, with their edges, and the number of
// stated edges.
func pageNodes(g Graph, s *support, found findings) (nodes map[string]*pageNode, edges int, err error) {
	ends, err := connected(g, found)
	if err != nil {
		return nil, 0, err
	}
	nodes = make(map[string]*pageNode, len(ends))
	err = g.Nodes(func(n causal.Node) error {
		if ends[n.ID] {
			rate, rated := n.Tally.Rate()
			nodes[n.ID] = &pageNode{Node: n, Episodes: s.names(s.nodes[n.ID]),
				Rated: rated && n.Type != causal.OutcomeNode, Rate: rate}
		}
		return nil
	})
	if err != nil {
		return nil, 0, err
	}
	err = g.Edges(func(e causal.Edge) error {
		from, to := nodes[e.Source], nodes[e.Target]
		if from == nil || to == nil {
			return fmt.Errorf("%w: an edge from %s to %s, of which one is missing", query.ErrDamaged, e.Source, e.Target)
		}
		edges++
		names := s.names(s.edges[idOf(e)])
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
