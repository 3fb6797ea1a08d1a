package recall_test

import (
	"fmt"
	"strings"
	"testing"

	"episodes/episode"
	"episodes/recall"
)

// asked gives the answer of a memory with one log to an error.
func asked(t *testing.T, log, output string) string {
	t.Helper()
	x := open(t, append(catalogue(40), session("gate", "2026-03-01", log, func(e *episode.Episode) { e.Task = "" })))
	if a := ask(t, x, recall.AnError, output); a != nil {
		return a.Text(recall.Budget)
	}
	return ""
}

const gateFailed = "GateError: the harbor gate holds the walnut ledger and refuses the copper parcel"

// The lines that say what helped are quoted, not only those that the error matches.
func TestTheCureComesFirst(t *testing.T) {
	for name, c := range map[string]struct{ log, want string }{
		"a label":   {"# Run\n\nstatus: failed\n\nBecause of the tide: " + gateFailed + "\n\nRetry guidance:\n1. Run `gate --health` first.\n", "Fix: \"Run `gate --health` first.\""},
		"a section": {"# Run\n\n## Observation\n\nBecause of the tide: " + gateFailed + "\n\n## Fix applied (local)\n\nAdded `--tide` to the call of the gate.\n", "Fix: \"Added `--tide` to the call of the gate.\""},
		"a file":    {"# Run\n\nBecause of the tide: " + gateFailed + "\n\n## Fix\n\n- Changed: `gate/tide.py`\n- Removed the stale entry `TIDE`\n", "Fix: \"Removed the stale entry `TIDE`\""},
		"a change":  {"# Run\n\nBecause of the tide: " + gateFailed + "\n\n```diff\n-gate --ebb walnut\n+gate --tide walnut\n```\n", "Log: \"-gate --ebb walnut / +gate --tide walnut\""},
		"a block":   {"# Run\n\nBecause of the tide: " + gateFailed + "\n\n**Correct Solution:**\n\n```sh\ngate --drain walnut\ngate --open {\nall }\n```\n", "Fix: \"gate --drain walnut; gate --open { all }\""},
		"a benefit": {"# Run\n\nBecause of the tide: " + gateFailed + "\n\n## Fix\n\n- Benefit: the pilots sleep `longer` at night\n- Fill the lock of the gate with `gate --fill`\n", "Fix: \"Fill the lock of the gate with `gate --fill`\""},
		"stars":     {"# Run\n\nBecause of **the tide**: make: *** [Makefile:22: gate] " + gateFailed + "\n", "Log: \"Because of the tide: make: *** [Makefile:22: gate] GateError"},
	} {
		if text := asked(t, c.log, gateFailed); !strings.HasPrefix(text, c.want) {
			t.Errorf("%s: %q does not have %q", name, text, c.want)
		}
	}
}

// Only what was done or is to do about the error is its fix, and only if it helped.
func TestNoFix(t *testing.T) {
	for text, fix := range map[string]bool{
		"Fix: fill the lock of the gate with `gate --fill`":                                                                   true,
		"Fix: fill the lock of the gate with `gate --fill`\n- The harbor is open again":                                       true,
		"Fix: fill the lock of the gate with `gate --fill`\n- The gate is still blocked after that":                           false,
		"Fix: fill the lock of the gate with `gate --fill`\n- Status: the error was not resolved":                             false,
		"Problem: nobody filled the lock of the gate with `gate --fill`":                                                      false,
		"Resolution:\n- Monitor the logs of the harbor, it should open in a minute or two":                                    false,
		"Resolution:\n- Benefit: the pilots of the harbor sleep longer at night":                                              false,
		"Resolution:\n- Monitor the logs of the harbor, it should open in a minute\n- Use `gate --fill` for the lock instead": true,
	} {
		log := "# Run\n\nBecause of the tide: " + gateFailed + "\n\n- " + text + "\n"
		if got := asked(t, log, gateFailed); got == "" || strings.Contains(got, "Fix: \"") != fix {
			t.Errorf("%s:\n%s", text, got)
		}
	}
}

