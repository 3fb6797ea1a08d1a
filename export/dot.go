package export

import (
	"bufio"
	"fmt"
	"strings"

	"episodes/causal"
	"episodes/episode"
	"episodes/internal/plain"
	"episodes/patterns"
)

// writeDOT writes the nodes that edges touch, and the edges. Labels are texts of
// strangers: nothing of them may end a string, or reach a terminal as a command.
func writeDOT(w *bufio.Writer, g Graph, _ []patterns.Pattern) error {
	fmt.Fprintln(w,
		"digraph episodes {\n  rankdir=LR;\n  node [fontname=\"sans-serif\", fontsize=10];\n  edge [fontname=\"sans-serif\", fontsize=8];")
	err := draw(g, func(n causal.Node) {
		fmt.Fprintf(w, "  %s [label=%s, %s];\n", n.ID, dotLabel(n.Label), nodeStyle(n))
	}, func(e causal.Edge) {
		fmt.Fprintf(w, "  %s -> %s [label=\"%.2f\", tooltip=\"%s, %d episodes\", %s];\n", e.Source, e.Target,
			e.Weight(), e.Type, e.Support.Count(), edgeStyles[e.Type])
	})
	fmt.Fprintln(w, "}")
	return err
}

func nodeStyle(n causal.Node) string {
	shape := map[causal.NodeType]string{causal.DecisionNode: "box", causal.EventNode: "ellipse",
		causal.OutcomeNode: "doubleoctagon", causal.PatternNode: "hexagon"}[n.Type]
	color := "gray50"
	if rate, ok := n.Tally.Rate(); ok {
		switch {
		case rate >= 0.7:
			color = "darkgreen"
		case rate <= 0.3:
			color = "firebrick"
		default:
			color = "goldenrod"
		}
	}
	return "shape=" + shape + ", color=" + color
}

// lineStyle is how Graphviz draws an edge.
type lineStyle struct{ line, color string }

func (s lineStyle) String() string { return s.line + ", color=" + s.color }

var edgeStyles = map[episode.LinkType]lineStyle{
	episode.Causes:     {"style=solid", "black"},
	episode.Enables:    {"style=dashed", "royalblue"},
	episode.Prevents:   {"style=solid, arrowhead=tee", "firebrick"},
	episode.Correlates: {"style=dotted, dir=none", "gray50"},
}

// maxLabel is how many characters of a label a drawing can show.
const maxLabel = 80

// short is a text as a drawing can show it: on one line, and cut to maxLabel.
func short(s string) string {
	s = plain.Line(s)
	if r := []rune(s); len(r) > maxLabel {
		return string(r[:maxLabel-1]) + "…"
	}
	return s
}

// dotLabel quotes a text for Graphviz.
func dotLabel(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(short(s)) + `"`
}
