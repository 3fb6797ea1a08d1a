package export

import (
	"bufio"
	"encoding/xml"
	"fmt"
	"strconv"
	"strings"

	"episodes/causal"
	"episodes/internal/plain"
)

// The attributes of nodes and edges in GraphML, as its <key> elements declare them.
var graphMLKeys = []struct{ id, of, name, typ string }{
	{"t", "node", "type", "string"},
	{"l", "node", "label", "string"},
	{"f", "node", "frequency", "int"},
	{"r", "node", "success_rate", "double"},
	{"k", "edge", "type", "string"},
	{"w", "edge", "weight", "double"},
	{"c", "edge", "evidence_count", "int"},
	{"e", "edge", "episodes", "string"},
	{"v", "edge", "evidence", "string"},
	{"n", "edge", "sessions_with", "int"},
	{"o", "edge", "sessions_without", "int"},
	{"q", "edge", "q_value", "double"},
}

// writeGraphML writes every node and edge. The episodes of an edge are one text,
// separated by spaces, since GraphML has no lists. A statistical edge has numbers of
// sessions instead.
func writeGraphML(w *bufio.Writer, g Graph, found findings) error {
	s, err := supportOf(g)
	if err != nil {
		return err
	}
	fmt.Fprintln(w, xml.Header+`<graphml xmlns="http://graphml.graphdrawing.org/xmlns">`)
	for _, k := range graphMLKeys {
		fmt.Fprintf(w, "  <key id=%q for=%q attr.name=%q attr.type=%q/>\n", k.id, k.of, k.name, k.typ)
	}
	fmt.Fprintln(w, `  <graph id="episodes" edgedefault="directed">`)
	err = g.Nodes(func(n causal.Node) error {
		fmt.Fprintf(w, "    <node id=%q>%s%s%s", n.ID, data("t", string(n.Type)), data("l", n.Label),
			data("f", strconv.Itoa(n.Frequency)))
		if rate, ok := n.Tally.Rate(); ok {
			fmt.Fprint(w, data("r", number(rate)))
		}
		_, err := fmt.Fprintln(w, "</node>")
		return err
	})
	if err != nil {
		return err
	}
	err = g.Edges(func(e causal.Edge) error {
		_, err := fmt.Fprintf(w, "    <edge source=%q target=%q>%s%s%s%s%s</edge>\n", e.Source, e.Target,
			data("k", string(e.Type)), data("w", number(e.Weight())),
			data("c", strconv.Itoa(e.Support.Count())), data("e", strings.Join(s.names(s.edges[idOf(e)]), " ")), data("v", stated))
		return err
	})
	for _, e := range found.statistical {
		fmt.Fprintf(w, "    <edge source=%q target=%q>%s%s%s%s%s%s</edge>\n", e.Source, e.Target,
			data("k", string(e.Type)), data("w", number(e.Weight)),
			data("v", statistical), data("n", strconv.Itoa(e.N)), data("o", strconv.Itoa(e.OtherN)), data("q", number(e.Q)))
	}
	fmt.Fprint(w, "  </graph>\n</graphml>\n")
	return err
}

func number(f float64) string { return strconv.FormatFloat(round(f), 'f', -1, 64) }

func data(key, value string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(plain.Line(value))) // a strings.Builder takes everything
	return `<data key="` + key + `">` + b.String() + "</data>"
}
