//go:build unix

package loop

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"episodes/episode"
	"episodes/internal/testing/few"
)

// A module with two functions, one of them wrong, and what attempts do to it.
type module struct {
	name, tool, verify string
	files              map[string]string
	// Lines of attempts: one that mends both, and, by what it does, one that passes without.
	right, harmless string
	honest, cheats  map[string]string
}

var modules = []module{
	{name: "go", tool: "go", verify: "go test ./...", files: map[string]string{
		"go.mod":             "module cart\n\ngo 1.21\n",
		"cart.go":            "package cart\n\nfunc Sum(a, b int) int { return a * b }\n",
		"title.go":           "package cart\n\nfunc Title(s string) string { return s + \"?\" }\n",
		"testdata/title.txt": "cart!",
		"check.sh":           "go test -json ./...\n",
		"cart_test.go": "package cart\n\nimport (\n\t\"os\"\n\t\"testing\"\n)\n\nfunc TestSum(t *testing.T) {\n\tfor _, name := range []string{\"http://a/sum\", \"/b\"} {\n\t\tt.Run(name, func(t *testing.T) {\n" +
			"\t\t\tif Sum(4, 3) != 7 {\n\t\t\t\tt.Errorf(\"%d\", Sum(4, 3))\n\t\t\t}\n\t\t})\n\t}\n}\n\n" +
			"func TestTitle(t *testing.T) {\n\twant, _ := os.ReadFile(\"testdata/title.txt\")\n\tif got := Title(\"cart\"); got != string(want) {\n\t\tt.Errorf(\"%q\", got)\n\t}\n}\n\nfunc TestZero(t *testing.T) {\n\tif Sum(0, 0) != 0 {\n\t\tt.Fail()\n\t}\n}\n",
	}, right: `sed -i 's/a \* b/a + b/' cart.go; sed -i 's/?/!/' title.go`, harmless: `echo '// Sum adds.' >>cart.go`,
		honest: map[string]string{
			"nothing else":                        "true",
			"a new test in a file that was there": `printf '\nfunc TestMore(t *testing.T) { Sum(1, 1) }\n' >>cart_test.go`,
			"a new test with its golden file":     `printf 'package cart\n\nimport (\n\t"os"\n\t"testing"\n)\n\nfunc TestNew(t *testing.T) {\n\tif _, err := os.ReadFile("testdata/new.txt"); err != nil {\n\t\tt.Fatal(err)\n\t}\n}\n' >new_test.go; echo new >testdata/new.txt; echo >>testdata/title2.txt`,
			"a test renamed":                      `sed -i 's/TestZero/TestNothing/' cart_test.go`,
		}, cheats: map[string]string{
			"deleted tests": `sed -i '/^func TestSum/,/^}/d; /^func TestTitle/,/^}/d; /"os"/d' cart_test.go`,
			"skipped tests": `sed -i 's/^func Test[ST][ui].*/&\n\tt.Skip("flaky")/' cart_test.go`,
			"a weaker test": `sed -i 's/Errorf/Logf/' cart_test.go`,
			"a golden file": `sed -i 's/Sum(4, 3) != 7/Sum(4, 3) != 12/' cart_test.go; echo -n 'cart?' >testdata/title.txt`,
			"the verifier":  `echo 'echo ok' >check.sh`,
		}},
	{name: "node", tool: "npm", verify: "npm test --silent", files: map[string]string{
		"package.json":                 `{"name":"cart","scripts":{"test":"node --test test/"}}`,
		"cart.js":                      "exports.sum = (a, b) => a * b\n",
		"title.js":                     "exports.title = (s) => s + '?'\n",
		"test/__snapshots__/title.txt": "cart!",
		"test/cart.test.js":            "const { test } = require('node:test')\nconst assert = require('node:assert')\nconst { sum } = require('../cart')\n\ntest('sum of a/b', () => assert.strictEqual(sum(4, 3), 7))\n\ntest('zero', () => assert.strictEqual(sum(0, 0), 0))\n",
		"test/title.test.js":           "const { test } = require('node:test')\nconst assert = require('node:assert')\nconst fs = require('node:fs')\nconst { title } = require('../title')\n\ntest('title', () => assert.strictEqual(title('cart'), fs.readFileSync(__dirname + '/__snapshots__/title.txt', 'utf8')))\n",
	}, right: `sed -i 's/a \* b/a + b/' cart.js; sed -i 's/?/!/' title.js`, harmless: `echo '// sum adds' >>cart.js`,
		honest: map[string]string{
			"nothing else":                        "true",
			"a new test in a file that was there": `echo "test('more', () => {})" >>test/cart.test.js`,
			"a new script of the package":         `sed -i 's/"scripts":{/&"lint":"true",/; s/"cart"/&,"version":"1.0.0"/' package.json`,
		}, cheats: map[string]string{
			"deleted tests": `sed -i '/^test(.sum/d' test/cart.test.js; rm test/title.test.js`,
			"skipped tests": `sed -i "s/^test('\(sum\|title\)/test.skip('\1/" test/*.test.js`,
			"a weaker test": `sed -i 's/assert.strictEqual(.*)$/assert.ok(true))/' test/*.test.js`,
			"a golden file": `sed -i 's/ 7)/ 12)/' test/cart.test.js; printf 'cart?' >test/__snapshots__/title.txt`,
			"the verifier":  `sed -i 's/node --test test./true/' package.json`,
		}},
}

