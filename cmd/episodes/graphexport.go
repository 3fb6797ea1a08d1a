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
	"episodes/internal/serve"
	"episodes/internal/term"
)

func (a *app) graphExportCommand() *cobra.Command {
	var r ask.ExportRequest
	var out string
	cmd := &cobra.Command{
		Use:   "export [EPISODE]",
		Short: "Write the graph as JSON (causal-graph.json of ADR-038) or for another tool",
		Example: `  episodes graph export --out causal-graph.json
  episodes graph export --format dot | dot -Tsvg >graph.svg
  episodes graph export --format html --out graph.html
  episodes graph export --format serena --out .serena/memories/episodes`,
		Long: `The same episodes always give the same bytes, except in html. Formats: json (causal-graph.json of ADR-038),
dot (Graphviz), mermaid (a flow chart for Markdown), nquads (which episode says what) and html (the
pages of serve in one file).
serena writes episodes as the Markdown that Serena keeps.`,
		Args:              takes(cobra.MaximumNArgs(1), "at most one episode: an id, a session or a prefix"),
		Annotations:       exits(graphExits),
		ValidArgsFunction: a.completeIDs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				r.Episode = args[0]
			}
			return a.graphExport(cmd, r, out, len(args) > 0)
		},
	}
	cmd.Flags().StringVar(&r.Format, "format", "json", "`FORMAT`: "+strings.Join(exportFormats(), ", "))
	completeValues(cmd, "format", exportFormats()...)
	cmd.Flags().BoolVar(&r.Private, "private", false, "with the private episodes, which are left out otherwise as if they were not there")
	cmd.Flags().StringVar(&out, "out", "",
		"write to `FILE` instead of standard output, which is -; as serena a file each to a folder, where it has not the ending .md")
	return cmd
}

// htmlFormat is the format of the pages in one file.
const htmlFormat = "html"

func exportFormats() []string { return append(ask.ExportFormats(), htmlFormat) }

func (a *app) graphExport(cmd *cobra.Command, r ask.ExportRequest, out string, one bool) error {
	switch {
	case !slices.Contains(exportFormats(), r.Format):
		return usage("", "--format %q: must be one of %s", r.Format, strings.Join(exportFormats(), ", "))
	case one && !slices.Contains(ask.EpisodeFormats(), r.Format):
		return usage("", "an episode goes with --format serena: the other formats are of the whole graph")
	case one && r.Episode == "":
		return usage("", "an episode must be named")
	}
	if out != "" && out != "-" && !filepath.IsAbs(out) {
		out = filepath.Join(a.cwd, out)
	}
	if r.Format == export.Serena && out != "" && out != "-" && filepath.Ext(out) != ".md" {
		return a.exportFiles(cmd, r, out)
	}
	var b bytes.Buffer
	o, err := a.options(cmd)
	if err != nil {
		return err
	}
	if r.Format == htmlFormat {
		o.Shared, o.NameAuthors = !r.Private, true
	}
	err = a.askWith(cmd, o, func(m *ask.Memory) error {
		if r.Format == htmlFormat {
			return serve.WriteFile(cmd.Context(), &b, m, filepath.Base(o.Location.Root))
		}
		return m.Export(cmd.Context(), &b, r)
	})
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
	if err := fsstore.WriteOut(out, doc); err != nil {
		return err
	}
	return a.answer(cmd,
		result{data: map[string]any{"file": out, "bytes": len(doc)}, text: fmt.Sprintf("wrote %q, %d bytes", out, len(doc))})
}

// exportFiles writes a file for each episode into a folder.
func (a *app) exportFiles(cmd *cobra.Command, r ask.ExportRequest, out string) error {
	var files []ask.Exported
	err := a.ask(cmd, func(m *ask.Memory) (err error) {
		files, err = m.ExportFiles(r)
		return err
	})
	if err != nil {
		return err
	}
	dir, err := fsstore.Create(out)
	if err != nil {
		return err
	}
	defer dir.Close()
	size := 0
	for _, f := range files {
		if err := dir.Write(f.Name, f.Data); err != nil {
			return err
		}
		size += len(f.Data)
	}
	return a.answer(cmd, result{data: map[string]any{"folder": out, "files": len(files), "bytes": size},
		text: fmt.Sprintf("wrote %s to %q, %d bytes", term.Plural(len(files), "file"), out, size)})
}
