package recall_test

import (
	"fmt"
	"strings"
	"testing"

	"episodes/episode"
	"episodes/recall"
)

// said makes a session of a transcript with a turn of each text, every ten lines.
func said(id string, turns ...string) *recall.Session {
	s := session(id, "2026-03-01", "", func(e *episode.Episode) { e.Task = "" })
	for i, text := range turns {
		s.AddSaid(episode.Span{10*i + 1, 10*i + 8}, text, 0)
	}
	return s
}

// first gives the first quotation of the answer of a memory, or "".
func first(t *testing.T, want recall.Want, question string, sessions ...*recall.Session) string {
	t.Helper()
	if a := ask(t, open(t, append(catalogue(40), sessions...)), want, question); a != nil {
		return a.Statements[0].Quotes[0].Text
	}
	return ""
}

// The passage that explains an error or decides a choice is quoted first, and not the one that has
// more words of the question.
func TestThePassageThatAnswersIsQuoted(t *testing.T) {
	for name, c := range map[string]struct {
		want             recall.Want
		log, question    string
		quoted, unquoted string
	}{
		"a cure nine lines below the error": {recall.AnError,
			"# Run\n\n## Observation\n\n" + gateFailed + "\n\n## Steps\n\nLooked at the tide.\n\nLooked at the moon.\n\n" +
				"## Root cause\n\nCause: the harbor keeper opens the walnut ledger twice at high tide, so one opening waits for the other.\n",
			gateFailed, "opens the walnut ledger twice", "refuses the copper"},
		"words of the error in another section": {recall.AnError,
			"# Run\n\n## Observation\n\n```\n" + gateFailed + "\n```\nRoot cause: high tide.\n\n## Inventory\n\n" +
				"The gate of the harbor has a ledger, which the pilot counts and weighs on every morning of the year before breakfast.\n",
			gateFailed, "high tide", "the pilot"},
		"the decision of a choice": {recall.AChoice,
			"# Run\n\n## Options\n\nThe harbor gate should be painted with copper or with walnut, because of the tide and the salt of the harbor.\n\n" +
				"## Decision\n\nIt was walnut that the pilot took, as copper turns green in a year.\n",
			"Should the harbor gate be painted with copper or with walnut because of the tide?", "turns green", "the salt"},
	} {
		text := first(t, c.want, c.question, session("gate", "2026-03-01", c.log, func(e *episode.Episode) { e.Task = "" }))
		if !strings.Contains(text, c.quoted) || strings.Contains(text, c.unquoted) {
			t.Errorf("%s: %q", name, text)
		}
	}
}

// Templates, instructions, plans and lists of files answer nothing; a search finds them.
func TestWhatNobodyFoundOutAnswersNothing(t *testing.T) {
	const failure = "FalconError: violet falcon above the marble meadow has no saddle"
	const turn = failure + "\n\nFix: raise the anchor, because the saddle is too short.\n"
	const files = "- `violet/falcon_error.go`\n- `above/marble_meadow.go`\n- `has/no_saddle.go`\n"
	for name, c := range map[string]struct {
		text string
		says bool
	}{
		"a finding":       {turn, true},
		"a template":      {turn + "\nName: [Name of the falcon]\nPlace: [Place of the anchor]\nDate: [Date of the raising]\n", false},
		"a form":          {turn + "\n{{name}} at {{place}} on {{date}}\n", false},
		"instructions":    {turn + "\nYou MUST look up. NEVER look down. ALWAYS wear a hat. IMPORTANT: wait. DO NOT run.\n", false},
		"a plan":          {turn + strings.Repeat("\n- Given a falcon\n- When it is raised\n- Then it flies\n", 3), false},
		"files":           {files, false},
		"files on a line": {"Files: `falcon_error.go`, `violet.go`, `above.go`, `marble.go`, `meadow.go` & `saddle.go`", false},
		"changed files":   {files + "- `anchor/rope.go`: longer, as the falcon is high\n", false},
	} {
		s := said("falcon", c.text, "The pilot of the meadow looks after it every morning from now on.")
		if text := first(t, recall.AnError, failure, s); (text != "") != c.says {
			t.Errorf("%s: %q", name, text)
		}
		const found = failure + "\nFix: ask the keeper of the meadow, because he has it.\n"
		after := said("falcon", found, c.text[strings.Index(c.text, "\n")+1:])
		if a := ask(t, open(t, append(catalogue(40), after)), recall.AnError, failure); a == nil || strings.Contains(a.Text(recall.Budget), "raise the anchor") != c.says {
			t.Errorf("%s follows: %+v", name, a)
		}
		if hits := find(t, open(t, append(catalogue(40), s)), failure, recall.Filter{Limit: 1}); len(hits) != 1 || hits[0].Lines[1] > 8 {
			t.Errorf("%s is not found: %+v", name, hits)
		}
	}
}

