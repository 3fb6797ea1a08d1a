package recall_test

import (
	"fmt"
	"strings"
	"testing"

	"episodes/episode"
	"episodes/recall"
)

const gateway = `# Session

## Notes

Some text that has nothing to do with it, and nothing else either.

## Uploads

Large parcels stopped at half of their size, because the proxy closes idle sockets.

Fix: send them in chunks and retry each chunk.

## Later

We cleaned the desk.
`

func asking(id string, questions ...episode.Question) *recall.Session {
	return session(id, "2026-03-01", gateway, func(e *episode.Episode) { e.Questions = questions })
}

func onLines(text string, from, to int) episode.Question {
	return episode.Question{Kind: "error", Text: text, Lines: episode.Span{from, to}, By: "reader test"}
}

// The words of a question lead to its lines, which are quoted; the question is not.
func TestQuestionsLeadToTheirLines(t *testing.T) {
	const asks = "transferring big files hangs behind the office firewall"
	for _, q := range []episode.Question{onLines(asks, 9, 11), {Kind: "choice", Text: asks, Of: "l001", By: "agent"}} {
		s := session("gateway", "2026-03-01", gateway, func(e *episode.Episode) {
			e.Lessons = []string{"Send large parcels in chunks and retry each chunk"}
			e.Provenance.Spans = map[string]episode.Span{"l001": {11, 11}}
			e.Questions = []episode.Question{q}
		})
		x := open(t, append(catalogue(40), append(library(), s)...))
		a := ask(t, x, recall.ATask, "my transfer of big files hangs, we sit behind a firewall in the office")
		if a == nil || a.Statements[0].Episode != "episode-gateway" || a.Statements[0].Lines[0] < 9 || a.Statements[0].Lines[1] > 11 {
			t.Fatalf("%+v", a)
		}
		if text := a.Text(recall.Budget); !strings.Contains(text, "retry each chunk") || strings.Contains(text, "firewall") {
			t.Error(text)
		}
		for _, other := range []string{"the office needs a new firewall", "big files in the catalogue", "hangs"} {
			if a := ask(t, x, recall.ATask, other); a != nil {
				t.Errorf("%q: %s", other, a.Text(recall.Budget))
			}
		}
	}
}

// However many questions a log has, and whatever is in them, other answers stay as they are.
func TestQuestionsCaptureNothing(t *testing.T) {
	many := make([]episode.Question, 6000)
	for i := range many {
		many[i] = onLines(fmt.Sprintf("question %d about the ledger importer, the parcel index, quotas and the harbor", i), 9, 11)
	}
	everything := "error failed test build quota bucket tenant full upload parcel index snapshot ledger importer harbor copper tunnel page catalogue render git push command not found"
	all := make([]episode.Question, 6)
	for i := range all {
		words := strings.Fields(everything)
		all[i] = onLines(strings.Join(append(words[i:], words[:i]...), " "), 9, 11)
	}
	rest := append(catalogue(40), append(library(), session("importer", "2026-04-01", importer, nil))...)
	before := open(t, append(rest, asking("poison")))
	answers := 0
	for name, questions := range map[string][]episode.Question{"6000": many, "everything": all} {
		after := open(t, append(rest, asking("poison", questions...)))
		for _, c := range []struct {
			want recall.Want
			text string
		}{
			{recall.AnError, pasted},
			{recall.AnError, "LedgerLockError: tenant walnut holds the parcel snapshot while the harbor importer is waiting for copper"},
			{recall.AnError, "error: failed to push some refs to the harbor\ncommand not found: render"},
			{recall.ATask, "open the copper tunnel after the harbor importer has taken its snapshot of the ledger"},
			{recall.ATask, "render the index page of the catalogue and push it"},
			{recall.AChoice, "Should the build run the tests before or after it pushes the page?"},
			{recall.AnAction, "git push origin main"},
			{recall.AnAction, "the command is not found"},
		} {
			was, is := ask(t, before, c.want, c.text), ask(t, after, c.want, c.text)
			switch {
			case was == nil && is == nil:
				continue
			case was == nil || is == nil || was.Text(recall.Budget) != is.Text(recall.Budget):
				t.Errorf("%s, %q: %+v, was %+v", name, c.text, is, was)
			}
			answers++
		}
	}
	if answers < 4 {
		t.Errorf("only %d answers were compared", answers)
	}
}
