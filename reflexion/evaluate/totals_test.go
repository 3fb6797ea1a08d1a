package evaluate_test

import (
	"testing"

	"episodes/reflexion/evaluate"
)

// Tests are counted by the line in which a runner sums up, also where only the end of an output
// is left.
func TestTotals(t *testing.T) {
	for _, c := range []struct {
		name, output, format    string
		passed, failed, skipped int
	}{
		{"Gradle", "> Task :a:test FAILED\n3 tests completed, 1 failed\n> Task :b:test FAILED\n4 tests completed, 2 failed", evaluate.Totals, 4, 3, 0},
		{"minitest", "9 runs, 20 assertions, 1 failures, 1 errors, 2 skips", evaluate.Totals, 5, 2, 2},
		{"ExUnit", "3 doctests, 7 tests, 1 failure", evaluate.Totals, 9, 1, 0},
		{"CTest", "80% tests passed, 1 tests failed out of 5", evaluate.Totals, 4, 1, 0},
		{"XCTest", "Test Suite 'All tests' passed\n\t Executed 6 tests, with 2 failures (0 unexpected) in 0.1 seconds", evaluate.Totals, 4, 2, 0},
		{"Deno", "FAILED | 7 passed (2 steps) | 1 failed (31ms)", evaluate.Totals, 7, 1, 0},
		{"cargo nextest", "     Summary [   0.2s] 8 tests run: 7 passed, 1 failed, 0 skipped", evaluate.Totals, 7, 1, 0},
		{"Dart", "00:02 +7 ~1 -2: Some tests failed.", evaluate.Totals, 7, 2, 0},
		{"Bun", " 5 pass\n 2 fail\nRan 7 tests across 2 files. [81.00ms]", evaluate.Totals, 5, 2, 0},
		{"a script", "=== 12 passed, 3 failed ===", evaluate.Totals, 12, 3, 0},
		{"a script that fails", "tests: 2 failed", evaluate.Totals, 0, 2, 0},
		{"the end of unittest", "Ran 5 tests in 0.002s\n\nFAILED (failures=1, errors=1, skipped=1, expected failures=1)", evaluate.Unittest, 1, 2, 2},
		{"the end of PHPUnit", "OK (3 tests, 5 assertions)", evaluate.PHPUnit, 3, 0, 0},
		{"the end of GoogleTest", "[  PASSED  ] 4 tests.\n[  FAILED  ] 2 tests, listed below:\n[  FAILED  ] Cart.Sums\n[  FAILED  ] Cart.Opens", evaluate.GTest, 4, 2, 0},
		{"no format has counts", "src/a.ts(3,7): error TS2322: Type 'string' is not assignable to type 'number'.\n3 passed, 1 failed", evaluate.TSC, 3, 1, 0},
	} {
		r, err := evaluate.Parse(evaluate.Auto, []byte(c.output))
		if err != nil || r.Passed == nil || r.Format != c.format {
			t.Errorf("%s: %+v, %v", c.name, r, err)
			continue
		}
		if *r.Passed != c.passed || *r.Failed != c.failed || r.Skipped != c.skipped {
			t.Errorf("%s: %d passed, %d failed, %d skipped", c.name, *r.Passed, *r.Failed, r.Skipped)
		}
	}
	for _, output := range []string{"", "3 files were passed on", "0 passed, 0 failed", "he failed 3 times"} {
		if r, err := evaluate.Parse(evaluate.Auto, []byte(output)); err != nil || r.Passed != nil {
			t.Errorf("%q is read as %+v, %v", output, r, err)
		}
	}
	if r, err := evaluate.Parse(evaluate.Totals, []byte("done")); err == nil {
		t.Errorf("a text without totals is read as %+v", r)
	}
	if r, err := evaluate.Parse(evaluate.PlainExit, []byte("3 passed, 1 failed")); err != nil || r.Passed != nil {
		t.Errorf("by exit code: %+v, %v", r, err)
	}
}
