package badgerkv

import (
	"testing"

	"episodes/graph/engine"
	"episodes/internal/testing/enginetest"
)

func TestContract(t *testing.T) {
	enginetest.Run(t, func(t *testing.T) func(int) engine.Store {
		dir := t.TempDir()
		return func(format int) engine.Store { return OpenStore(dir, format, "") }
	})
}
