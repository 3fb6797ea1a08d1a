package episodes_test

import (
	"os"
	"testing"

	"episodes/internal/testing/localtest"
)

func TestMain(m *testing.M) { os.Exit(localtest.Isolated{Tests: m}.Run()) }

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
