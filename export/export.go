// Package export writes a causal graph in the formats of other tools.
//
// Equal sets of episodes, and equally much derived of them, give equal bytes:
// everything is sorted and no clock is asked. Texts of logs are untrusted: no
// label can end its string, or reach a terminal or a browser as a command.
//
// To add a format, write a function like those in dot.go and give it a line in
// the table below.
// Other programs use package episodes: only that is a promise.
package export

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"episodes/causal"
	"episodes/patterns"
)

// ErrFormat: there is no such format.
var ErrFormat = errors.New("no such export format")

// Graph is what an export reads. A graph store satisfies it, as any
// [episodes/query.Reader] that also lists its edges and its evidence does.
type Graph interface {
	// Nodes yields every node, by id.
	Nodes(yield func(causal.Node) error) error
	// Edges yields every edge, by source, target and type.
	Edges(yield func(causal.Edge) error) error
	// Contributions yields what each episode says but its decisions, by episode,
	// and when its session began (RFC 3339, or "").
	Contributions(yield func(c causal.Contribution, began string) error) error
	// Quads yields the evidence as the store holds it, in any order. After
	// "mentioned:OUTCOME" the object is a record of the episode, else a node.
	Quads(yield func(subject, predicate, object, episode string) error) error
}

// format is a format and what writes it.
type format struct {
	name  string
	write func(w *bufio.Writer, g Graph, found []patterns.Pattern) error
}

// formats are all formats, the default first.
var formats = []format{
	{"json", writeJSON},       // causal-graph.json of ADR-038
	{"dot", writeDOT},         // Graphviz
	{"mermaid", writeMermaid}, // a flow chart for Markdown
	{"nquads", writeQuads},    // the evidence alone
}

// Formats lists the names of the formats, the default first.
func Formats() []string {
	names := make([]string, len(formats))
	for i, f := range formats {
		names[i] = f.name
	}
	return names
}

// Write writes a graph in a format. The patterns found in it are only in "json": no
// edge touches them, and drawings leave such nodes out.
//
// Errors: ErrFormat, and those of the graph and of w.
func Write(w io.Writer, g Graph, name string, found []patterns.Pattern) error {
	i := slices.IndexFunc(formats, func(f format) bool { return f.name == name })
	if i < 0 {
		return fmt.Errorf("%w: %q, want one of %s", ErrFormat, name, strings.Join(Formats(), ", "))
	}
	b := bufio.NewWriterSize(w, 64<<10)
	if err := formats[i].write(b, g, found); err != nil {
		return err
	}
	return b.Flush()
}
