package recall_test

import (
	"bytes"
	"fmt"
	"io"
	"slices"
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

// What many programs say at the end of a line is not the error: what failed is in the rest of the line.
func TestACommonEndOfALineIsNotTheError(t *testing.T) {
	logs := append(catalogue(40),
		session("download", "2026-03-01", "# Log\n\nThe download of the sail failed: 404 Not Found.\n\nFix: pin the sail to 1.26 in the lock file.\n", nil),
		session("snapshot", "2026-03-01", "# Log\n\nThe snapshot of the ledger failed: context deadline exceeded\n\nFix: raise the heartbeat of the ledger to 500 ms.\n", nil),
		session("relay", "2026-02-01", "# Log\n\nThe deploy stopped: the relay lost its quorum on the walnut shard.\n\nFix: drain the walnut shard before the relay restarts.\n", nil))
	if a := ask(t, open(t, logs), recall.AnError, "Error: cannot publish the chart of harbor: 404 Not Found"); a != nil {
		t.Errorf("another 404 is told: %s", a.Text(recall.Budget))
	}
	a := ask(t, open(t, logs), recall.AnError, "deploy: relay lost its quorum on shard walnut: context deadline exceeded")
	if a == nil || !strings.HasPrefix(a.Text(recall.Budget), "Fix: \"drain the walnut shard before the relay restarts.\" (relay.md:5)") {
		t.Errorf("the relay: %+v", a)
	}
}

// The words between those that count do not weigh against a log that has them, too.
func TestALineOfManySmallWordsStands(t *testing.T) {
	const failure = "the file of the relay was not there for any of the tenants and the harbor that it is in"
	x := open(t, append(neighbours(), session("other", "2026-03-01", "# Log\n\nThe tenant of the relay has no harbor file.\n\nFix: paint the tenants.\n", nil),
		session("stands", "2026-02-01", "# Log\n\n- Error: "+failure+"\n- Linked the harbor to it\n", nil)))
	a := ask(t, x, recall.AnError, "error: "+failure)
	if a == nil || !strings.HasPrefix(a.Text(recall.Budget), "Log: \"Linked the harbor to it\" (stands.md:4)") {
		t.Errorf("%+v", a)
	}
}

// However many logs have the words of a line more often, the one that has the line is told; what it says below the
// line is not called the error.
func TestALineStandsAmongMany(t *testing.T) {
	var logs []*recall.Session
	for i := range 60 {
		logs = append(logs, session(fmt.Sprintf("n%d", i), "2026-03-02", "# Log\n\nPilot lantern refused, boat pilot refused lantern boat: lantern refused pilot, the boat refused the pilot. Pilot boat, lantern, pilot boat.\n\nFix: restart the lantern of the pilot boat.\n", nil))
	}
	logs = append(append(logs, catalogue(40)...), session("stands", "2026-02-01", "# Log\n\n- Pilot boat 4711 refused the lantern\n- Gave it a wick of brass\n- Then we looked at other matters of the day, such as the copper and the tunnel\n", nil))
	a := ask(t, open(t, logs), recall.AnError, "error: pilot boat 4711 refused the lantern")
	if a == nil || !strings.HasPrefix(a.Text(recall.Budget), "Log: \"Gave it a wick of brass / ") {
		t.Fatalf("%+v", a)
	}
	x := open(t, append(catalogue(40), session("short", "2026-02-01", "# Log\n\n- Pilot boat 4711 refused the lantern\n- Gave the pilot a lantern of brass\n", nil)))
	if a := ask(t, x, recall.AnError, "error: pilot boat 4711 refused the lantern"); a == nil || !strings.HasPrefix(a.Text(recall.Budget), "Log: \"Gave the pilot a lantern of brass\" (short.md:4)") {
		t.Errorf("%+v", a)
	}
}

// counting counts the reads of a segment.
type counting struct {
	io.ReaderAt
	n int
}

func (c *counting) ReadAt(p []byte, at int64) (int, error) { c.n++; return c.ReaderAt.ReadAt(p, at) }

// However many logs have the words of however many clauses, a bounded number of documents is read.
func TestFewDocumentsAreReadForALine(t *testing.T) {
	words := strings.Fields("anchor beacon copper dredger estuary ferry gangway harbor inlet jetty keel lantern mooring nautical outrigger pilot")
	reversed := slices.Clone(words)
	slices.Reverse(reversed)
	var logs []*recall.Session
	for i := range 600 {
		logs = append(logs, session(fmt.Sprint("n", i), "2026-03-02", "# Log\n\n"+strings.Join(reversed, " ")+"\n", nil))
	}
	data := build(append(logs, catalogue(6000)...))
	read := &counting{ReaderAt: bytes.NewReader(data)}
	s, err := recall.OpenSegment(read, int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	read.n = 0
	ask(t, recall.NewIndex([]*recall.Segment{s}, []map[int]bool{nil}), recall.AnError, "error: "+strings.Join(words, ": a b "))
	if read.n > 1500 {
		t.Errorf("%d reads", read.n)
	}
}
