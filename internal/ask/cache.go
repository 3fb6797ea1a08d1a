package ask

import (
	"context"
	"fmt"

	"github.com/fxamacker/cbor/v2"

	"episodes/graph"
	"episodes/keys"
)

// What takes long to compute is kept in files next to the graph. Each
// names the state that it was computed from; of another state, damaged or absent, it
// is computed again. The answers are the same either way.
const (
	recordsName     = "records"     // records.go: what the statistics read of each episode
	edgesName       = "edges"       // study.go: the statistical edges
	patternsName    = "patterns"    // mine.go: the patterns in them
	listedName      = "list"        // listed.go: what a list shows of each episode
	recurrencesName = "recurrences" // recurrences.go: the errors that came back
	remediesName    = "remedies"    // recurrences.go: what was done about them
	outlinesName    = "outlines"    // timeline.go: what pages show of each episode
	sessionsName    = "sessions"    // timeline.go: what the time line shows of each episode
	choicesName     = "choices"     // choices.go: the questions that were decided more than once
	learnedName     = "learned"     // lessons.go: the lessons of each episode
	lessonsName     = "lessons"     // lessons.go: all of them, each once
	notesName       = "notes"       // notes.go: the index of the notes of other tools
)

// stateOf names what derived files are computed from: the set of episodes in the
// graph, by its digest, and the rules by which their facts meet.
func stateOf(digest string) string { return fmt.Sprintf("%s keys %d", digest, keys.Version) }

// cached returns what load makes of the data that a source keeps under a name and a key. Where
// load makes nothing of it, make gives the data, which is then kept for the next time if keep
// is true.
func cached[T any](from source, name, key string, load func(data []byte) (T, bool),
	make func() (data []byte, keep bool, err error)) (T, error) {
	if v, ok := load(from.readKept(name, key)); ok {
		return v, nil
	}
	var none T
	data, keep, err := make()
	if err != nil {
		return none, err
	}
	if keep {
		if err := from.writeKept(name, key, data); err != nil {
			return none, err
		}
	}
	v, ok := load(data) // so that the first answer is that of all others
	if !ok {
		return none, fmt.Errorf("%s cannot be read as it was just made", name)
	}
	return v, nil
}

// keptOf returns what is computed of the graph and its episodes alone, kept for the state that it has.
func keptOf[T any](ctx context.Context, m *Memory, name string, compute func(*graph.Graph) (T, error)) (v T, err error) {
	g, err := m.openGraph(ctx)
	if err != nil {
		return v, err
	}
	load := func(data []byte) (v T, ok bool) { return v, cbor.Unmarshal(data, &v) == nil }
	return cached(m.source, name, name+" 6 "+stateOf(g.Info().Digest), load, func() ([]byte, bool, error) {
		defer m.working("reading the episodes")()
		v, err := compute(g)
		if err != nil {
			return nil, false, err
		}
		data, err := cbor.Marshal(v)
		return data, !m.changed, err
	})
}