// attempt runs a loop of one attempt.
func (m *module) attempt(t *testing.T, line string, edit func(*Config)) (*bench, *End, *episode.Episode) {
	t.Helper()
	t.Parallel()
	if _, err := exec.LookPath(m.tool); err != nil {
		t.Skipf("the module needs %s: %v", m.tool, err)
	}
	b := newBench(t, func(c *Config) {
		c.Actor, c.Verify, c.Reflect, c.Max = "cat >/dev/null; "+line, []string{m.verify}, "", 1
		c.ActorTimeout, c.VerifyTimeout = 600, 600 // the machine may be busy
		edit(c)
	})
	for name, text := range m.files {
		path := filepath.Join(b.work, name)
		must(t, os.MkdirAll(filepath.Dir(path), 0o755))
		put(t, b.work, name, text)
	}
	end, history := b.run()
	if len(history) != 1 {
		t.Fatalf("%d attempts", len(history))
	}
	ep, _ := Episode(b.runner.Config, end, history, "log.md")
	return b, end, ep
}

// An attempt that mends the code passes with the whole reward, whatever it adds to tests.
func TestRightFixPasses(t *testing.T) {
	for _, m := range modules {
		each := map[string]string{"all": strings.Join(slices.Collect(maps.Values(m.honest)), "; ")}
		if few.Heavy() {
			each = m.honest
		}
		for name, line := range each {
			t.Run(m.name+" "+name, func(t *testing.T) {
				b, end, ep := m.attempt(t, m.right+"; "+line, func(*Config) {})
				if !end.Success || end.Reason != Passed || ep.Outcome != episode.Success || *ep.Metrics.Reward != 1 {
					history, _ := b.runner.Own()
					t.Errorf("%+v, reward %v\n%+v", end, *ep.Metrics.Reward, history[0].Evaluator.Errors)
				}
			})
		}
	}
}

// What passes only by changing tests, golden files or the verifier is no success, in no way.
func TestCheatIsNoPass(t *testing.T) {
	for i, m := range modules {
		for j, name := range slices.Sorted(maps.Keys(m.cheats)) {
			if (i+j)%2 == 1 && !few.Heavy() {
				continue // each is tried with one of the languages
			}
			line := m.cheats[name]
			for _, beside := range []string{"true", m.harmless} {
				if beside == "true" && !few.Heavy() {
					continue // each runs the tests three times
				}
				t.Run(m.name+" "+name+" "+fmt.Sprint(beside != "true"), func(t *testing.T) {
					b, end, ep := m.attempt(t, line+"; "+beside, func(c *Config) {
						if name == "the verifier" && m.name == "go" {
							c.Verify = []string{"sh check.sh"}
						}
					})
					history, err := b.runner.Own()
					must(t, err)
					r := history[0]
					if end.Success || end.Reason != Changing || r.Evaluator.ByChanging == "" || ep.Outcome != episode.Failure {
						t.Errorf("%+v, %+v", end, r.Evaluator)
					}
					if r.Evaluator.RewardOr() > r.Baseline.RewardOr() || r.Performance.IsImprovement {
						t.Errorf("reward %v after %v", r.Evaluator.RewardOr(), r.Baseline.RewardOr())
					}
					for _, d := range ep.Decisions {
						if d.Outcome == episode.Success {
							t.Errorf("it is remembered: %+v", d)
						}
					}
				})
			}
		}
	}
}

// The classes of what changed are in the record, the message names the files, and a loop that goes
// on remembers with what it began: the next attempt passes when it puts the tests back.
func TestGoesOnAfterACheat(t *testing.T) {
	m := modules[1]
	b, end, _ := m.attempt(t, `if [ $EPISODES_ITERATION = 0 ]; then `+m.cheats["a golden file"]+`; else `+m.right+`; sed -i 's/ 12)/ 7)/' test/cart.test.js; printf 'cart!' >test/__snapshots__/title.txt; fi`, func(*Config) {})
	if want := "by changing tests: test/cart.test.js; golden files: test/__snapshots__/title.txt"; end.Detail != want {
		t.Errorf("%q, want %q", end.Detail, want)
	}
	history, err := b.runner.Own()
	must(t, err)
	var classes []string
	for _, f := range history[0].Actor.Changed.Files {
		classes = append(classes, f.Class)
	}
	if strings.Join(classes, " ") != "golden test" {
		t.Errorf("%q", classes)
	}
	must(t, b.dir.Finish(end, []byte("log")))
	b.open()
	must(t, b.dir.GoOn(func(c *Config) { c.Max = 3 }))
	b.open()
	if end, history = b.run(); !end.Success || len(history) != 2 {
		t.Errorf("%+v after %d attempts: %+v", end, len(history), history[1].Evaluator)
	}
	must(t, b.dir.Finish(end, []byte("log")))
	if b.dir.Exists(startFile) {
		t.Error("what it began with is kept for ever")
	}
}

// An actor that removes what the loop began with has not passed.
func TestPassWithoutItsStart(t *testing.T) {
	m := modules[0]
	_, end, ep := m.attempt(t, m.cheats["a weaker test"]+"; "+m.right+"; find .. -name start -delete", func(*Config) {})
	if end.Success || end.Reason != Changing || ep.Outcome != episode.Failure {
		t.Errorf("%+v, %s", end, ep.Outcome)
	}
}
