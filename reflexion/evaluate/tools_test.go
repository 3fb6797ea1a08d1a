package evaluate

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"episodes/internal/proc"
	"episodes/reflexion"
)

// Packages that passed count as tests only where the tests are not listed.
func TestGoPackages(t *testing.T) {
	for text, want := range map[string][2]int{
		"ok  \tx\t0.003s\n?   \tz\t[no test files]\nok  \ty\t(cached)\tcoverage: 40.0% of statements\n":             {2, 0},
		"--- FAIL: TestA (0.00s)\n    a_test.go:3: no\nFAIL\nFAIL\tx\t0.004s\nok  \ty\t0.1s\n":                      {1, 1},
		"=== RUN   TestA\n--- PASS: TestA (0.00s)\n=== RUN   TestB\n--- PASS: TestB (0.00s)\nPASS\nok  \tx\t0.1s\n": {2, 0},
		`{"Action":"pass","Package":"x","Test":"TestA"}
{"Action":"run","Package":"x","Test":"BenchmarkA"}
{"Action":"output","Package":"x","Test":"BenchmarkA","Output":"BenchmarkA-2   \t"}
{"Action":"output","Package":"x","Test":"BenchmarkA","Output":"      10\t        88.10 ns/op\n"}
{"Action":"run","Package":"x","Test":"BenchmarkB"}
{"Action":"output","Package":"x","Test":"BenchmarkB","Output":"panic: no rate\n"}`: {1, 1},
	} {
		r, err := Parse(Auto, []byte(text))
		if err != nil || r.Format != GoTest || count(r.Passed) != want[0] || count(r.Failed) != want[1] {
			t.Errorf("%q: %+v, %v", text, r, err)
		}
	}
}

