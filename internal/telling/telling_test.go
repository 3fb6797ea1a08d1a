package telling_test

import (
	"slices"
	"strings"
	"testing"

	"episodes/internal/telling"
)

func TestOf(t *testing.T) {
	for line, want := range map[string]telling.Level{
		"ValueError: no such tenant":                   telling.Named,
		"--- FAIL: TestUpload (0.00s)":                 telling.Named,
		"fatal: bad object HEAD":                       telling.Reported,
		"parcel.go:12:4: undefined: upload":            telling.Reported,
		"make: *** No rule to make target 'parcel'.":   telling.Complaint,
		"the bucket could not be opened":               telling.Complaint,
		"error: could not compile `parcels` (lib)":     telling.Vague,
		"✖ 3 problems (1 error, 2 warnings)":           telling.Vague,
		"falling back to the cached parcels":           telling.Warning,
		"uploading 12 parcels":                         telling.Plain,
		"Process completed with exit code 1.":          telling.Stop,
		"npm ERR! code ELIFECYCLE":                     telling.Noise,
		"Tests:       1 failed, 3 passed, 4 total":     telling.Vague,
		"Warning: command \"tsc\" exited with code 2":  telling.Stop,
		"    at upload (/srv/app.js:3:1)":              telling.Noise,
		"> tsc --noEmit":                               telling.Noise,
		"> Could not resolve com.example:parcels:1.0.": telling.Complaint,
		"":  telling.Plain,
		"│": telling.Noise,
	} {
		if got := telling.Of(strings.TrimSpace(line)); got != want {
			t.Errorf("Of(%q) = %d, want %d", line, got, want)
		}
	}
}

