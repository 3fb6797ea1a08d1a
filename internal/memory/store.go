package memory

import (
	"episodes/graph"
	"episodes/graph/stores"
)

// GraphOptions say which graph belongs to the memory and how to work on it.
type GraphOptions struct {
	Store string // URL
	graph.Options
}

// GraphNamed is the URL of a graph of other episodes, next to the one of the memory.
func (m *Memory) GraphNamed(name string) string {
	return stores.InFolder(m.path(derivedDir, furtherGraph+name))
}

// furtherGraph begins the names of the folders of such graphs.
const furtherGraph = graphName + "-"

// DefaultStore is the URL of the memory's own graph.
func (l Location) DefaultStore() string {
	return stores.InFolder((&Memory{Location: l}).GraphDir())
}
