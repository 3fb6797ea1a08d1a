package serve

import (
	"os"
	"testing"

	"episodes/internal/testing/localtest"
)

func TestMain(m *testing.M) { os.Exit(localtest.Isolated{Tests: m}.Run()) }
