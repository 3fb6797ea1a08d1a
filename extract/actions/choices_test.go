package actions

import (
	"slices"
	"strings"
	"testing"

	"episodes/extract/internal/facts"
	"episodes/internal/turns"
)

func TestWordsThatCorrect(t *testing.T) {
	for _, c := range []string{
		"No, use the existing helper.",
		"That's not what I asked for, please put the banner back",
		"the page is still blank after your change",
		"You forgot to update the docs",
		"I said JSON, not YAML",
		"We shouldn't hardcode the port here",
		"This is overkill, make it simpler",
		"that's too complicated for a map",
		"thats the wrong folder, it belongs under assets",
		"it doesnt build any more",
		"I DID NOT ASK FOR A NEW DEPENDENCY",
		"logos must be svg",
		"from now on run the linter before you commit",
		"as I remind you every time: no mocks. I already said so",
		"could we just drop the default case then and list the others",
		"The test you wrote does not test anything",
		"But the spec says seconds, not milliseconds",
		"it should be a warning instead of an error",
		"sorry, my mistake. But the footer is still missing",
		"actually it's not right yet",
	} {
		if correctionIn(c) == "" {
			t.Errorf("%q is a correction", c)
		}
	}
	for _, c := range []string{
		"looks good, ship it",
		"Can you explain what this function does?",
		"No problem, take your time",
		"Actually I'm quite happy with the second table",
		"Write a migration that adds a column, but don't run it",
		"Sorry, wrong chat. Ignore that.",
		"Please go through this review:\n\n> This is wrong: the lock is never released.\n> You forgot the second caller.",
		"```\nError: you didn't pass a name\n```",
		"TypeError: x is not a function\n    at main (a.js:1:1)",
		"hmm how do I undo that setting?",
		"You must act as the archivist.\n<steps critical=\"yes\">\n1. Never leave the reading room before you are told to\n</steps>",
	} {
		if correctionIn(c) != "" {
			t.Errorf("%q is no correction", c)
		}
	}
}

func TestWordsThatDecide(t *testing.T) {
	for _, c := range []string{
		"I'll use a mutex instead of a channel here.",
		"I'm going with SQLite because the data fits on one machine.",
		"We could write a custom parser, but the standard one is simpler and good enough.",
		"I decided to keep the old endpoint so that existing clients do not break.",
		"I won't add a retry here because the caller already retries.",
		"The simplest approach is to sort before comparing.",
		"Decision: store timestamps in UTC and convert in the view.",
		"I'm not going to touch the generated code; the template is the place to change.",
		"To keep the diff small, I'll add the parameter at the end.",
		"I'm skipping the Windows tests because they need a signed driver.",
		"The alternative would be a background job, but that hides errors from the user.",
		"Switching from polling to a webhook, since polling hits the rate limit.",
		"The docs have unrelated changes; I'm staging only the parser.",
		"There is no lock on this path, so I'll take the one of the cart.",
	} {
		if statementsIn(c, false) == nil {
			t.Errorf("%q decides", c)
		}
	}
	for _, c := range []string{
		"Let me look at the file first.",
		"The test fails because the fixture is missing.",
		"The function returns nil instead of an error.",
		"The commit hook ran the linter rather than the tests.",
		"The file is missing, so I'll check the history.",
		"I'm going to inspect the repository first so that we fix the right thing.",
		"Now I should run the existing tests to make sure that nothing broke.",
		"If the zone is set, it should use that instead of UTC.",
		"Now I'll update the route to call the service.",
		"I'll add a check to ensure that the list is never empty.",
		"I'll revert the file once more to check whether it is the cause.",
		"- I'll use a mutex instead of a channel.",
		"If you prefer that, I'll use a mutex instead of a channel.",
		"The total is wrong. Next, I'll update the parser of the total.",
		"The parser is broken. Let me fix this by:",
	} {
		if got := statementsIn(c, false); got != nil {
			t.Errorf("%q decides nothing, but: %s", c, got[0].rule)
		}
	}
}

func TestWhatADecisionSays(t *testing.T) {
	for _, c := range []struct{ text, chosen, why, rejected string }{
		{"I'll use a mutex instead of a channel here because the order does not matter.", "I'll use a mutex instead of a channel here because the order does not matter.", "the order does not matter", "a channel here"},
		{"The API has no bulk endpoint. I'll batch the requests rather than change the server.", "I'll batch the requests rather than change the server.", "", "change the server"},
		{"The port is taken by the old server. I'll move ours to 8081.", "", "", ""},
		{"The port 8080 is not free. I'll move our port to 8081.", "I'll move our port to 8081.", "The port 8080 is not free.", ""},
		{"Root cause: the cache is keyed by name only. I'll fix this by adding the tenant.", "I'll fix this by adding the tenant.", "Root cause: the cache is keyed by name only.", ""},
		{"The list has no order, so I'm switching to a slice.", "The list has no order, so I'm switching to a slice.", "The list has no order", ""},
		{"I'll use a lock because two workers write, and then I'll run the tests.", "I'll use a lock because two workers write, and then I'll run the tests.", "two workers write", ""},
	} {
		got := append(statementsIn(c.text, false), statement{})[0]
		if got.chosen != c.chosen || got.why != c.why || got.rejected != c.rejected {
			t.Errorf("%q\n got %+v", c.text, got)
		}
	}
	// Code, tables, quotations and headings are no statements.
	for _, text := range []string{
		"```\nI'll use a mutex instead of a channel here.\n```",
		"> I'll use a mutex instead of a channel here.",
		"# I'll use a mutex instead of a channel here",
		"| I'll use a mutex instead of a channel here | x |",
	} {
		if statementsIn(text, true) != nil {
			t.Errorf("%q is no statement", text)
		}
	}
}

