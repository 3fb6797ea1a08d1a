package export

import (
	"bufio"
	"fmt"
	"strings"

	"episodes/causal"
	"episodes/episode"
	"episodes/patterns"
)

// writeMermaid writes the nodes that edges touch, and the edges, as a flow chart.
func writeMermaid(w *bufio.Writer, g Graph, _ []patterns.Pattern) error {
	fmt.Fprintln(w, "flowchart LR")
	return draw(g, func(n causal.Node) {
		shape := mermaidShapes[n.Type]
		fmt.Fprintf(w, "  %s%s%s%s\n", n.ID, shape[0], mermaidLabel(n.Label), shape[1])
	}, func(e causal.Edge) {
		fmt.Fprintf(w, "  %s %s|\"%s %.2f\"| %s\n", e.Source, mermaidArrows[e.Type], e.Type, e.Weight(), e.Target)
	})
}

var mermaidShapes = map[causal.NodeType][2]string{
	causal.DecisionNode: {"[", "]"},
	causal.EventNode:    {"(", ")"},
	causal.OutcomeNode:  {"([", "])"},
	causal.PatternNode:  {"{{", "}}"},
}

var mermaidArrows = map[episode.LinkType]string{
	episode.Causes:     "-->",
	episode.Enables:    "-.->",
	episode.Prevents:   "--x",
	episode.Correlates: "-.-",
}

// mermaidLabel quotes a text for Mermaid. Its entities begin with a number sign;
// a back quote would begin Markdown, and angle brackets HTML.
func mermaidLabel(s string) string {
	return `"` + mermaidEntities.Replace(short(s)) + `"`
}

var mermaidEntities = strings.NewReplacer("#", "#35;", `"`, "#34;", "&", "#38;", "<", "#60;", ">", "#62;", "`", "#96;", `\`, "#92;")
