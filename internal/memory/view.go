package memory

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"episodes/graph"
)

// View says what of the memory the graph shows. It is local to this checkout, and
// deletes nothing: a graph is always the graph of the episodes in view.
type View struct {
	Before     string  `json:"before,omitempty"`      // RFC 3339; episodes that started earlier are out of view
	MinWeight  float64 `json:"min_weight,omitempty"`  // and edges of less weight
	MinSupport int     `json:"min_support,omitempty"` // and edges that fewer episodes state
}

// Edges is the part of the view that hides edges.
func (v View) Edges() graph.View {
	return graph.View{MinWeight: v.MinWeight, MinSupport: v.MinSupport}
}

// Start is the moment from which on episodes are in view; zero: all are.
func (v View) Start() time.Time {
	t, _ := time.Parse(time.RFC3339, v.Before)
	return t
}

const viewName = "view.json"

// View returns what the graph is to show: all, unless SaveView said otherwise.
func (m *Memory) View() View {
	var v View
	if text := m.derivedText(viewName); text == "" || json.Unmarshal([]byte(text), &v) != nil || v.Before != "" && v.Start().IsZero() {
		return View{}
	}
	return v
}

// SaveView changes what the graph is to show; the caller holds the lock and
// brings the graph in step afterwards.
func (m *Memory) SaveView(v View) error {
	if err := m.EnsureDerived(); err != nil {
		return err
	}
	var err error
	if v == (View{}) {
		if err = m.derived.Remove(viewName); errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
	} else {
		var data []byte
		if data, err = json.Marshal(v); err == nil {
			err = replace(m.derived, viewName, append(data, '\n'), newFile, true)
		}
	}
	if err != nil {
		return fmt.Errorf("write %q: %w", m.path(derivedDir, viewName), cause(err))
	}
	return nil
}

// noStart is the Start of an entry whose episode gives no time.
const noStart = "none"

// inView leaves the entries whose episodes are not older than the view allows. An
// episode that cannot be read is in view, so that whoever loads it says so.
func (m *Memory) inView(idx *Index, entries []graph.Entry, v View) []graph.Entry {
	start := v.Start()
	if start.IsZero() {
		return entries
	}
	var in []graph.Entry
	for _, e := range entries {
		known := idx.Episodes[e.ID]
		if known.Start == "" {
			if known.Start = m.startOf(e.ID); known.Start != "" {
				idx.Episodes[e.ID] = known
			}
		}
		if t, err := time.Parse(time.RFC3339, known.Start); err != nil || !t.Before(start) {
			in = append(in, e)
		}
	}
	return in
}

// startOf returns when an episode started, as it says, or "" when it cannot be read.
func (m *Memory) startOf(id string) string {
	ep, err := m.Load(id)
	if err != nil {
		return ""
	}
	if t, ok := ep.Time(); ok {
		return t.Format(time.RFC3339)
	}
	return noStart
}
