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

// DefaultStore is the URL of the memory's own graph.
func (l Location) DefaultStore() string {
	return stores.InFolder((&Memory{Location: l}).GraphDir())
}
