package mcpserver

import (
	"os"
	"testing"

	"episodes/internal/local/localtest"
)

func TestMain(m *testing.M) { os.Exit(localtest.Isolated{Tests: m}.Run()) }
