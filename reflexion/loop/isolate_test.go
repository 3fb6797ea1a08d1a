//go:build unix

package loop

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"episodes/reflexion"
)

// counted is a verifier of 6 tests, of which as many fail as the file left says.
const counted = `n=$(cat left); echo 1..6; i=1; while [ $i -le 6 ]; do if [ $i -le $n ]; then echo "not ok $i - t$i"; bad=1; else echo "ok $i - t$i"; fi; i=$((i+1)); done; exit ${bad:-0}`

// newIsolated is an isolated loop in which the attempts make so many tests fail.
func newIsolated(t *testing.T, left []int) *bench { return newCounted(t, left, true) }

// newCounted is a loop in which the attempts make so many tests fail. Each notes in the files
// trail, which git ignores, and seen that it was there.
func newCounted(t *testing.T, left []int, isolate bool) *bench {
	t.Helper()
	b := newBench(t, func(c *Config) {
		c.Isolate, c.Verify, c.Reflect, c.Max, c.Omega = isolate, []string{counted}, "", len(left), 0
		c.Actor = "cat >/dev/null; echo $EPISODES_ITERATION >>trail; echo $EPISODES_ITERATION >>seen; set -- " + strings.Trim(fmt.Sprint(left), "[]") + "; shift $EPISODES_ITERATION; echo $1 >left"
	})
	put(t, b.work, ".gitignore", "trail\n")
	put(t, b.work, "left", "5\n")
	return b
}

// begun are the attempts with which the tree of each began, and of what the last one is made.
func begun(left []int) (from []int, trail string) {
	best, before := reflexion.BeforeFirst, 5
	trails := map[int]string{}
	for i, n := range left {
		from = append(from, best)
		trails[i] = trails[best] + fmt.Sprintln(i)
		if n < before {
			best, before = i, n
		}
	}
	return from, trails[len(left)-1]
}

// Cut off after any of its steps, and while the tree of the next attempt is made, an isolated
// loop goes on as if nothing had happened.
func TestIsolatedGoesOn(t *testing.T) {
	t.Parallel()
	left := []int{6, 4, 5}
	full := newIsolated(t, left)
	_, want := full.run()
	_, trail := begun(left)
	for n := 1; ; n++ {
		b := newIsolated(t, left)
		b.isolate()
		ctx, cancel := context.WithCancel(context.Background())
		b.runner.Steps = &cutting{Steps: b.runner.Steps, left: n, cut: cancel}
		if _, _, err := b.runner.Run(ctx); err == nil {
			break // n is more than there are steps
		} else if !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		b.open()
		_, history := b.run()
		if diff := cmp.Diff(want, history, cmpopts.IgnoreFields(reflexion.Record{}, "Timestamp"), cmpopts.IgnoreFields(reflexion.Result{}, "DurationMS"), cmpopts.IgnoreFields(reflexion.Usage{}, "DurationMS")); diff != "" {
			t.Errorf("cut at step %d: %s", n, diff)
		}
		if data, err := os.ReadFile(filepath.Join(b.runner.Steps.(*Processes).Work, "trail")); err != nil || string(data) != trail {
			t.Errorf("cut at step %d: the last attempt has %q, %v", n, data, err)
		}
	}
	// What a kill may leave: a tree that is half made, or none.
	for _, spoil := range []func(aside string) error{
		func(aside string) error { return os.Rename(aside+"/tree", aside+"/tree.old") },
		func(aside string) error {
			return errors.Join(os.Rename(aside+"/tree", aside+"/tree.old"), os.MkdirAll(aside+"/tree.new/x", 0o755), os.MkdirAll(aside+"/best-002.new", 0o755))
		},
	} {
		b := newIsolated(t, left)
		b.isolate()
		ctx, cancel := context.WithCancel(context.Background())
		b.runner.OnIteration = func(*reflexion.Turn) { cancel() }
		if _, _, err := b.runner.Run(ctx); err == nil {
			t.Fatal("it was not cut")
		}
		must(t, spoil(filepath.Dir(b.runner.Steps.(*Processes).Work)))
		b.open()
		if _, history := b.run(); len(history) != len(left) || *history[2].From != 1 {
			t.Errorf("%d records", len(history))
		}
	}
}

// A loop that ended, and whose best was brought back, goes on with it; one that discarded
// what its attempts did does not go on.
func TestIsolatedGoesOnAfterItsEnd(t *testing.T) {
	t.Parallel()
	b := newIsolated(t, []int{4, 6, 3, 0})
	b.runner.Config.Max = 2
	end, history := b.run()
	if _, err := b.runner.Steps.(*Processes).BringBack(history); err != nil || end.Reason != Limit {
		t.Fatalf("%+v, %v", end, err)
	}
	must(t, b.dir.Finish(end, []byte("log")))
	b.open()
	must(t, b.dir.GoOn(func(c *Config) { c.Max = 3 }))
	end, history = b.run()
	if len(history) != 3 || *history[2].From != 0 || b.file("seen") != "0\n" {
		t.Fatalf("%+v, from %v", end, history[2].From)
	}
	if _, err := b.runner.Steps.(*Processes).BringBack(history); err != nil || b.file("seen") != "0\n2\n" {
		t.Errorf("brought back is %q, %v", b.file("seen"), err)
	}
	c := &Config{Discard: true}
	if c.CanGoOn(Limit) || !(&Config{}).CanGoOn(Cost) || (&Config{}).CanGoOn(Passed) {
		t.Error("what can go on")
	}
}
