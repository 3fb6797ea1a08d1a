package keys

import "testing"

func TestFailing(t *testing.T) {
	for content, want := range map[string]bool{
		"TypeError on empty input":              true,
		"ENOSPC: no space left on device":       true,
		"fatal: not a repository":               true,
		"Regressions: 0 detected":               false,
		"Structured error metadata":             false,
		"the cache grows without a bound":       false,
		"ERROR HANDLING - all handlers have it": false,
	} {
		if got := Failing(Event("error", content), content); got != want {
			t.Errorf("%q: %v", content, got)
		}
	}
	if !Failing("error: forge pack: archiv cannot open", "forge pack: cannot open the archive") {
		t.Error("a key that names the command is no failure")
	}
}