// A cause and a fix below headings of their own are of one matter, and those of the next are not.
func TestFixesAreOfTheSection(t *testing.T) {
	for heading, joined := range map[string]bool{"### Resolution\n": true, "## Painting the lantern\n": false, "## Painting the lantern\n\n### Fix\n": false, "## The\n": false} {
		log := "# Run\n\n## The gate\n\n### Problem\n\nBecause of the tide: " + gateFailed + "\n\n" + heading + "\nFix: mix the ochre with `gate --oil` before the morning.\n"
		if text := asked(t, log, gateFailed); text == "" || strings.Contains(text, "ochre") != joined {
			t.Errorf("%s:\n%s", heading, text)
		}
	}
}

// What only says that it works now is no fix, and nothing is said twice.
func TestAFixSaysWhatToDo(t *testing.T) {
	log := "# Run\n\n" + gateFailed + "\n\nResolution: use `gate --tide` from now on\n\nFix: The build now succeeds\n"
	text := asked(t, log, gateFailed)
	if !strings.HasPrefix(text, "Fix: \"use `gate --tide` from now on\"") || strings.Count(text, "--tide") != 1 || strings.Contains(text, "Fix: \"The build") {
		t.Errorf("%s", text)
	}
	first, _, _ := strings.Cut(asked(t, strings.Replace(log, "from now on", strings.Repeat("from now on ", 30), 1), gateFailed), "\n")
	if first, _, _ = strings.Cut(first, " (gate.md"); len(first) > len("Fix: \"\"")+120 || !strings.HasSuffix(first, "…\"") {
		t.Errorf("%d bytes: %s", len(first), first)
	}
}

// How it is after a change is no fix, but what to do after it may be one.
func TestTheStateAfterAChangeIsNoFix(t *testing.T) {
	for after, fix := range map[string]bool{"`gate --ebb` opens and prints the walnut ledger": false, "run `gate --ebb` with the walnut ledger": true} {
		log := "# Run\n\nBecause of the tide: " + gateFailed + "\n\nFix: With the import resolved, " + after + "\n"
		if text := asked(t, log, gateFailed); text == "" || strings.HasPrefix(text, "Fix: ") != fix {
			t.Errorf("%s: %q", after, text)
		}
	}
}

// A message that many errors share is not known by another name that it quotes, nor a failure by
// the command that was run.
func TestAnotherNameIsAnotherError(t *testing.T) {
	log := "# Run\n\nThe keeper stops: cannot read the entry 'lantern' of an empty ledger. Fix: fill the ledger of the lantern.\n"
	for name, known := range map[string]bool{"lantern": true, "anchor": false} {
		text := asked(t, log, "TypeError: cannot read the entry '"+name+"' of an empty ledger\n")
		if got := strings.Contains(text, "fill the ledger"); got != known {
			t.Errorf("%s: %q", name, text)
		}
	}
	log = "# Run\n\nFix: `keeper harbor gate --tide --walnut copper` waits for the tide.\n"
	if text := asked(t, log, "$ keeper harbor gate --tide --walnut copper\nunknown command: lantern\n"); text != "" {
		t.Errorf("known by its command: %q", text)
	}
}

// A fix or a cause of an error with another type, code or name is no fix or cause of this one, and
// neither is what ended another error in a transcript, nor a line of the output itself.
func TestFixesAreOfTheError(t *testing.T) {
	log := "# Run\n\nKeeperError: 409 the gate of 'lantern' holds the walnut ledger and refuses the copper parcel.\n\nFix: fill the ledger of the harbor before the tide.\n"
	for text, known := range map[string]bool{
		"KeeperError: 409 the gate of 'lantern' holds the walnut ledger and refuses the copper parcel": true,
		"AnchorError: 409 the gate of 'lantern' holds the walnut ledger and refuses the copper parcel": false,
		"KeeperError: 404 the gate of 'lantern' holds the walnut ledger and refuses the copper parcel": false,
		"KeeperError: 409 the gate of 'anchor' holds the walnut ledger and refuses the copper parcel":  false,
	} {
		if got := strings.HasPrefix(asked(t, log, text), "Fix: "); got != known {
			t.Errorf("%s: a fix is %v", text, got)
		}
	}
	for cause, known := range map[string]bool{gateFailed: true, "RibbonError: no candle in the basket": false} {
		x := open(t, append(catalogue(40), session("gate", "2026-03-01", "# Run\n\nBecause of the tide: "+gateFailed+"\n", func(e *episode.Episode) {
			e.Task = ""
			e.Events = []episode.Event{{ID: "e001", Type: episode.Error, Content: "gate: " + cause}, {ID: "e002", Type: episode.Milestone, Content: "edit of gate.go: `hold()` → `wait()`"}}
			e.Links = []episode.Link{{Type: episode.Prevents, Source: "e002", Target: "e001"}}
			e.Provenance.Spans = map[string]episode.Span{"e001": {3, 3}, "e002": {3, 3}}
		})))
		if a := ask(t, x, recall.AnError, gateFailed); a == nil || strings.HasPrefix(a.Text(recall.Budget), "Fix: ") != known {
			t.Errorf("%s: %+v", cause, a)
		}
	}
	log = "# Run\n\nBecause of the tide: " + gateFailed + "\n\nResolution:\n- " + gateFailed + "\n"
	if text := asked(t, log, gateFailed); text == "" || strings.HasPrefix(text, "Fix: ") {
		t.Errorf("the error as its fix: %s", text)
	}
}

