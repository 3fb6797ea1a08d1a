package actions

import (
	"strings"
	"testing"

	"episodes/internal/turns"
)

// judged is what a call came to, in words: "failed", "green", "test 3/1", "test ok",
// "commit abc1234".
func judged(call turns.ToolCall, r turns.ToolResult) string {
	s := &step{role: turns.Call, call: call, result: r}
	if call.Tool == turns.Shell {
		s.line = parseShell(call.Command)
	}
	s.judge(nil)
	var out []string
	if s.failed {
		out = append(out, "failed")
	}
	if s.green {
		out = append(out, "green")
	}
	switch {
	case s.tests != nil:
		out = append(out, "test: "+s.tests.String())
	}
	if s.made != nil {
		out = append(out, strings.TrimSpace("commit "+s.made.hash))
	}
	return strings.Join(out, ", ")
}

// Exit codes of the cases; said is a format that tells the state but no code.
const (
	unsaid = -1
	ok     = -2
	bad    = -3
)

func result(code int, text string) turns.ToolResult {
	r := turns.ToolResult{Text: text}
	switch code {
	case unsaid:
	case ok:
		r.State = turns.OK
	case bad:
		r.State = turns.Failed
	default:
		r.Exit = &code
		if r.State = turns.OK; code != 0 {
			r.State = turns.Failed
		}
	}
	return r
}

