package ledger

import (
	"os"
	"testing"

	"episodes/internal/testing/localtest"
)

func TestMain(m *testing.M) {
	if os.Getenv(asTeller) != "" {
		tellMany()
		return
	}
	os.Exit(localtest.Isolated{Tests: m}.Run())
}
