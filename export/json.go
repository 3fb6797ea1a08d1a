package export

import (
	"bufio"
	"bytes"
	"encoding/json"
	"math"
	"slices"
	"strings"

	"episodes/causal"
	"episodes/internal/plain"
	"episodes/patterns"
)

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

// writeJSON writes the causal-graph.json of ADR-038.
func writeJSON(w *bufio.Writer, g Graph, found []patterns.Pattern) error {
	s, err := supportOf(g)
	if err != nil {
		return err
	}
	l := lister{w: w}
	l.raw("{\"version\":\"1.0\",\n\"updated\":")
	l.value(s.updated())

	l.open("nodes")
	extra := patternNodes(found)
	err = g.Nodes(func(n causal.Node) error {
		for len(extra) > 0 && extra[0].ID < n.ID {
			l.item(extra[0])
			extra = extra[1:]
		}
		out := jsonNode{ID: n.ID, Type: string(n.Type), Label: plain.Line(n.Label), Frequency: n.Frequency}
		if rate, ok := n.Tally.Rate(); ok {
			rate = round(rate)
			out.SuccessRate = &rate
		}
		out.Episodes = s.names(s.nodes[n.ID])
		return l.item(out)
	})
	if err != nil {
		return err
	}
	for _, n := range extra {
		l.item(n)
	}

	l.open("edges")
	err = g.Edges(func(e causal.Edge) error {
		return l.item(jsonEdge{Source: e.Source, Target: e.Target, Type: string(e.Type), Weight: round(e.Weight()),
			EvidenceCount: e.Support.Count(), Episodes: s.names(s.edges[idOf(e)])})
	})
	if err != nil {
		return err
	}

	l.open("patterns")
	for _, p := range slices.SortedFunc(slices.Values(found), func(a, b patterns.Pattern) int { return strings.Compare(a.ID, b.ID) }) {
		l.item(jsonPattern{p.ID, plain.Line(p.Name), plain.Line(p.Description), plain.Line(p.Trigger),
			plain.Line(p.Action), round(p.SuccessRate), p.Occurrences, sorted(p.Episodes)})
	}
	l.raw("\n]}\n")
	return l.err
}

// patternNodes represent the patterns, by id.
func patternNodes(found []patterns.Pattern) []jsonNode {
	out := make([]jsonNode, 0, len(found))
	for _, p := range found {
		rate := round(p.SuccessRate)
		out = append(out,
			jsonNode{ID: causal.NodeID(causal.PatternNode, p.Name), Type: string(causal.PatternNode),
				Label: plain.Line(p.Name), Episodes: sorted(p.Episodes), Frequency: p.Occurrences,
				SuccessRate: &rate})
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
