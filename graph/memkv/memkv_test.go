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
		t.Cleanup(func() { memkv.Forget(t.Name()) })
		return func(format int) engine.Store { return memkv.Open(t.Name(), format) }
	})
}

// hidalgo's own suite: order, prefixes, seeks, read-only transactions, and ten
// writers that must not lose an increment.
func TestHidalgo(t *testing.T) {
	kvtest.RunTestLocal(t, flat.UpgradeOpenPath(func(string) (flat.KV, error) { return memkv.New(), nil }), nil)
}

func TestForgotten(t *testing.T) {
	g, err := memkv.Open(t.Name(), 1).Create()
	if err != nil {
		t.Fatal(err)
	}
	memkv.Forget(t.Name())
	if err := memkv.Open(t.Name(), 1).Publish(g.Name()); err == nil {
		t.Error("a store that was forgotten is still there")
	}
}
