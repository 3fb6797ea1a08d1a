package evaluate

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"episodes/internal/proc"
	"episodes/internal/testing/golden"
	"episodes/reflexion"
)

// samples are the outputs of real tools (testdata/README.md), by name.
func samples(t testing.TB) map[string][]byte {
	t.Helper()
	goldens, err := filepath.Glob("testdata/golden/*.json")
	if err != nil || len(goldens) < 22 {
		t.Fatalf("%q, %v", goldens, err)
	}
	out := map[string][]byte{}
	for _, file := range goldens {
		name := strings.TrimSuffix(filepath.Base(file), ".json")
		if out[name], err = os.ReadFile(filepath.Join("testdata", name)); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

func count(p *int) int {
	if p == nil {
		return -1
	}
	return *p
}

// The format of each is recognised, with its counts, places and messages.
func TestSamples(t *testing.T) {
	for name, data := range samples(t) {
		t.Run(name, func(t *testing.T) {
			r, err := Parse(Auto, data)
			if err != nil {
				t.Fatal(err)
			}
			r.located("/home/dev/js")
			sameReport(t, name, r)
		})
	}
}

func sameReport(t *testing.T, name string, r *Report) {
	t.Helper()
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(r); err != nil {
		t.Fatal(err)
	}
	golden.Is(t, filepath.Join("testdata", "golden", name+".json"), b.String())
}

// The reward is the guide's, with its vectors, and the two cases it leaves open
// (row G8).
func TestReward(t *testing.T) {
	n := func(x int) *int { return &x }
	for _, tt := range []struct {
		name   string
		m      reflexion.Metrics
		passed bool
		want   float64
		absent string
		binary bool
	}{
		{"all well", reflexion.Metrics{TestsPassed: n(5), TestsTotal: n(5), TypeErrors: n(0), LintErrors: n(0)}, true, 1, "", false},
		{"the schema's example", reflexion.Metrics{TestsPassed: n(3), TestsTotal: n(5)}, false, 0.3, "types lint", false},
		{"no test at all", reflexion.Metrics{TestsPassed: n(0), TestsTotal: n(0), TypeErrors: n(0), LintErrors: n(0)}, false, 0.5, "", false},
		{"lint alone fails", reflexion.Metrics{LintErrors: n(0)}, false, 0.2, "tests types", false},
		{"a pass is whole", reflexion.Metrics{TestsPassed: n(5), TestsTotal: n(5)}, true, 1, "types lint", false},
		{"an exit code passes", reflexion.Metrics{}, true, 1, "tests types lint", true},
		{"an exit code fails", reflexion.Metrics{}, false, 0, "tests types lint", true},
	} {
		got, parts := Reward(&tt.m, tt.passed)
		if math.Abs(got-tt.want) > 1e-12 || strings.Join(parts.Absent, " ") != tt.absent || parts.Binary != tt.binary {
			t.Errorf("%s: %v, %+v; want %v without %q", tt.name, got, parts, tt.want, tt.absent)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		maybe := rapid.Ptr(rapid.IntRange(0, 1000), true)
		m := reflexion.Metrics{TypeErrors: maybe.Draw(t, "types"), LintErrors: maybe.Draw(t, "lint"), TestsPassed: maybe.Draw(t, "passed")}
		if m.TestsPassed != nil {
			m.TestsTotal = n(*m.TestsPassed + rapid.IntRange(0, 1000).Draw(t, "failed"))
		}
		if r, _ := Reward(&m, rapid.Bool().Draw(t, "pass")); !(r >= 0 && r <= 1) {
			t.Fatalf("reward %v", r)
		}
	})
}

func shell(line string) Verifier {
	return Verifier{Command: proc.Spec{Shell: line, Timeout: 20 * time.Second}}
}

func run(t *testing.T, dir string, typ reflexion.VerificationType, vs ...Verifier) *Evaluation {
	t.Helper()
	e, err := Run(context.Background(), dir, vs, typ)
	if err != nil {
		t.Fatal(err)
	}
	r := &reflexion.Record{LoopID: "ralph-x", Timestamp: "2026-01-01T00:00:00Z", Evaluator: e.EvaluatorOutput, Memory: reflexion.MemoryMetadata{Omega: 1}}
	if _, err := reflexion.Marshal(r); err != nil {
		t.Errorf("gives no valid record: %v", err)
	}
	return e
}

// What passes and what does not, and what the error is then.
func TestVerdicts(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "old.xml"), []byte(`<testsuite><testcase name="a"/></testsuite>`), 0o644); err != nil {
		t.Fatal(err)
	}
	slow := shell("sleep 5")
	slow.Command.Timeout = 100 * time.Millisecond
	stale := shell("exit 0")
	stale.Report = "old.xml"
	fresh := shell(`echo '<testsuite><testcase name="a"/></testsuite>' >new.xml`)
	fresh.Report = "new.xml"
	wrong := shell("echo hello")
	wrong.Format = JUnit
	missing := Verifier{Command: proc.Spec{Args: []string{"no-such-verifier"}}}
	for _, tt := range []struct {
		name    string
		v       Verifier
		status  reflexion.Status
		typ     reflexion.VerificationType
		errType reflexion.ErrorType
		message string
	}{
		{"exit 0", shell("exit 0"), reflexion.Pass, reflexion.Heuristic, "", ""},
		{"exit 3", shell("echo sorry >&2; exit 3"), reflexion.Fail, reflexion.Heuristic, reflexion.OtherError, "exit code 3: sorry"},
		{"0 tests", shell(`echo '<testsuite></testsuite>'`), reflexion.Fail, reflexion.UnitTests, reflexion.OtherError, "no test ran, which is no pass"},
		{"all skipped", shell(`printf '1..1\nok 1 - a # SKIP\n'`), reflexion.Fail, reflexion.UnitTests, reflexion.OtherError, "no test ran, which is no pass"},
		{"go tests that are not listed", shell(`printf 'ok  \tx\t0.003s\nok  \ty\t(cached)\n'`), reflexion.Pass, reflexion.UnitTests, "", ""},
		{"no go tests to run", shell(`printf 'ok  \tx\t0.003s [no tests to run]\n'`), reflexion.Fail, reflexion.UnitTests, reflexion.OtherError, "no test ran, which is no pass"},
		{"failure behind a pipe", shell(`printf '1..1\nnot ok 1 - a\n' | cat`), reflexion.Fail, reflexion.UnitTests, reflexion.TestFailure, "a"},
		{"passes, exit 1", shell(`printf '1..1\nok 1 - a\n'; exit 1`), reflexion.Fail, reflexion.UnitTests, reflexion.OtherError, "exit code 1\n1..1\nok 1 - a"},
		{"tests that never ran", shell(`printf '1..3\nok 1 - a\n'`), reflexion.Fail, reflexion.UnitTests, reflexion.RuntimeError, "the number of tests is not the one that was planned"},
		{"0 tests, exit 5", shell(`printf 'collected 0 items\n\n===== no tests ran in 0.01s =====\n'; exit 5`), reflexion.Fail, reflexion.UnitTests, reflexion.OtherError,
			"no test ran, which is no pass, exit code 5: ===== no tests ran in 0.01s =====\ncollected 0 items\n\n===== no tests ran in 0.01s ====="},
		{"given up", shell(`printf '1..3\nok 1 - a\nBail out! no database\n'`), reflexion.Fail, reflexion.UnitTests, reflexion.RuntimeError, "the tests were given up: no database"},
		{"timeout", slow, reflexion.Errored, reflexion.Heuristic, reflexion.Timeout, "the verifier did not end within 100ms"},
		{"no program", missing, reflexion.Errored, reflexion.Heuristic, reflexion.RuntimeError, `the verifier could not be run: run "no-such-verifier": executable file not found in $PATH`},
		{"old report", stale, reflexion.Errored, reflexion.Heuristic, reflexion.RuntimeError, `the report "old.xml" was not written by this run`},
		{"own report", fresh, reflexion.Pass, reflexion.UnitTests, "", ""},
		{"other format", wrong, reflexion.Errored, reflexion.Heuristic, reflexion.RuntimeError, "not a report of format junit: no <testsuite>"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			e := run(t, dir, "", tt.v)
			if e.Results[0].Status != tt.status || e.Passed != (tt.status == reflexion.Pass) || e.Type != tt.typ {
				t.Errorf("status %s, passed %v, type %s; want %s, %s", e.Results[0].Status, e.Passed, e.Type, tt.status, tt.typ)
			}
			var typ reflexion.ErrorType
			message := ""
			if len(e.Errors) > 0 {
				typ, message = e.Errors[0].Type, e.Errors[0].Message
			}
			if typ != tt.errType || message != tt.message {
				t.Errorf("error %s %q, want %s %q", typ, message, tt.errType, tt.message)
			}
		})
	}
}

