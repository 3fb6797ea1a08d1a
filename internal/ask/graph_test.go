package ask

import (
	"context"
	"errors"
	"testing"
	"time"

	"episodes/graph"
	"episodes/graph/engine"
	"episodes/graph/stores"
)

// A graph that an older program made is made again, one of a newer program is refused, also where the index
// says that all episodes are in it.
func TestGraphOfAnotherVersion(t *testing.T) {
	ctx := context.Background()
	for _, c := range []struct {
		format int
		newer  bool
	}{{graph.Format - 1, false}, {graph.Format + 1, true}} {
		m := memoryOf(t, 2)
		if _, err := opened(t, m.Options).Timeline(ctx, ListRequest{}); err != nil { // makes the graph and the index
			t.Fatal(err)
		}
		asked := opened(t, m.Options)
		of := asked.source.(*local)
		of.settle(ctx)
		st, err := stores.Open(of.store.Store, c.format, of.store.Options.Token)
		if err != nil {
			t.Fatal(err)
		}
		release, err := st.Lock(ctx, engine.Wait{Timeout: time.Minute})
		if err != nil {
			t.Fatal(err)
		}
		g, err := st.Create()
		if err == nil {
			err = errors.Join(g.Close(), st.Publish(g.Name()))
		}
		release()
		if err != nil {
			t.Fatal(err)
		}
		a, err := asked.Timeline(ctx, ListRequest{})
		if refused, ok := errors.AsType[*graph.FormatError](err); c.newer != (ok && refused.Newer()) || !c.newer && (err != nil || a.Total != 2) {
			t.Errorf("format %d: %+v, %v", c.format, a, err)
		}
	}
}
