package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"episodes/export"
	"episodes/internal/ask"
	"episodes/internal/fsstore"
	"episodes/internal/term"
)

func (a *app) graphExportCommand() *cobra.Command {
	var r ask.ExportRequest
	var out string
	cmd := &cobra.Command{
		Use:   "export",
		Short: "Write the graph as JSON (causal-graph.json of ADR-038) or for another tool",
		Example: `  episodes graph export --out causal-graph.json
  episodes graph export --format dot | dot -Tsvg >graph.svg
  episodes graph export --format html --out graph.html
  episodes graph export --format atif --episode 2026-01-12-session-2`,
		Long: `The same episodes always give the same bytes. Formats: json (causal-graph.json of ADR-038),
dot (Graphviz), mermaid (a flow chart for Markdown), graphml (Gephi, yEd, networkx), nquads
(the evidence itself: which episode says what) and html (a page to read, with links along the
edges). Statistical edges, found across sessions, are told apart from what logs state: a list of its
own in json (statistical_edges) and html, double lines in dot, thick ones in mermaid, an
attribute in graphml; no episode says it, so nquads has none of it.
atif writes the episodes themselves, or the one that --episode names, as trajectories of the
Agent Trajectory Interchange Format 1.7, each on one line. Their agent is "episodes": they are
digests of sessions, and extract refuses them.
Private episodes are left out as if they were not there, unless --private is said.`,
		Args:        takes(cobra.NoArgs, "no arguments but its flags"),
		Annotations: exits(graphExits),
		RunE:        func(cmd *cobra.Command, _ []string) error { return a.graphExport(cmd, r, out) },
	}
	cmd.Flags().StringVar(&r.Format, "format", "json", "`FORMAT`: "+strings.Join(ask.ExportFormats(), ", "))
	completeValues(cmd, "format", ask.ExportFormats()...)
	_ = cmd.RegisterFlagCompletionFunc("episode", a.completeIDs(0))
	cmd.Flags().StringVar(&r.Episode, "episode", "", "as atif: only this `EPISODE`, an id, a session or a prefix")
	cmd.Flags().BoolVar(&r.Private, "private", false, "with the private episodes, which are left out otherwise")
	cmd.Flags().StringVar(&out, "out", "", "write to `FILE` instead of standard output, which is -")
	return cmd
}

func (a *app) graphExport(cmd *cobra.Command, r ask.ExportRequest, out string) error {
	switch {
	case !slices.Contains(ask.ExportFormats(), r.Format):
		return usage("", "--format %q: must be one of %s", r.Format, strings.Join(ask.ExportFormats(), ", "))
	case cmd.Flags().Changed("episode") && r.Format != export.ATIF:
		return usage("", "--episode goes with --format %s: the other formats are of the whole graph", export.ATIF)
	case cmd.Flags().Changed("episode") && r.Episode == "":
		return usage("", "--episode must name one")
	}
	r.Version = programVersion()
	var b bytes.Buffer
	err := a.ask(cmd, func(m *ask.Memory) error { return m.Export(cmd.Context(), &b, r) })
	if err != nil {
		return err
	}
	doc := b.Bytes()
	if r.Format == "json" { // it may go to a terminal too
		doc = term.JSON(doc)
	}
	if out == "" || out == "-" {
		data := any(string(doc))
		if r.Format == "json" {
			data = json.RawMessage(doc)
		}
		return a.answer(cmd, result{data: data, text: string(doc)})
	}
	if !filepath.IsAbs(out) {
		out = filepath.Join(a.cwd, out)
	}
	if err := fsstore.WriteOut(out, doc); err != nil {
		return err
	}
	return a.answer(cmd, result{data: map[string]any{"file": out, "bytes": len(doc)}, text: fmt.Sprintf("wrote %q, %d bytes", out, len(doc))})
}
