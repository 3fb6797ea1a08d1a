package actions

import (
	"slices"
	"testing"

	"episodes/internal/turns"
)

// Where each call follows words of its own, that a call follows proves nothing.
func TestPacedSessions(t *testing.T) {
	paced := func(says string) *talk {
		k := (&talk{}).user("x")
		for _, w := range []string{"First a look.", "Another look.", "And one more."} {
			k.says(w).sh("cat cart.go", 0, "a")
		}
		return k.says(says).edit("/cart.go", "a", "cart total tax")
	}
	for says, want := range map[string]int{
		"To keep the cart tidy, I'll move the tax to the total.":                   0,
		"I'll move the tax into the total, since the cart rounds twice.":           0,
		"I'll move the tax to the total instead of the cart.":                      1,
		"The problem is the tax of the cart. I'll add the tax to the total.":       1,
		"I'm going with the cart's total for the tax and hope that this is right.": 0,
	} {
		if got := told(paced(says).draft(t), "decision"); len(got) != want {
			t.Errorf("%q: decisions %q, want %d", says, got, want)
		}
	}
}

func TestShortAnswers(t *testing.T) {
	const list = "Three ways:\n\n1. **SQLite**: one file\n2. **Postgres**: a server\n3. **Files**: none\n\nWhich one?"
	for words, want := range map[string][]string{
		"2":                    {"Postgres**: a server"},
		"b":                    {"Postgres**: a server"},
		"9":                    nil,
		"a lot more than that": nil,
	} {
		d := (&talk{}).user("add a store").says(list).user(words).draft(t)
		if got := told(d, "decision"); !slices.Equal(got, want) {
			t.Errorf("%q: decisions %q, want %q", words, got, want)
		}
	}
	ask := turns.ToolCall{Name: "question", Tool: turns.Ask, Text: "Which store?\nWhich mode?"}
	d := (&talk{}).user("add a store").call(ask, turns.ToolResult{State: turns.OK, Said: "Always expanded, in all modes"}).draft(t)
	if got := told(d, "correction"); got != nil {
		t.Errorf("an answer corrects nothing, got %q", got)
	}
}

func TestCorrectionsOfTurns(t *testing.T) {
	shell := turns.ToolCall{Name: "Bash", Tool: turns.Shell, Command: "git push"}
	refused := func(words string) *talk {
		return (&talk{}).user("x").call(shell, turns.ToolResult{State: turns.Refused, Said: words})
	}
	work := func() *talk { return (&talk{}).user("x").edit("/a.go", "a", "b") }
	for _, c := range []struct {
		name string
		k    *talk
		want int
	}{
		{"who goes on himself", refused("I'll do that tomorrow"), 0},
		{"the wrong one was changed", work().says("Done.").user("you updated the cart, not the tax"), 1},
		{"what is typed and its echo", work().user("no, the other file").user("no, the other file"), 1},
		{"an answer to a question", work().says("Do you want the lock file in the commit?").user("I don't want a lock file"), 0},
		{"a rejection after a question", work().says("Anything else?").user("no, that is the wrong file"), 1},
		{"a prompt of a program", work().user("Follow this, and never stop:\n<steps strict=\"yes\">\n1. Load the cart\n</steps>"), 0},
	} {
		if got := told(c.k.draft(t), "correction"); len(got) != c.want {
			t.Errorf("%s: corrections %q, want %d", c.name, got, c.want)
		}
	}
}
