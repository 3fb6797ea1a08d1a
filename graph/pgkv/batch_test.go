package pgkv

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/hidal-go/hidalgo/kv/flat"

	"episodes/graph/engine"
	"episodes/internal/pg"
	"episodes/internal/testing/pgtest"
)

// What a transaction has read it forgets now and then; what it is asked for at that moment is
// no less there.
func TestForgottenReads(t *testing.T) {
	url := pgtest.Store(t)
	s := Open(project(t, url, "p"), 1)
	if err := prepare(s); err != nil {
		t.Fatal(err)
	}
	pgtest.Exec(t, url, "insert into episodes.graph_kv select id, generation, convert_to('k', 'UTF8'), 'v' from episodes.project")
	g, err := s.Read(t.Context(), engine.Wait{})
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	tx, err := g.Tx(t.Context(), false)
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Close()
	batch := tx.(interface {
		GetBatch(ctx context.Context, keys []flat.Key) ([]flat.Value, error)
	})
	var keys []flat.Key
	for i := range mostSeen + 1 {
		keys = append(keys, flat.Key(fmt.Sprint("missing", i)))
	}
	for _, some := range [][]flat.Key{{flat.Key("k")}, append(keys, flat.Key("k"))} {
		values, err := batch.GetBatch(t.Context(), some)
		if err != nil || string(values[len(some)-1]) != "v" {
			t.Errorf("of %d keys, the one that is there has %q, %v", len(some), values[len(some)-1], err)
		}
	}
}

// A store of another version is not read, and not written.
func TestVersionOfTheTables(t *testing.T) {
	url := pgtest.Store(t)
	s := Open(project(t, url, "p"), 1)
	if err := prepare(s); err != nil {
		t.Fatal(err)
	}
	pgtest.Exec(t, url, "update episodes.store set version = 99")
	_, err1 := s.Read(t.Context(), engine.Wait{})
	_, err2 := s.Write(t.Context(), engine.Wait{})
	_, err3 := s.Lock(t.Context(), engine.Wait{})
	for _, err := range []error{err1, err2, err3} {
		if !errors.Is(err, pg.ErrNoStore) {
			t.Error(err)
		}
	}
}
