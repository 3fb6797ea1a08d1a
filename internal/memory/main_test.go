package memory

import (
	"os"
	"testing"

	"episodes/internal/testing/localtest"
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(adder); dir != "" {
		addForever(dir, os.Getenv(adderRun))
	}
	os.Exit(localtest.Isolated{Tests: m}.Run())
}
