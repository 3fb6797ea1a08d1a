package ask

import (
	"fmt"

	"episodes/keys"
)

// What takes long to compute is kept in derived files beside the graph. Each
// names the state that it was computed from; of another state, damaged or absent, it
// is computed again. The answers are the same either way.
const (
	recordsName  = "records.cbor"  // records.go: what the statistics read of each episode
	studyName    = "study.cbor"    // study.go: the statistics over all episodes
	patternsName = "patterns.cbor" // mine.go: the patterns in them
)

// stateOf names what derived files are computed from: the set of episodes in the
// graph, by its digest, and the rules by which their facts meet.
func stateOf(digest string) string { return fmt.Sprintf("%s keys %d", digest, keys.Version) }
