package pg_test

import (
	"testing"

	"episodes/internal/pgtest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }
