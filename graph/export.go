package graph

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"episodes/causal"
)

// ErrFormat: there is no such export format.
var ErrFormat = errors.New("no such export format")

// Formats lists the formats of Export.
func Formats() []string { return []string{"json", "dot", "mermaid", "graphml", "nquads", "html"} }

// Export writes the graph: as "json", the causal-graph.json of ADR-038; as "dot"
// for Graphviz; as a flow chart of "mermaid"; as "graphml"; as "nquads", the
// evidence as Cayley holds it; as a page of "html". Equal sets of episodes, and
// equally much derived of them, give equal bytes: everything is sorted and no clock
// is asked. Patterns are only in "json" and "html": no edge touches them, and
// drawings leave such nodes out. Statistical edges are told apart from stated ones:
// in "json" and "html" they are a list of their own. A view hides nothing of them,
// nor of "nquads", which has no statistics: each of its lines is what one episode
// says.
func (g *Graph) Export(w io.Writer, format string, derived *Derived) error {
	b := bufio.NewWriterSize(w, 64<<10)
	d, err := g.inOrder(derived)
	if err != nil {
		return err
	}
	switch format {
	case "json":
		err = g.exportJSON(b, d)
	case "dot":
		err = g.exportDOT(b, d.Learned)
	case "mermaid":
		err = g.exportMermaid(b, d.Learned)
	case "graphml":
		err = g.exportGraphML(b, d.Learned)
	case "nquads":
		err = g.exportQuads(b)
	case "html":
		err = g.exportHTML(b, d)
	default:
		return fmt.Errorf("%w: %q, want one of %s", ErrFormat, format, strings.Join(Formats(), ", "))
	}
	if err != nil {
		return err
	}
	return b.Flush()
}

// The members of causal-graph.json.
type (
	jsonNode struct {
		ID          string   `json:"id"`
		Type        string   `json:"type"`
		Label       string   `json:"label"`
		Episodes    []string `json:"episodes"`
		Frequency   int      `json:"frequency"`
		SuccessRate *float64 `json:"success_rate"`
	}
	jsonEdge struct {
		Source        string   `json:"source"`
		Target        string   `json:"target"`
		Type          string   `json:"type"`
		Weight        float64  `json:"weight"`
		EvidenceCount int      `json:"evidence_count"`
		Episodes      []string `json:"episodes"`
	}
	jsonPattern struct {
		ID          string   `json:"id"`
		Name        string   `json:"name"`
		Description string   `json:"description"`
		Trigger     string   `json:"trigger"`
		Action      string   `json:"action"`
		SuccessRate float64  `json:"success_rate"`
		Occurrences int      `json:"occurrences"`
		Episodes    []string `json:"episodes"`
	}
)

// support is which episodes stand behind every node and edge.
type support struct {
	ids     []string // of the episodes, sorted
	nodes   map[nodeID][]int32
	edges   map[edgeID][]int32
	updated time.Time // the newest start of a session
}

func (s *support) names(of []int32) []string {
	out := make([]string, len(of))
	for i, n := range of {
		out[i] = s.ids[n]
	}
	return out
}

// support reads every episode.
func (g *Graph) support() (*support, error) {
	s := &support{nodes: map[nodeID][]int32{}, edges: map[edgeID][]int32{}}
	err := g.t.scan(g.ctx, []byte(keyEpisode), func(k, v []byte) error {
		var rec episodeRecord
		if err := decode(k, v, &rec); err != nil {
			return err
		}
		if !rec.valid() {
			return badKey(k, "points at what it does not hold")
		}
		n := int32(len(s.ids)) // the keys are in the order of the ids
		s.ids = append(s.ids, string(k[len(keyEpisode):]))
		for i := range len(rec.Nodes) / len(nodeID{}) {
			s.nodes[rec.node(i)] = append(s.nodes[rec.node(i)], n)
		}
		for _, st := range rec.Statements {
			s.edges[rec.edge(st)] = append(s.edges[rec.edge(st)], n)
		}
		if t, err := time.Parse(time.RFC3339, rec.Time); err == nil && t.After(s.updated) {
			s.updated = t
		}
		return nil
	})
	return s, err
}

func (s *support) when() string {
	if s.updated.IsZero() {
		return ""
	}
	return s.updated.UTC().Format(time.RFC3339Nano)
}

