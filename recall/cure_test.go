package recall_test

import (
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
