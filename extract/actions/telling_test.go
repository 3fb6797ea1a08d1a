package actions

import (
	"strings"
	"testing"

	"episodes/internal/turns"
)

func TestTellingLine(t *testing.T) {
	for _, c := range []struct{ line, text, want string }{
		// Go.
		{"go build ./...", "# shop/cart\ncart/cart.go:9:2: undefined: total\ncart/cart.go:12:1: missing return", "undefined: total"},
		{"go test ./...", "--- FAIL: TestCart (0.00s)\n    cart_test.go:12: got 3, want 4\nFAIL\nFAIL\tshop/cart\t0.2s\nFAIL", "TestCart: got 3, want 4"},
		{"golangci-lint run", "cart/cart.go:1: : # shop/cart [shop/cart.test]\ncart/cart_test.go:9:4: c.Total undefined (typecheck)\n1 issues:", "cart/cart_test.go:9:4: c.Total undefined (typecheck)"},
		{"go run ./cmd/shop", "goroutine output\npanic: runtime error: index out of range [3] with length 3\n\ngoroutine 1 [running]:\nmain.main()", "panic: runtime error: index out of range [3] with length 3"},
		// Python.
		{"python3 load.py", "Traceback (most recent call last):\n  File \"a.py\", line 2\nValueError: bad\n\nDuring handling of the above exception, another exception occurred:\n\nTraceback (most recent call last):\n  File \"a.py\", line 4\nshop.errors.LoadError: no rows", "shop.errors.LoadError: no rows"},
		{"python3 load.py", "  File \"load.py\", line 3\n    def f(\n         ^\nSyntaxError: '(' was never closed", "SyntaxError: '(' was never closed"},
		{"pytest -q", "F\n=== FAILURES ===\n___ test_sum ___\n\n    def test_sum():\n>       assert total([1]) == 2\nE       assert 1 == 2\n\ntests/test_a.py:5: AssertionError\n=== short test summary info ===\nFAILED tests/test_a.py::test_sum - assert 1 == 2\n1 failed in 0.03s", "assert 1 == 2"},
		{"mypy shop", "shop/cart.py:4: error: Incompatible return value type (got \"str\", expected \"int\")  [return-value]\nFound 1 error in 1 file (checked 3 source files)", "Incompatible return value type"},
		// JavaScript.
		{"npx jest", "FAIL src/cart.test.js\n  ● cart › sums\n\n    expect(received).toBe(expected)\n\n    Expected: 2\n    Received: 1\n\nTests: 1 failed, 3 passed, 4 total", "cart › sums"},
		{"npx tsc --noEmit", "src/a.ts(3,7): error TS2322: Type 'string' is not assignable to type 'number'.", "TS2322: Type 'string' is not assignable to type 'number'."},
		{"npx eslint src", "\n/app/src/a.js\n  3:1  error  Unexpected var, use let or const instead  no-var\n\n✖ 1 problem (1 error, 0 warnings)", "Unexpected var, use let or const instead"},
		{"npm run build", "> web@1.0.0 build\n> vite build\n\nvite v6.0.0 building for production...\n✗ Build failed in 80ms\nerror during build:\n[vite]: Rollup failed to resolve import \"zod\" from \"src/a.ts\".", "Rollup failed to resolve import \"zod\""},
		{"npm install", "npm error code ERESOLVE\nnpm error ERESOLVE unable to resolve dependency tree\nnpm error A complete log of this run can be found in: /x.log", "ERESOLVE unable to resolve dependency tree"},
		{"node app.js", "node:internal/modules/cjs/loader:1404\n  throw err;\n  ^\n\nError: Cannot find module 'express'\nRequire stack:\n- /app/app.js\n    at Module._resolveFilename", "Error: Cannot find module 'express'"},
		// Rust, the JVM, .NET, C.
		{"cargo test", "running 1 test\ntest sums ... FAILED\n\nfailures:\n\n---- sums stdout ----\nthread 'sums' panicked at src/lib.rs:9:5:\nassertion `left == right` failed\n  left: 1\n right: 2\n\nfailures:\n    sums\n\ntest result: FAILED. 0 passed; 1 failed; 0 ignored", "assertion `left == right` failed"},
		{"bundle exec rspec", "F\n\nFailures:\n\n  1) Cart sums\n     Failure/Error: expect(total).to eq(2)\n\n       expected: 2\n            got: 1\n\n1 example, 1 failure", "Failure/Error: expect(total).to eq(2)"},
		{"cargo build", "warning: unused variable: `a`\n --> src/main.rs:2:9\n  |\n2 |     let a = 1;\n  |         ^ help: if this is intentional, prefix it with an underscore: `_a`\n\nerror[E0382]: borrow of moved value: `cart`\n --> src/main.rs:4:5\n\nerror: could not compile `shop` (bin \"shop\") due to 1 previous error; 1 warning emitted", "E0382: borrow of moved value: `cart`"},
		// Shells and tools.
		{"git commit -am x", "check for syntax errors..................................................Passed\nsizes....................................................................Failed\n- hook id: sizes\n- exit code: 1\n\ncart.bin has 3 MB, at most 2 are allowed", "cart.bin has 3 MB, at most 2 are allowed"},
		{"python3 ship.py --size big", "usage: ship [-h] [--on-error {fail,warn}] [--size SIZE] box\nship: error: argument --size: invalid int value: 'big'", "argument --size: invalid int value: 'big'"},
		{"node ship.js", "Command failed: box ship --on-error=fail --missing ok\nbox: the depot is closed", "box: the depot is closed"},
		{"git rebase main", "Auto-merging cart.go\nCONFLICT (content): Merge conflict in cart.go\nerror: could not apply 1a2b3c4... totals", "CONFLICT (content): Merge conflict in cart.go"},
		{"docker build .", "#5 [2/3] RUN npm ci\n#5 ERROR: process \"/bin/sh -c npm ci\" did not complete successfully: exit code: 1\n------\nERROR: failed to solve: process", "did not complete successfully"},
		{"kubectl apply -f a.yaml", "The Deployment \"web\" is invalid: spec.selector: Required value", "is invalid: spec.selector: Required value"},
		{"sh x.sh", "Exit code 3", ""},
		{"sed -n 1,9p src/a.ts && cat src/b.ts", "const failed = new Error(\"cannot read: missing\")\nsed: src/a.ts: No such file or directory\nthrow x", "sed: src/a.ts: No such file or directory"},
		{"git commit -m x", "The following paths are ignored by one of your .gitignore files:\nbuild\n\U0001F94A lint (0.17 seconds)", "The following paths are ignored by one of your .gitignore files:"},
		{"sh x.sh", "first\nlast words", "last words"},
	} {
		s := &step{role: turns.Call, call: turns.ToolCall{Tool: turns.Shell, Name: "Bash", Command: c.line}, line: parseShell(c.line), result: result(1, c.text)}
		s.judge(nil)
		if !s.failed || !strings.Contains(oneLine(s.tells), oneLine(c.want)) || c.want == "" && s.tells != "" {
			t.Errorf("%s (failed: %v)\n%s\n got %q\nwant %q", c.line, s.failed, c.text, s.tells, c.want)
		}
	}
}

