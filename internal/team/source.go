package team

import (
	"context"
	"fmt"

	"episodes/episode"
	"episodes/graph"
	"episodes/graph/engine"
)

// Source is what a graph of the project is made from: its shared episodes, of which a graph
// that exists already fetches only those that changed.
type Source struct {
	Store   *Store
	Context context.Context // of the work that the source is for
	Parse   func(id string, body []byte) (*episode.Episode, error)

	listed  map[string]string // the hash of each episode
	fetched map[string]Episode
}

var _ graph.Fetcher = (*Source)(nil)

// List returns the shared episodes.
func (s *Source) List() ([]graph.Entry, error) {
	versions, err := s.Store.Versions(s.Context)
	if err != nil {
		return nil, err
	}
	set := make([]graph.Entry, 0, len(versions))
	s.listed = make(map[string]string, len(versions))
	for _, v := range versions {
		if !v.Private {
			set = append(set, graph.Entry{ID: v.ID, Hash: v.SHA256})
			s.listed[v.ID] = v.SHA256
		}
	}
	return set, nil
}

// Fetch reads the bodies of the episodes that are loaded next.
func (s *Source) Fetch(next []graph.Entry) error {
	ids := make([]string, len(next))
	for i, e := range next {
		ids[i] = e.ID
	}
	found, err := s.Store.Bodies(s.Context, ids)
	if err != nil {
		return err
	}
	s.fetched = make(map[string]Episode, len(found))
	for _, e := range found {
		if !e.Private {
			s.fetched[e.ID] = e
		}
	}
	return nil
}

// Load returns an episode that was fetched. Where somebody pushed another version of it after
// List, the error is engine.ErrLost: all has to be listed again.
func (s *Source) Load(id string) (*episode.Episode, error) {
	e, ok := s.fetched[id]
	if !ok || e.SHA256 != s.listed[id] {
		return nil, fmt.Errorf("%w: episode %q was changed meanwhile", engine.ErrLost, id)
	}
	return s.Parse(id, e.Body)
}