// outputs are what programs print when they fail, and the line of it that says what went wrong.
var outputs = []struct{ program, output, want string }{
	{"go build", "# parcels/store\nstore/lock.go:12:4: undefined: tenant\nstore/lock.go:19:1: missing return", "store/lock.go:12:4: undefined: tenant"},
	{"go test", "=== RUN   TestUpload\n    upload_test.go:12: tenant is nil\n--- FAIL: TestUpload (0.00s)\nFAIL\nFAIL\tparcels/store\t0.004s\nFAIL\nexit status 1", "upload_test.go:12: tenant is nil"},
	{"go run", "listening\npanic: runtime error: index out of range [3] with length 3\n\ngoroutine 1 [running]:\nmain.main()\n\t/srv/main.go:9 +0x1d\nexit status 2", "panic: runtime error: index out of range [3] with length 3"},
	{"cargo build", "   Compiling parcels v0.1.0 (/srv/parcels)\nwarning: unused variable: `a`\nerror[E0382]: borrow of moved value: `cart`\n --> src/main.rs:4:5\n  |\n4 |     cart\n  |     ^^^^ value borrowed here after move\nerror: could not compile `parcels` (bin) due to 1 previous error", "error[E0382]: borrow of moved value: `cart`"},
	{"cargo test", "running 1 test\ntest sums ... FAILED\n\nfailures:\n\n---- sums stdout ----\nthread 'sums' panicked at src/lib.rs:9:5:\nthe basket is full\nnote: run with `RUST_BACKTRACE=1`\n\ntest result: FAILED. 0 passed; 1 failed; 0 ignored", "the basket is full"},
	{"pytest", "=== FAILURES ===\n___ test_total ___\n    def test_total():\n>       assert parcel == 3\nE       assert 2 == 3\n\ncart.py:9: AssertionError\n=== short test summary info ===\nFAILED test_cart.py::test_total - assert 2 == 3", "E       assert 2 == 3"},
	{"python", "start\nTraceback (most recent call last):\n  File \"a.py\", line 2\nValueError: bad\n\nDuring handling of the above exception, another exception occurred:\n\nTraceback (most recent call last):\n  File \"a.py\", line 4\nparcels.errors.LoadError: no rows", "parcels.errors.LoadError: no rows"},
	{"node --test", "▶ cart\n  ✖ adds totals (1.2ms)\n▶ cart (3ms)\nℹ tests 1\nℹ fail 1\n\n✖ failing tests:\n\ntest at test/cart.test.js:3:1\n✖ adds totals (1.2ms)\n  AssertionError [ERR_ASSERTION]: 3 must be 4\n      at TestContext.<anonymous> (file:///srv/test/cart.test.js:4:10)", "AssertionError [ERR_ASSERTION]: 3 must be 4"},
	{"TAP", "not ok 4 - adds totals\n  ---\n  duration_ms: 1.2\n  error: 'listen EPERM: operation not permitted'\n  ...\n# fail 1", "error: 'listen EPERM: operation not permitted'"},
	{"jest", "> parcels@1.0.0 test\n> jest cart\n\n FAIL  tests/cart.test.js\n  ● Cart › sums › adds a parcel\n\n    expect(received).toBe(expected)\n\n    Expected: 2\n    Received: 1\n\n      at Object.<anonymous> (tests/cart.test.js:8:24)\nTests:       1 failed, 3 passed, 4 total", "● Cart › sums › adds a parcel"},
	{"mocha", "  Cart\n    ✓ opens\n    1) sums\n\n  1 passing (3ms)\n  1 failing\n\n  1) Cart\n       sums:\n     AssertionError [ERR_ASSERTION]: 3 must be 4\n      at Context.<anonymous> (test/cart.js:4:10)", "AssertionError [ERR_ASSERTION]: 3 must be 4"},
	{"mocha, few words", "1 failing\n  adds totals", "adds totals"},
	{"vitest", " FAIL  src/cart.test.ts > cart > sums\nAssertionError: expected 3 to be 4\n ❯ src/cart.test.ts:4:3\n\n Test Files  1 failed (1)", "AssertionError: expected 3 to be 4"},
	{"tsc", "> tsc --noEmit\n\nsrc/index.ts(2,34): error TS2307: Cannot find module 'parcels'.\nWarning: command \"tsc --noEmit\" exited with non-zero status code", "src/index.ts(2,34): error TS2307: Cannot find module 'parcels'."},
	{"eslint", "/srv/src/a.js\n  3:1  warning  Unexpected console statement  no-console\n  4:1  error    'x' is not defined  no-undef\n\n✖ 2 problems (1 error, 1 warning)", "4:1  error    'x' is not defined  no-undef"},
	{"npm install", "npm warn old lockfile\nnpm error code EBADPLATFORM\nnpm error notsup Unsupported platform for parcels@1.0.0: wanted {\"os\":\"darwin\"}\nnpm error notsup Valid os:   darwin\nnpm error A complete log of this run can be found in: /srv/x.log", "npm error notsup Unsupported platform for parcels@1.0.0: wanted {\"os\":\"darwin\"}"},
	{"npm run", "> parcels@1.0.0 lock\n> node lock.mjs\n\nthe relay did not answer (0 of 3)\nnpm error Lifecycle script `lock` failed with error:\nnpm error code 2", "the relay did not answer (0 of 3)"},
	{"webpack", "ERROR in ./src/Cart.jsx\nModule not found: Error: Can't resolve 'parcels' in '/srv/src'\nwebpack 5.1.0 compiled with 1 error in 81 ms", "Module not found: Error: Can't resolve 'parcels' in '/srv/src'"},
	{"vite", "vite v6.0.0 building for production...\n✗ Build failed in 80ms\nerror during build:\n[vite]: Rollup failed to resolve import \"parcels\" from \"src/a.ts\".", "[vite]: Rollup failed to resolve import \"parcels\" from \"src/a.ts\"."},
	{"make", "cc -c cart.c\ncart.c:9:13: error: use of undeclared identifier 'totl'\n1 error generated.\nmake: *** [Makefile:3: cart.o] Error 1", "cart.c:9:13: error: use of undeclared identifier 'totl'"},
	{"a list of checks", "ok names\nFAIL max-depth\nflag provided but not defined: -max-depth\n\nmake: *** [Makefile:16: cli] Error 1", "flag provided but not defined: -max-depth"},
	{"make, no rule", "make: Entering directory '/srv'\nmake: *** No rule to make target 'cart.h', needed by 'cart.o'.  Stop.", "make: *** No rule to make target 'cart.h', needed by 'cart.o'.  Stop."},
	{"a script in make", "cp parcels.json build/\nthe schema has no field tenant\nmake: *** [Makefile:9: check] Error 75", "the schema has no field tenant"},
	{"cmake", "-- Configuring\nCMake Error at CMakeLists.txt:27 (find_package):\n  Could not find a package configuration file provided by \"Parcels\"", "Could not find a package configuration file provided by \"Parcels\""},
	{"gradle", "> Task :app:compileJava FAILED\n/srv/Cart.java:9: error: cannot find symbol\n\nFAILURE: Build failed with an exception.\n\n* What went wrong:\nExecution failed for task ':app:compileJava'.", "/srv/Cart.java:9: error: cannot find symbol"},
	{"maven", "[INFO] Scanning for projects...\n[ERROR] COMPILATION ERROR :\n[ERROR] /srv/Cart.java:[9,13] cannot find symbol\n[INFO] BUILD FAILURE", "/srv/Cart.java:[9,13] cannot find symbol"},
	{"dotnet", "  Determining projects to restore...\n/srv/Cart.cs(9,13): error CS0103: The name 'totl' does not exist in the current context [/srv/Shop.csproj]\nBuild FAILED.", "/srv/Cart.cs(9,13): error CS0103: The name 'totl' does not exist in the current context [/srv/Shop.csproj]"},
	{"ruby", "cart.rb:3:in `sum': undefined method `+' for nil (NoMethodError)\n\tfrom cart.rb:9:in `<main>'", "cart.rb:3:in `sum': undefined method `+' for nil (NoMethodError)"},
	{"rspec", "F\n\nFailures:\n\n  1) Cart sums\n     Failure/Error: expect(total).to eq(2)\n\n       expected: 2\n            got: 1\n\n1 example, 1 failure", "Failure/Error: expect(total).to eq(2)"},
	{"php", "PHP Fatal error:  Uncaught TypeError: sum(): Argument #1 must be of type array, null given in /srv/cart.php:3\nStack trace:\n#0 {main}", "PHP Fatal error:  Uncaught TypeError: sum(): Argument #1 must be of type array, null given in /srv/cart.php:3"},
	{"docker build", "#5 [2/3] RUN npm ci\n#5 1.203 npm error Missing script: \"ci\"\n#5 ERROR: process \"/bin/sh -c npm ci\" did not complete successfully: exit code: 1\n------\nERROR: failed to solve: process \"/bin/sh -c npm ci\" did not complete successfully: exit code: 1", "npm error Missing script: \"ci\""},
	{"docker compose", "web-1  | listening\ndb-1   | FATAL:  database \"parcels\" does not exist\nweb-1 exited with code 1", "FATAL:  database \"parcels\" does not exist"},
	{"git push", "To example.com:a/b\n ! [rejected]        main -> main (fetch first)\nerror: failed to push some refs to 'example.com:a/b'\nhint: Updates were rejected", "! [rejected]        main -> main (fetch first)"},
	{"git hook", "Preparing worktree\nERROR: a branch cannot be checked out in the main worktree\nfatal: post-checkout hook failed\nsubprocess.CalledProcessError: Command '['git', 'worktree']' returned non-zero exit status 1.", "ERROR: a branch cannot be checked out in the main worktree"},
	{"curl", "  % Total    % Received\ncurl: (22) The requested URL returned error: 404", "curl: (22) The requested URL returned error: 404"},
	{"terraform", "╷\n│ Error: Unsupported argument\n│ \n│   on main.tf line 3\n╵", "Error: Unsupported argument"},
	{"ansible", "TASK [install parcels] ***\nfatal: [web1]: FAILED! => {\"changed\": false, \"msg\": \"No package matching 'parcels' is available\"}\n\nPLAY RECAP ***\nweb1 : ok=1 changed=0 unreachable=0 failed=1", "fatal: [web1]: FAILED! => {\"changed\": false, \"msg\": \"No package matching 'parcels' is available\"}"},
	{"kubectl", "Warning: parcels/v1 is deprecated\nError from server (NotFound): deployments.apps \"parcels\" not found", "Error from server (NotFound): deployments.apps \"parcels\" not found"},
	{"nx", "> nx run parcels:dev\n\n NX   Daemon is not running. The watch command is not supported without it.\n\nWarning: command \"nx watch --all\" exited with non-zero status code", "NX   Daemon is not running. The watch command is not supported without it."},
	{"a runner of workflows", "2026-03-01T10:11:12.1234567Z ##[group]Run npm run lint\n2026-03-01T10:11:12.2234567Z shell: /usr/bin/bash\n2026-03-01T10:11:12.3234567Z ##[endgroup]\n2026-03-01T10:11:14.3234567Z No parcel for branch main\n2026-03-01T10:11:14.3334567Z ##[error]Process completed with exit code 1.", "No parcel for branch main"},
	{"a log of a runner", "Lint\tRun lint\t2026-03-01T10:11:12.1234567Z ##[group]Run lint\nLint\tRun lint\t2026-03-01T10:11:13.1234567Z ##[error]Unable to locate the executable: parcels", "Unable to locate the executable: parcels"},
	{"annotations", "::group::install\nfailed to fetch the index, trying again\n::endgroup::\n::error file=a.py,line=3::tenant is gone\n::debug::falcon", "tenant is gone"},
	{"commands at a prompt", "$ ./parcels fail --error\nok\n$ ./parcels list\nUnknown command: list\nUsage: parcels <check|lock>", "Unknown command: list"},
	{"colours", "\x1b[31mValueError\x1b[0m: no such \x1b[1mtenant\x1b[0m\r\n", "ValueError: no such tenant"},
	{"only a warning", "a.py:3: DeprecationWarning: use parcels\n", "a.py:3: DeprecationWarning: use parcels"},
	{"only a stop", "Process completed with exit code 1.", "Process completed with exit code 1."},
	{"nothing specific", "first\nlast words", "last words"},
	{"nothing", "Exit code 3\n\n", ""},
}

