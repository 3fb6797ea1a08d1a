package graph

import (
	"errors"
	"time"

	"episodes/episode"
	"episodes/graph/engine"
	"episodes/graph/stores"
)

// What a caller has to decide on.
var (
	// ErrMissing: there is no store at the URL. Update makes one.
	ErrMissing = engine.ErrMissing
	// ErrTooLarge: an episode is larger than the store can take. It is skipped.
	ErrTooLarge = errors.New("too large")
	// ErrURL: the URL names no store that this package can open.
	ErrURL = stores.ErrURL
)

// Source is the set of episode files that a graph is made from.
type Source interface {
	// List returns the set, sorted by id. It is called while other writers are
	// kept out, so that what it returns is the newest set.
	List() ([]Entry, error)
	// Load returns one episode of it; its errors should name the file. It may be
	// called by several goroutines at once.
	Load(id string) (*episode.Episode, error)
}

// Fetcher is a Source whose episodes are on a server. Fetch is called with those that are
// loaded next, some hundreds at a time, so that each is not a round trip of its own.
type Fetcher interface {
	Source
	Fetch(next []Entry) error
}

// Entry names one version of an episode file.
type Entry struct {
	ID   string
	Hash string // SHA-256 of the bytes of the file, in hex
}

// Options say how an operation is carried out. The zero value is good.
type Options struct {
	LockTimeout time.Duration         // for another process; 0: 10 s; below 0: none
	Who         string                // the command, for those who wait
	BatchSize   int                   // episodes in one transaction, at most; 0: a good number
	View        View                  // what Open shows
	Token       string                // of who may have written the store; "": anybody
	Progress    func(done, total int) // called now and then while episodes are taken in
}

// Skipped is an episode that could not be loaded and is therefore not in the graph.
type Skipped struct {
	ID  string
	Err error
}

// Report says what an Update or a Rebuild changed.
type Report struct {
	Added, Changed, Removed, Unchanged int // episodes
	NodesAdded, NodesRemoved           int
	EdgesAdded, EdgesRemoved           int
	OfOlderTools                       int // of the episodes added and changed, see causal.OfOlderTool
	Skipped                            []Skipped
	Rebuilt                            bool   // a new generation was written
	Generation                         string // the generation that readers see now
	Digest                             string // see Info
}

// Info describes an open store.
type Info struct {
	Generation string
	Format     int    // version of the format
	Digest     string // of the set of episodes, the same in any order
}
