package ask

import (
	"context"
	"fmt"
	"io"
	"slices"

	"episodes/episode"
	"episodes/export"
	"episodes/graph"
	"episodes/patterns"
)

// ExportRequest says what to export.
type ExportRequest struct {
	Format  string // one of ExportFormats
	Private bool   // with the private part
	Episode string // as one of EpisodeFormats: this one alone; "": all
}

// ExportFormats lists the formats of an export, the default first.
func ExportFormats() []string { return append(export.Formats(), EpisodeFormats()...) }

// EpisodeFormats lists those that are of episodes and not of their graph.
func EpisodeFormats() []string { return []string{export.Serena} }

// Export writes the graph, with its patterns, in a format of
// package export, or the episodes themselves: of the shared part, or with Private of all.
func (m *Memory) Export(ctx context.Context, w io.Writer, r ExportRequest) error {
	if slices.Contains(EpisodeFormats(), r.Format) {
		return m.exportEpisodes(w, r)
	}
	if !r.Private {
		s, done, err := m.shared()
		if err != nil {
			return err
		}
		defer done()
		m = s
	}
	g, err := m.openGraph(ctx)
	if err != nil {
		return err
	}
	mined, err := m.mine(ctx, patterns.Defaults())
	if err != nil {
		return err
	}
	if err := export.Write(w, g, r.Format, mined.Patterns); err != nil {
		return fmt.Errorf("export the graph: %w", err)
	}
	return nil
}

// exportEpisodes writes the episodes that the graph is made of, or one.
func (m *Memory) exportEpisodes(w io.Writer, r ExportRequest) error {
	return m.exported(r, func(ep *episode.Episode) error {
		_, err := io.WriteString(w, export.SerenaMemory(ep)+"\n")
		return err
	})
}

// Exported is a file of an export of several.
type Exported struct {
	Name string
	Data []byte
}

// ExportFiles writes each episode as a memory of Serena, with the name of its file.
func (m *Memory) ExportFiles(r ExportRequest) (files []Exported, err error) {
	err = m.exported(r, func(ep *episode.Episode) error {
		files = append(files, Exported{export.SerenaName(ep) + ".md", []byte(export.SerenaMemory(ep))})
		return nil
	})
	return files, err
}

// exported yields the episodes of an export, by id and without secrets.
func (m *Memory) exported(r ExportRequest, yield func(*episode.Episode) error) error {
	set, err := m.here.set()
	if err != nil {
		return err
	}
	if !r.Private {
		set = set.Shared()
	}
	entries := set.Entries
	if r.Episode != "" {
		id, err := m.find(r.Episode)
		if err != nil {
			return err
		}
		if !r.Private && m.folder.IsPrivate(id) {
			return badParam("episode", r.Episode, "is private; --private exports it")
		}
		entries = []graph.Entry{{ID: id}}
	}
	var rep graph.Report
	redactor := m.here.redactor()
	for _, entry := range entries {
		ep, err := set.Load(entry.ID)
		switch {
		case err != nil && r.Episode != "":
			return err
		case err != nil:
			rep.Skipped = append(rep.Skipped, graph.Skipped{ID: entry.ID, Err: err})
			continue
		}
		if r.Episode == "" && !export.HasContent(ep) {
			continue
		}
		redactor.Episode(ep)
		if err := yield(ep); err != nil {
			return fmt.Errorf("export %s: %w", entry.ID, err)
		}
	}
	if r.Episode == "" {
		for _, text := range set.LeftOut(rep) {
			m.note("%s", text)
		}
	}
	return nil
}
