package memory

import (
	"encoding/json"
	"fmt"
	"time"

	"episodes/graph"
)

// View is the part of the memory that the graph shows. It is local to this checkout, and
// deletes nothing: a graph is always the graph of the episodes in view.
type View struct {
	Before     string  `json:"before,omitempty"`      // RFC 3339; earlier episodes are out of view
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

// The view is a derived file although nothing says it again: a foreign one would hide
// from all answers what its author likes.
const (
	viewName = "view.json"
	viewKey  = "view 1"
)

// View returns what the graph is to show: all, unless SaveView changed it.
func (m *Memory) View() View {
	var v View
	data := m.ReadDerived(viewName, viewKey)
	if data == nil || json.Unmarshal(data, &v) != nil || v.Before != "" && v.Start().IsZero() {
		return View{}
	}
	return v
}

// SaveView changes what the graph is to show; the caller holds the lock and
// brings the graph in step afterwards. The error is a *NotKeptError where it cannot be
// kept.
func (m *Memory) SaveView(v View) error {
	if err := m.Local(); err != nil {
		return err
	}
	if err := m.EnsureDerived(); err != nil {
		return err
	}
	if v == (View{}) {
		return m.derived.RemoveAll(viewName)
	}
	data, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("encode %q: %w", viewName, err)
	}
	if err := m.derived.Clear(viewName); err != nil {
		return err
	}
	return m.derived.WritePrivate(viewName, fmt.Appendf(nil, "%s\n%s\n", m.line(viewKey), data))
}
