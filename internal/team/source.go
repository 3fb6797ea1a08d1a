package team

import (
	"context"
	"fmt"

	"episodes/episode"
	"episodes/graph"
)

// Source is what the graph of the project is made from: its shared episodes.
type Source struct {
	Store   *Store
	Context context.Context     // of the work that the source is for
	Known   map[string]*Episode // that need not be read again, by id; nil: none
	Parse   func(id string, body []byte) (*episode.Episode, error)
}

// List returns the shared episodes.
func (s *Source) List() ([]graph.Entry, error) {
	versions, err := s.Store.Versions(s.Context)
	if err != nil {
		return nil, err
	}
	set := make([]graph.Entry, 0, len(versions))
	for _, v := range versions {
		if !v.Private {
			set = append(set, graph.Entry{ID: v.ID, Hash: v.SHA256})
		}
	}
	return set, nil
}

// Load returns one of them.
func (s *Source) Load(id string) (*episode.Episode, error) {
	if e := s.Known[id]; e != nil {
		return s.Parse(id, e.Body)
	}
	return s.Store.Load(s.Context, id, s.Parse)
}

// Load returns an episode of the project: the shared one, or else what this login keeps
// private.
func (s *Store) Load(ctx context.Context, id string, parse func(id string, body []byte) (*episode.Episode, error)) (*episode.Episode, error) {
	found, err := s.Bodies(ctx, []string{id})
	if err != nil {
		return nil, err
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("episode %q is not in project %q of the team store", id, s.Name())
	}
	return parse(id, found[0].Body)
}
