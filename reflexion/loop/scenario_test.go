//go:build unix

package loop

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"episodes/episode"
	"episodes/internal/testing/few"
	"episodes/internal/testing/golden"
	"episodes/internal/validate"
	"episodes/reflexion"
)

// Repositories with two bugs, add and sub, and scripted actors: what each prompt says and
// what each loop leaves behind are in testdata/scenarios; -update rewrites them.

// language is a repository in one language. Its verifier prints what a test tool prints.
type language struct {
	name, source, tests, verify string
	files                       map[string]string
}

var languages = []language{
	{name: "go", source: "calc.go", tests: "calc_test.go", verify: "go test -json ./...", files: map[string]string{
		"go.mod":  "module calc\n\ngo 1.21\n",
		"calc.go": "package calc\n\nfunc Add(a, b int) int { return a * b } // add\n\nfunc Sub(a, b int) int { return a * b } // sub\n\nfunc Mul(a, b int) int { return a * b } // mul\n",
		"calc_test.go": "package calc\n\nimport \"testing\"\n\nfunc TestAdd(t *testing.T) {\n\tif got := Add(4, 3); got != 7 {\n\t\tt.Errorf(\"Add(4, 3) is %d, want 7\", got)\n\t}\n}\n\n" +
			"func TestSub(t *testing.T) {\n\tif got := Sub(4, 3); got != 1 {\n\t\tt.Errorf(\"Sub(4, 3) is %d, want 1\", got)\n\t}\n}\n\nfunc TestMul(t *testing.T) {\n\tif got := Mul(4, 3); got != 12 {\n\t\tt.Errorf(\"Mul(4, 3) is %d, want 12\", got)\n\t}\n}\n"}},
	{name: "python", source: "calc.py", tests: "test_calc.py", verify: "sh .check", files: map[string]string{
		"calc.py":      "def add(a, b): return a * b  # add\n\ndef sub(a, b): return a * b  # sub\n\ndef mul(a, b): return a * b  # mul\n",
		"test_calc.py": "from calc import *\n\ndef test_add(): assert add(4, 3) == 7\n\ndef test_sub(): assert sub(4, 3) == 1\n\ndef test_mul(): assert mul(4, 3) == 12\n",
		".check": `p=0; f=0; list=
for t in $(sed -n 's/^def \(test_[a-z]*\).*/\1/p' test_calc.py); do
case $t in *add) w='a + b';; *sub) w='a - b';; *mul) w='a \* b';; esac
if grep -q "return $w  # ${t#test_}$" calc.py; then p=$((p+1)); else f=$((f+1)); list="$list
FAILED test_calc.py::$t - assert 12 != ${t#test_}(4, 3)"; fi
done
echo "=== short test summary info ===$list"
if [ $f = 0 ]; then echo "$p passed in 0.01s"; else echo "$f failed, $p passed in 0.01s"; exit 1; fi
`}},
}

// actors are command lines. $F is the source and $T the file of its tests; each leaves its
// prompt outside the repository, in $OUT.
var actors = []struct{ name, line string }{
	{"improves", `for t in add sub mul; do if grep -qi "Rule: *\(test\)\?_\?$t" $OUT/prompt; then case $t in add) o=+;; sub) o=-;; mul) o='*';; esac; sed -i "/ $t\$/s/a [*+-] b/a $o b/" $F; echo '{"actions":[{"type":"code_modification","description":"mended '$t'","file_path":"'$F'"}],"rationale":""}'; exit; fi; done`},
	{"says", `echo "I have fixed add and sub; all tests pass now."`},
	{"same", `sed -i '/ add$/s/a [*+-] b/a - b/' $F`},
	{"worse", `case $EPISODES_ITERATION in 0) sed -i '/ add$/s/a [*+-] b/a + b/; / mul$/s/a [*+-] b/a - b/' $F;; 1) echo 'syntax error' >>$F;; *) sed -i '/ sub$/s/a [*+-] b/a - b/' $F;; esac`},
	{"deletes", `sed -i '/add(4\|sub(4/d' $T`},
	{"crashes", `sed -i '/ add$/s/a [*+-] b/a + b/' $F; echo 'out of credit' >&2; exit 3`},
	{"isolated", `case $EPISODES_ITERATION in 0) echo 'def (' >>$F; echo syntax >.broken;; 1) sed -i '/ add$/s/a [*+-] b/a + b/' $F;; 2) sed -i '/ add$/s/a [*+-] b/a - b/; / mul$/s/a [*+-] b/a - b/' $F; touch more;; *) sed -i '/ sub$/s/a [*+-] b/a - b/' $F;; esac`},
	{"hangs", `sed -i '/ add$/s/a [*+-] b/a + b/' $F; sleep 30`},
}

var (
	addresses = regexp.MustCompile(`/tmp/[^\s"']*`)
	drawn     = regexp.MustCompile(`-[0-9a-f]{8}\b`)
)

