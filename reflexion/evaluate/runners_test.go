package evaluate

import (
	"strings"
	"testing"

	"episodes/internal/proc"
	"episodes/reflexion"
)

// runnerSamples are texts in the documented forms of tools that print for people: all well,
// with failures, without any test, and not compiled. counts are the tests that passed,
// failed and were skipped, and the errors of types and style; -1: not counted.
var runnerSamples = []struct {
	name, format string
	exit         int
	counts       [5]int
	want         string // the problems
	text         string
}{
	{"eslint", ESLint, 1, [5]int{-1, -1, 0, -1, 2}, `lint_error: 'total' is assigned a value but never used [no-unused-vars] at src/cart.js:3:7
lint_error: Unexpected console statement [no-console] at src/cart.js:12:1
syntax_error: Parsing error: Unexpected token } at src/pay.js:40:2`, `
/home/dev/shop/src/cart.js
   3:7   error    'total' is assigned a value but never used  no-unused-vars
  12:1   warning  Unexpected console statement                no-console

/home/dev/shop/src/pay.js
  40:2  error  Parsing error: Unexpected token }

✖ 3 problems (2 errors, 1 warning)
  1 error and 0 warnings potentially fixable with the ` + "`--fix`" + ` option.

`},
	{"unittest cannot import", Unittest, 1, [5]int{0, 1, 0, -1, -1}, `runtime_error: ImportError: cannot import name 'totals' from 'shop.cart' [test_cart (unittest.loader._FailedTest.test_cart)] at test_cart.py:3`, `E
======================================================================
ERROR: test_cart (unittest.loader._FailedTest.test_cart)
----------------------------------------------------------------------
ImportError: Failed to import test module: test_cart
Traceback (most recent call last):
  File "/usr/lib/python3.12/unittest/loader.py", line 396, in _find_test_path
    module = self._get_module_from_name(name)
  File "/home/dev/shop/test_cart.py", line 3, in <module>
    from shop.cart import totals
ImportError: cannot import name 'totals' from 'shop.cart'


----------------------------------------------------------------------
Ran 1 test in 0.000s

FAILED (errors=1)
`},
	{"unittest passes", Unittest, 0, [5]int{3, 0, 0, -1, -1}, "", "...\n----------------------------------------------------------------------\nRan 3 tests in 0.001s\n\nOK\n"},
	{"no unittest", Unittest, 0, [5]int{0, 0, 0, -1, -1}, "", "\n----------------------------------------------------------------------\nRan 0 tests in 0.000s\n\nOK\n"},
	{"no unittest, of late", Unittest, 5, [5]int{0, 0, 0, -1, -1}, "", "\n----------------------------------------------------------------------\nRan 0 tests in 0.000s\n\nNO TESTS RAN\n"},
	{"all of unittest skipped", Unittest, 0, [5]int{0, 0, 2, -1, -1}, "", "ss\n----------------------------------------------------------------------\nRan 2 tests in 0.000s\n\nOK (skipped=2)\n"},
	{"rspec", RSpec, 1, [5]int{2, 1, 1, -1, -1}, `test_failure: Failure/Error: expect(cart.total).to eq(4) … [Cart total adds prices] at spec/cart_spec.rb:12`, `.*F.

Pending: (Failures listed here are expected and do not affect your suite's status)

  1) Cart ships abroad
     # not yet
     # ./spec/cart_spec.rb:30

Failures:

  1) Cart total adds prices
     Failure/Error: expect(cart.total).to eq(4)

       expected: 4
            got: 3

       (compared using ==)
     # /home/dev/.gem/ruby/3.3.0/gems/rspec-core-3.13.0/lib/rspec/core/runner.rb:9:in 'run'
     # ./spec/cart_spec.rb:12:in 'block (3 levels) in <top (required)>'

Finished in 0.01223 seconds (files took 0.08 seconds to load)
4 examples, 1 failure, 1 pending

Failed examples:

rspec ./spec/cart_spec.rb:11 # Cart total adds prices

`},
	{"rspec cannot load", RSpec, 1, [5]int{0, 1, 0, -1, -1}, `runtime_error: Failure/Error: require_relative '../lib/cart' … [An error occurred while loading ./spec/cart_spec.rb] at spec/cart_spec.rb:1`, `
An error occurred while loading ./spec/cart_spec.rb.
Failure/Error: require_relative '../lib/cart'

LoadError:
  cannot load such file -- /home/dev/shop/lib/cart
# ./spec/cart_spec.rb:1:in 'require_relative'

Finished in 0.00002 seconds (files took 0.06 seconds to load)
0 examples, 0 failures, 1 error occurred outside of examples

`},
	{"rspec passes", RSpec, 0, [5]int{2, 0, 0, -1, -1}, "", "..\n\nFinished in 0.002 seconds (files took 0.05 seconds to load)\n2 examples, 0 failures\n\n"},
	{"no rspec", RSpec, 0, [5]int{0, 0, 0, -1, -1}, "", "No examples found.\n\nFinished in 0.0003 seconds (files took 0.05 seconds to load)\n0 examples, 0 failures\n\n"},
	{"phpunit", PHPUnit, 2, [5]int{1, 2, 1, -1, -1}, `runtime_error: TypeError: Unsupported operand types: string + int [Shop\Tests\CartTest::testEmpty] at src/Cart.php:9
test_failure: Failed asserting that 3 matches expected 4. [Shop\Tests\CartTest::testTotal with data set "two" (2, 2)] at tests/CartTest.php:12`, `PHPUnit 11.5.0 by Sebastian Bergmann and contributors.

Runtime:       PHP 8.3.1

EFS.                                                                4 / 4 (100%)

Time: 00:00.012, Memory: 10.00 MB

There was 1 error:

1) Shop\Tests\CartTest::testEmpty
TypeError: Unsupported operand types: string + int

/home/dev/shop/src/Cart.php:9
/home/dev/shop/tests/CartTest.php:20

--

There was 1 failure:

1) Shop\Tests\CartTest::testTotal with data set "two" (2, 2)
Failed asserting that 3 matches expected 4.

/home/dev/shop/vendor/acme/assert/src/Same.php:5
/home/dev/shop/tests/CartTest.php:12

--

There was 1 skipped test:

1) Shop\Tests\CartTest::testAbroad
not here

ERRORS!
Tests: 4, Assertions: 3, Errors: 1, Failures: 1, Skipped: 1.
`},
	{"phpunit passes", PHPUnit, 0, [5]int{3, 0, 0, -1, -1}, "", "PHPUnit 11.5.0 by Sebastian Bergmann and contributors.\n\n...                                                                 3 / 3 (100%)\n\nTime: 00:00.004, Memory: 8.00 MB\n\nOK (3 tests, 5 assertions)\n"},
	{"no phpunit", PHPUnit, 0, [5]int{0, 0, 0, -1, -1}, "", "PHPUnit 11.5.0 by Sebastian Bergmann and contributors.\n\nNo tests executed!\n"},
	{"maven", Maven, 1, [5]int{2, 2, 1, -1, -1}, `test_failure: org.opentest4j.AssertionFailedError: expected: <4> but was: <3> [shop.CartTest.total] at CartTest.java:12
runtime_error: java.lang.NullPointerException: Cannot invoke "shop.Item.price()" because "item" is null [shop.CartTest.empty] at CartTest.java:20`, `[INFO] Scanning for projects...
[INFO]
[INFO] -------------------------------------------------------
[INFO]  T E S T S
[INFO] -------------------------------------------------------
[INFO] Running shop.CartTest
[ERROR] Tests run: 5, Failures: 1, Errors: 1, Skipped: 1, Time elapsed: 0.051 s <<< FAILURE! -- in shop.CartTest
[ERROR] shop.CartTest.total -- Time elapsed: 0.012 s <<< FAILURE!
org.opentest4j.AssertionFailedError: expected: <4> but was: <3>
	at org.junit.jupiter.api.AssertEquals.assertEquals(AssertEquals.java:150)
	at shop.CartTest.total(CartTest.java:12)

[ERROR] empty(shop.CartTest)  Time elapsed: 0.001 s  <<< ERROR!
java.lang.NullPointerException: Cannot invoke "shop.Item.price()" because "item" is null
	at shop.Cart.total(Cart.java:8)
	at shop.CartTest.empty(CartTest.java:20)

[INFO]
[INFO] Results:
[INFO]
[ERROR] Failures:
[ERROR]   CartTest.total:12 expected: <4> but was: <3>
[ERROR] Errors:
[ERROR]   CartTest.empty:20 » NullPointer Cannot invoke "shop.Item.price()" because "item" is null
[INFO]
[ERROR] Tests run: 5, Failures: 1, Errors: 1, Skipped: 1
[INFO]
[INFO] ------------------------------------------------------------------------
[INFO] BUILD FAILURE
[INFO] ------------------------------------------------------------------------
`},
	{"maven does not compile", Maven, 1, [5]int{-1, -1, 0, 2, -1}, `type_error: cannot find symbol at src/main/java/shop/Cart.java:12:20
syntax_error: ';' expected at src/main/java/shop/Cart.java:14:5`, `[INFO] --- compiler:3.13.0:compile (default-compile) @ shop ---
[ERROR] COMPILATION ERROR :
[INFO] -------------------------------------------------------------
[ERROR] /home/dev/shop/src/main/java/shop/Cart.java:[12,20] cannot find symbol
  symbol:   class Itm
[ERROR] /home/dev/shop/src/main/java/shop/Cart.java:[14,5] ';' expected
[INFO] 2 errors
[INFO] BUILD FAILURE
[ERROR] Failed to execute goal org.apache.maven.plugins:maven-compiler-plugin:3.13.0:compile (default-compile) on project shop: Compilation failure: Compilation failure:
[ERROR] /home/dev/shop/src/main/java/shop/Cart.java:[12,20] cannot find symbol
[ERROR]   symbol:   class Itm
[ERROR] /home/dev/shop/src/main/java/shop/Cart.java:[14,5] ';' expected
`},
	{"maven passes in two modules", Maven, 0, [5]int{5, 0, 1, -1, -1}, "", `[INFO] Running shop.CartTest
[INFO] Tests run: 3, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 0.05 s -- in shop.CartTest
[INFO] Tests run: 3, Failures: 0, Errors: 0, Skipped: 0
[INFO] Running shop.pay.PayTest
[WARNING] Tests run: 3, Failures: 0, Errors: 0, Skipped: 1, Time elapsed: 0.05 s -- in shop.pay.PayTest
[WARNING] Tests run: 3, Failures: 0, Errors: 0, Skipped: 1
[INFO] BUILD SUCCESS
`},
	{"no test of maven", Maven, 0, [5]int{0, 0, 0, -1, -1}, "", "[INFO] --- surefire:3.2.5:test (default-test) @ shop ---\n[INFO] No tests to run.\n[INFO] BUILD SUCCESS\n"},
	{"gtest", GTest, 1, [5]int{1, 2, 1, -1, -1}, `test_failure: Expected equality of these values: … [CartTest.Total] at test/cart_test.cc:12
test_failure: Value of: paid … [Coins/PayTest.Pays/1] at test/pay_test.cc:30`, `Running main() from gmock_main.cc
[==========] Running 4 tests from 2 test suites.
[----------] Global test environment set-up.
[----------] 3 tests from CartTest
[ RUN      ] CartTest.Adds
[       OK ] CartTest.Adds (0 ms)
[ RUN      ] CartTest.Total
adding 1 and 2
/home/dev/shop/test/cart_test.cc:12: Failure
Expected equality of these values:
  cart.total()
    Which is: 3
  4

[  FAILED  ] CartTest.Total (0 ms)
[ RUN      ] CartTest.Abroad
/home/dev/shop/test/cart_test.cc:30: Skipped

[  SKIPPED ] CartTest.Abroad (0 ms)
[----------] 3 tests from CartTest (0 ms total)

[----------] 1 test from Coins/PayTest
[ RUN      ] Coins/PayTest.Pays/1
/home/dev/shop/test/pay_test.cc(30): error: Value of: paid
  Actual: false
Expected: true
[  FAILED  ] Coins/PayTest.Pays/1, where GetParam() = 5 (1 ms)
[----------] 1 test from Coins/PayTest (1 ms total)

[==========] 4 tests from 2 test suites ran. (1 ms total)
[  PASSED  ] 1 test.
[  SKIPPED ] 1 test, listed below:
[  SKIPPED ] CartTest.Abroad
[  FAILED  ] 2 tests, listed below:
[  FAILED  ] CartTest.Total
[  FAILED  ] Coins/PayTest.Pays/1, where GetParam() = 5

 2 FAILED TESTS
`},
	{"gtest crashes", GTest, 139, [5]int{1, 1, 0, -1, -1}, `test_failure: CartTest.Total crashed`, "[==========] Running 2 tests from 1 test suite.\n[ RUN      ] CartTest.Adds\n[       OK ] CartTest.Adds (0 ms)\n[ RUN      ] CartTest.Total\n"},
	{"no gtest", GTest, 0, [5]int{0, 0, 0, -1, -1}, "", "[==========] Running 0 tests from 0 test suites.\n[==========] 0 tests from 0 test suites ran. (0 ms total)\n[  PASSED  ] 0 tests.\n"},
	{"dotnet", Dotnet, 1, [5]int{2, 1, 1, -1, -1}, `test_failure: Assert.Equal() Failure: Values differ … [Shop.Tests.CartTests.Total(a: 1, b: 2)] at Tests/CartTests.cs:12`, `  Determining projects to restore...
  Shop.Tests -> /home/dev/shop/Tests/bin/Debug/net8.0/Shop.Tests.dll
Starting test execution, please wait...
A total of 1 test files matched the specified pattern.
[xUnit.net 00:00:00.21]     Shop.Tests.CartTests.Total(a: 1, b: 2) [FAIL]
  Failed Shop.Tests.CartTests.Total(a: 1, b: 2) [12 ms]
  Error Message:
   Assert.Equal() Failure: Values differ
Expected: 4
Actual:   3
  Stack Trace:
     at Shop.Tests.CartTests.Total(Int32 a, Int32 b) in /home/dev/shop/Tests/CartTests.cs:line 12
   at System.RuntimeMethodHandle.InvokeMethod(Object target)

Failed!  - Failed:     1, Passed:     2, Skipped:     1, Total:     4, Duration: 20 ms - Shop.Tests.dll (net8.0)
`},
	{"dotnet of late", Dotnet, 1, [5]int{2, 1, 0, -1, -1}, `test_failure: Assert.Equal() Failure: Values differ [Shop.Tests.CartTests.Total] at Tests/CartTests.cs:12`, `Restore complete (0.4s)
  Shop.Tests test failed with 1 error(s) (0.9s)
    /home/dev/shop/Tests/CartTests.cs(12): error TESTERROR:
      Shop.Tests.CartTests.Total (12ms): Error Message: Assert.Equal() Failure: Values differ

Test summary: total: 3, failed: 1, succeeded: 2, skipped: 0, duration: 0.8s
Build failed with 1 error(s) in 2.1s
`},
	{"dotnet does not compile", Dotnet, 1, [5]int{-1, -1, 0, 1, -1}, `type_error: The name 'pric' does not exist in the current context [CS0103] at Cart.cs:12:20`, `/home/dev/shop/Cart.cs(12,20): error CS0103: The name 'pric' does not exist in the current context [/home/dev/shop/Shop.csproj]

Build FAILED.

/home/dev/shop/Cart.cs(12,20): error CS0103: The name 'pric' does not exist in the current context [/home/dev/shop/Shop.csproj]
    0 Warning(s)
    1 Error(s)
`},
	{"dotnet passes in two projects", Dotnet, 0, [5]int{5, 0, 0, -1, -1}, "", "Passed!  - Failed:     0, Passed:     3, Skipped:     0, Total:     3, Duration: 5 ms - Shop.Tests.dll (net8.0)\nPassed!  - Failed:     0, Passed:     2, Skipped:     0, Total:     2, Duration: 5 ms - Pay.Tests.dll (net8.0)\n"},
	{"dotnet by vstest", Dotnet, 0, [5]int{3, 0, 0, -1, -1}, "", "Test Run Successful.\nTotal tests: 3\n     Passed: 3\n Total time: 0.6 Seconds\n"},
	{"no test of dotnet", Dotnet, 0, [5]int{0, 0, 0, -1, -1}, "", "No test is available in /home/dev/shop/Tests/bin/Debug/net8.0/Shop.Tests.dll. Make sure that test discoverer & executors are registered.\n"},
	{"no cargo test", Cargo, 0, [5]int{0, 0, 0, -1, -1}, "", "   Compiling shop v0.1.0 (/home/dev/shop)\n    Finished `test` profile [unoptimized + debuginfo] target(s) in 0.4s\n     Running unittests src/lib.rs (target/debug/deps/shop-1f)\n\nrunning 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n\n"},
}

