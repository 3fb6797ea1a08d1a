package graph

import "episodes/graph/badgerkv"

// staged is a new generation that is made in memory and written to its folder in
// one go, when it is whole. That spares Badger the merging of what comes in any
// order, and most of the time of a rebuild.
type staged struct {
	*sortedMap
	dir     string
	version uint16
	written bool
}

// maxStaged is for how many episodes that is done: they take about 25 KB each.
const maxStaged = 16 << 10

// Sync writes what there is. Nothing may be changed afterwards.
func (s *staged) Sync() error {
	if s.written {
		return nil
	}
	s.written = true
	keys := s.ordered()
	return badgerkv.Fill(s.dir, s.version, func() (key, value []byte, ok bool) {
		if len(keys) == 0 {
			return nil, nil, false
		}
		k := keys[0]
		keys = keys[1:]
		return []byte(k), s.values[k], true
	})
}
