package graph

import (
	"fmt"
	"strings"

	"github.com/fxamacker/cbor/v2"

	"episodes/causal"
	"episodes/graph/engine"
)

// The values of records, in CBOR. Lists of ids are byte strings. Fields are
// encoded by position, so a change here is a change of Format.

// metaRecord says what the store is and what it holds in all. Its first two
// fields must never move: they are how another version recognises itself.
type metaRecord struct {
	_      struct{} `cbor:",toarray"`
	Format int
	Keys   int // keys.Version
	Digest digest
	Quads  int // in Cayley, alive
	Dead   int // in Cayley, deleted but still in its log
	Totals totals
}

// totals are causal.Totals as they are counted.
type totals struct {
	_         struct{} `cbor:",toarray"`
	Episodes  int
	Copies    int
	Decisions int
	Evidence  int
	Shared    int
	Isolated  int
	Nodes     [len(nodeTypes)]int
	Edges     [len(linkTypes)]int
	Outcomes  causal.Tally
}

// episodeRecord is what one episode says, without its decisions.
type episodeRecord struct {
	_                   struct{} `cbor:",toarray"`
	Time                string
	Print               causal.Print
	Decisions           int // how many
	causal.Contribution `cbor:"says"`
}

// nodeRecord is a node.
type nodeRecord struct {
	_         struct{} `cbor:",toarray"`
	Type      byte
	Key       string
	Frequency int
	Tally     [len(outcomes)]int // by outcomeNumber
	Degree    int                // edges that touch it
	Label     label              // the best of its labels
}

var (
	encMode = must(cbor.CoreDetEncOptions().EncMode())
	decMode = must(cbor.DecOptions{MaxArrayElements: 1 << 30}.DecMode())
)

func must[T any](v T, err error) T {
	if err != nil {
		panic(err) // the options above are constants
	}
	return v
}

func encode(v any) []byte {
	b, err := encMode.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("graph: encode %T: %v", v, err)) // no record holds what CBOR cannot
	}
	return b
}

// decode reads a record; what is no record is damage.
func decode(key, value []byte, v any) error {
	if err := decMode.Unmarshal(value, v); err != nil {
		return badKey(key, err.Error())
	}
	return nil
}

// badKey is the error for a record that cannot be.
func badKey(key []byte, why string) error {
	return fmt.Errorf("%w: record %q: %s", ErrDamaged, key, strings.TrimPrefix(why, "cbor: "))
}

// FormatError is the ErrVersion that says which versions they are.
type FormatError = engine.FormatError

// ErrDamaged and its like are those of the engines, so that what an engine finds
// and what this package finds is one thing to the caller.
var (
	// ErrDamaged: the store contradicts itself or its checksums. Rebuild it.
	ErrDamaged = engine.ErrDamaged
	// ErrVersion: the store has another format or other key rules. Rebuild it.
	ErrVersion = engine.ErrVersion
	// ErrFull: the disk has too little room to write safely.
	ErrFull = engine.ErrFull
)
