package memory

import (
	"fmt"

	"episodes/episode"
	"episodes/graph"
)

// Source gives the episode files to a graph, with their hashes taken from the
// index where the files did not change.
type Source struct {
	m       *Memory
	Entries []graph.Entry
	// Unreadable are files whose bytes cannot even be read; the graph does not
	// hear of them.
	Unreadable map[string]error
	// Whole is Entries with those that are out of view.
	Whole []graph.Entry
	// Files are the files as they were when they were listed.
	Files []File
	view  View
	// read are the bytes that were read for the hashes, of the first mostRead files:
	// what the graph is given is what they are of.
	read map[string][]byte
	pins pinned
	// pinsDigest is of the pins, from before they were read.
	pinsDigest string
}

// Source lists the set that is in view, as it is now, and refreshes idx on the way.
func (m *Memory) Source(idx *Index) (*Source, error) {
	files, _, err := m.Files()
	if err != nil {
		return nil, err
	}
	hashes, unreadable := m.Refresh(idx, files)
	s := &Source{m: m, Unreadable: unreadable, Files: files, view: m.View(), pinsDigest: m.pinsDigest(), pins: m.pinned()}
	for _, f := range files {
		if _, ok := hashes[f.ID]; ok {
			s.Whole = append(s.Whole, graph.Entry{ID: f.ID, Hash: s.pins.hash(f.ID, hashes)})
		}
	}
	s.Entries = m.inView(idx, s.Whole, s.view)
	return s, nil
}

// List returns the set, sorted by id.
func (s *Source) List() ([]graph.Entry, error) { return s.Entries, nil }

// mostRead bounds the memory of an update of many files.
const mostRead = 1024

// Load returns one episode, with its pins.
func (s *Source) Load(id string) (ep *episode.Episode, err error) {
	if data, ok := s.read[id]; ok {
		ep, err = s.m.parse(id, data)
	} else {
		ep, err = s.m.Load(id)
	}
	if err == nil {
		s.m.apply(ep, s.pins[id])
	}
	return ep, err
}

// LeftOut says, a line each, which episodes a graph could not take in, and why.
func (s *Source) LeftOut(rep graph.Report) []string {
	var out []string
	for _, id := range sortedKeys(s.Unreadable) {
		out = append(out, fmt.Sprintf("left out of the graph: %v", s.Unreadable[id]))
	}
	for _, sk := range rep.Skipped {
		out = append(out, fmt.Sprintf("left out of the graph: %v", sk.Err))
	}
	return out
}
