package graph

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"syscall"
	"testing"

	"github.com/cayleygraph/cayley/graph"
	"github.com/cayleygraph/cayley/graph/proto"
	"github.com/hidal-go/hidalgo/kv/flat"
	protobuf "google.golang.org/protobuf/proto"
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
