package learning

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"episodes/episode"
	"episodes/internal/memory"
	"episodes/internal/snapshot"
	"episodes/internal/testing/few"
	"episodes/reflexion"
	"episodes/reflexion/evaluate"
	"episodes/reflexion/loop"
)

// Three families of three related tasks. In each family one setting is wrong, of a few that it
// could have; the tasks of a family have different files and tests, and the same right value.
var fairFamilies = []fairFamily{
	{"rounding of the total", "round_mode", []string{"half_even", "half_up", "ceiling", "flooring", "truncate", "exact"}},
	{"sorting of the names", "collation", []string{"binary_order", "german_phone", "german_book", "swedish", "case_blind", "natural"}},
	{"expiry of the cache", "evict_policy", []string{"least_recent", "least_used", "first_in", "random_out", "time_to_live", "never_out"}},
}

type fairFamily struct {
	about, key string
	values     []string
}

const (
	fairTasks = 3
	fairMax   = 12
)

// fairActor works on one task. It acts only on what its prompt states: it takes a value that the
// prompt names for the setting, of those that it does not say were tried and failed, or else any.
type fairActor struct {
	fairFamily
	rng   *rand.Rand
	task  int
	right string
	now   string // in the file
	model func(tried []string) string
	asked []string // prompts
	chose map[string]int
}

var (
	fairTried  = regexp.MustCompile(`attempt \d+: changed \S+ from ".*?" to "\w+ = (\w+)".* errors? stayed`)
	fairNamed  = regexp.MustCompile(`\b\w+ = (\w+)`)
	fairFrom   = regexp.MustCompile(`from ["'].*?["'] to `)
	fairInVain = regexp.MustCompile(`did not end well|did not help|attempt \d+: |^> [-+]\w|^> @@`)
)

// choose reads the prompt.
func (a *fairActor) choose(prompt string) string {
	var tried, named, open []string
	for line := range strings.Lines(prompt) {
		if m := fairTried.FindStringSubmatch(line); m != nil {
			tried = append(tried, m[1])
			continue
		}
		for _, statement := range strings.Split(line, "; ") {
			if fairInVain.MatchString(statement) {
				continue
			}
			for _, m := range fairNamed.FindAllStringSubmatch(fairFrom.ReplaceAllString(statement, ""), -1) {
				named = append(named, m[1])
			}
		}
	}
	for _, v := range named {
		if slices.Contains(a.values, v) && !slices.Contains(tried, v) {
			return v
		}
	}
	for _, v := range a.values {
		if !slices.Contains(tried, v) {
			open = append(open, v)
		}
	}
	if len(open) == 0 {
		open = a.values
	}
	return open[a.rng.IntN(len(open))]
}

func (a *fairActor) file() string { return fmt.Sprintf("task%d/%s.conf", a.task, a.key) }

func (a *fairActor) tree() *snapshot.Tree {
	text := fmt.Sprintf("%s = %s\n", a.key, a.now)
	return &snapshot.Tree{Files: map[string]snapshot.File{a.file(): {Size: int64(len(text)), ID: text, Text: []byte(text), Kept: true}}}
}

func (a *fairActor) Prompt(_ int, c *reflexion.Context) (loop.Prompted, error) {
	p := loop.Prompted{Text: c.Text()}
	p.Used = c.Used()
	p.Known = c.Shown()
	a.asked = append(a.asked, p.Text)
	return p, nil
}

func (a *fairActor) Act(_ context.Context, _ int, prompt string) (*loop.Acted, error) {
	before := a.tree()
	a.now = a.choose(prompt)
	a.chose[a.now]++
	out := reflexion.ActorOutput{Actions: []reflexion.Action{}, Changed: snapshot.Compare(before, a.tree())}
	return &loop.Acted{Output: out}, nil
}

func (a *fairActor) Verify(context.Context, int) (*evaluate.Evaluation, error) {
	passed, failed, status := 1, 0, reflexion.Pass
	r := &evaluate.Report{Format: evaluate.PlainExit}
	if a.now != a.right {
		passed, failed, status = 0, 1, reflexion.Fail
		p := reflexion.Problem{Type: reflexion.TestFailure, Rule: fmt.Sprintf("TestTask%d", a.task), File: a.file(), Line: 1, Severity: "error",
			Message: "the " + a.about + " is off: want the other order of the rows"}
		p.Signature = reflexion.SignatureOf(p)
		r.Problems = []reflexion.Problem{p}
	}
	r.Passed, r.Failed = &passed, &failed
	return evaluate.Combine([]*evaluate.Report{r}, []reflexion.Result{{Tool: "check", Status: status}}, ""), nil
}

