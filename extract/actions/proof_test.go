package actions

import (
	"testing"

	"episodes/internal/turns"
)

const styles = "a.css: bad\nb.css: bad\nc.css: bad\n3 style checks failed"

// A pass is what was printed where the exit code is that of another command.
func TestWhatARunShows(t *testing.T) {
	for _, c := range []struct {
		line string
		code int
		text string
		want string
	}{
		// The exit code is that of a filter: a summary decides.
		{"node style.mjs 2>&1 | tail -3", 0, styles, "fails"},
		{"node style.mjs 2>&1 | tail -3", 0, "all styles look fine to me", "nothing"},
		{"npx tsc --noEmit 2>&1 | head -5", 0, "", "passes"},
		{"npm run lint; echo done", 0, "> eslint .\n\ndone", "nothing"},
		{"mise run lint 2>&1 | head", 0, "[lint:go] 1 issues:\n[lint:go] ERROR task failed", "fails"},
		// What makes it that of the check again.
		{"set -o pipefail; node style.mjs | tail -3", 0, "fine", "passes"},
		{"node style.mjs | tail -3; exit ${PIPESTATUS[0]}", 0, "fine", "passes"},
		{"node style.mjs | tail -3; exit ${PIPESTATUS[0]}", 3, "?", "fails"},
		{"node style.mjs | tail -3; echo \"exit ${PIPESTATUS[0]}\"", 0, "fine\nexit 0", "passes"},
		{"node style.mjs | tail -3; echo \"exit ${PIPESTATUS[0]}\"", 0, "?\nexit 3", "fails"},
		{"node style.mjs > out.txt; echo $?", 0, "3", "fails"},
		{"node style.mjs || exit 1", 1, "?", "fails"},
		// A search behind a check.
		{"npx eslint . 2>&1 | grep banner", 1, "", "nothing"},
		// No exit code.
		{"git push", unsaid, "To github.com:a/b\n ! [rejected]        main -> main (fetch first)\nerror: failed to push some refs to 'github.com:a/b'", "fails"},
		{"node style.mjs", unsaid, "fine", "passes"},
		// Readers prove nothing.
		{"cat api.json", unsaid, `{"success": false, "error": "no"}`, "passes"},
	} {
		s := &step{role: turns.Call, call: turns.ToolCall{Tool: turns.Shell, Name: "Bash", Command: c.line}, line: parseShell(c.line), result: result(c.code, c.text)}
		s.judge(nil)
		got := map[bool]string{true: "fails", false: "nothing"}[s.failed]
		if s.passes {
			got = "passes"
		}
		if got != c.want {
			t.Errorf("%q (%d) %q\n got %s\nwant %s", c.line, c.code, c.text, got, c.want)
		}
	}
}

const stale = "flag provided but not defined: -max\nmake: *** [Makefile:16: cli] Error 1"

// What ended a failure is what differs between the last run that failed and the first that
// did not.
func TestDifferences(t *testing.T) {
	for _, c := range []struct {
		name string
		k    *talk
		want string
	}{
		{"the same output behind a pipe", (&talk{}).sh("node style.mjs", 1, styles).sh("node style.mjs 2>&1 | tail -3", 0, styles), ""},
		{"the lines that were searched for are gone",
			(&talk{}).sh("npx eslint . 2>&1 | grep banner", 0, "  1:1  error  no banner  x/banner\n✖ 1 problem (1 error, 0 warnings)").edit("/a.js", "a", "b").sh("npx eslint . 2>&1 | grep banner", 1, ""),
			"edit of a.js: `a` → `b` -> eslint: x/banner: no banner"},
		{"another error than before", (&talk{}).sh("make check", 2, stale).sh("make -B build && make check", 2, "page.fish is not what it should be\nmake: *** [Makefile:22: check] Error 1"),
			"after `make -B build` -> make check: flag provided but not defined: -max"},
		{"an environment variable", (&talk{}).sh("sort-words a.txt", 1, "error: words out of order").sh("LC_ALL=C sort-words a.txt", 0, "done"),
			"with `LC_ALL=C` -> sort-words: error: words out of order"},
		{"a value that was tried in vain", (&talk{}).sh("make check", 1, "the clock is off").sh("TZ=CET make check", 1, "the clock is off").sh("TZ=UTC make check", 0, "ok"),
			"with `TZ=UTC` -> make check: the clock is off\nmake check: the clock is off -> with `TZ=CET`\nwith `TZ=UTC` -> make check: the clock is off"},
		{"a file that was removed", (&talk{}).sh("make check", 1, "another run is in progress\nmake: *** [Makefile:3: check] Error 75").sh("rmdir .lock && make check", 0, "ok"),
			"after `rmdir .lock` -> make check: another run is in progress"},
		{"outside the sandbox is no other command", (&talk{}).sh("node app.js", 1, "Error: listen EPERM: operation not permitted").sh("node app.js", 0, "up"), ""},
		{"a program that nobody listed", (&talk{}).sh("az network vnet update --name a --dns b", 1, "ERROR: b is no address").sh("az network vnet list", 0, "[]").sh("az network vnet update --name a --dns 10.0.0.1", 0, "{}"),
			"`10.0.0.1` instead of `b` -> az network vnet update: ERROR: b is no address"},
		{"another part of the tests", (&talk{}).sh("npm test -- --grep cart", 1, "  1) cart sums:\n     AssertionError: expected 1 to be 2\n\n  1 failing").edit("/a.js", "a", "b").sh("npm test -- --grep user", 0, "  3 passing"), ""},
		{"a run that did not come as far", (&talk{}).sh("npx vitest run", 1, " FAIL  src/cart.test.ts > sums\nAssertionError: expected 1 to be 2\n\n Tests  1 failed (1)").edit("/cart.ts", "a", "b(").sh("npx vitest run", 1, "SyntaxError: Unexpected token"), ""},
	} {
		if got := linked(c.k.draft(t)); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}
