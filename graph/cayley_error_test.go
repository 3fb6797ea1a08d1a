package graph

import (
	"context"
	"errors"
	"testing"

	"github.com/cayleygraph/cayley/graph"
	"github.com/cayleygraph/cayley/graph/proto"
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
		{context.Canceled, false},
		{ErrTooLarge, false},
	} {
		if got := cayleyError(c.err); !errors.Is(got, c.err) || errors.Is(got, ErrDamaged) != c.damaged {
			t.Errorf("%v became %v", c.err, got)
		}
	}
	err := func() (err error) {
		defer guard(&err)
		var none []int
		_ = none[len(none)]
		return nil
	}()
	if !errors.Is(err, ErrDamaged) {
		t.Errorf("a panic became %v", err)
	}
}