// The log that shows the error answers with what follows it, though only others have advice.
func TestWhatFollowsTheErrorAnswers(t *testing.T) {
	other := session("other", "2026-03-02", "# Run\n\nFix: the copper parcel of the ledger is painted in the harbor.\n", func(e *episode.Episode) { e.Task = "" })
	x := open(t, append(catalogue(40), other, session("gate", "2026-03-01", "# Run\n\n## Asked\n\n"+gateFailed+"\n\n## Said\n\nAsk the pilot of the harbor, he opens it by hand.\n",
		func(e *episode.Episode) { e.Task = "" })))
	if a := ask(t, x, recall.AnError, gateFailed); a == nil || a.Statements[0].Episode != "episode-gate" || !strings.Contains(a.Statements[0].Text(), "Ask the pilot") {
		t.Errorf("%+v", a)
	}
}

// What was rejected answers who is about to do it before what was done, and how to undo a fix is
// not one.
func TestRejectedWaysComeFirst(t *testing.T) {
	log := "# Run\n\n## What worked\n\nThe harbor ledger is copied with the walnut snapshot because of the tide.\n\n## What didn't\n\nThe harbor ledger copied without the snapshot loses its lantern, therefore rejected because of the tide.\n"
	x := open(t, append(catalogue(40), session("gate", "2026-03-01", log, func(e *episode.Episode) { e.Task = "" })))
	if a := ask(t, x, recall.ATask, "copy the harbor ledger with the walnut snapshot of the tide"); a == nil || !strings.Contains(a.Statements[0].Text(), "loses its lantern") {
		t.Errorf("%+v", a)
	}
	log = "# Run\n\nBecause of the tide: " + gateFailed + "\n\nResolution: revert gate.go to its previous content\n"
	if text := asked(t, log, gateFailed); text == "" || strings.HasPrefix(text, "Fix: ") {
		t.Errorf("%s", text)
	}
}

// Where nothing is known well enough, the closest place is one line, on request.
func TestTheClosestIsOneLine(t *testing.T) {
	all := catalogue(40)
	for i := range 8 {
		all = append(all, session(fmt.Sprint("tide", i), "2026-02-01", "# Run\n\nThe keeper decided: anchor and lantern are painted because of the tide.\n", nil))
	}
	x := open(t, all)
	const task = "paint the anchor and the lantern of the keeper"
	if sure := ask(t, x, recall.ATask, task); sure != nil {
		t.Fatalf("%+v", sure)
	}
	near, err := x.Closest(recall.Analyse(recall.ATask, task))
	if err != nil || near == nil || !near.Weak {
		t.Fatalf("%+v, %v", near, err)
	}
	if text := near.Text(recall.Budget); !strings.HasPrefix(text, "closest, not sure: \"") || strings.Count(text, "\n") != 1 || len(text) > 160 {
		t.Errorf("%s", text)
	}
}

// Pairs of letters alone are no evidence where a question has words.
func TestPairsOfLetters(t *testing.T) {
	log := "# Run\n\nFix: 倉庫の台帳を毎朝整理して保存する。\n"
	for question, known := range map[string]bool{"倉庫の台帳を毎朝整理して保存する": true, "harborlightの倉庫の台帳を毎朝整理して保存する": false} {
		x := open(t, append(catalogue(40), session("gate", "2026-03-01", log, func(e *episode.Episode) { e.Task = "" })))
		if a := ask(t, x, recall.ATask, question); (a != nil) != known {
			t.Errorf("%s: %+v", question, a)
		}
	}
}