// Several verifiers make a combined verification, whose parts add up (row G7).
func TestCombined(t *testing.T) {
	dir := t.TempDir()
	e := run(t, dir, "", shell(`printf '1..5\nok 1\nok 2\nok 3\nok 4\nok 5\n'`),
		shell("echo 'src/a.ts(3,5): error TS2304: Cannot find name'; exit 2"), shell(`echo '[{"filePath":"/a.js","messages":[]}]'`))
	if e.Passed || e.Type != reflexion.Combined || math.Abs(*e.Reward-0.7) > 1e-12 || len(e.Parts.Absent) != 0 {
		t.Errorf("%+v, reward %v", e, *e.Reward)
	}
	if diff := cmp.Diff([]string{TAP, TSC, ESLint}, e.Formats); diff != "" {
		t.Error(diff)
	}
	if len(e.Errors) != 1 || e.Errors[0].File != "src/a.ts" || e.Errors[0].Rule != "TS2304" {
		t.Errorf("errors %+v", e.Errors)
	}
	if e := Combine(nil, nil, ""); e.Passed {
		t.Error("passed without a verifier")
	}
}

func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if e, err := Run(ctx, t.TempDir(), []Verifier{shell("exit 0")}, ""); err != context.Canceled {
		t.Errorf("%+v, %v", e, err)
	}
}