func (a *fairActor) Reflect(_ context.Context, i, _ int, prompt string) ([]byte, error) {
	if a.model == nil {
		return nil, nil
	}
	var tried []string
	for _, m := range fairTried.FindAllStringSubmatch(prompt, -1) {
		tried = append(tried, m[1])
	}
	value := a.model(append(tried, a.now))
	return fmt.Appendf(nil, `{"reflection_text":"In try %d I wrote %s into %s, and the %s was off all the same. In my next attempt I will set the value that the rows show to be right.",`+
		`"actionable_insights":["set '%s = %s' in %s"],"lessons_learned":["for the %s it must be '%s = %s'"],"confidence":0.9}`,
		i, a.now, a.file(), a.about, a.key, value, a.file(), a.about, a.key, value), nil
}

func (a *fairActor) Found(int) (*evaluate.Evaluation, error) { return nil, nil }

// fairStore are the records of a loop, all its own.
type fairStore struct {
	*reflexion.Store
	n int
}

func (s *fairStore) Save(r *reflexion.Record) error { s.n++; return s.Store.Save(r) }
func (s *fairStore) Own(*reflexion.Record) bool     { return true }
func (s *fairStore) Known(*reflexion.Record) bool   { return true }
func (s *fairStore) Iterations() int                { return s.n }
func (s *fairStore) Reopen() error                  { return nil }

// fairRun runs the tasks of a family one after another in a new memory, and returns how many
// iterations each took and its prompts. right is the right value of each task.
func fairRun(t *testing.T, fam fairFamily, arm string, rng *rand.Rand, right [fairTasks]string, model func([]string) string) (took [fairTasks]float64, prompts [fairTasks][]string) {
	t.Helper()
	f := newFolder(t)
	for n := range fairTasks {
		a := &fairActor{fairFamily: fam, rng: rng, task: n, right: right[n], now: "unset", model: model, chose: map[string]int{}}
		if n == fairTasks-1 {
			a.model = nil // what its earlier loops left is what counts
		}
		took[n] = fairLoop(t, f, arm, a)
		prompts[n] = a.asked
		for _, wrong := range right {
			if wrong != right[n] && a.chose[wrong] > 1 {
				t.Errorf("a misleading memory costs %d iterations", a.chose[wrong])
			}
		}
	}
	return took, prompts
}

// fairLoop runs one task in a memory, and returns how many iterations it took.
func fairLoop(t *testing.T, f *Folder, arm string, a *fairActor) (took float64) {
	t.Helper()
	ctx, n := context.Background(), a.task
	c := &loop.Config{LoopID: fmt.Sprintf("ralph-fair-%d", n), Task: fmt.Sprintf("mend the %s in part %d", a.about, n), Created: "2026-01-01T00:00:00Z", Max: fairMax, Arm: arm}
	r := f.runner(ctx, c)
	store, err := reflexion.CreateStore(f.top)
	must(t, err)
	now := time.Unix(1700000000+int64(1000*n), 0)
	r.Store, r.Steps, r.Now = &fairStore{Store: store}, a, func() time.Time { now = now.Add(time.Second); return now }
	end, history, err := r.Run(ctx)
	store.Close()
	must(t, err)
	if took = float64(end.Iterations); !end.Success {
		took = fairMax + 1
	}
	ep, _ := loop.Episode(c, end, history, filepath.Join("loops", c.LoopID, "log.md"))
	m, _, err := memory.Create(f.Location)
	if err == nil {
		err = f.locked(ctx, m, "test", func() error { return f.keep(ctx, m, ep, false) })
	}
	must(t, err)
	m.Close()
	return took
}

// What other sessions learned about a task: the change after which an error went in a loop that
// passed, and of the lessons of models those that were followed when an error went.
func TestRecall(t *testing.T) {
	f, fam := newFolder(t), fairFamilies[0]
	rng := rand.New(rand.NewPCG(1, 1))
	says := func(value string) func([]string) string { return func([]string) string { return value } }
	loops := []*fairActor{
		{task: 0, right: "truncate", model: says("truncate")},
		{task: 1, right: "truncate", model: says("flooring")},
	}
	for _, a := range loops {
		a.fairFamily, a.rng, a.now, a.chose = fam, rng, "unset", map[string]int{}
		fairLoop(t, f, "reflections", a)
	}
	said, learned := f.recall(context.Background(), "mend the rounding of the total in part 7", episode.IDFromSession("ralph-other"))
	all := fmt.Sprint(learned)
	for want, is := range map[string]bool{
		"ralph-fair-0: \"TestTask0: the rounding of the total": true, " went after \"changed task0/round_mode.conf:1": true,
		"it must be 'round_mode = truncate'": true, "it must be 'round_mode = flooring'": false,
	} {
		if strings.Contains(all, want) != is {
			t.Errorf("%q is there: %v\n%s", want, !is, all)
		}
	}
	if len(said) > 0 {
		t.Errorf("nobody said %q", said)
	}
	m, _, err := memory.Create(f.Location)
	if err == nil {
		err = m.MakePrivate()
	}
	must(t, err)
	for n := range loops {
		id := fmt.Sprintf("episode-ralph-fair-%d", n)
		must(t, os.Rename(m.PathIn(false, id), m.PathIn(true, id)))
	}
	m.Close()
	if _, learned := f.recall(context.Background(), "mend the rounding of the total in part 7", ""); len(learned) > 0 {
		t.Errorf("private episodes say %q", learned)
	}
}

