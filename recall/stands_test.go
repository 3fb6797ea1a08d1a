package recall_test

import (
	"strings"
	"testing"

	"episodes/recall"
)

// neighbours are logs with fixes of other errors, in many of the words of those that are asked about.
func neighbours() []*recall.Session {
	return append(catalogue(40),
		session("retry", "2026-03-01", "# Log\n\nThe relay failed: it answers 404.\n\nFix: give the relay the path of the harbor.\n", nil),
		session("lock", "2026-03-02", "# Log\n\nThe relay failed: no certificate.\n\nRoot cause: the relay was old.\n\nFix: install the certificate of the relay.\n", nil),
		session("pack", "2026-03-03", "# Log\n\nReading parcel.mod failed: running pack requires a network.\n\nFix: run pack behind the proxy.\n", nil))
}

// A line that stands word for word in a log is told first, whatever other logs say of nearly the same words.
func TestWhatStandsInALogIsToldFirst(t *testing.T) {
	for name, c := range map[string]struct{ log, pasted, want string }{
		"a name and a number": {"# Log\n\n- Relay 503 on the quay\n- Gave the relay the key of the tenant, and it answers\n", "relay 503",
			"Log: \"Relay 503 on the quay / Gave the relay the key of the tenant, and it answers\" (stands.md:3)"},
		"behind the name of a program, in another version": {"# Log\n\n- First build failed: `parcel.mod requires pack >= 1.24.0 (running pack 1.22.8)`\n- Lowered the wharf to 5.5 and built again\n",
			"pack: errors reading parcel.mod: parcel.mod requires pack >= 1.24 (running pack 1.22.8)", "Lowered the wharf to 5.5 and built again\" (stands.md:"},
		"in a row": {"# Log\n\n| Error | State | What was done |\n|---|---|---|\n| Relay 503 on the quay | done | Gave the relay a key |\n| Quay 12 is dark | open | nothing yet |\n", "relay 503 on the quay",
			"Relay 503 on the quay | done | Gave the relay a key |\" (stands.md:5)"},
		"one of several items": {"# Log\n\n## Found\n\n1. The lamp of the quay: fixed by a new bulb\n2. Stale key: the relay fails with `503: the tenant is unknown`, fixed by a new key\n\n## Changes\n\n- Added a coat of paint to the relay\n", "curl: 503: the tenant is unknown",
			"Log: \"2. Stale key: the relay fails with `503: the tenant is unknown`, fixed by a new key\" (stands.md:6)"},
	} {
		x := open(t, append(neighbours(), session("stands", "2026-02-01", c.log, nil)))
		a := ask(t, x, recall.AnError, c.pasted)
		if a == nil {
			t.Errorf("%s: no answer", name)
		} else if text := a.Text(recall.Budget); !strings.Contains(text, c.want) || strings.Contains(text, "(retry.md") || strings.Contains(text, "(lock.md") || strings.Contains(text, "(pack.md") {
			t.Errorf("%s: %q is not all of:\n%s", name, c.want, text)
		}
	}
	if a := ask(t, open(t, neighbours()), recall.AnError, "relay 503"); a != nil {
		t.Errorf("another number is told: %s", a.Text(recall.Budget))
	}
}

// An error was seen again where the same message was, not where words of it were.
func TestOnlyTheSameErrorWasSeenAgain(t *testing.T) {
	const failure = "LedgerLockError: tenant walnut holds the parcel snapshot"
	fixed := session("fixed", "2026-03-01", "# Log\n\nThe importer stopped: "+failure+"\n\nFix: close the snapshot before the import.\n", nil)
	for message, again := range map[string]bool{
		failure: true,
		"LedgerLockError: the parcel of the walnut tenant is open": false,
		"tenant walnut holds the parcel meadow":                    false,
	} {
		later := session("later", "2026-04-01", "# Log\n\nThe importer failed: "+message+"\n\nRoot cause: nobody knows.\n", nil)
		a := ask(t, open(t, append(catalogue(40), fixed, later)), recall.AnError, failure)
		if a == nil {
			t.Fatalf("%s: no answer", message)
		}
		if text := a.Text(recall.Budget); strings.Contains(text, "Seen in 2 sessions") != again || strings.Contains(text, "seen again") != again || !strings.Contains(text, "close the snapshot") {
			t.Errorf("%s:\n%s", message, text)
		}
	}
}