func TestChoicesOfASession(t *testing.T) {
	ask := turns.ToolCall{Name: "AskUserQuestion", Tool: turns.Ask, Text: "Which database?"}
	for _, c := range []struct {
		name        string
		k           *talk
		decisions   []string
		corrections []string
		links       string
	}{
		{"the first words of the human correct nothing",
			(&talk{}).user("No, that is wrong in the docs. Fix it."), nil, nil, ""},
		{"a correction, and the decision that answers it",
			(&talk{}).user("add a cache").says("Working on it.").user("No, not in memory.").says("I'll use Redis instead of a map in memory.").edit("/a.go", "a", "redis.New()"),
			[]string{"I'll use Redis instead of a map in memory."}, []string{"No, not in memory."},
			"No, not in memory. -> I'll use Redis instead of a map in memory."},
		{"several answers with their questions",
			(&talk{}).user("add a store").call(ask, turns.ToolResult{State: turns.OK, Said: `"Which database?"="SQLite", "Which mode?"="WAL". You can now continue with the user's answers in mind.`}).edit("/a.go", "a", "b"),
			[]string{"SQLite", "WAL"}, nil, ""},
		{"the reason of a refusal corrects",
			(&talk{}).user("add a store").call(turns.ToolCall{Name: "Bash", Tool: turns.Shell, Command: "git push"}, turns.ToolResult{State: turns.Refused, Said: "do not push yet"}),
			nil, []string{"do not push yet"}, ""},
		{"what is said twice is decided once",
			(&talk{}).user("add a cache").says("I'll use Redis instead of a map in memory.").edit("/a.go", "a", "redis.New()").says("I'll use Redis instead of a map in memory.").edit("/b.go", "a", "redis.New()"),
			[]string{"I'll use Redis instead of a map in memory."}, nil, ""},
		{"an answer that leaves it open, or asks back, chooses nothing",
			(&talk{}).user("add a store").call(ask, turns.ToolResult{State: turns.OK, Said: "Up to you"}).call(ask, turns.ToolResult{State: turns.OK, Said: "What is the difference?"}).edit("/a.go", "a", "b"),
			nil, nil, ""},
		{"a pick among options, in words",
			(&talk{}).user("add a store").edit("/a.go", "a", "b").says("Two ways:\n\n1. **SQLite**: one file\n2. **Postgres**: a server\n\nWhich one?").user("the second sounds right").edit("/b.go", "a", "postgres server"),
			[]string{"Postgres**: a server"}, nil, ""},
		{"a yes to a proposal",
			(&talk{}).user("is the pattern there twice?").says("Yes. We could export the pattern as a constant. Want me to do that?").user("yes").edit("/b.go", "pattern", "export const pattern = 1"),
			[]string{"We could export the pattern as a constant."}, nil, ""},
		{"a yes to a next step",
			(&talk{}).user("add a store").edit("/a.go", "a", "b").says("All tests pass now. Should I commit?").user("yes").sh("git commit -am x", 0, "[main abcdef1] x\n 1 file changed"),
			nil, nil, ""},
		{"the summary at the end decides nothing new",
			(&talk{}).user("add a cache").edit("/a.go", "a", "b").says("I chose Redis instead of a map because it is shared."),
			nil, nil, ""},
		{"a question after a correction is told by the words that correct",
			(&talk{}).user("add a store").edit("/a.go", "a", "b").user("What is a lock file?\nWe don't want it in the repository."),
			nil, []string{"We don't want it in the repository."}, ""},
	} {
		d := c.k.draft(t)
		if got := told(d, "decision"); !slices.Equal(got, c.decisions) {
			t.Errorf("%s: decisions %q, want %q", c.name, got, c.decisions)
		}
		if got := told(d, "correction"); !slices.Equal(got, c.corrections) {
			t.Errorf("%s: corrections %q, want %q", c.name, got, c.corrections)
		}
		if got := linked(d); got != c.links {
			t.Errorf("%s: links %s, want %s", c.name, got, c.links)
		}
	}
}

