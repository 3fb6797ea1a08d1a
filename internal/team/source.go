package team

import (
	"context"
	"fmt"

	"episodes/episode"
	"episodes/graph"
	"episodes/graph/engine"
)

// Source is what the graph of the project is made from: its shared episodes.
type Source struct {
	Store   *Store
	Context context.Context     // of the work that the source is for
	Known   map[string]*Episode // that need not be read again, by id; nil: none
	Parse   func(id string, body []byte) (*episode.Episode, error)

	listed map[string]string // the hash of each episode
}

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

// Load returns one of them, as it was listed. Others push meanwhile: the error is then
// engine.ErrLost, since all has to be listed again.
func (s *Source) Load(id string) (*episode.Episode, error) {
	if e := s.Known[id]; e != nil && e.SHA256 == s.listed[id] {
		return s.Parse(id, e.Body)
	}
	found, err := s.Store.Bodies(s.Context, []string{id})
	if err != nil {
		return nil, err
	}
	if len(found) == 0 || found[0].Private || found[0].SHA256 != s.listed[id] {
		return nil, fmt.Errorf("%w: episode %q was changed meanwhile", engine.ErrLost, id)
	}
	return s.Parse(id, found[0].Body)
}
