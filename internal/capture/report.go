package capture

import (
	"errors"
	"fmt"
	"strings"

	"episodes/episode"
	"episodes/extract"
	"episodes/graph"
	"episodes/internal/corrections"
	"episodes/internal/memory"
	"episodes/internal/track"
)

// Status is what became of a log.
type Status string

// Written: its episode is new or changed. Unchanged: all of it is in its episode
// already. Kept: its episode is shared, or was edited by hand, so it stays as it is; the
// item's diagnostics say which. Failed: see the item's diagnostics.
const (
	Written   Status = "written"
	Unchanged Status = "unchanged"
	Kept      Status = "kept"
	Failed    Status = "failed"
)

// Report is what a run of extract did.
type Report struct {
	Episodes   []Item       `json:"episodes"`
	Renamed    []Rename     `json:"renamed,omitempty"` // existing episodes whose file name turned out to be shared
	Joined     []Rename     `json:"joined,omitempty"`  // of sub-agents, now part of the session's
	Graph      *GraphChange `json:"graph,omitempty"`   // absent when the graph was not touched
	DryRun     bool         `json:"dry_run,omitempty"`
	Headings   []Heading    `json:"headings,omitempty"` // not understood, in several logs
	DurationMS int64        `json:"duration_ms"`
}

// Heading is one that extraction does not know.
type Heading struct {
	Text string `json:"text"`
	Logs int    `json:"logs"` // that have it
}

// Item is one log and its episode.
type Item struct {
	ID      string `json:"id"`
	Path    string `json:"path"`           // the log, as it was named
	File    string `json:"file,omitempty"` // the episode's file
	Private bool   `json:"private,omitempty"`
	Status  Status `json:"status"`
	track.Counts
	Diagnostics []Diagnostic `json:"diagnostics"`      // of a log that was read in this run
	Reader      *Said        `json:"reader,omitempty"` // when a reader was to be asked
	Hint        string       `json:"hint,omitempty"`
	// Edited are the differences of an episode that was edited by hand from what the log
	// gives; those that a command can keep come first.
	Edited []corrections.Difference `json:"edited,omitempty"`
	Taken  []Taken                  `json:"taken,omitempty"` // only when asked for
	Lines  []string                 `json:"-"`               // of the log, when Taken is given
}

// Diagnostic is something to know about a log; line 0 means the whole file.
type Diagnostic struct {
	File    string `json:"file"`
	Line    int    `json:"line"`
	Code    string `json:"code"`
	Message string `json:"message"`
}

// String is the diagnostic as file:line: message.
func (d Diagnostic) String() string {
	if d.Line > 0 {
		return fmt.Sprintf("%s:%d: %s", d.File, d.Line, d.Message)
	}
	return fmt.Sprintf("%s: %s", d.File, d.Message)
}

// Taken is a span of a log and what it was read as.
type Taken struct {
	First int    `json:"first"`
	Last  int    `json:"last"`
	What  string `json:"what"`
	Why   string `json:"why"`
	Text  string `json:"text"` // the lines themselves
}

// Rename is an episode that got another id.
type Rename struct {
	From string `json:"from"`
	To   string `json:"to"`
}

// GraphChange is what writing the episodes did to the graph.
type GraphChange struct {
	Added        int    `json:"episodes_added"`
	Changed      int    `json:"episodes_changed"`
	Removed      int    `json:"episodes_removed"`
	Unchanged    int    `json:"episodes_unchanged"`
	NodesAdded   int    `json:"nodes_added"`
	NodesRemoved int    `json:"nodes_removed"`
	EdgesAdded   int    `json:"edges_added"`
	EdgesRemoved int    `json:"edges_removed"`
	OfOlderTools int    `json:"episodes_of_older_tools,omitempty"` // of those added and changed
	Rebuilt      bool   `json:"rebuilt,omitempty"`
	Generation   string `json:"generation,omitempty"`
}

// ChangeOf takes the figures of a graph's report.
func ChangeOf(g graph.Report) *GraphChange {
	return &GraphChange{Added: g.Added, Changed: g.Changed, Removed: g.Removed, Unchanged: g.Unchanged,
		NodesAdded: g.NodesAdded, NodesRemoved: g.NodesRemoved, EdgesAdded: g.EdgesAdded, EdgesRemoved: g.EdgesRemoved,
		OfOlderTools: g.OfOlderTools, Rebuilt: g.Rebuilt, Generation: g.Generation}
}

// String is the change in one line.
func (g *GraphChange) String() string {
	if g.Added+g.Changed+g.Removed+g.NodesAdded+g.NodesRemoved+g.EdgesAdded+g.EdgesRemoved == 0 {
		return fmt.Sprintf("nothing to change; episodes: %d", g.Unchanged)
	}
	out := "episodes: " + counted(g.Added, "added", g.Changed, "changed", g.Removed, "removed", g.Unchanged, "unchanged")
	out += "; nodes: " + counted(g.NodesAdded, "new", g.NodesRemoved, "gone")
	return out + "; edges: " + counted(g.EdgesAdded, "new", g.EdgesRemoved, "gone")
}

// counted lists numbers with their words, without those that are 0.
func counted(pairs ...any) string {
	var parts []string
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i] != 0 {
			parts = append(parts, fmt.Sprintf("%d %s", pairs[i], pairs[i+1]))
		}
	}
	if len(parts) == 0 {
		return "none changed"
	}
	return strings.Join(parts, ", ")
}

// Count returns how many logs have a status.
func (r *Report) Count(s Status) int {
	n := 0
	for _, it := range r.Episodes {
		if it.Status == s {
			n++
		}
	}
	return n
}

// code is the code of the first diagnostic of an item; "" when it has none.
func (it Item) code() string {
	if len(it.Diagnostics) == 0 {
		return ""
	}
	return it.Diagnostics[0].Code
}

func failedItem(shown, id string, f failure) Item {
	d := Diagnostic{File: shown, Line: f.line, Code: f.code, Message: f.err.Error()}
	var ie *extract.InputError
	var fe *memory.FileError
	var se *episode.SyntaxError
	switch {
	case errors.As(f.err, &ie):
		d.Line = ie.Line
		switch {
		case errors.Is(ie, extract.ErrNotText):
			d.Code = "not-text"
		case errors.Is(ie, extract.ErrTooLarge):
			d.Code = "too-large"
		}
	case errors.As(f.err, &fe): // the existing episode is to blame
		d.File = fe.Path
		if d.Message = fe.Err.Error(); errors.As(fe.Err, &se) {
			d.Line, d.Message = se.Line, se.Msg
		}
	}
	return Item{ID: id, Path: shown, Status: Failed, Counts: track.Counts{Outcome: episode.Unknown},
		Diagnostics: []Diagnostic{d}, Hint: f.hint}
}