func TestIn(t *testing.T) {
	for _, o := range outputs {
		if got := telling.In(o.output); got != o.want {
			t.Errorf("%s: %q, want %q", o.program, got, o.want)
		}
	}
}

// What programs print around an error does not change the line that is found.
func TestNoiseChangesNothing(t *testing.T) {
	before := "> parcels@1.0.0 check\n> node check.mjs --all\n\n" + strings.Repeat("=", 40) + "\nnpm warn old lockfile\n"
	after := "\n    at check (/srv/check.mjs:3:1)\nnpm ERR! code ELIFECYCLE\nerror Command failed with exit code 2.\nmake: *** [Makefile:3: check] Error 2\n"
	for _, o := range outputs {
		lines := telling.Read(o.output)
		if i := telling.Best(lines); i < 0 || lines[i].Level < telling.Vague {
			continue
		}
		if got := telling.In(before + o.output + after); got != o.want {
			t.Errorf("%s: %q, want %q", o.program, got, o.want)
		}
	}
}

// FuzzRead: lines have no space around them, none is empty, and a line that is noise, or only
// reports a stop, is never preferred to one that complains.
func FuzzRead(f *testing.F) {
	for _, o := range outputs {
		f.Add(o.output)
	}
	f.Fuzz(func(t *testing.T, output string) {
		lines := telling.Read(output)
		for _, l := range lines {
			if l.Text == "" || l.Text != strings.TrimSpace(l.Text) || l.Level > telling.Named {
				t.Fatalf("%q has the line %+v", output, l)
			}
		}
		if len(lines) > strings.Count(output, "\n")+1 {
			t.Fatalf("%q has %d lines", output, len(lines))
		}
		i := telling.Best(lines)
		says := func(l telling.Line) bool { return l.Level >= telling.Complaint && !l.Command }
		if i >= 0 && slices.ContainsFunc(lines, says) && !says(lines[i]) || i < 0 && slices.ContainsFunc(lines, says) {
			t.Fatalf("%q: line %d is preferred", output, i)
		}
	})
}