// What is said is decided when what is done names it.
func TestStatementsAreProven(t *testing.T) {
	for _, c := range []struct {
		name string
		k    *talk
		want int
	}{
		{"an edit that has the name", (&talk{}).user("x").says("I'm switching to `sync.Map` because of the races.").edit("/a.go", "m := map[string]int{}", "var m sync.Map"), 1},
		{"an edit of something else", (&talk{}).user("x").says("I'm switching to `sync.Map` because of the races.").edit("/a.go", "a", "b"), 0},
		{"nothing", (&talk{}).user("x").says("I'm switching to `sync.Map` because of the races."), 0},
		{"an edit that was asked for later", (&talk{}).user("x").says("I'm switching to `sync.Map` because of the races.").user("ok, what else?").edit("/a.go", "a", "sync.Map"), 0},
		{"an edit that failed", (&talk{}).user("x").says("I'm switching to `sync.Map` because of the races.").tool(turns.Edit, "Edit", "/sync/Map.go", turns.Failed, "no match"), 0},
		{"a command line", (&talk{}).user("x").says("The base is stale. Let me rebase the stale base onto main.").sh("git rebase main", 0, ""), 1},
		{"a look", (&talk{}).user("x").says("The base is stale, so I'll take the list of main.").sh("cat main", 0, ""), 0},
		{"what is left alone, and any work", (&talk{}).user("x").says("I'll leave the lock file alone.").edit("/a.go", "a", "b"), 1},
		{"what follows from the cause at once", (&talk{}).user("x").says("The issue is that two keys are equal. Let me number both of these rows.").edit("/a.go", "a", "b"), 1},
		{"a fix that is not named", (&talk{}).user("x").says("The issue is that two keys are equal. Let me fix both.").edit("/a.go", "a", "b"), 0},
		{"a commit of less", (&talk{}).user("x").edit("/a.go", "a", "b").says("The notes are unrelated; I'll only commit the parser.").sh("git commit -m parser a.go", 0, "[main abcdef1] parser\n 1 file changed"), 1},
	} {
		if got := told(c.k.draft(t), "decision"); len(got) != c.want {
			t.Errorf("%s: decisions %q, want %d", c.name, got, c.want)
		}
	}
}

// The root cause of a failure that what follows ends has caused it.
func TestRootCause(t *testing.T) {
	d := (&talk{}).user("x").sh("go test ./...", 1, failing).says("The issue is that the cart rounds twice. I'll fix this by rounding the total of the cart once.").edit("/cart.go", "round(round(x))", "round(total)").sh("go test ./...", 0, passing).draft(t)
	want := "cause: The issue is that the cart rounds twice. -> go test: TestCart: got 3, want 4"
	if got := linked(d); !strings.Contains(got, want) {
		t.Errorf("links %s, want %s", got, want)
	}
}

// An answer keeps what was asked, and what else was offered.
func TestAnswerKeepsItsQuestion(t *testing.T) {
	asked := turns.ToolCall{Name: "AskUserQuestion", Tool: turns.Ask}
	asked.Asks([]turns.Question{{Question: "Which database?", Options: []turns.Option{"SQLite (Recommended)", "Postgres"}}})
	d := (&talk{}).user("add a store").call(asked, turns.ToolResult{State: turns.OK, Said: `"Which database?"="SQLite (Recommended)". You can now continue.`}).draft(t)
	i := slices.IndexFunc(d.Facts, func(f *facts.Fact) bool { return f.Kind == facts.Decision })
	if i < 0 {
		t.Fatal("no decision")
	}
	got := d.Facts[i].Decision
	if got.Context != "Which database?" || got.Chosen != "SQLite" || !slices.Equal(got.Options, []string{"SQLite", "Postgres"}) {
		t.Errorf("got %+v", got)
	}
}

func TestTask(t *testing.T) {
	for _, c := range []struct {
		name string
		k    *talk
		want string
	}{
		{"the first prompt", (&talk{}).user("make the cart add up").user("and the tax"), "make the cart add up"},
		{"a greeting is none", (&talk{}).user("hi").says("Hello!").user("make the cart add up"), "make the cart add up"},
		{"unless there is no other", (&talk{}).user("commit"), "commit"},
		{"a template's heading is none", (&talk{}).user("# Context\n\nmake the cart add up"), "make the cart add up"},
		{"a heading that says it is one", (&talk{}).user("# Make the cart add up\n\nIt is off by one."), "# Make the cart add up"},
		{"an element is none", (&talk{}).user("<mate-message mate_id=\"lead\">\nmake the cart add up\n</mate-message>"), "make the cart add up"},
		{"a fence is none", (&talk{}).user("'''text\nmake the cart add up\n'''"), "make the cart add up"},
		{"files that it mentions first are none", (&talk{}).user("@README.md @docs/plan.md\nmake the cart add up"), "make the cart add up"},
		{"a pasted prompt of a shell is none", (&talk{}).user("➜ shop git:(main) npm test\nwhy does it fail?"), "why does it fail?"},
	} {
		if got := c.k.draft(t).Task; got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
