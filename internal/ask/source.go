package ask

import (
	"context"
	"errors"
	"time"

	"episodes/episode"
	"episodes/graph"
	"episodes/internal/memory"
	"episodes/internal/team"
	"episodes/query"
	"episodes/recall"
)

// source is where a question finds its episodes and its graph. Each implementation is one way
// to look at a memory: local, asItIs, sharedPart and teamProject. A question asks the source
// of its Memory and does not know which one it is.
//
// Episodes are named as the source's own answers name them: by their ids, or by project and id
// where a source covers several projects.
type source interface {
	// openGraph returns the causal graph, which the source keeps open until it is closed.
	openGraph(ctx context.Context) (*graph.Graph, error)
	// recall calls ask with an index of retrieval that can answer a question; nil: any.
	recall(ctx context.Context, q *recall.Question, ask func(*recall.Index) error) error
	// withNotes adds notes of other tools to an index that recall gave, where there are any.
	withNotes(x *recall.Index) (*recall.Index, error)

	// find returns the id of the one episode that a reference names: an id, a session, or a
	// unique prefix. Errors: *NoEpisodeError, *AmbiguousError.
	find(ref string) (string, error)
	// load returns an episode by its id; what older tools left in it is redacted. The error is
	// ErrNoEpisode if it does not exist.
	load(id string) (*episode.Episode, error)
	// loader returns what loads some episodes, in several goroutines, and the hashes of their
	// files.
	loader(ids []string) (from query.Episodes, hash map[string]string, err error)
	// there reports whether an episode that an index knows still exists.
	there(name string) bool
	// isPrivate reports whether an episode is this user's alone.
	isPrivate(name string) bool
	// project takes the name of an episode apart; project is "" where there is only one.
	project(name string) (project, id string)
	// view is what the graph shows; zero: everything.
	view() memory.View

	// readKept returns what writeKept kept under a name and a key; nil where there is nothing.
	readKept(name, key string) []byte
	// writeKept keeps data that can be made again, or nothing of that name if data is nil; where
	// nothing is kept it does nothing.
	writeKept(name, key string, data []byte) error
	// teamStore connects to the team's store. The error is a *RequestError where none is asked.
	teamStore(ctx context.Context) (*team.Store, error)
	// close closes what was opened, but for the folder of the memory.
	close()
}

// Open opens a memory. The error is ErrNoMemory if the folder does not exist, unless a team's
// store is asked.
func Open(o Options) (*Memory, error) {
	folder, err := memory.Open(o.Location)
	absent := err
	if o.Team != "" && errors.Is(err, ErrNoMemory) {
		folder, err = memory.Nowhere(o.Location), nil
	}
	if err != nil {
		return nil, err
	}
	folder.Note = o.Note
	o.notePrivate(folder)
	m := &Memory{Options: o, folder: folder}
	m.here = newLocal(&m.Options, folder, absent)
	switch {
	case o.Team != "":
		m.source = &teamProject{Options: &m.Options, here: m.here}
	case o.AsItIs:
		m.source = asItIs{m.here}
	case o.Shared && folder.HasPrivate():
		m.source = newSharedPart(m.here)
	default:
		m.source = m.here
	}
	return m, nil
}

// GraphOptions is how rooms below work on the memory's graph. The URL of a team's store names no
// graph.
func (o Options) GraphOptions() memory.GraphOptions {
	g := memory.GraphOptions{Store: o.Store,
		Options: graph.Options{LockTimeout: o.LockTimeout, Who: o.Who, Progress: o.progress("episodes into the graph", toGraph)}}
	if g.Store == "" || team.Is(g.Store) {
		g.Store = o.Location.DefaultStore()
	}
	if g.LockTimeout == 0 {
		g.LockTimeout = time.Nanosecond // the graph takes 0 for its default
	}
	return g
}