func (g *Graph) exportJSON(w *bufio.Writer, d Derived) error {
	s, err := g.support()
	if err != nil {
		return err
	}
	l := lister{w: w}
	l.raw("{\"version\":\"1.0\",\n\"updated\":")
	l.value(s.when())

	l.open("nodes")
	extra := patternNodes(d.Patterns)
	err = g.Nodes(func(n causal.Node) error {
		for len(extra) > 0 && extra[0].ID < n.ID {
			l.item(extra[0])
			extra = extra[1:]
		}
		out := jsonNode{ID: n.ID, Type: string(n.Type), Label: n.Label, Frequency: n.Frequency}
		if rate, ok := n.Tally.Rate(); ok {
			rate = round(rate)
			out.SuccessRate = &rate
		}
		id, _ := parseNode(n.ID)
		out.Episodes = s.names(s.nodes[id])
		return l.item(out)
	})
	if err != nil {
		return err
	}
	for _, n := range extra {
		l.item(n)
	}

	l.open("edges")
	err = g.allEdges(func(e causal.Edge, id edgeID) error {
		return l.item(jsonEdge{Source: e.Source, Target: e.Target, Type: string(e.Type), Weight: round(e.Weight()), EvidenceCount: e.Support.Count(), Episodes: s.names(s.edges[id])})
	})
	if err != nil {
		return err
	}

	l.open("patterns")
	for _, p := range d.Patterns {
		l.item(jsonPattern{p.ID, p.Name, p.Description, p.Trigger, p.Action, round(p.SuccessRate), p.Occurrences, sorted(p.Episodes)})
	}
	l.open("statistical_edges")
	for _, e := range d.Learned {
		l.item(e.json())
	}
	l.raw("\n]}\n")
	return l.err
}

// patternNodes are the nodes that stand for patterns, by id.
func patternNodes(patterns []PatternRecord) []jsonNode {
	out := make([]jsonNode, 0, len(patterns))
	for _, p := range patterns {
		rate := round(p.SuccessRate)
		out = append(out, jsonNode{ID: causal.NodeID(causal.PatternNode, p.Name), Type: string(causal.PatternNode), Label: p.Name, Episodes: sorted(p.Episodes), Frequency: p.Occurrences, SuccessRate: &rate})
	}
	slices.SortFunc(out, func(a, b jsonNode) int { return strings.Compare(a.ID, b.ID) })
	return out
}

// sorted is a sorted copy that is never nil.
func sorted(s []string) []string {
	out := append([]string{}, s...)
	slices.Sort(out)
	return slices.Compact(out)
}

// allEdges yields every edge in view, by source, target and type.
func (g *Graph) allEdges(yield func(causal.Edge, edgeID) error) error {
	var source nodeID
	count := 0 // episodes with the source
	return g.t.scan(g.ctx, []byte(keyOut), func(k, v []byte) error {
		e, ok := outEdge(k)
		if !ok {
			return badKey(k, "not an edge")
		}
		sup, err := decodeSupport(k, v)
		if err != nil {
			return err
		}
		if e.source != source || count == 0 {
			rec, err := readNode(g.ctx, g.t, e.source)
			if err != nil {
				return err
			}
			if rec == nil {
				return badKey(e.source.key(), "missing")
			}
			source, count = e.source, rec.Frequency
		}
		if edge := e.edge(sup, count); !g.view.hides(edge) {
			return yield(edge, e)
		}
		return nil
	})
}

// edge is an edge as package causal has it.
func (e edgeID) edge(s causal.Support, sourceCount int) causal.Edge {
	return e.between(e.source.String(), e.target.String(), s, sourceCount)
}

// between is edge where the texts of its ends are known.
func (e edgeID) between(source, target string, s causal.Support, sourceCount int) causal.Edge {
	return causal.Edge{Source: source, Target: target, Type: linkTypes[e.typ], Support: s, SourceCount: sourceCount}
}

// round keeps six decimals, which is more than any count here can mean.
func round(f float64) float64 { return math.Round(f*1e6) / 1e6 }

// lister writes members of a JSON object that are lists, one item a line, so that
// two exports can be compared line by line.
type lister struct {
	w    *bufio.Writer
	n    int // items of this list
	some bool
	err  error
}

func (l *lister) raw(s string) {
	if l.err == nil {
		_, l.err = l.w.WriteString(s)
	}
}

func (l *lister) value(v any) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); l.err == nil {
		l.err = err
	}
	l.raw(strings.TrimSuffix(b.String(), "\n"))
}

// open begins a list, after the one before.
func (l *lister) open(name string) {
	if l.some {
		l.raw("\n]")
	}
	l.some, l.n = true, 0
	l.raw(",\n\"" + name + "\":[")
}

func (l *lister) item(v any) error {
	if l.n > 0 {
		l.raw(",")
	}
	l.n++
	l.raw("\n")
	l.value(v)
	return l.err
}
