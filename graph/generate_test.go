package graph

import (
	"fmt"
	"io/fs"
	"slices"
	"sync"

	"episodes/episode"
	"episodes/internal/testing/synthetic"
)

// memorySource is a set of episodes in memory, kept as the bytes of their files.
type memorySource struct {
	mu    sync.Mutex
	files map[string][]byte
	bad   map[string]error // what Load returns instead
}

func newSource(eps ...*episode.Episode) *memorySource {
	s := &memorySource{files: map[string][]byte{}, bad: map[string]error{}}
	for _, ep := range eps {
		s.put(ep)
	}
	return s
}

func (s *memorySource) put(ep *episode.Episode) {
	b, err := episode.Marshal(ep)
	if err != nil {
		panic(err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.files[ep.ID] = b
}

func (s *memorySource) drop(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.files, id)
}

func (s *memorySource) List() ([]Entry, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := make([]Entry, 0, len(s.files))
	for id, b := range s.files {
		out = append(out, entryOf(id, b))
	}
	slices.SortFunc(out, compareEntries)
	return out, nil
}

func (s *memorySource) Load(id string) (*episode.Episode, error) {
	s.mu.Lock()
	b, ok := s.files[id]
	err := s.bad[id]
	s.mu.Unlock()
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, fmt.Errorf("%s: %w", id, fs.ErrNotExist)
	}
	return episode.Parse(b)
}

// generator makes synthetic episodes. Equal numbers give equal episodes.
type generator struct{ seed uint64 }

func (g generator) episode(i int) *episode.Episode { return synthetic.Memory{Seed: g.seed}.Episode(i) }

// episodes makes the episodes with numbers from i to before j.
func (g generator) episodes(i, j int) []*episode.Episode {
	var out []*episode.Episode
	for ; i < j; i++ {
		out = append(out, g.episode(i))
	}
	return out
}

func generated(seed uint64, n int) *memorySource {
	return newSource(generator{seed}.episodes(0, n)...)
}