// What a package says that fails outside of its tests is its own output, not that of others.
func TestGoPackagesApart(t *testing.T) {
	plain := "loading rates\nok  \ta\t0.1s\nno store\nexit status 3\nFAIL\tb\t0.1s\nbye\nok  \tc\t0.1s\nFAIL\n"
	var events string
	for _, x := range [][2]string{{"a", "loading rates"}, {"b", "no store"}, {"a", "ok  \ta\t0.1s"}, {"b", "exit status 3"}, {"b", "FAIL\tb\t0.1s"}, {"c", "bye"}} {
		events += fmt.Sprintf("{\"Action\":\"output\",\"Package\":%q,\"Output\":%q}\n", x[0], x[1]+"\n")
	}
	for _, text := range []string{plain, events + `{"Action":"fail","Package":"b"}` + "\n"} {
		r, err := Parse(GoTest, []byte(text))
		if err != nil || len(r.Problems) != 1 {
			t.Fatalf("%q: %+v, %v", text, r, err)
		}
		if got, want := r.Problems[0].Message, "package b failed: no store\nexit status 3\nFAIL\tb\t0.1s"; got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// fakes puts programs into dir, and dir into the path, that print nothing and end well.
func fakes(t *testing.T, dir string, names ...string) {
	t.Helper()
	for _, name := range names {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\nexit 0\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
}

// What a silent or plain verifier measured is known by its name, however it is
// started, or by --type; empty output of other programs measures nothing
// (row G7).
func TestTools(t *testing.T) {
	dir := t.TempDir()
	fakes(t, dir, "tsc", "npx", "mine", "go")
	const style = `echo 'README.md:3:81 MD013/line-length Line length'; exit 1; markdownlint .`
	for _, tt := range []struct {
		name        string
		v           Verifier
		types, lint int // -1: not measured
		reward      float64
		errType     reflexion.ErrorType
	}{
		{"tsc", Verifier{Command: proc.Spec{Args: []string{"tsc", "--noEmit"}}}, 0, -1, 1, ""},
		{"tsc of a path", Verifier{Command: proc.Spec{Args: []string{filepath.Join(dir, "tsc")}}}, 0, -1, 1, ""},
		{"tsc in the shell", shell("cd . && tsc --noEmit"), 0, -1, 1, ""},
		{"tsc by npx", shell("FORCE=1 npx --yes tsc --noEmit"), 0, -1, 1, ""},
		{"tsc in a shell of its own", Verifier{Command: proc.Spec{Args: []string{"/bin/sh", "-c", "tsc --noEmit"}}}, 0, -1, 1, ""},
		{"go vet", Verifier{Command: proc.Spec{Args: []string{"go", "vet", "./..."}}}, -1, 0, 1, ""},
		{"two subjects", shell("go build && go vet ./..."), -1, -1, 1, ""},
		{"unknown", shell("mine --check"), -1, -1, 1, ""},
		{"said to be lint", Verifier{Command: proc.Spec{Args: []string{"mine"}}, Type: reflexion.Lint}, -1, 0, 1, ""},
		{"markdownlint", shell(style), -1, 1, 0, reflexion.LintError},
		{"said to compile", Verifier{Command: proc.Spec{Shell: "echo 'a.c:1:2: error: no'; exit 1"}, Type: reflexion.Compilation}, 1, -1, 0, reflexion.TypeError},
		{"failed without a place", shell("echo broken; exit 2; tsc"), -1, -1, 0, reflexion.OtherError},
	} {
		t.Run(tt.name, func(t *testing.T) {
			e := run(t, dir, tt.v.Type, tt.v)
			if count(e.Metrics.TypeErrors) != tt.types || count(e.Metrics.LintErrors) != tt.lint || *e.Reward != tt.reward {
				t.Errorf("%d type errors, %d lint errors, reward %v", count(e.Metrics.TypeErrors), count(e.Metrics.LintErrors), *e.Reward)
			}
			var typ reflexion.ErrorType
			if len(e.Errors) > 0 {
				typ = e.Errors[0].Type
			}
			if typ != tt.errType {
				t.Errorf("errors %+v", e.Errors)
			}
		})
	}
	// A place that a program names is no complaint where it ends well.
	if e := run(t, dir, "", shell("echo 'server.log:12: started'")); !e.Passed || len(e.Errors) > 0 {
		t.Errorf("%+v", e)
	}
}

// The totals that JavaScript's test runners print for people, in their documented
// forms, with the failures below them.
func TestSummary(t *testing.T) {
	for _, tt := range []struct {
		name, text     string
		passed, failed int
		want           string
	}{
		{"jest", "FAIL ./cart.test.js\n  ✓ adds (1 ms)\n  ✕ totals (2 ms)\n\n  ● cart › totals\n\n    expect(received).toBe(expected) // Object.is equality\n\n    Expected: 4\n    Received: 3\n\n      at Object.toBe (cart.test.js:3:20)\n\nTest Suites: 1 failed, 1 total\nTests:       1 failed, 2 skipped, 1 passed, 4 total\nSnapshots:   0 total\n",
			1, 1, "expect(received).toBe(expected) // Object.is equality … [cart › totals] at cart.test.js:3:20"},
		{"jest, none", "No tests found, exiting with code 0\nTests:       0 total\n", 0, 0, ""},
		{"mocha", "  cart\n    ✔ adds\n    1) totals\n\n  2 passing (5ms)\n  1 failing\n\n  1) cart\n       totals:\n     AssertionError: 3 == 4\n      at Context.<anonymous> (test/cart.js:9:14)\n", 2, 1, "AssertionError: 3 == 4 [cart totals] at test/cart.js:9:14"},
	} {
		r, err := Parse(Auto, []byte(tt.text))
		if err != nil || r.Format != JSText || count(r.Passed) != tt.passed || count(r.Failed) != tt.failed {
			t.Errorf("%s: %+v, %v", tt.name, r, err)
			continue
		}
		got := ""
		if len(r.Problems) > 0 {
			got = strings.TrimPrefix(reflexion.Describe(r.Problems[0]), "test_failure: ")
		}
		if got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// The share of covered statements is read below a test run (schema,
// coverage_percentage).
func TestCoverage(t *testing.T) {
	for name, text := range map[string]string{
		"go":          "ok  \tx\t0.1s\tcoverage: 62.5% of statements\n",
		"coverage.py": "Name    Stmts   Miss  Cover\n-----\na.py       8      3  62.5%\n-----\nTOTAL      8      3  62.5%\n\n1 passed in 0.01s\n",
		"istanbul":    "File      | % Stmts | % Branch | % Funcs | % Lines |\nAll files |    62.5 |      100 |     100 |    62.5 |\n",
	} {
		v := Verifier{Command: proc.Spec{Shell: "x"}}
		r, _ := judge(v, "/", Finished{Result: &proc.Result{Stdout: []byte(text)}})
		if r.Coverage == nil || *r.Coverage != 62.5 {
			t.Errorf("%s: %v", name, r.Coverage)
		}
	}
	if r, _ := judge(shell("x"), "/", Finished{Result: &proc.Result{Stdout: []byte("TOTAL 8 3 162%\n")}}); r.Coverage != nil {
		t.Errorf("covers %v", *r.Coverage)
	}
}

// What vitest and node print: values that go on at the margin, a name that ends in a brace.
func TestTAPDiagnostics(t *testing.T) {
	text := `TAP version 13
1..2
not ok 1 - outer # time=3ms {
    1..1
    not ok 1 - eq # time=2ms
        ---
        error:
            name: "AssertionError"
            message: "expected 1 to be 2"
        at: "/x/a.test.mjs:6:50"
        actual: "{
  1,
}"
        expected: "2"
        ...
}
not ok 2 - odd {
  ---
  error: 'boom'
  ...
`
	r, err := Parse(Auto, []byte(text))
	if err != nil || len(r.Problems) != 2 || count(r.Failed) != 2 {
		t.Fatalf("%+v, %v", r, err)
	}
	for i, want := range []string{"expected 1 to be 2", "boom"} {
		if got := r.Problems[i]; !strings.HasPrefix(got.Message, want) {
			t.Errorf("%q, want %q", got.Message, want)
		}
	}
	if p := r.Problems[0]; p.File != "/x/a.test.mjs" || p.Line != 6 {
		t.Errorf("at %s:%d", p.File, p.Line)
	}
	r, err = Parse(Auto, []byte("TAP version 13\n1..1\nnot ok 1 - a {\n    not ok 1 - b\n      ---\n      error: no\n"))
	if err != nil || count(r.Failed) != 1 {
		t.Errorf("cut off: %+v, %v", r, err)
	}
}

func TestCargo(t *testing.T) {
	text := `{"reason":"compiler-message","message":{"rendered":"src/lib.rs:4:41: warning: length\n","level":"warning","message":"length\ncomparison",` +
		`"code":{"code":"clippy::len_zero"},"spans":[{"file_name":"src/lib.rs","line_start":4,"column_start":41,"is_primary":true}]}}
{"reason":"compiler-message","message":{"level":"error","message":"expected one of","code":null,"spans":[]}}
{"reason":"build-finished","success":false}
`
	r, err := Parse(Auto, []byte(text))
	if err != nil || len(r.Problems) != 2 || r.Problems[0].Rule != "clippy::len_zero" || r.Problems[0].Line != 4 ||
		r.Problems[1].Type != reflexion.SyntaxError || count(r.TypeErrors) != 1 {
		t.Errorf("%+v, %v", r, err)
	}

	text = "running 1 test\ntest a ... FAILED\n\nfailures:\n\n---- a stdout ----\nerror: cannot open\n\nthread 'a' panicked at a.rs:1:2:\nx\n\n" +
		"failures:\n    a\n\ntest result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured\n"
	if r, err := Parse(Auto, []byte(text)); err != nil || r.TypeErrors != nil || len(r.Problems) != 1 {
		t.Errorf("what a test printed: %+v, %v", r, err)
	}
	text, _, _ = strings.Cut(strings.Replace(text, "running", "   Compiling x\nrunning", 1), "failures:\n    a")
	if r, err := Parse(Auto, []byte(text)); err != nil || len(r.Problems) != 1 || r.Problems[0].Rule != "a" {
		t.Errorf("totals that are cut off: %+v, %v", r, err)
	}
	text = "error[E0277]: the trait\n              goes on\n  --> src/lib.rs:3:4\n   |\nerror: could not compile `x`\n"
	if r, err := Parse(Auto, []byte(text)); err != nil || len(r.Problems) != 1 || r.Problems[0].Line != 3 {
		t.Errorf("a message of two lines: %+v, %v", r, err)
	}
}
