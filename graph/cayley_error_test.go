package graph

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"syscall"
	"testing"

	"github.com/cayleygraph/cayley/graph"
	"github.com/cayleygraph/cayley/graph/proto"
	"github.com/cayleygraph/quad"
	"github.com/hidal-go/hidalgo/kv/flat"
	protobuf "google.golang.org/protobuf/proto"

	"episodes/graph/engine"
	"episodes/graph/memkv"
)

// What Cayley says of values that nobody wrote is damage, which has a way out; what
// ends a command for another reason is not.
func TestCayleyErrors(t *testing.T) {
	for _, c := range []struct {
		err     error
		damaged bool
	}{
		{protobuf.Unmarshal([]byte{0xff}, &proto.Primitive{}), true},
		{&graph.DeltaError{Err: graph.ErrQuadExists}, true},
		{&graph.DeltaError{Err: graph.ErrQuadNotExist}, true},
		{fmt.Errorf("value of 7: %w", flat.ErrNotFound), true},
		{errors.New("varint: overflow"), true},
		{context.Canceled, false},
		{&fs.PathError{Op: "read", Err: syscall.EIO}, false},
		{ErrTooLarge, false},
	} {
		if got := new(transaction).cayleyError(c.err); !errors.Is(got, c.err) || errors.Is(got, ErrDamaged) != c.damaged {
			t.Errorf("%v became %v", c.err, got)
		}
	}
	err := func() (err error) {
		defer new(transaction).guard(&err)
		var none []int
		_ = none[len(none)]
		return nil
	}()
	if !errors.Is(err, ErrDamaged) {
		t.Errorf("a panic became %v", err)
	}
}

// An error of the engine keeps its meaning on its way through Cayley, which tells some of
// them as text: a lost connection is no damage.
func TestEngineErrorsThroughCayley(t *testing.T) {
	for name, cause := range map[string]error{"lost": engine.ErrLost, "canceled": context.Canceled, "damaged": ErrDamaged, "another": errors.New("out of memory")} {
		ctx := context.Background()
		store := memkv.New()
		if _, err := newWriter(ctx, store, ours, Options{}); err != nil {
			t.Fatal(err)
		}
		tr := &transaction{kv: failing{store, fmt.Errorf("read: %w", cause)}}
		if err := tr.begin(ctx, true); err != nil {
			t.Fatal(err)
		}
		defer tr.cancel()
		f, err := openCayley(tr)
		if err != nil {
			t.Fatal(err)
		}
		if err := f.apply([]quad.Quad{quad.Make("a", "b", "c", "d")}, nil); !errors.Is(err, cause) || errors.Is(err, ErrDamaged) != (cause == ErrDamaged) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// failing is a database that cannot read the counters of Cayley.
type failing struct {
	flat.KV
	err error
}

func (f failing) Tx(ctx context.Context, rw bool) (flat.Tx, error) {
	tx, err := f.KV.Tx(ctx, rw)
	return failingTx{tx, f.err}, err
}

type failingTx struct {
	flat.Tx
	err error
}

func (f failingTx) GetBatch(ctx context.Context, keys []flat.Key) ([]flat.Value, error) {
	if len(keys) > 0 && bytes.Contains(keys[0], []byte("horizon")) {
		return nil, f.err
	}
	return f.Tx.GetBatch(ctx, keys)
}

func (f failingTx) Get(ctx context.Context, k flat.Key) (flat.Value, error) {
	if bytes.Contains(k, []byte("horizon")) {
		return nil, f.err
	}
	return f.Tx.Get(ctx, k)
}
