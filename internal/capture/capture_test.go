package capture

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"episodes/extract"
	"episodes/internal/memory"
	"episodes/internal/testing/few"
)

func options(root string, args ...string) Options {
	loc := memory.Location{Root: root, Dir: filepath.Join(root, "memory")}
	return Options{Location: loc, Create: true, Cwd: root, Args: args, Format: "auto", NoGraph: true, Jobs: 2,
		extractor: extract.New(extract.Vocabulary{}),
		Stdin:     strings.NewReader(""), Now: time.Now, Free: memory.FreeBytes,
		Graph: memory.GraphOptions{Store: loc.DefaultStore()}}
}

func TestAPanicIsAnErrorOfItsLog(t *testing.T) {
	res, err := guarded(func() (*extract.Result, error) { panic("index out of range") })
	if res != nil || err == nil || !strings.Contains(err.Error(), "index out of range") {
		t.Errorf("got %v, %v", res, err)
	}
}

// episodeFiles reads all episode files.
func episodeFiles(t interface{ Fatal(...any) }, root string) map[string]string {
	out := map[string]string{}
	files, err := filepath.Glob(filepath.Join(root, "memory", "episodes", "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		out[filepath.Base(f)] = string(data)
	}
	return out
}

func write(t interface{ Fatal(...any) }, path, text string) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// On disk: whatever the order of logs, their spread over runs, repetitions, and
// whether the index survives, the episodes come out the same, byte for byte.
func TestOrderOfRunsDoesNotMatter(t *testing.T) {
	few.Checks(t, 30)
	base := t.TempDir()
	trial := 0
	rapid.Check(t, func(t *rapid.T) {
		trial++
		n := rapid.IntRange(1, 5).Draw(t, "logs")
		roots := []string{filepath.Join(base, fmt.Sprint(trial), "at-once"), filepath.Join(base, fmt.Sprint(trial), "in-runs")}
		var logs []string
		for i := range n {
			name := filepath.Join(fmt.Sprintf("dir%d", i), rapid.SampledFrom([]string{"a.md", "b.md"}).Draw(t, "name"))
			logs = append(logs, name)
			for _, root := range roots {
				write(t, filepath.Join(root, name), fmt.Sprintf("# Session %d\n\n- Error: Boom%d: it broke\n", i, i))
			}
		}
		if _, err := Run(context.Background(), options(roots[0], logs...)); err != nil {
			t.Fatal(err)
		}
		order := rapid.Permutation(logs).Draw(t, "order")
		for len(order) > 0 {
			k := rapid.IntRange(1, len(order)).Draw(t, "run")
			rep, err := Run(context.Background(), options(roots[1], order[:k]...))
			if err != nil || rep.Count(Failed) > 0 {
				t.Fatal(rep, err)
			}
			if rapid.Bool().Draw(t, "index lost") {
				os.Remove(filepath.Join(roots[1], "memory", "causality", "index"))
			}
			if rapid.Bool().Draw(t, "again") {
				rep, err := Run(context.Background(), options(roots[1], order[:k]...))
				if err != nil || rep.Count(Unchanged) != k {
					t.Fatalf("a second run over the same logs changed something: %+v, %v", rep, err)
				}
			}
			order = order[k:]
		}
		if diff := cmp.Diff(episodeFiles(t, roots[0]), episodeFiles(t, roots[1])); diff != "" {
			t.Fatal(diff)
		}
		if got := len(episodeFiles(t, roots[1])); got != n {
			t.Fatalf("%d logs, %d episodes", n, got)
		}
	})
}

// A rehearsal foretells exactly what the run then does.
func TestDryRunForetells(t *testing.T) {
	root := t.TempDir()
	write(t, filepath.Join(root, "x", "a.md"), "# A\n")
	write(t, filepath.Join(root, "y", "a.md"), "# Other A\n")
	write(t, filepath.Join(root, "b.md"), "# B\n")
	write(t, filepath.Join(root, "bad.md"), "\x00")
	for _, args := range [][]string{{"x"}, {"x", "y"}, {"b.md", "bad.md"}, {"."}} {
		o := options(root, args...)
		o.DryRun = true
		before := episodeFiles(t, root)
		foretold, err := Run(context.Background(), o)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(before, episodeFiles(t, root)); diff != "" {
			t.Fatalf("a rehearsal wrote: %s", diff)
		}
		done, err := Run(context.Background(), options(root, args...))
		if err != nil {
			t.Fatal(err)
		}
		foretold.DryRun, foretold.DurationMS, done.DurationMS = false, 0, 0
		if diff := cmp.Diff(foretold, done); diff != "" {
			t.Errorf("%q: %s", args, diff)
		}
	}
}

// A run that was stopped while it wrote keeps what it wrote, and the next one
// does the rest.
func TestStoppedRun(t *testing.T) {
	root := t.TempDir()
	for i := range 6 {
		write(t, filepath.Join(root, "logs", fmt.Sprintf("s%d.md", i)), fmt.Sprintf("# Session %d\n", i))
	}
	ctx, cancel := context.WithCancel(context.Background())
	o := options(root, "logs")
	o.Free = func(string) (uint64, bool) { cancel(); return 1 << 40, true } // right before writing
	if _, err := Run(ctx, o); err == nil {
		t.Fatal("a run that was stopped reports success")
	}
	rep, err := Run(context.Background(), options(root, "logs"))
	if err != nil || rep.Count(Written)+rep.Count(Unchanged) != 6 || len(episodeFiles(t, root)) != 6 {
		t.Errorf("%+v, %v", rep, err)
	}
}
