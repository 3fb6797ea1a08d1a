package actions

import (
	"slices"
	"testing"

	"episodes/episode"
	"episodes/extract/internal/facts"
	"episodes/internal/turns"
)

const (
	failing = "--- FAIL: TestCart (0.00s)\n    cart_test.go:12: got 3, want 4\nFAIL\nFAIL\tshop/cart\t0.2s"
	passing = "ok  \tshop/cart\t0.2s"
)

// What differs is cited where it was done, a failure in the line that tells it, and an accepted proposal with the answer.
func TestLinesOfFacts(t *testing.T) {
	shown := result(1, failing)
	at := []int{1, 2, 3, 3}
	k := (&talk{}).user("Mend the cart").put(turns.Turn{Role: turns.Call, Call: &turns.ToolCall{Tool: turns.Shell, Command: "go test ./..."}}).
		put(turns.Turn{Role: turns.Result, Result: &shown, Lines: at}).edit("/src/cart.go", "return 3", "return 4").sh("go test ./...", 0, passing)
	want := map[string]episode.Span{"the same check passes": {4, 4}, "call failed": {1, 2}}
	for _, f := range k.draft(t).Facts {
		if span, told := want[f.Rule]; told && f.Span != span {
			t.Errorf("%s (%s): %v, want %v", f.Content, f.Rule, f.Span, span)
		}
		delete(want, f.Rule)
	}
	if len(want) > 0 {
		t.Errorf("no fact of %v", want)
	}
}