func TestWhatAShellCallCameTo(t *testing.T) {
	for _, c := range []struct {
		line string
		code int
		text string
		want string
	}{
		// Exit codes.
		{"go build ./...", 0, "", "green"},
		{"go build ./...", 1, "# shop/cart\ncart/cart.go:9:2: undefined: total", "failed"},
		{"python3 repro.py", 0, "wrong total: 12", ""},
		{"npm run dev", 143, "terminated", "failed"},
		{"", 1, "", "failed"},
		// Searches without a match.
		{"grep -rn TODO src", 1, "", ""},
		{"rg TODO src", 2, "src/a.go:1: // TODO one\nsrc/b.go:1: // TODO two\nrg: lib: No such file or directory (os error 2)\n", ""},
		{"rg '(' src", 2, "regex parse error: unclosed group", "failed"},
		{"go list -m all | grep cobra", 1, "", ""},
		{"npm test | grep -c passed", 1, "0", ""},
		// Comparisons and questions.
		{"diff a.txt b.txt", 1, "1c1\n< a\n---\n> b", ""},
		{"command -v fzf", 1, "", ""},
		{"which fzf bat", 1, "/usr/bin/bat", ""},
		{"which fzf", 1, "which: no fzf in (/usr/bin:/bin)", ""},
		{"type fzf", 1, "bash: line 1: type: fzf: not found", ""},
		{"command -v fzf && fzf --version", 1, "", ""},
		{"command -v fzf >/dev/null 2>&1; echo $?", 0, "1", ""},
		{"which fzf && which bat && bat --version", 1, "", ""},
		{"Get-Command fzf", 1, "Get-Command: The term 'fzf' is not recognized as a name of a cmdlet, function, script file, or executable program.", ""},
		{"Get-Command fzf", unsaid, "Get-Command : The term 'fzf' is not recognized as the name of a cmdlet, function, script file, or operable program.", ""},
		{"type fzf", unsaid, "bash: line 1: type: fzf: not found", ""},
		{"where.exe fzf", 1, "INFO: Could not find files for the given pattern(s).", ""},
		{"test -f a.txt && cat a.txt", 1, "", ""},
		{"[ -e a.txt ] && echo yes", 1, "", ""},
		{"[[ -d node_modules ]]", 1, "", ""},
		{"ls node_modules || echo none", 0, "ls: cannot access 'node_modules': No such file or directory\nnone", ""},
		{"ls node_modules 2>/dev/null || echo none", 0, "none", ""},
		{"which go && go build ./...", 1, "/usr/bin/go\ncart/cart.go:9:2: undefined: total", "failed"},
		{"git diff --quiet", 1, "", ""},
		{"diff a.txt missing.txt", 2, "diff: missing.txt: No such file or directory", "failed"},
		{"git rev-parse --show-toplevel", 128, "fatal: not a git repository (or any of the parent directories): .git", "failed"},
		// Probes.
		{"ls dist 2>/dev/null", 2, "", ""},
		{"ls src; ls dist 2>/dev/null", 2, "main.go", ""},
		// Exit codes that something swallows.
		{"go test ./... | tail -3", 0, "--- FAIL: TestCart (0.00s)\nFAIL\nFAIL\tshop/cart\t0.2s", "failed, test: 1 failed"},
		{"npm test; echo done", 0, "Tests: 1 failed, 3 passed, 4 total\ndone", "failed, test: 3 passed, 1 failed"},
		{"mytool add a b | tail -3", 0, "Usage:\n  mytool add <issue> [flags]", "failed"},
		{"grep -r x $(go env GOROOT)@* | head", 1, "(eval):1: parse error near `('", "failed"},
		{"python3 load.py | tail -2", 0, "Traceback (most recent call last):\n  File \"load.py\", line 2\nKeyError: 'id'", "failed"},
		{"ls dist; ls src", 0, "ls: cannot access 'dist': No such file or directory\nmain.go", "failed"},
		{"npm run build | tail -1", 0, "✓ built in 2.1s", "green"},
		{"tail -50 app.log", 0, "ERROR: payment failed\nTraceback (most recent call last):\nKeyError: 'id'", ""},
		{"grep -rn 'command not found' docs | head", 0, "docs/a.md:3: bash: foo: command not found", ""},
		{"git log --oneline | head -3", 0, "1234567 fix: error: stop on FAIL\n2345678 panic: no more", ""},
		{"gh issue view 12 | head", 0, "error: it fails\nTraceback (most recent call last):", ""},
		{"git diff | head -40", 0, "-\treturn err\n+error: wrapped\nFAIL", ""},
		// Test runs.
		{"npm test", 0, "ERROR: simulated outage\n  console.error\nTests: 8 passed, 8 total", "green, test: 8 passed, 0 failed"},
		{"pytest -q", 1, "F.\nFAILED tests/test_a.py::test_sum - assert 1 == 2\n1 failed, 1 passed in 0.30s", "failed, test: 1 passed, 1 failed"},
		{"pytest -q", 2, "ERROR collecting tests/test_a.py\nModuleNotFoundError: No module named 'shop'\n!!!!! Interrupted: 1 error during collection !!!!!\n1 error in 0.10s", "failed, test: 0 passed, 1 failed"},
		{"pytest -q", 5, "no tests ran in 0.01s", "failed"},
		{"go test ./...", 0, "ok  \tshop/cart\t0.012s\n?   \tshop/cmd\t[no test files]", "green, test: passed"},
		{"go test ./...", 1, "# shop/cart [shop/cart.test]\ncart/cart_test.go:8:2: undefined: Sum\nFAIL\tshop/cart [build failed]\nFAIL", "failed"},
		{"go test -v ./cart", 0, "=== RUN   TestA\n--- PASS: TestA (0.00s)\n=== RUN   TestB\n\n[…]\n--- PASS: TestC (0.00s)\nPASS", "green, test: 2 passed, 0 failed"},
		{"go test -v ./cart", 0, "=== RUN   TestA\n--- PASS: TestA (0.00s)\n=== RUN   TestB\n--- PASS: TestB (0.00s)\nPASS\nok  \tshop/cart\t0.2s", "green, test: 2 passed, 0 failed"},
		{"npx vitest run | tail -4", 0, " Test Files  1 failed (1)\n      Tests  1 failed | 2 passed (3)", "failed, test: 2 passed, 1 failed"},
		{"bun test", 1, "bun test v1.2\n\n a.test.ts:\n(fail) sums\n\n 2 pass\n 1 fail\nRan 3 tests across 1 file. [20ms]", "failed, test: 2 passed, 1 failed"},
		{"cargo test", 101, "running 2 tests\ntest a ... ok\ntest b ... FAILED\n\nfailures:\n    b\n\ntest result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out", "failed, test: 1 passed, 1 failed"},
		{"dotnet test", 1, "Failed!  - Failed:     2, Passed:    10, Skipped:     0, Total:    12, Duration: 80 ms - Shop.Tests.dll (net9.0)", "failed, test: 10 passed, 2 failed"},
		{"mvn -q test", 1, "[ERROR] Tests run: 5, Failures: 1, Errors: 0, Skipped: 0\n[ERROR] BUILD FAILURE", "failed, test: 4 passed, 1 failed"},
		{"mvn test", 0, "[INFO] Tests run: 5, Failures: 0, Errors: 0, Skipped: 1\n[INFO] BUILD SUCCESS", "green, test: 4 passed, 0 failed"},
		{"python -m unittest", 0, "...\n----------------------------------------------------------------------\nRan 3 tests in 0.001s\n\nOK", "green, test: 3 passed, 0 failed"},
		{"bundle exec rspec", 1, "..F.\n\n4 examples, 1 failure", "failed, test: 3 passed, 1 failed"},
		{"mix test", 0, "Finished in 0.05 seconds\n3 doctests, 9 tests, 0 failures", "green, test: 12 passed, 0 failed"},
		{"npm test", 0, "token check: looked fine", "green"},
		{"npm test", 0, "All tests passed", "green, test: passed"},
		{"deno test", 0, "ok | 5 passed | 0 failed (10ms)", "green, test: 5 passed, 0 failed"},
		{"swift test", 1, "Executed 4 tests, with 1 failure (0 unexpected) in 0.2 (0.3) seconds", "failed, test: 3 passed, 1 failed"},
		{"cargo nextest run", 100, "     Summary [   0.1s] 4 tests run: 3 passed, 1 failed, 0 skipped", "failed, test: 3 passed, 1 failed"},
		{"flutter test", 1, "00:02 +3 -1: Some tests failed.", "failed, test: 3 passed, 1 failed"},
		{"rails test", 0, "12 runs, 30 assertions, 0 failures, 0 errors, 2 skips", "green, test: 10 passed, 0 failed"},
		{"./build/tests", 1, "[  PASSED  ] 2 tests.\n[  FAILED  ] 1 test, listed below:", "failed, test: 2 passed, 1 failed"},
		{"npm test", 0, "No tests found, exiting with code 0", ""},
		{"npm test", 1, "npm error Missing script: \"test\"", "failed"},
		{"npx playwright test", 0, "Running 3 tests using 1 worker\n\n  3 passed (4.1s)", "green, test: 3 passed, 0 failed"},
		{"npx mocha", 1, "  3 passing (12ms)\n  1 failing\n\n  1) cart sums:\n     AssertionError: expected 1 to equal 2", "failed, test: 3 passed, 1 failed"},
		{"node --test", 0, "ℹ tests 4\nℹ pass 4\nℹ fail 0", "green, test: 4 passed, 0 failed"},
		{"ctest", 8, "75% tests passed, 1 tests failed out of 4", "failed, test: 3 passed, 1 failed"},
		// Commits and their hooks.
		{"git commit -m 'fix: totals'", 0, "[main 1a2b3c4] fix: totals\n 1 file changed, 2 insertions(+)", "green, commit 1a2b3c4"},
		{"git commit -qm 'fix: totals'", 0, "", "green, commit"},
		{"git commit -m x", 1, "On branch main\nnothing to commit, working tree clean", "failed"},
		{"git commit -m x", 1, "✖ eslint --fix:\n  3:1  error  Unexpected var  no-var\nhusky - pre-commit script failed (code 1)", "failed"},
		{"git add -A && git commit -m x && git push", 1, "[main 1a2b3c4] x\n 1 file changed\nTo github.com:a/b\n ! [rejected]        main -> main (fetch first)\nerror: failed to push some refs", "failed, commit 1a2b3c4"},
		{"git commit -m 'x' | tail -3", 0, "[main (root-commit) 1a2b3c4] x\n 3 files changed", "green, commit 1a2b3c4"},
		{"git merge wip", 1, "CONFLICT (content): Merge conflict in a.go\nAutomatic merge failed; fix conflicts and then commit the result.", "failed"},
		// Pipelines elsewhere.
		{"gh run view 7 --log-failed | tail -20", 0, "build\tTest\t2026-01-02T10:00:00Z ##[error]Process completed with exit code 1.", "failed"},
		{"gh pr checks 4", 8, "lint\tpending\t0\thttps://x", "failed"},
		// Formats that tell no code and no state.
		{"go build ./...", unsaid, "", "green"},
		{"go build ./...", unsaid, "cart.go:9:2: undefined: total\nexit status 1", "failed"},
		{"cat notes.md", unsaid, "we saw: command failed: no such file", ""},
		{"pytest -q", unsaid, "3 passed, 1 warning in 0.10s", "green, test: 3 passed, 0 failed"},
		{"fzf", unsaid, "zsh: command not found: fzf", "failed"},
		{"Get-Content x.txt", bad, "Get-Content : Cannot find path 'C:\\x.txt' because it does not exist.", "failed"},
		{"npm run build", unsaid, "'vite' is not recognized as an internal or external command,\noperable program or batch file.", "failed"},
		// A state without a code.
		{"grep -rn TODO src", bad, "", ""},
	} {
		r := result(c.code, c.text)
		if got := judged(turns.ToolCall{Name: "Bash", Tool: turns.Shell, Command: c.line}, r); got != c.want {
			t.Errorf("%q (%d) %q\n got %q\nwant %q", c.line, c.code, c.text, got, c.want)
		}
	}
}

func TestWhatOtherCallsCameTo(t *testing.T) {
	edit, read, search := turns.ToolCall{Name: "Edit", Tool: turns.Edit}, turns.ToolCall{Name: "Read", Tool: turns.Read}, turns.ToolCall{Name: "Grep", Tool: turns.Search}
	for _, c := range []struct {
		name string
		call turns.ToolCall
		r    turns.ToolResult
		want string
	}{
		{"an edit that was not", edit, turns.ToolResult{State: turns.Failed, Text: "String to replace not found in file."}, "failed"},
		{"an edit in a format without states", edit, turns.ToolResult{Text: "No replacement was performed, old_str did not appear verbatim in a.go."}, "failed"},
		{"a rejection by the user", edit, turns.ToolResult{State: turns.Refused, Text: "Error: the user doesn't want to proceed"}, ""},
		{"a call that never ran", edit, turns.ToolResult{State: turns.NotRun, Text: "Sibling tool call errored"}, ""},
		{"a search without a match", search, turns.ToolResult{State: turns.Empty, Exit: turns.Exited(1)}, ""},
		{"a file about errors, in a format without states", read, turns.ToolResult{Text: "1\tfatal: the text of a file"}, ""},
	} {
		if got := judged(c.call, c.r); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}