// Every parser takes any bytes: it never panics, never counts below zero, and
// what it gives makes a valid record.
func FuzzParse(f *testing.F) {
	for _, data := range samples(f) {
		f.Add(data)
	}
	for _, s := range runnerSamples {
		f.Add([]byte(s.text))
	}
	f.Add([]byte("TAP version 14\n    ok 1\n  ---\nnot ok 2\n"))
	f.Add([]byte("{\"numTotalTests\":1,\"testResults\":null}\n[{\"filePath\":1}]"))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, name := range Formats() {
			r, err := Parse(name, data)
			if err != nil {
				continue
			}
			for what, n := range map[string]*int{"passed": r.Passed, "failed": r.Failed, "type errors": r.TypeErrors, "lint errors": r.LintErrors, "warnings": r.LintWarnings} {
				if n != nil && *n < 0 {
					t.Fatalf("%s: %d %s", name, *n, what)
				}
			}
			if len(r.Problems) > maxProblems {
				t.Fatalf("%s: %d problems", name, len(r.Problems))
			}
			_, res := judge(Verifier{Command: proc.Spec{Shell: "x"}, Format: name}, "/", Finished{Result: &proc.Result{Stdout: data}})
			e := Combine([]*Report{r}, []reflexion.Result{res}, "")
			rec := &reflexion.Record{LoopID: "ralph-x", Timestamp: "2026-01-01T00:00:00Z", Evaluator: e.EvaluatorOutput, Memory: reflexion.MemoryMetadata{Omega: 1}}
			if _, err := reflexion.Marshal(rec); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			for _, p := range r.Problems {
				if strings.ContainsAny(p.Message+p.Rule+p.File+p.StackTrace, "\x1b\x00\x07") {
					t.Fatalf("%s: a control character in %+v", name, p)
				}
			}
		}
	})
}
