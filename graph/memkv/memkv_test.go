package memkv_test

import (
	"testing"

	"github.com/hidal-go/hidalgo/kv/flat"
	"github.com/hidal-go/hidalgo/kv/kvtest"

	"episodes/graph/memkv"
)

// hidalgo's own suite: order, prefixes, seeks, read-only transactions, and ten
// writers that must not lose an increment.
func TestHidalgo(t *testing.T) {
	kvtest.RunTestLocal(t, flat.UpgradeOpenPath(func(string) (flat.KV, error) { return memkv.New(), nil }), nil)
}
