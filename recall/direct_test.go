package recall

import "testing"

// What belongs to an error with a code of its own is no answer to another error.
func TestForeignByCode(t *testing.T) {
	d := func(text string) *Document { return &Document{Kind: Decision, Class: Fix, Text: text} }
	for _, c := range []struct {
		asked, fact string
		want        bool
	}{
		{"the job times out at its lock", "LEDGER_BUSY: the job waits for its lock\narchive moved to noon", true},
		{"the job times out at its lock", "6 tests failed because of LEDGER_BUSY: the job waits\narchive moved to noon", true},
		{"the job times out at its lock", "ENOENT: no such lock\nmade the folder", true},
		{"LEDGER_BUSY: the job waits for its lock", "LEDGER_BUSY: the job waits for its lock\narchive moved to noon", false},
		{"the job times out at its lock", "the job times out at its lock\nasked for a longer lease", false},
		{"the job times out at its lock", "ERROR: the job times out at its lock\nasked for a longer lease", false},
	} {
		if got := Analyse(AnError, c.asked).foreign(d(c.fact)); got != c.want {
			t.Errorf("%q of %q: %v", c.fact, c.asked, got)
		}
	}
	if Analyse(ATask, "lock of the job").foreign(d("LEDGER_BUSY: the job waits for its lock\narchive moved to noon")) {
		t.Error("a task has no error of its own")
	}
}