// fairInterval is the mean of some numbers, with its 95 % interval by the normal distribution.
func fairInterval(xs []float64) (mean, low, high float64) {
	var squares float64
	for _, x := range xs {
		mean += x / float64(len(xs))
	}
	for _, x := range xs {
		squares += (x - mean) * (x - mean)
	}
	half := 1.96 * math.Sqrt(squares/float64(max(1, len(xs)-1))/float64(len(xs)))
	return mean, mean - half, mean + half
}

// With memory the later tasks of a family take fewer iterations than with the same prompts without
// it; a sensible model is no hindrance, what misleads is tried at most once, and of a model that is
// wrong no sentence is in the prompts of later loops.
func TestFairActor(t *testing.T) {
	sensible := func(fam fairFamily, rng *rand.Rand) func([]string) string {
		return func(tried []string) string {
			open := slices.DeleteFunc(slices.Clone(fam.values), func(v string) bool { return slices.Contains(tried, v) })
			if len(open) == 0 {
				return fam.values[0]
			}
			return open[rng.IntN(len(open))]
		}
	}
	took := map[string][fairTasks][]float64{}
	for seed := range uint64(few.Of(1, 5)) {
		for i, fam := range fairFamilies {
			pick := rand.New(rand.NewPCG(seed, uint64(i)))
			right := fam.values[pick.IntN(len(fam.values))]
			other := fam.values[(slices.Index(fam.values, right)+1+pick.IntN(len(fam.values)-1))%len(fam.values)]
			same := [fairTasks]string{right, right, right}
			for _, name := range []string{"none", "memory", "sensible", "wrong", "misled", "misled, none"} {
				arm, of, rng := "all", same, rand.New(rand.NewPCG(seed+100, uint64(i)))
				var model func([]string) string
				switch name {
				case "none":
					arm = "reflections"
				case "sensible":
					model = sensible(fam, rng)
				case "wrong":
					model = func([]string) string { return other }
				case "misled":
					of[fairTasks-1] = other
				case "misled, none":
					arm, of[fairTasks-1] = "reflections", other
				}
				n, prompts := fairRun(t, fam, arm, rng, of, model)
				all := took[name]
				for k := range n {
					all[k] = append(all[k], n[k])
				}
				took[name] = all
				if name == "wrong" {
					for _, p := range prompts[fairTasks-1] {
						if strings.Contains(p, "it must be '"+fam.key+" = "+other) || strings.Contains(p, "that the rows show") {
							t.Errorf("a sentence of a wrong model is in\n%s", p)
						}
					}
				}
			}
		}
	}
	const last = fairTasks - 1
	minus := func(a, b []float64) (out []float64) {
		for i := range a {
			out = append(out, a[i]-b[i])
		}
		return out
	}
	for _, name := range []string{"none", "memory", "sensible", "wrong"} {
		for k, xs := range took[name] {
			mean, low, high := fairInterval(xs)
			t.Logf("%s, task %d: %.2f iterations (%.2f to %.2f)", name, k+1, mean, low, high)
		}
	}
	for _, tt := range []struct {
		name  string
		xs    []float64
		below float64
	}{
		{"memory against none, last task", minus(took["memory"][last], took["none"][last]), 0},
		{"a sensible model against none, first task", minus(took["sensible"][0], took["none"][0]), math.Inf(1)},
		{"a sensible model against none, last task", minus(took["sensible"][last], took["none"][last]), 0},
		{"a misleading memory against none", minus(took["misled"][last], took["misled, none"][last]), math.Inf(1)},
	} {
		mean, low, high := fairInterval(tt.xs)
		t.Logf("%s: %+.2f iterations (%.2f to %.2f)", tt.name, mean, low, high)
		if high >= tt.below && few.Heavy() || mean > max(tt.below, 1) {
			t.Errorf("%s: %+.2f iterations (%.2f to %.2f)", tt.name, mean, low, high)
		}
	}
}
