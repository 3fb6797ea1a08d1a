package memkv_test

import (
	"testing"

	"github.com/hidal-go/hidalgo/kv/flat"
	"github.com/hidal-go/hidalgo/kv/kvtest"

	"episodes/graph/engine"
	"episodes/graph/memkv"
	"episodes/internal/testing/enginetest"
)

func TestContract(t *testing.T) {
	enginetest.Run(t, func(t *testing.T) func(int) engine.Store {
		return func(format int) engine.Store { return memkv.Open(t.Name(), format) }
	})
}

// hidalgo's own suite: order, prefixes, seeks, read-only transactions, and ten
// writers that must not lose an increment.
func TestHidalgo(t *testing.T) {
	kvtest.RunTestLocal(t, flat.UpgradeOpenPath(func(string) (flat.KV, error) { return memkv.New(), nil }), nil)
}
