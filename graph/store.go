package graph

import (
	"context"
	"errors"
	"fmt"
	"time"

	"episodes/graph/engine"
	"episodes/keys"
)

// Format is the version of the layout that doc.go describes.
//
//	1  the first
//	2  edges into a node by type, and with the frequency of their source
//	3  no punctuation before the colon in the labels of decisions
//	4  episodes of older tools count as causal.OfOlderTool says
//	5  no index of the words of decisions, and no parts of the set; every label
//	   of a node has a record
//	6  contributions of episodes as in package causal, with the decisions of each in
//	   one record; a record for each word of a node
//	7  exact copies of an episode count once; decisions have the day of their session
//	8  the episodes of one session count once, not only exact copies
//	9  near copies are of one session even if their days differ
const Format = 9

// rules are what a store must agree on with the program that opens it.
type rules struct{ format, keys int }

var ours = rules{Format, keys.Version}

// openToRead opens the current generation of a store, and a transaction on it.
func openToRead(ctx context.Context, s engine.Store, opt Options) (engine.Generation, *transaction, error) {
	g, err := s.Read(ctx, opt.wait())
	if err != nil {
		return nil, nil, err
	}
	t := &transaction{kv: g}
	if err := t.begin(ctx, false); err != nil {
		_ = g.Close()
		return nil, nil, err
	}
	return g, t, nil
}

const defaultLockTimeout = 10 * time.Second

// wait says how long to wait for other processes.
func (o Options) wait() engine.Wait {
	w := engine.Wait{Timeout: max(o.LockTimeout, 0), Who: o.Who}
	if o.LockTimeout == 0 {
		w.Timeout = defaultLockTimeout
	}
	return w
}

// readMeta reads the record that says what the store is. ErrVersion when this is
// not what want says.
func readMeta(ctx context.Context, t *transaction, want rules) (metaRecord, error) {
	var m metaRecord
	v, err := t.get(ctx, []byte(keyMeta))
	if err != nil {
		return m, err
	}
	if v == nil {
		return m, badKey([]byte(keyMeta), "missing")
	}
	// The first two fields are the same in every version; the others are not.
	var head []any
	if err := decode([]byte(keyMeta), v, &head); err != nil {
		return m, err
	}
	if len(head) < 2 {
		return m, badKey([]byte(keyMeta), "too short")
	}
	found := rules{asInt(head[0]), asInt(head[1])}
	if found.format != want.format {
		return m, fmt.Errorf("%w: found format %d, want %d", ErrVersion, found.format, want.format)
	}
	if found.keys != want.keys {
		return m, fmt.Errorf("%w: %w", errOtherKeys, &FormatError{Found: found.keys, Want: want.keys})
	}
	return m, decode([]byte(keyMeta), v, &m)
}

// errOtherKeys is the ErrVersion of a store of this format.
var errOtherKeys = errors.New("it was made with other key rules")

func asInt(v any) int {
	switch n := v.(type) {
	case uint64:
		return int(n)
	case int64:
		return int(n)
	}
	return -1
}