// What test runners and eslint print for people is read, whatever their name, on standard
// output or on standard error; a run without tests does not pass.
func TestRunners(t *testing.T) {
	for _, tt := range runnerSamples {
		t.Run(tt.name, func(t *testing.T) {
			for _, out := range []*proc.Result{{Exit: tt.exit, Stdout: []byte(tt.text)}, {Exit: tt.exit, Stdout: []byte("setting up\n"), Stderr: []byte(tt.text)}} {
				r, res := judge(shell("./check.sh"), "/home/dev/shop", Finished{Result: out})
				if r.Format != tt.format {
					t.Fatalf("read as %s", r.Format)
				}
				if got := [5]int{count(r.Passed), count(r.Failed), r.Skipped, count(r.TypeErrors), count(r.LintErrors)}; got != tt.counts {
					t.Errorf("counts %v, want %v", got, tt.counts)
				}
				pass := tt.exit == 0 && tt.counts[0] != 0
				if (res.Status == reflexion.Pass) != pass {
					t.Errorf("status %s", res.Status)
				}
				var problems []string
				for _, p := range r.Problems {
					problems = append(problems, reflexion.Describe(p))
				}
				got := strings.Join(problems, "\n")
				if noTests := tt.counts[0] == 0 && tt.counts[1] == 0; noTests && !strings.HasPrefix(got, "error: "+noTest) || !noTests && got != tt.want {
					t.Errorf("problems\n%s\nwant\n%s", got, tt.want)
				}
			}
		})
	}
}

