package actions

import (
	"slices"
	"testing"

	"episodes/episode"
	"episodes/extract/internal/facts"
	"episodes/internal/turns"
)

// Steps that any way of working has, and words without content, decide nothing.
func TestAnnouncedStepsDecideNothing(t *testing.T) {
	for _, c := range []string{
		"There is no script yet. Let's create a script named `repro.py`.",
		"The issue has an example. We'll create a file called `repro.py` and paste the example.",
		"The list is missing. We'll need to locate the part that fills it.",
		"The file is too long to read, because nobody split it. Let's use the `find_in` command to find the parser.",
		"The total is wrong. Let's scroll down to line 80.",
		"The total is wrong. Next, I'll update the parser of the total.",
		"The parser is broken. Let me fix this by:",
	} {
		if got := statementsIn(c, false); got != nil {
			t.Errorf("%q decides nothing, but: %s", c, got[0].chosen)
		}
	}
}

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

func TestRepairsOfSlips(t *testing.T) {
	for says, want := range map[string]int{
		"The last edit left duplicate lines, since it was off by one. I'll remove the total from the cart.": 0,
		"I edited cart.go instead of tax.go. I'll move the total to the tax, since that is its place.":      0,
		"The cart rounds twice, since the tax is not exact. I'll round the total of the cart once.":         1,
	} {
		k := (&talk{}).user("x").edit("/cart.go", "a", "b").says(says).edit("/cart.go", "b", "cart total tax")
		if got := told(k.draft(t), "decision"); len(got) != want {
			t.Errorf("%q: decisions %q, want %d", says, got, want)
		}
	}
}

func TestShortAnswers(t *testing.T) {
	const list = "Three ways:\n\n1. **SQLite**: one file\n2. **Postgres**: a server\n3. **Files**: none\n\nWhich one?"
	for words, want := range map[string][]string{
		"2":                    {"Postgres**: a server"},
		"b":                    {"Postgres**: a server"},
		"top 2":                {"SQLite**: one file; Postgres**: a server"},
		"1 and 3":              {"SQLite**: one file; Files**: none"},
		"9":                    nil,
		"a lot more than that": nil,
	} {
		d := (&talk{}).user("add a store").says(list).user(words).draft(t)
		if got := told(d, "decision"); !slices.Equal(got, want) {
			t.Errorf("%q: decisions %q, want %q", words, got, want)
		}
	}
	ask := turns.ToolCall{Name: "question", Tool: turns.Ask, Text: "Which store?\nWhich mode?"}
	d := (&talk{}).user("add a store").call(ask, turns.ToolResult{State: turns.OK, Said: "SQLite\nWAL"}).draft(t)
	if got := told(d, "decision"); !slices.Equal(got, []string{"SQLite", "WAL"}) {
		t.Errorf("an answer to each question, got %q", got)
	}
	d = (&talk{}).user("add a store").call(ask, turns.ToolResult{State: turns.OK, Said: "Always expanded, in all modes"}).draft(t)
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
		{"any reason of a refusal", refused("keep it on this machine for now"), 1},
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

// A decision fails with what takes it back, and holds with a check of its own files.
func TestWhatShowsOutcomes(t *testing.T) {
	k := func() *talk {
		return (&talk{}).user("x").says("I'm switching to `sync.Map` because of the races.").edit("/cart.go", "a", "var m sync.Map")
	}
	for _, c := range []struct {
		name string
		k    *talk
		want episode.Outcome
	}{
		{"a check of its test", k().sh("pytest tests/test_cart.py", 0, "2 passed in 0.1s"), episode.Success},
		{"an edit that takes it back", k().edit("/cart.go", "var m sync.Map", "a"), episode.Failure},
	} {
		found := false
		for _, f := range c.k.draft(t).Facts {
			if f.Kind == facts.Decision {
				if found = true; f.Decision.Outcome != c.want {
					t.Errorf("%s: %s, want %s", c.name, f.Decision.Outcome, c.want)
				}
				break
			}
		}
		if !found {
			t.Errorf("%s: no decision", c.name)
		}
	}
}

// What surrounds the user's words shows that they turn the agent around.
func TestTurnedAround(t *testing.T) {
	work := func() *talk { return (&talk{}).user("x").edit("/a.go", "a", "b").says("Done.") }
	stop := turns.Turn{Role: turns.Stop}
	for _, c := range []struct {
		name string
		k    *talk
		want int
	}{
		{"who stops the agent, which then changes its work", (&talk{}).user("x").edit("/a.go", "a", "b").put(stop).user("use the table of the shop").edit("/a.go", "b", "c"), 1},
		{"who stops it and gives another task", (&talk{}).user("x").edit("/a.go", "a", "b").put(stop).user("make a table of the shop").edit("/b.go", "b", "c"), 0},
		{"who stops it and lets it go on", (&talk{}).user("x").edit("/a.go", "a", "b").put(stop).user("continue please"), 0},
		{"who stops it and asks", (&talk{}).user("x").edit("/a.go", "a", "b").put(stop).user("where is the table of the shop?"), 0},
		{"an error, and the agent changes its work", work().user("I get this error when I save").edit("/a.go", "b", "c"), 1},
		{"an error, and it changes something else", work().user("I get this error when I save").edit("/b.go", "b", "c"), 0},
		{"an error, and it changes nothing", work().user("I get this error when I save").says("That is from the server."), 0},
		{"Chinese", work().user("不对,应该用另一个表"), 1},
		{"German", work().user("Das funktioniert nicht mit leeren Listen"), 1},
		{"Czech", work().user("furt nic"), 1},
		{"Portuguese, of an error that is answered", work().user("agora aparece um erro ao salvar").edit("/a.go", "b", "c"), 1},
		{"Portuguese, of another one", work().user("mostra um erro ao salvar sem nome").edit("/b.go", "b", "c"), 0},
		{"what a program says of the human", work().user("The user wants to clarify these questions. No answer is wrong."), 0},
		{"a question of what happened", work().user("why did this step take so long"), 0},
		{"a wish", work().user("现在添加一个新页面").edit("/b.go", "b", "c"), 0},
	} {
		if got := told(c.k.draft(t), "correction"); len(got) != c.want {
			t.Errorf("%s: corrections %q, want %d", c.name, got, c.want)
		}
	}
}

func TestOtherLanguages(t *testing.T) {
	for says, want := range map[string]int{
		"SQLite 不支持并发写入,改用 `pgx` 连接。":                      1,
		"因为 `sync.Map` 更慢,我决定保留 `pgx`。":                    1,
		"现在更新 `pgx` 的文档。":                                  0,
		"Ich nehme `pgx` statt `sqlite`.":                  1,
		"Vou usar `pgx` porque o outro bloqueia a tabela.": 1,
		"Je vais lire `pgx` d'abord.":                      0,
		"`sqlite` ではなく `pgx` を使います。":                       1,
		"Используем `lib` вместо драйвера.":                0, // and does something else
	} {
		d := (&talk{}).user("x").says(says).edit("/db.go", "sqlite.Open()", "pgx.Open()").draft(t)
		if got := told(d, "decision"); len(got) != want {
			t.Errorf("%q: decisions %q, want %d", says, got, want)
		}
	}
	const list = "有两个方案:\n\n**方案一：前缀**\n\n**方案二：`names.md` 文件**\n\n采用哪个？"
	for words, want := range map[string]int{"采用方案二": 1, "方案三": 0, "为什么是方案二？": 0} {
		if got := told((&talk{}).user("x").says(list).user(words).draft(t), "decision"); len(got) != want {
			t.Errorf("%q: decisions %q, want %d", words, got, want)
		}
	}
}
