package serve

import (
	"os"
	"testing"

	"episodes/internal/testing/localtest"
)

// browsed are tests with a browser, which ends after them.
type browsed struct{ *testing.M }

func (b browsed) Run() int {
	code := localtest.Isolated{Tests: b.M}.Run()
	if chromium.end != nil {
		chromium.end()
	}
	return code
}

func TestMain(m *testing.M) { os.Exit(browsed{m}.Run()) }