// What was only said answers a task with two rare words or many, and an error with its key line or
// rare words of it. What a log says answers with fewer.
func TestWhatWasOnlySaidNeedsRareWords(t *testing.T) {
	const finding = "Fix: move the violet falcon away from the basket and the candle, because ribbon, carpet and pepper burn."
	all := []*recall.Session{nil}
	for _, rare := range []string{"garden", "river"} {
		all = append(all, session(rare, "2026-01-01", "# Log\n\nThe "+rare+" is old.\n", func(e *episode.Episode) { e.Task = "" }))
	}
	for i := range 15 {
		common := strings.Fields("basket candle ribbon carpet pepper")[i%5]
		all = append(all, session(fmt.Sprint("other", i), "2026-01-01", "# Log\n\nThe "+common+" is old.\n", func(e *episode.Episode) { e.Task = "" }))
	}
	for _, c := range []struct {
		want         recall.Want
		question     string
		said, logged bool
	}{
		{recall.ATask, "move the violet falcon", true, true},
		{recall.ATask, "a violet basket with a candle", false, true},
		{recall.ATask, "violet basket, candle, ribbon, carpet", true, true},
		{recall.AnError, "fatal: the violet falcon burns in the basket", true, true},
		{recall.AnError, "fatal: basket, candle, ribbon and pepper in the garden of the river", false, true},
	} {
		all[0] = said("falcon", finding)
		if text := first(t, c.want, c.question, all...); (text != "") != c.said {
			t.Errorf("said, %s: %q", c.question, text)
		}
		all[0] = session("falcon", "2026-03-01", "# Log\n\n"+finding+"\n", func(e *episode.Episode) { e.Task = "" })
		if text := first(t, c.want, c.question, all...); (text != "") != c.logged {
			t.Errorf("logged, %s: %q", c.question, text)
		}
	}
}

// A host, a pair of numbers and the reply of a server find the log that has them, though another
// one says the rest.
func TestMarksOfAnOutputFindTheirLog(t *testing.T) {
	for _, c := range []struct{ output, log, other string }{
		{"cannot reach https://parcels.harbor.example/v1/list", "parcels.harbor.example", "https://lantern.example/v1/list"},
		{"permission denied for user 1337:1337", "`user: 1337:1337`", "`user: 1000:1000`"},
		{"upload stopped: 502 Bad Gateway", "HTTP 502", "HTTP 404"},
		{"HTTPError: 502 Server Error", "HTTP/1.1 502 Bad Gateway", "HTTP/1.1 404 Not Found"},
	} {
		log := func(id, date, mark string) *recall.Session {
			return session(id, date, "# Log\n\nFix: ask the keeper, because it was "+mark+" that stopped the upload.\n", func(e *episode.Episode) { e.Task = "" })
		}
		hits := find(t, open(t, append(catalogue(20), log("right", "2026-01-01", c.log), log("wrong", "2026-05-05", c.other))), c.output, recall.Filter{Limit: 1})
		if len(hits) != 1 || hits[0].Episode != "episode-right" {
			t.Errorf("%q finds %+v", c.output, hits)
		}
	}
}
