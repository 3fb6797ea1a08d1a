package pg_test

import (
	"testing"

	"episodes/internal/testing/pgtest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }
