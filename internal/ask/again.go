package ask

import (
	"context"

	"episodes/graph"
)

// Again calls fn again while the connection to the store is lost, within the time to wait for
// other processes. What fn does must bear being done twice.
func Again(ctx context.Context, o Options, fn func() error) error {
	return graph.Again(ctx, graph.Options{LockTimeout: o.LockTimeout}, fn)
}
