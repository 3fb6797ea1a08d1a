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
		s.AddSaid(episode.Span{10*i + 1, 10*i + 8}, 0, recall.AnAgent, text, 0)
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

// Templates, instructions and plans answer nothing; a search finds them.
func TestWhatNobodyFoundOutAnswersNothing(t *testing.T) {
	const failure = "FalconError: violet falcon above the marble meadow has no saddle"
	const turn = failure + "\n\nFix: raise the anchor, because the saddle is too short.\n"
	for name, c := range map[string]struct {
		text string
		says bool
	}{
		"a finding":    {turn, true},
		"a template":   {turn + "\nName: [Name of the falcon]\nPlace: [Place of the anchor]\nDate: [Date of the raising]\n", false},
		"a form":       {turn + "\n{{name}} at {{place}} on {{date}}\n", false},
		"instructions": {turn + "\nYou MUST look up. NEVER look down. ALWAYS wear a hat. IMPORTANT: wait. DO NOT run.\n", false},
		"a plan":       {turn + strings.Repeat("\n- Given a falcon\n- When it is raised\n- Then it flies\n", 3), false},
	} {
		s := said("falcon", c.text, "The pilot of the meadow looks after it every morning from now on.")
		if text := first(t, recall.AnError, failure, s); (text != "") != c.says {
			t.Errorf("%s: %q", name, text)
		}
		if hits := find(t, open(t, append(catalogue(40), s)), failure, recall.Filter{Limit: 1}); len(hits) != 1 || hits[0].Lines[1] > 8 {
			t.Errorf("%s is not found: %+v", name, hits)
		}
	}
}

// What was only said answers an error with its key line or rare words of it. What a log says answers
// with fewer.
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
		question     string
		said, logged bool
	}{
		{"fatal: the violet falcon burns in the basket", true, true},
		{"fatal: basket, candle, ribbon, carpet and pepper in the garden of the river", false, true},
	} {
		all[0] = said("falcon", finding)
		if text := first(t, recall.AnError, c.question, all...); (text != "") != c.said {
			t.Errorf("said, %s: %q", c.question, text)
		}
		all[0] = session("falcon", "2026-03-01", "# Log\n\n"+finding+"\n", func(e *episode.Episode) { e.Task = "" })
		if text := first(t, recall.AnError, c.question, all...); (text != "") != c.logged {
			t.Errorf("logged, %s: %q", c.question, text)
		}
	}
}
