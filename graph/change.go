package graph

// change is what becomes of one episode.
type change struct {
	entry    Entry         // of its file, or of what is stored
	wanted   bool          // its file is in the set
	stored   bool          // the store holds it, in any version
	old, new *contribution // what it said and says; nil: nothing
}

// changeSet is what became of nodes and edges over several batches: +1 new, -1 gone.
type changeSet struct {
	nodes map[nodeID]int
	edges map[edgeID]int
}

func newChangeSet() changeSet {
	return changeSet{map[nodeID]int{}, map[edgeID]int{}}
}

func (c changeSet) add(o changeSet) {
	for id, n := range o.nodes {
		c.nodes[id] += n
	}
	for id, n := range o.edges {
		c.edges[id] += n
	}
}

// tally counts what is new and what is gone.
func tally[K comparable](m map[K]int) (added, removed int) {
	for _, n := range m {
		switch {
		case n > 0:
			added++
		case n < 0:
			removed++
		}
	}
	return added, removed
}