func TestFirstRequest(t *testing.T) {
	for text, want := range map[string]string{
		"Hi!\nbuild a pump that floats": "build a pump that floats",
		"hello":                         "commit and push",
		"直して":                           "直して",
	} {
		if got := (&talk{}).user(text).says("Yes?").user("commit and push").draft(t).Task; got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestWaysOut(t *testing.T) {
	for _, c := range []struct {
		name string
		k    *talk
		want string
	}{
		{"the same check after an edit",
			(&talk{}).sh("go test ./...", 1, failing).edit("/src/cart.go", "return 3", "return 4").sh("go test ./...", 0, passing),
			"edit of cart.go: `return 3` → `return 4` -> go test: TestCart: got 3, want 4"},
		{"a wider one does",
			(&talk{}).sh("go test ./cart", 1, failing).edit("/src/cart.go", "return 3", "return 4").sh("go test ./...", 0, passing),
			"edit of cart.go: `return 3` → `return 4` -> go test: TestCart: got 3, want 4"},
		{"another package does not",
			(&talk{}).sh("go test ./cart", 1, failing).edit("/src/cart.go", "return 3", "return 4").sh("go test ./user", 0, passing),
			""},
		{"the check in a longer line",
			(&talk{}).sh("npx tsc --noEmit", 2, "a.ts(1,1): error TS2304: Cannot find name 'x'.").edit("/a.ts", "x", "y").sh("npx tsc --noEmit && npm test", 0, "Tests: 3 passed, 3 total"),
			"edit of a.ts: `x` → `y` -> tsc: TS2304: Cannot find name 'x'."},
		{"a corrected command",
			(&talk{}).sh("npm run lnt", 1, "npm error Missing script: \"lnt\"").sh("npm run lint", 0, ""),
			"`lint` instead of `lnt` -> npm run lnt: npm error Missing script: \"lnt\""},
		{"a corrected flag",
			(&talk{}).sh("mytool --formt json", 2, "error: unrecognized arguments: --formt").sh("mytool --format json", 0, "{}"),
			"`--format` instead of `--formt` -> mytool: error: unrecognized arguments: --formt"},
		{"a program that is not there is installed",
			(&talk{}).sh("jq . a.json", 127, "bash: jq: command not found").sh("sudo apt-get install -y jq", 0, "").sh("jq . a.json", 0, "{}"),
			"after `sudo apt-get install -y jq` -> jq: bash: jq: command not found"},
		{"an edit that was rejected",
			(&talk{}).tool(turns.Edit, "Edit", "/a.go", turns.Failed, "File has not been read yet.").tool(turns.Read, "Read", "/a.go", turns.OK, "text").edit("/a.go", "a", "b"),
			"after reading `a.go` -> edit: File has not been read yet."},
		{"an edit whose place was not found, after a look",
			(&talk{}).tool(turns.Edit, "Edit", "/a.go", turns.Failed, "String to replace not found in file.").sh("sed -n 1,20p src/a.go", 0, "text").edit("/a.go", "a", "b"),
			"after reading `a.go` -> edit: String to replace not found in file."},
		{"an edit that has two places",
			(&talk{}).call(turns.ToolCall{Name: "Edit", Tool: turns.Edit, Files: []string{"/a.go"}, Old: "return total", New: "return sum"}, turns.ToolResult{State: turns.Failed, Text: "Found 2 matches of the string to replace."}).edit("/a.go", "func Sum() {\n\treturn total", "func Sum() {\n\treturn sum"),
			"with more lines around it -> edit: Found 2 matches of the string to replace."},
		{"an edit that a linter rejected",
			(&talk{}).tool(turns.Edit, "edit", "/a.py", turns.Failed, "Your proposed edit has introduced new syntax error(s).").edit("/a.py", "a = (1", "a = (1)"),
			"edit of a.py: `a = (1` → `a = (1)` -> edit: Your proposed edit has introduced new syntax error(s)."},
		{"an edit that the human refused is none",
			(&talk{}).tool(turns.Edit, "Edit", "/a.go", turns.Failed, "String to replace not found in file.").tool(turns.Edit, "Edit", "/a.go", turns.Refused, ""),
			""},
		{"an edit by a patch",
			(&talk{}).sh("go test ./...", 1, failing).edit("/src/cart.go", "", "*** Begin Patch\n*** Update File: cart.go\n@@\n func Total() int {\n-\treturn 3\n+\treturn 4\n*** End Patch").sh("go test ./...", 0, passing),
			"edit of cart.go: `return 3` → `return 4` -> go test: TestCart: got 3, want 4"},
		{"an edit by a block of search and replace",
			(&talk{}).sh("go test ./...", 1, failing).edit("/src/cart.go", "", "------- SEARCH\nfunc Total() int {\n\treturn 3\n=======\nfunc Total() int {\n\treturn 4\n+++++++ REPLACE").sh("go test ./...", 0, passing),
			"edit of cart.go: `return 3` → `return 4` -> go test: TestCart: got 3, want 4"},
		{"a wrong path",
			(&talk{}).tool(turns.Read, "Read", "/src/cart.go", turns.Failed, "File does not exist.").tool(turns.Read, "Read", "/src/shop/cart.go", turns.OK, "text"),
			"`/src/shop/cart.go` instead of `/src/cart.go` -> read: File does not exist."},
		{"a wrong path in a shell",
			(&talk{}).sh("ls ui/tests/cart/", 1, "ls: ui/tests/cart/: No such file or directory").sh("ls tests/", 0, "unit").sh("ls tests/unit/cart/", 0, "a.ts"),
			"`tests/unit/cart/` instead of `ui/tests/cart/` -> ls: ui/tests/cart/: No such file or directory"},
		{"gone: it fails otherwise after an edit",
			(&talk{}).sh("go build ./...", 1, "cart.go:9:2: undefined: total").edit("/cart.go", "total", "sum").sh("go build ./...", 1, "cart.go:12:1: missing return"),
			"edit of cart.go: `total` → `sum` -> go build: undefined: total"},
		{"each failure of a row has the same way out",
			(&talk{}).sh("go build ./...", 1, "cart.go:9:2: undefined: total").edit("/cart.go", "a", "b").sh("go build ./...", 1, "cart.go:9:2: undefined: total").edit("/cart.go", "b", "c").sh("go build ./...", 0, ""),
			"edit of cart.go: `b` → `c` -> go build: undefined: total\ngo build: undefined: total -> edit of cart.go: `a` → `b`\nedit of cart.go: `b` → `c` -> go build: undefined: total"},
		{"never: nothing passes", (&talk{}).sh("go test ./...", 1, failing).edit("/src/cart.go", "return 3", "return 4"), ""},
		{"never: words are no result", (&talk{}).sh("go test ./...", 1, failing).says("All tests pass now."), ""},
		{"what a sub-agent runs is its own",
			(&talk{}).sh("go test ./...", 1, failing).in("a1").sh("go test ./...", 0, passing),
			""},
		{"a swallowed failure is no pass",
			(&talk{}).sh("go test ./...", 1, failing).edit("/src/cart.go", "return 3", "return 5").sh("go test ./... | tail -3; true", 0, failing),
			""},
		{"a git command that was refused, and then done",
			(&talk{}).sh("git push", 1, "! [rejected] main -> main (fetch first)").sh("git pull --rebase", 0, "").sh("git push", 0, "   1a2b3c4..5d6e7f8  main -> main"),
			"after `git pull --rebase` -> git push: ! [rejected] main -> main (fetch first)"},
		{"another subcommand is no way out",
			(&talk{}).sh("tasker add-task 'write docs'", 1, "Error: invalid tag: \"master\" is missing").sh("tasker --version && tasker tags list", 0, "1.0\nmaster"),
			""},
		{"the same one is",
			(&talk{}).sh("tasker add-task docs", 2, "error: missing option --title").sh("tasker add-task --title docs", 0, "added"),
			"with `--title` -> tasker add-task docs: error: missing option --title"},
		{"nor a commit without its hooks",
			(&talk{}).sh("git commit -m x", 1, "error: lint failed").sh("git commit --no-verify -m x", 0, "[main 1a2b3c4] x"),
			""},
		{"nor a run without the changes",
			(&talk{}).sh("npm run lint", 1, "/a.js\n 1:1  error  bad  no-x").sh("git stash && npm run lint", 0, ""),
			""},
		{"nor a search that finds nothing",
			(&talk{}).sh("grep -P x a.txt", 2, "grep: invalid option -- P").sh("grep x a.txt", 1, ""),
			""},
		{"a flag that is not known is left out",
			(&talk{}).sh("git gc --dry-run", 129, "error: unknown option `dry-run'").sh("git count-objects -v", 0, "count: 3").sh("git gc", 0, ""),
			"without `--dry-run` -> git gc: error: unknown option `dry-run'"},
		{"what a command changed in between",
			(&talk{}).sh("node app.js", 1, "SyntaxError: Export 'total' not found in dist/cart.js").sh("npm run build", 0, "built").sh("node app.js", 0, "ok"),
			"after `npm run build` -> node app.js: SyntaxError: Export 'total' not found in dist/cart.js"},
		{"a program that runs others does not know one",
			(&talk{}).sh("wrap go test ./...", 2, "error: unrecognized subcommand 'go'").sh("go test ./...", 0, passing),
			"`go test ./...` instead of `wrap go test ./...` -> wrap go test: error: unrecognized subcommand 'go'"},
		{"the line that has a name of the error",
			(&talk{}).sh("npx tsc", 2, "src/cart.ts(3,1): error TS2304: Cannot find name 'taxRate'.").edit("/src/cart.ts", "import a\nreturn sum", "import a\nimport b\nreturn sum * taxRate").sh("npx tsc", 0, ""),
			"edit of cart.ts: `return sum` → `return sum * taxRate` -> tsc: TS2304: Cannot find name 'taxRate'."},
		{"tests that run show that it compiles",
			(&talk{}).sh("dotnet test 2>&1 | tail -30", 0, "Cart.cs(3,1): error CS0103: The name 'sum' does not exist").edit("/Cart.cs", "sum", "total").sh("dotnet test 2>&1 | tail -20", 0, "Failed!  - Failed:     1, Passed:     3, Skipped:     0, Total:     4"),
			"edit of Cart.cs: `sum` → `total` -> dotnet test: CS0103: The name 'sum' does not exist"},
		{"a push with another flag two requests later is another one",
			(&talk{}).sh("git push", 1, "error: cannot push: you have unstaged changes").user("now the docs").user("and publish it").sh("git push --force-with-lease", 0, "   1a2b3c4..5d6e7f8  main -> main"),
			""},
		{"tests of one project pass, but another one does not compile",
			(&talk{}).sh("dotnet test 2>&1 | tail -30", 0, "Failed!  - Failed:     1, Passed:     3, Skipped:     0, Total:     4").edit("/Cart.cs", "sum", "total").sh("dotnet test 2>&1 | tail -30", 0, "Passed!  - Failed:     0, Passed:     3, Skipped:     0, Total:     3\nCart.cs(3,1): error CS0103: The name 'total' does not exist"),
			""},
		{"an edit of the right file",
			(&talk{}).tool(turns.Edit, "Edit", "/cart.go", turns.Failed, "no such file").edit("/src/cart.go", "a", "b"),
			"`/src/cart.go` instead of `/cart.go` -> edit: no such file"},
		{"but the same check is the same",
			(&talk{}).sh("go test ./...", 1, failing).user("leave it").user("now mend the cart").edit("/src/cart.go", "return 3", "return 4").sh("go test ./...", 0, passing),
			"edit of cart.go: `return 3` → `return 4` -> go test: TestCart: got 3, want 4"},
	} {
		if got := linked(c.k.draft(t)); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}

func TestOneAttemptAtSeveralFailuresIsOneDecision(t *testing.T) {
	bad := "cart.go:9:2: undefined: total"
	d := (&talk{}).sh("go build ./...", 1, bad).edit("/cart.go", "a", "b").sh("go build ./...", 1, bad).edit("/cart.go", "b", "c").sh("go build ./...", 1, bad).edit("/cart.go", "c", "d").sh("go build ./...", 0, "").draft(t)
	var tried []string
	for _, f := range d.Facts {
		if f.Kind == facts.Decision {
			tried = append(tried, f.Content)
		}
	}
	if want := []string{"edit of cart.go: `a` → `b`", "edit of cart.go: `b` → `c`"}; !slices.Equal(tried, want) {
		t.Errorf("tried %q, want %q", tried, want)
	}
}

// A way out that any session can take is a lesson: only the call differs, and the message names what was taken away.
func TestLessonsOfWays(t *testing.T) {
	for _, c := range []struct {
		name string
		k    *talk
		want string
	}{
		{"a flag that does not exist", (&talk{}).user("x").sh("golangci-lint run --disable-all", 1, "Error: unknown flag: --disable-all").sh("golangci-lint run --fast", 0, "ok"),
			"golangci-lint worked with `--fast` instead of `--disable-all`; before: Error: unknown flag: --disable-all"},
		{"an edit between", (&talk{}).user("x").sh("go test ./...", 1, failing).edit("/cart.go", "3", "4").sh("go test ./...", 0, passing), ""},
		{"another command", (&talk{}).user("x").sh("git worktree remove /tmp/core", 1, "fatal: '/tmp/core' is not a working tree").sh("git worktree add /tmp/core -b core", 0, "ok"), ""},
		{"what only looks", (&talk{}).user("x").sh("ls docs/", 1, "ls: docs/: No such file or directory").sh("ls doc/", 0, "a.md"), ""},
	} {
		got := ""
		for _, f := range c.k.draft(t).Facts {
			if f.Kind == facts.Lesson {
				got += f.Content
				if l := f.Lesson; l.Kind != episode.FixLesson || l.Was != "golangci-lint run --disable-all" || l.Outcome != "held" || len(l.Proof) != 1 {
					t.Errorf("%s: %+v", c.name, l)
				}
			}
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
