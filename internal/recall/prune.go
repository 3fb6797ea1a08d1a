package recall

import (
	"context"
	"fmt"

	"episodes/graph"
	"episodes/internal/memory"
	"episodes/internal/track"
)

// Pruned is what a view leaves of the graph.
type Pruned struct {
	View   memory.View  `json:"view"`
	Whole  graph.Census `json:"whole"`
	Left   graph.Census `json:"left"`
	Hidden graph.Census `json:"hidden"`
	DryRun bool         `json:"dry_run,omitempty"`
}

// pruneStore is the graph of all episodes, where the one on disk has a view already.
const pruneStore = "mem:prune"

// Prune tells what a view leaves of the graph and, unless dry, makes it the view
// of every question from now on.
func (s *Session) Prune(ctx context.Context, v memory.View, dry bool) (*Pruned, []string, error) {
	g, err := s.wholeGraph(ctx)
	if err != nil {
		return nil, nil, err
	}
	p := &Pruned{View: v, DryRun: dry}
	p.Whole, p.Left, err = g.Rehearse(v.Start(), v.Edges())
	_ = g.Close()
	s.graph = nil
	if err != nil {
		return nil, nil, fmt.Errorf("count what is in view: %w", err)
	}
	p.Hidden = graph.Census{Episodes: p.Whole.Episodes - p.Left.Episodes, Nodes: p.Whole.Nodes - p.Left.Nodes, Edges: p.Whole.Edges - p.Left.Edges}
	if dry {
		return p, nil, nil
	}
	o := s.opt.Graph
	unlock, err := s.LockFor(ctx, o)
	if err != nil {
		return nil, nil, err
	}
	defer unlock()
	if err := s.SaveView(v); err != nil {
		return nil, nil, err
	}
	rep, src, err := track.Load(s.Memory).Update(ctx, o)
	if err != nil {
		return nil, nil, fmt.Errorf("bring the graph in step: %w", err)
	}
	return p, src.LeftOut(rep), nil
}

// wholeGraph opens the graph of all episodes.
func (s *Session) wholeGraph(ctx context.Context) (*graph.Graph, error) {
	s.opt.Graph.View = graph.View{}
	if s.View().Before == "" {
		return s.Graph(ctx)
	}
	src, err := track.Load(s.Memory).Set()
	if err != nil {
		return nil, err
	}
	src.Entries = src.Whole
	if _, err := graph.Rebuild(ctx, pruneStore, src, s.opt.Graph.Options); err != nil {
		return nil, fmt.Errorf("make the graph of all episodes: %w", err)
	}
	return graph.Open(ctx, pruneStore, s.opt.Graph.Options)
}
