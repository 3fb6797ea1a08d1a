package capture

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"episodes/graph"
	"episodes/internal/fsstore"
	"episodes/internal/memory"
)

func withGraph(root string, args ...string) Options {
	o := options(root, args...)
	o.NoGraph = false
	return o
}

// inGraph is the set that the graph of a memory holds, onDisk that of its files.
func inGraph(t interface{ Fatal(...any) }, root string) []graph.Entry {
	g, err := graph.Open(context.Background(), withGraph(root).Graph.Store, graph.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	set, err := g.Episodes()
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func onDisk(t interface{ Fatal(...any) }, root string) (set []graph.Entry) {
	m, err := memory.Open(withGraph(root).Location)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	files, _, err := m.Files()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if _, err := m.Load(f.ID); err == nil {
			data, _ := m.Read(f.ID)
			set = append(set, graph.Entry{ID: f.ID, Hash: memory.Hash(data)})
		}
	}
	return set
}

// What the index knows of files saves time and nothing else: with it, and where all of
// it is out of date, the same logs give the same episodes and the same graph, whatever
// others do to the memory in between.
func TestIndexChangesNoAnswer(t *testing.T) {
	base := t.TempDir()
	checks, trial := 10, 0 // each takes a tenth of a second or more
	if os.Getenv("EPISODES_HEAVY") != "" {
		checks = 600
	}
	rapid.Check(t, func(t *rapid.T) {
		if trial++; trial > checks {
			return
		}
		with, without := filepath.Join(base, fmt.Sprint(trial), "with"), filepath.Join(base, fmt.Sprint(trial), "without")
		roots := []string{with, without}
		defer os.RemoveAll(filepath.Dir(with))
		for range rapid.IntRange(2, 6).Draw(t, "runs") {
			var args []string
			for range rapid.IntRange(1, 2).Draw(t, "logs") {
				name := filepath.Join(rapid.SampledFrom([]string{"x", "y", "z"}).Draw(t, "folder"), rapid.SampledFrom([]string{"a.md", "b.md", "c.md"}).Draw(t, "name"))
				text := fmt.Sprintf("# Session\n\n- Error: Boom: it broke\n- Decision: use plan %d, because it is short\n", rapid.IntRange(0, 4).Draw(t, "text"))
				for _, root := range roots {
					write(t, filepath.Join(root, name), text)
				}
				args = append(args, name)
			}
			how := func(o Options) Options { return o }
			switch rapid.SampledFrom([]string{"plain", "plain", "plain", "force", "without graph"}).Draw(t, "how") {
			case "force":
				how = func(o Options) Options { o.Force = true; return o }
			case "without graph":
				how = func(o Options) Options { o.NoGraph = true; return o }
			}
			touchAll(t, without)
			reports := make([]string, 2)
			for i, root := range roots {
				rep, err := Run(context.Background(), how(withGraph(root, args...)))
				if err != nil {
					t.Fatal(err)
				}
				rep.DurationMS, rep.Graph = 0, nil
				text, err := json.Marshal(rep)
				if err != nil {
					t.Fatal(err)
				}
				reports[i] = strings.ReplaceAll(string(text), root, "ROOT")
			}
			if diff := cmp.Diff(reports[1], reports[0]); diff != "" {
				t.Fatalf("without and with stats, the reports:\n%s", diff)
			}
			if diff := cmp.Diff(episodeFiles(t, without), episodeFiles(t, with)); diff != "" {
				t.Fatalf("without and with stats, the episodes:\n%s", diff)
			}
			if !how(withGraph(with)).NoGraph {
				if diff := cmp.Diff(onDisk(t, with), inGraph(t, with)); diff != "" {
					t.Fatalf("files and graph:\n%s", diff)
				}
			}
			meddle(t, roots)
		}
	})
}

// touchAll makes all that the index knows of the files in a folder out of date.
func touchAll(t *rapid.T, root string) {
	for _, pattern := range []string{"*/*.md", "memory/episodes/*.json"} {
		files, _ := filepath.Glob(filepath.Join(root, pattern))
		for _, f := range files {
			if err := os.Chtimes(f, time.Time{}, time.Now()); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// meddle does what others do to a memory, to both alike.
func meddle(t *rapid.T, roots []string) {
	what := rapid.SampledFrom([]string{"nothing", "nothing", "nothing", "edit", "reword", "remove", "spoil", "add", "link", "lose index"}).Draw(t, "others")
	id := episodeOf(rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "whose"))
	for _, root := range roots {
		path := filepath.Join(root, "memory", "episodes", id+".json")
		switch what {
		case "edit":
			if data, err := os.ReadFile(path); err == nil {
				write(t, path, string(data)+"\n")
			}
		case "reword":
			if data, err := os.ReadFile(path); err == nil {
				write(t, path, strings.Replace(string(data), "it broke", "it broke down", 1))
			}
		case "remove":
			os.Remove(path)
		case "spoil":
			write(t, path, "{")
		case "add":
			ep := filepath.Join(root, "memory", "episodes", "episode-other.json")
			write(t, ep, `{"id":"episode-other","session":"other","timestamp":"2026-01-02T03:04:05Z","task":"t","outcome":"success","decisions":[],"events":[],"metrics":{},"lessons":[]}`)
		case "link":
			os.Remove(path)
			if err := os.Symlink(os.DevNull, path); err != nil {
				t.Fatal(err)
			}
		case "lose index":
			os.Remove(filepath.Join(root, "memory", "causality", "index"))
		}
	}
}

func episodeOf(session string) string { return "episode-" + session }

// A log that turned out to be the same is known from then on: nobody reads it again.
func TestUnchangedLogIsRemembered(t *testing.T) {
	root := t.TempDir()
	for _, log := range []string{"x/a.md", "x/b.md"} {
		write(t, filepath.Join(root, log), "# "+log+"\n")
		if _, err := Run(context.Background(), withGraph(root, log)); err != nil {
			t.Fatal(err)
		}
	}
	later := time.Now().Add(-time.Hour)
	for _, path := range []string{filepath.Join(root, "x", "b.md"), filepath.Join(root, "memory", "episodes", "episode-b.json")} {
		if err := os.Chtimes(path, later, later); err != nil { // as a checkout does
			t.Fatal(err)
		}
	}
	time.Sleep(2 * fsstore.Tick) // until the times prove something
	o := withGraph(root, "x/b.md")
	logs := gather(o, nil, nil).logs
	for i, want := range []int{0, 1} {
		m, err := memory.Open(o.Location)
		if err != nil {
			t.Fatal(err)
		}
		r := &run{Options: o, m: m}
		if _, unchanged := r.skim(logs); len(unchanged) != want {
			t.Errorf("run %d knows %d logs, want %d", i, len(unchanged), want)
		}
		m.Close()
		if rep, err := Run(context.Background(), o); err != nil || rep.Count(Unchanged) != 1 {
			t.Fatal(rep, err)
		}
	}
}
