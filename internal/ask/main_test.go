package ask

import (
	"testing"

	"episodes/internal/testing/localtest"
	"episodes/internal/testing/pgtest"
)

func TestMain(m *testing.M) { pgtest.Main(localtest.Isolated{Tests: m}) }
