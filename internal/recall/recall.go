// Package recall opens a memory for questions: it finds episodes by what people
// call them, brings the graph in step with the episode files before it answers,
// and quotes the lines of logs that are still what they were.
package recall

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"episodes/graph"
	"episodes/infer"
	"episodes/internal/lock"
	"episodes/internal/memory"
	"episodes/internal/track"
	"episodes/query"
)

// Options say which memory to ask, and how.
type Options struct {
	Location memory.Location
	Graph    memory.GraphOptions
	Now      func() time.Time
	Note     func(text string) // something to tell the user beside the answer
}

// Session is a memory that is being asked.
type Session struct {
	*memory.Memory
	opt   Options
	graph *graph.Graph
	study *infer.Study
	kept  []keptRecord // of the episodes of graph; nil until needed
	// changed: a file is no longer what graph was made from, so nothing made of both
	// is to be kept.
	changed bool
	// Unreadable are the episode files that Summaries could not open.
	Unreadable []error
}

// Open opens a memory; the error is memory.ErrNone when there is none.
func Open(o Options) (*Session, error) {
	m, err := memory.Open(o.Location)
	if err != nil {
		return nil, err
	}
	o.Graph.View = m.View().Edges()
	return &Session{Memory: m, opt: o}, nil
}

// Close ends the session.
func (s *Session) Close() {
	if s.graph != nil {
		_ = s.graph.Close()
	}
	s.Memory.Close()
}

func (s *Session) note(format string, args ...any) {
	if s.opt.Note != nil {
		s.opt.Note(fmt.Sprintf(format, args...))
	}
}

// Summaries tells of all episodes what a list shows of them, by id. One that is no
// valid episode is noted and left out; files that may not be read are kept in
// Unreadable.
func (s *Session) Summaries() ([]query.EpisodeSummary, error) {
	files, _, err := s.Files()
	if err != nil {
		return nil, err
	}
	all := make([]query.EpisodeSummary, len(files))
	errs := make([]error, len(files))
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(files)) {
		wg.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(files)); i = next.Add(1) - 1 {
				ep, err := s.Memory.Load(files[i].ID)
				if errs[i] = err; err == nil {
					all[i] = query.Summarise(ep)
				}
			}
		})
	}
	wg.Wait()
	out := all[:0]
	for i, err := range errs {
		switch {
		case err == nil:
			out = append(out, all[i])
		case errors.Is(err, fs.ErrPermission):
			s.Unreadable = append(s.Unreadable, err)
		case !errors.Is(err, fs.ErrNotExist):
			s.note("left out: %v", err)
		}
	}
	return out, nil
}

// Graph opens the graph, in step with the episode files where that is possible:
// it is made or updated under the lock. When another process keeps the lock, the
// answer comes from the graph as it is, with a note; when the folder cannot be
// written, from a graph in memory.
func (s *Session) Graph(ctx context.Context) (*graph.Graph, error) {
	if s.graph != nil {
		return s.graph, nil
	}
	if digest, ok := track.InStep(s.Memory, s.opt.Graph.Store); ok {
		g, err := s.openGraph(ctx, s.opt.Graph.Store)
		if err != nil && !errors.Is(err, graph.ErrMissing) {
			return nil, err
		}
		if err == nil {
			info, err := g.Info()
			if err == nil && info.Digest == digest {
				s.graph = g
				return g, nil
			}
			_ = g.Close() // somebody else has written to it
		}
	}
	store, err := s.step(ctx)
	if err != nil {
		return nil, err
	}
	s.graph, err = s.openGraph(ctx, store)
	return s.graph, err
}

func (s *Session) openGraph(ctx context.Context, store string) (*graph.Graph, error) {
	g, err := graph.Open(ctx, store, s.opt.Graph.Options)
	if err != nil {
		return nil, fmt.Errorf("open the graph: %w", err)
	}
	return g, nil
}

// inMemory is the store that stands in for one that cannot be written.
const inMemory = "mem:recall"

// step brings the graph in step and returns the store to ask.
func (s *Session) step(ctx context.Context) (store string, err error) {
	o := s.opt.Graph
	unlock, err := s.LockFor(ctx, o)
	switch {
	case errors.Is(err, lock.ErrTimeout):
		if !s.graphExists(ctx) {
			return "", err
		}
		s.note("the graph may lack the newest episodes: %v", err)
		return o.Store, nil
	case unwritable(err):
		return s.stepInMemory(ctx)
	case err != nil:
		return "", err
	}
	defer unlock()
	rep, src, err := track.Load(s.Memory).Update(ctx, o) // nothing to do if another process did it meanwhile
	switch {
	case unwritable(err) && !memory.Private(o.Store):
		return s.stepInMemory(ctx)
	case err != nil:
		return "", fmt.Errorf("bring the graph in step: %w", err)
	}
	if n := rep.Added + rep.Changed + rep.Removed; n > 0 && !memory.Private(o.Store) {
		s.note("brought the graph in step: %d added, %d changed, %d removed", rep.Added, rep.Changed, rep.Removed)
	}
	for _, text := range src.LeftOut(rep) {
		s.note("%s", text)
	}
	return o.Store, nil
}

func (s *Session) graphExists(ctx context.Context) bool {
	g, err := graph.Open(ctx, s.opt.Graph.Store, s.opt.Graph.Options)
	if err != nil {
		return !errors.Is(err, graph.ErrMissing)
	}
	_ = g.Close()
	return true
}

// stepInMemory is step for a memory whose folder cannot be written.
func (s *Session) stepInMemory(ctx context.Context) (store string, err error) {
	s.note("%q cannot be written, so the graph is built in memory for this answer", s.DerivedDir())
	s.opt.Graph.Store = inMemory
	return s.step(ctx)
}

func unwritable(err error) bool {
	return errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) || errors.Is(err, graph.ErrFull) || errors.Is(err, syscall.ENOSPC)
}
