package memory

import (
	"os"
	"strings"

	"episodes/graph"
)

// GraphOptions say which graph belongs to the memory and how to work on it.
type GraphOptions struct {
	Store string // URL
	graph.Options
}

// Schemes of stores: in a folder, and in the memory of this process.
const (
	badgerScheme  = "badger:"
	processScheme = "mem:"
)

// KnownStore reports whether a URL is of a kind of store that there is.
func KnownStore(store string) bool {
	for _, scheme := range []string{badgerScheme, processScheme} {
		if rest, ok := strings.CutPrefix(store, scheme); ok && rest != "" {
			return true
		}
	}
	return false
}

// Private reports whether a store ends with this process, so that there is
// nothing to lock and nothing to remember.
func Private(store string) bool { return strings.HasPrefix(store, processScheme) }

// StoreExists reports, without opening it, whether something is in the folder of a
// store. It is false for a store without a folder.
func StoreExists(store string) bool {
	dir, ok := strings.CutPrefix(store, badgerScheme)
	if !ok {
		return false
	}
	entries, err := os.ReadDir(dir)
	return err == nil && len(entries) > 0
}

// DefaultStore is the URL of the memory's own graph.
func (l Location) DefaultStore() string {
	return badgerScheme + (&Memory{Location: l}).GraphDir()
}