// newScenario is a loop over a repository of its own.
func newScenario(t *testing.T, l language, actor string, edit func(*Config)) *bench {
	t.Helper()
	out := t.TempDir()
	b := newBench(t, func(c *Config) {
		c.Task, c.Actor = "make the tests pass", "cat >$OUT/prompt; cp $OUT/prompt $OUT/prompt-$EPISODES_ITERATION; "+actor
		c.Verify, c.Reflect, c.Max, c.Stuck, c.Omega = []string{l.verify}, "", 3, DefaultStuck, 0
		edit(c)
	})
	for name, text := range l.files {
		must(t, os.WriteFile(filepath.Join(b.work, name), []byte(text), 0o644))
	}
	b.runner.Steps.(*Processes).Env = []string{"F=" + l.source, "T=" + l.tests, "OUT=" + out, "GOFLAGS=-vet=off"}
	b.out = out
	return b
}

// told is what the loop said and left, without what differs from time to time.
func (b *bench) told(end *End, history []*reflexion.Record) string {
	b.t.Helper()
	var s strings.Builder
	for _, r := range history {
		data, err := os.ReadFile(filepath.Join(b.out, fmt.Sprintf("prompt-%d", r.Iteration)))
		must(b.t, err)
		fmt.Fprintf(&s, "==== prompt %d\n%s", r.Iteration, data)
	}
	ep, log := Episode(b.runner.Config, end, history, "log.md")
	fmt.Fprintf(&s, "==== log\n%s==== learned\n", log)
	for _, d := range ep.Decisions {
		fmt.Fprintf(&s, "%s: %s: %s: %s\n", d.ID, d.Context, d.Chosen, d.Outcome)
	}
	for _, l := range ep.Links {
		fmt.Fprintf(&s, "%s %s %s\n", l.Source, l.Type, l.Target)
	}
	if m := ep.Metrics; m.Reward != nil {
		fmt.Fprintf(&s, "reward %.2f, tokens known: %v\n", *m.Reward, m.Tokens != nil)
	}
	data, err := episode.Marshal(ep)
	must(b.t, err)
	if problems, err := validate.File(data, ep.ID); err != nil || len(problems) > 0 {
		b.t.Errorf("%v, %v", problems, err)
	}
	text := drawn.ReplaceAllString(s.String(), "-")
	return addresses.ReplaceAllString(strings.ReplaceAll(text, b.work, "WORK"), "TMP")
}

// What each actor is told, and what each loop learned of it.
func TestScenarios(t *testing.T) {
	for _, l := range languages {
		for _, a := range actors {
			if l.name == "go" && a.name != "improves" {
				continue // the actor is the same to the loop in every language
			}
			t.Run(l.name+" "+a.name, func(t *testing.T) {
				t.Parallel()
				if _, err := exec.LookPath("go"); err != nil && l.name == "go" {
					t.Skipf("the actor and the verifier of this language need Go: %v", err)
				}
				b := newScenario(t, l, a.line, func(c *Config) {
					if a.name == "hangs" {
						c.ActorTimeout = 2 // the machine may be busy
					}
					if a.name == "isolated" { // the first makes it worse, the second better, the third worse
						c.Isolate, c.Max = true, 4
					}
				})
				end, history := b.run()
				for _, r := range history {
					data, _ := os.ReadFile(filepath.Join(b.out, fmt.Sprintf("prompt-%d", r.Iteration)))
					if n := len(data) - len(b.runner.Config.Task); n > 2400 {
						t.Errorf("the prompt of iteration %d has %d bytes beside the task", r.Iteration, n)
					}
				}
				golden.Is(t, filepath.Join("testdata", "scenarios", l.name+"-"+a.name+".txt"), b.told(end, history))
			})
		}
	}
}

// Fewer errors each time is progress, however long one of them stands; without progress the
// loop ends, in every arm alike, and can be let go on. When it passed, its command lines are
// forgotten.
func TestStuck(t *testing.T) {
	t.Parallel()
	arms := []string{"none", "all"}
	if few.Heavy() {
		arms = reflexion.Arms()
	}
	for _, arm := range arms {
		b := newBench(t, func(c *Config) {
			c.Actor, c.Verify, c.Reflect, c.Max, c.Stuck, c.Arm = `cat >/dev/null; read -r n <left; if [ $n -gt 2 ] || [ -e more ]; then echo $((n-1)) >left; fi`, []string{counted}, "", 20, 3, arm
		})
		put(t, b.work, "left", "6\n")
		end, history := b.run()
		if end.Reason != Stuck || len(history) != 7 || end.Detail != "none of the last 3 attempts came further than those before" { // 5, 4, 3, 2, and three without progress
			t.Errorf("%s: %+v after %d iterations", arm, end, len(history))
		}
		must(t, b.dir.Finish(end, []byte("log")))
		put(t, b.work, "more", "")
		must(t, b.dir.GoOn(func(*Config) {}))
		b.open()
		if end, history = b.run(); !end.Success || len(history) != 9 {
			t.Errorf("%s: then %+v after %d iterations", arm, end, len(history))
		}
		must(t, b.dir.Finish(end, []byte("log")))
		if data, err := os.ReadFile(b.kept("loop.json")); err != nil || strings.Contains(string(data), "echo 1..6") {
			t.Errorf("%s: %s, %v", arm, data, err)
		}
	}
}

func put(t *testing.T, dir, name, text string) {
	t.Helper()
	must(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
}
