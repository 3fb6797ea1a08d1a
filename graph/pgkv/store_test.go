package pgkv

import (
	"errors"
	"testing"

	"github.com/hidal-go/hidalgo/kv/flat"
	"github.com/hidal-go/hidalgo/kv/kvtest"

	"episodes/graph/engine"
	"episodes/internal/pg"
	"episodes/internal/testing/enginetest"
	"episodes/internal/testing/pgtest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

func project(t *testing.T, url, name string) string {
	t.Helper()
	url, err := pg.WithProject(url, name)
	if err != nil {
		t.Fatal(err)
	}
	return url
}

func TestContract(t *testing.T) {
	url := pgtest.Store(t)
	enginetest.Run(t, func(t *testing.T) func(int) engine.Store {
		url := project(t, pgtest.Login(t, url, "ada", "episodes_writer"), t.Name())
		return func(format int) engine.Store { return Open(url, format) }
	})
}

// hidalgo's own suite: order, prefixes, seeks, read-only transactions, and ten writers that
// must not lose an increment.
func TestHidalgo(t *testing.T) {
	url := pgtest.Store(t)
	kvtest.RunTestLocal(t, flat.UpgradeOpenPath(func(path string) (flat.KV, error) {
		s := Open(project(t, url, path), 1)
		release, err := s.Lock(t.Context(), engine.Wait{})
		if err != nil {
			return nil, err
		}
		defer release()
		g, err := s.Create()
		if err != nil {
			return nil, err
		}
		if err := errors.Join(g.Close(), s.Publish(g.Name())); err != nil {
			return nil, err
		}
		return s.Write(t.Context(), engine.Wait{})
	}), nil)
}
