package ask

import (
	"context"
	"fmt"
	"strings"
	"time"

	"episodes/graph"
	"episodes/internal/memory"
	"episodes/internal/term"
	"episodes/query"
)

// PruneRequest says what the graph is to show from now on. The zero request shows
// everything.
type PruneRequest struct {
	OlderThan  string  // an age (36h, 180d, 26w), a date or a time
	MinWeight  float64 // hide links of less weight, 0 to 1
	MinSupport int     // hide links that fewer episodes state
	DryRun     bool    // change nothing
}

// PruneAnswer is what a view leaves of the graph.
type PruneAnswer struct {
	full
	View   memory.View  `json:"view"`
	All    graph.Census `json:"all"`
	Left   graph.Census `json:"left"`
	Hidden graph.Census `json:"hidden"`
	DryRun bool         `json:"dry_run,omitempty"`
	// LeftOut says, a line each, which episodes the graph could not take in.
	LeftOut []string `json:"-"`
}

// view is the request as it is kept: an age as a date.
func (r PruneRequest) view(now time.Time) (v memory.View, err error) {
	switch {
	case r.MinWeight < 0 || r.MinWeight > 1 || r.MinWeight != r.MinWeight:
		return v, badParam("min-weight", "", "must be between 0 and 1")
	case r.MinSupport < 0:
		return v, badParam("min-support", "", "must be 0 or more")
	}
	v = memory.View{MinWeight: r.MinWeight, MinSupport: r.MinSupport}
	if r.OlderThan != "" {
		t, err := moment("older-than", r.OlderThan, now, "180d")
		if err != nil {
			return v, err
		}
		v.Before = t.UTC().Format(time.RFC3339)
	}
	return v, nil
}

// moment reads the value of a parameter that is an age, a date or a time.
func moment(param, value string, now time.Time, example string) (time.Time, error) {
	t, err := query.ParseMoment(value, now)
	if err != nil {
		return t, &RequestError{Params: []string{param}, Err: err,
			Hint: "an age such as " + example + ", a date such as 2026-01-31, or a time"}
	}
	return t, nil
}

// Check refuses a request that cannot be carried out.
func (r PruneRequest) Check() error {
	_, err := r.view(time.Now())
	return err
}

// allStore is the graph of all episodes, where the one on disk shows fewer.
const allStore = "mem:prune"

// Prune counts what a view leaves of the graph and, unless it is a dry run, makes it
// the view of every question from now on. Nothing is deleted.
func (m *Memory) Prune(ctx context.Context, r PruneRequest) (*PruneAnswer, error) {
	v, err := r.view(m.now())
	if err != nil {
		return nil, err
	}
	g, err := m.wholeGraph(ctx)
	if err != nil {
		return nil, err
	}
	a := &PruneAnswer{View: v, DryRun: r.DryRun}
	a.All, a.Left, err = g.Rehearse(v.Start(), v.Edges())
	_ = g.Close()
	m.here.graph = nil
	if err != nil {
		return nil, fmt.Errorf("count what is in view: %w", err)
	}
	a.Hidden = graph.Census{Episodes: a.All.Episodes - a.Left.Episodes, Nodes: a.All.Nodes - a.Left.Nodes,
		Edges: a.All.Edges - a.Left.Edges}
	if r.DryRun {
		return a, nil
	}
	_, a.LeftOut, err = m.change(ctx, func() error { return m.folder.SaveView(v) })
	return a, err
}

// wholeGraph opens the graph of all episodes.
func (m *Memory) wholeGraph(ctx context.Context) (*graph.Graph, error) {
	m.here.settle(ctx)
	m.here.store.View = graph.View{}
	if m.folder.View().Before == "" {
		return m.here.openGraph(ctx)
	}
	src, err := m.here.set()
	if err != nil {
		return nil, err
	}
	src.Entries = src.All
	if _, err := graph.Rebuild(ctx, allStore, src, m.here.store.Options); err != nil {
		return nil, fmt.Errorf("make the graph of all episodes: %w", err)
	}
	return graph.Open(ctx, allStore, m.here.store.Options)
}

// Text says what the view shows and hides.
func (a *PruneAnswer) Text(tokens int) string {
	count := func(c graph.Census) string {
		return term.Plural(c.Episodes, "episode") + ", " + term.Plural(c.Nodes, "node") + ", " + term.Plural(c.Edges, "edge")
	}
	return term.Cut(fmt.Sprintf("view: %s\n%s: %s\nleft in view: %s", viewText(a.View), wouldBe(a.DryRun)+"hidden", count(a.Hidden), count(a.Left)), tokens)
}

// viewText says what a view shows.
func viewText(v memory.View) string {
	var parts []string
	if v.Before != "" {
		parts = append(parts, "sessions since "+v.Before)
	}
	if v.MinWeight > 0 {
		parts = append(parts, fmt.Sprintf("links of weight %g or more", v.MinWeight))
	}
	if v.MinSupport > 0 {
		parts = append(parts, "links stated by "+term.Plural(v.MinSupport, "episode")+" or more")
	}
	if parts == nil {
		return "everything"
	}
	return strings.Join(parts, "; ")
}