// A runner that is known by its name does not pass where nothing says that a test ran,
// unless the user asks for the exit code alone.
func TestRunnersByName(t *testing.T) {
	dir := t.TempDir()
	fakes(t, dir, "python3", "rspec", "bundle", "phpunit", "php", "mvn", "cargo", "dotnet", "cart_gtest", "shop_test", "eslint")
	for line, tests := range map[string]bool{
		"python3 -m unittest discover -s tests": true, "python3 -m compileall .": false,
		"rspec": true, "bundle exec rspec --format doc": true, "rspec --version": false,
		"./phpunit tests": true, "php phpunit --testsuite unit": true,
		"mvn -q test": true, "mvn -B verify": true, "mvn compile": false,
		"cargo test --workspace": true, "cargo test --no-run": false, "cargo build": false,
		"dotnet test Shop.sln": true, "dotnet build": false,
		"./cart_gtest": true, "./shop_test --gtest_brief=1": true, "./shop_test --gtest_list_tests": false,
		"eslint .": false,
	} {
		v := shell(line)
		e := run(t, dir, "", v)
		if e.Passed == tests {
			t.Errorf("%s: passed %v: %+v", line, e.Passed, e.Errors)
		}
		if tests && !strings.HasPrefix(e.Errors[0].Message, noTest) {
			t.Errorf("%s: %+v", line, e.Errors)
		}
		v.Format = PlainExit
		if e := run(t, dir, "", v); !e.Passed {
			t.Errorf("%s by exit code: %+v", line, e.Errors)
		}
	}
}

// What only the exit code shows is told by standard output, and then by standard error,
// where the programs that start others have their words.
func TestStdoutBeforeStderr(t *testing.T) {
	e := run(t, t.TempDir(), "", shell(`echo 'expected 4, got 3'; echo 'task "test" failed' >&2; exit 1`))
	if got, want := e.Errors[0].Message, "exit code 1: expected 4, got 3\ntask \"test\" failed"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	// A report on standard output is not confused by what is on standard error.
	e = run(t, t.TempDir(), "", shell(`printf '1..1\nok 1 - a\n'; printf 'Ran 0 tests in 0.000s\n\nOK\n' >&2`))
	if !e.Passed || e.Formats[0] != TAP {
		t.Errorf("%+v", e)
	}
}