// A text that an edit does not find is one error in any file, a file that is not there another one for each. The name of
// a file is the last part of its path on any system.
func TestEditsMeetByKey(t *testing.T) {
	key := func(file, text string) string {
		b := New()
		for _, turn := range []turns.Turn{{Role: turns.Call, Call: &turns.ToolCall{ID: "1", Tool: turns.Edit, Name: "Edit", Files: []string{file}}},
			{Role: turns.Result, Result: &turns.ToolResult{ID: "1", State: turns.Failed, Text: text}}} {
			if err := b.Add(turn); err != nil {
				t.Fatal(err)
			}
		}
		return failureKey(b.steps[0])
	}
	const noText, noFile = "String to replace not found in file.", "File does not exist."
	if a, b := key("/src/a.go", noText), key("/src/b.go", noText); a == "" || a != b {
		t.Errorf("%q and %q", a, b)
	}
	if a, b := key("/src/a.go", noFile), key("/src/b.go", noFile); a == b {
		t.Errorf("both %q", a)
	}
	if a, b := key(`D:\shop\a.go`, noFile), key("/src/a.go", noFile); a != b {
		t.Errorf("%q and %q", a, b)
	}
}

// A line that differs in numbers and places only is the same failure.
func TestFailuresMeetByKey(t *testing.T) {
	key := func(line, text string) string {
		s := &step{role: turns.Call, call: turns.ToolCall{Tool: turns.Shell, Name: "Bash", Command: line}, line: parseShell(line), result: result(1, text)}
		s.judge(nil)
		return failureKey(s)
	}
	for _, c := range []struct {
		name         string
		a, b, at, bt string
		same         bool
	}{
		{"other lines", "go build ./...", "go build ./cart", "cart/cart.go:9:2: undefined: total", "cart/cart.go:31:14: undefined: total", true},
		{"through a wrapper", "pytest -q", "poetry run python -m pytest", "KeyError: 'id'", "KeyError: 'id'", true},
		{"another program", "pytest -q", "mypy .", "KeyError: 'id'", "KeyError: 'id'", false},
		{"an error of the system, whatever ran into it", "npx vitest run", "node --run check", "Error: listen EPERM: operation not permitted 127.0.0.1", "Error: listen EPERM: operation not permitted 127.0.0.1", true},
		{"a path is no code", "npm test", "npm test", "error: cannot resolve ui/cart-list.ts", "error: cannot resolve ui/user-list.ts", true},
		{"another rule", "npm run lint", "npm run lint", "error: bad import  import/no-unresolved", "error: bad import  import/no-cycle-found", false},
		{"another error of syntax", "flake8", "flake8", "- E999 SyntaxError: unmatched ')'", "- E999 IndentationError: unexpected indent", false},
		{"another missing file", "cat a.ts", "cat b.ts", "cat: a.ts: No such file or directory", "cat: b.ts: No such file or directory", false},
		{"another message", "go build ./...", "go build ./...", "cart.go:9:2: undefined: total", "cart.go:9:2: undefined: price", false},
	} {
		a, b := key(c.a, c.at), key(c.b, c.bt)
		if a == "" || (a == b) != c.same {
			t.Errorf("%s: %q and %q", c.name, a, b)
		}
	}
	if key("sh x.sh", "") != "" {
		t.Error("a failure without a message must not meet others")
	}
}
