package serve

import (
	"os"
	"testing"

	"episodes/internal/testing/localtest"
)

func TestMain(m *testing.M) {
	code := localtest.Isolated{Tests: m}.Run()
	if chromium.end != nil {
		chromium.end()
	}
	os.Exit(code)
}
