package graph

import (
	"bufio"
	"fmt"
	"regexp"
	"strings"
	"unicode"

	"episodes/causal"
	"episodes/episode"
)

// exportDOT writes the nodes that edges touch, and the edges. Labels are texts of
// strangers: nothing of them may end a string, or reach a terminal as a command.
func (g *Graph) exportDOT(w *bufio.Writer) error {
	ends, err := g.ends()
	if err != nil {
		return err
	}
	fmt.Fprintln(w, "digraph episodes {\n  rankdir=LR;\n  node [fontname=\"sans-serif\", fontsize=10];\n  edge [fontname=\"sans-serif\", fontsize=8];")
	err = g.Nodes(func(n causal.Node) error {
		if ends[n.ID] {
			fmt.Fprintf(w, "  %s [label=%s, %s];\n", n.ID, dotLabel(n.Label), nodeStyle(n))
		}
		return nil
	})
	if err != nil {
		return err
	}
	err = g.allEdges(func(e causal.Edge, _ edgeID) error {
		fmt.Fprintf(w, "  %s -> %s [label=\"%.2f\", tooltip=\"%s, %d episodes\", %s];\n", e.Source, e.Target, e.Weight(), e.Type, e.Support.Count(), edgeStyles[e.Type])
		return nil
	})
	fmt.Fprintln(w, "}")
	return err
}

// ends are the nodes that edges touch.
func (g *Graph) ends() (map[string]bool, error) {
	ends := map[string]bool{}
	err := g.allEdges(func(e causal.Edge, _ edgeID) error {
		ends[e.Source], ends[e.Target] = true, true
		return nil
	})
	return ends, err
}

func nodeStyle(n causal.Node) string {
	shape := map[causal.NodeType]string{causal.DecisionNode: "box", causal.EventNode: "ellipse", causal.OutcomeNode: "doubleoctagon", causal.PatternNode: "hexagon"}[n.Type]
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

var edgeStyles = map[episode.LinkType]string{
	episode.Causes:     "style=solid, color=black",
	episode.Enables:    "style=dashed, color=royalblue",
	episode.Prevents:   "style=solid, arrowhead=tee, color=firebrick",
	episode.Correlates: "style=dotted, dir=none, color=gray50",
}

// escapes are the sequences that terminals obey.
var escapes = regexp.MustCompile(`\x1b\[[0-?]*[ -/]*[@-~]|\x1b[\]PX^_].*?(?:\x07|\x1b\\|$)|\x1b[ -/]*[0-~]|\x{9b}[0-?]*[ -/]*[@-~]`)

// maxLabel is how many characters of a label a drawing can show.
const maxLabel = 80

// plain is a text without what a terminal or a drawing would obey.
func plain(s string) string {
	s = escapes.ReplaceAllString(strings.ToValidUTF8(s, "\uFFFD"), "")
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsControl(r), unicode.In(r, unicode.Cf): // Cf: also what turns the direction of text
			return -1
		}
		return r
	}, s)
}

// short is a plain text as a drawing can show it.
func short(s string) string {
	if r := []rune(plain(s)); len(r) > maxLabel {
		return string(r[:maxLabel-1]) + "…"
	}
	return plain(s)
}

// dotLabel quotes a text for Graphviz.
func dotLabel(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(short(s)) + `"`
}
