// Package few bounds the number of random cases that a property is tried with, so that the
// whole suite takes minutes. EPISODES_HEAVY=1 (make test-heavy) tries all of them.
package few

import (
	"flag"
	"os"
	"strconv"
	"testing"
)

// Heavy reports whether the tests may take as long as they need.
func Heavy() bool { return os.Getenv("EPISODES_HEAVY") != "" }

// Of returns n, or in a heavy run all.
func Of(n, all int) int {
	if Heavy() {
		return all
	}
	return n
}

// Checks makes rapid try the properties of a test n times, unless the run is heavy. The
// number is a flag of the whole process: the test and its parents must not run in parallel.
func Checks(t *testing.T, n int) {
	t.Helper()
	f := flag.Lookup("rapid.checks")
	if Heavy() || f == nil {
		return
	}
	before := f.Value.String()
	t.Cleanup(func() { _ = f.Value.Set(before) })
	if err := f.Value.Set(strconv.Itoa(n)); err != nil {
		t.Fatal(err)
	}
}
