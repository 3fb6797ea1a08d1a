package episodes_test

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"episodes"
	"episodes/internal/lock"
)

// library is a memory of two sessions.
func library(t *testing.T) (*episodes.Memory, string) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"2026-01-01-a.md": "# A\n\n**Status**: Complete\n\n## Decision: how to wait\n\n- **Options**: fail; retry\n- **Chosen**: retry\n\n- Error: LockTimeout: index is locked\n",
		"2026-01-02-b.md": "# B\n\n**Status**: Complete\n\n- Error: LockTimeout: index is locked\n",
	} {
		path := filepath.Join(dir, ".agents", "sessions", name)
		must(t, errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)))
	}
	m, err := episodes.Create(dir)
	must(t, err)
	if _, err := m.Extract(context.Background(), episodes.ExtractRequest{}); err != nil {
		t.Fatal(err)
	}
	return m, dir
}

// Create makes a memory and leaves alone what exists; Open finds it, and it stays where it is.
func TestOpenAndCreate(t *testing.T) {
	dir := t.TempDir()
	for range 2 {
		if _, err := episodes.Create(dir); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := episodes.Open(dir); err != nil {
		t.Error(err)
	}
	t.Chdir(dir)
	m, err := episodes.Open(".")
	must(t, err)
	t.Chdir(t.TempDir())
	if _, err := m.Patterns(context.Background(), episodes.DefaultPatterns(episodes.Works)); err != nil {
		t.Error(err)
	}
}

// Every error that the package promises to be decided on can be.
func TestErrors(t *testing.T) {
	m, _ := library(t)
	ctx := context.Background()
	whatIf := func(r episodes.WhatIfRequest) error { _, err := m.WhatIf(ctx, r); return err }
	outcomeOf := func(ref string) error {
		_, err := m.Record(ctx, episodes.RecordRequest{Kind: "outcome", Text: "failure", Of: ref})
		return err
	}
	for name, c := range map[string]struct{ err, want error }{
		"no such episode":      {whatIf(episodes.WhatIfRequest{Option: "x", Episode: "2027"}), episodes.ErrNoEpisode},
		"a way out":            {whatIf(episodes.WhatIfRequest{Option: "x", Episode: "../x"}), episodes.ErrNoRef},
		"parts that exclude":   {whatIf(episodes.WhatIfRequest{Option: "2026-01-01-a#d001", Context: "x"}), episodes.ErrTogether},
		"no such episode file": {whatIf(episodes.WhatIfRequest{Option: "x", Episode: "2027"}), fs.ErrNotExist},
		"no such record":       {outcomeOf("2026-01-01-a#d009"), episodes.ErrNoRecord},
	} {
		if !errors.Is(c.err, c.want) {
			t.Errorf("%s: %v", name, c.err)
		}
	}
	for name, err := range map[string]error{
		"no option":     whatIf(episodes.WhatIfRequest{}),
		"no thresholds": func() error { _, err := m.Patterns(ctx, episodes.PatternsRequest{Kind: episodes.Works}); return err }(),
		"no such kind": func() error {
			_, err := m.Record(ctx, episodes.RecordRequest{Kind: "wish", Text: "x"})
			return err
		}(),
		"fewer than no jobs": func() error {
			_, err := m.Extract(ctx, episodes.ExtractRequest{Jobs: -1})
			return err
		}(),
	} {
		var bad *episodes.RequestError
		if !errors.As(err, &bad) || strings.Contains(err.Error(), "--") {
			t.Errorf("%s: %v", name, err)
		}
	}
	m.Close()
	if err := whatIf(episodes.WhatIfRequest{Option: "x"}); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("after Close: %v", err)
	}
}

// A graph that cannot be read says that a rebuild helps.
func TestDamaged(t *testing.T) {
	m, dir := library(t)
	found, err := filepath.Glob(filepath.Join(dir, ".agents", "memory", "causality", "graph", "gen-*", "MANIFEST"))
	if err != nil || len(found) != 1 {
		t.Fatal(found, err)
	}
	must(t, os.Remove(found[0]))
	if _, err := m.Patterns(context.Background(), episodes.DefaultPatterns(episodes.Works)); !errors.Is(err, episodes.ErrDamaged) {
		t.Errorf("got %v", err)
	}
}

// What stands in the way of a memory is named, so that a caller knows whom to tell.
func TestErrorsOfFiles(t *testing.T) {
	m, dir := library(t)
	ctx := context.Background()
	ep := filepath.Join(dir, ".agents", "memory", "episodes", "episode-2026-01-01-a.json")
	data, err := os.ReadFile(ep)
	must(t, err)
	edited := bytes.Replace(data, []byte("retry"), []byte("wait"), 1)
	must(t, os.WriteFile(ep, edited, 0o644))
	if _, err := m.Record(ctx, episodes.RecordRequest{Kind: "lesson", Text: "wait", Of: "2026-01-01-a"}); err != nil {
		t.Errorf("an edited episode: %v", err)
	}
	if now, err := os.ReadFile(ep); err != nil || !bytes.Equal(now, edited) {
		t.Errorf("an edited episode was written: %s %v", now, err)
	}
	must(t, os.WriteFile(filepath.Join(dir, ".agents", "episodes.toml"), []byte("[names"), 0o644))
	if _, err := m.Extract(ctx, episodes.ExtractRequest{}); !errors.Is(err, episodes.ErrVocabulary) {
		t.Errorf("a vocabulary that cannot be read: %v", err)
	}
}

// A call ends when its context does: before it begins, and while it waits for another process.
func TestContext(t *testing.T) {
	m, dir := library(t)
	ctx, cancel := context.WithCancel(context.Background())
	held, err := lock.Acquire(ctx, filepath.Join(dir, ".agents", "memory", "causality", "memory.lock"), 0, "a test")
	must(t, err)
	defer held.Release()
	extracted := make(chan error)
	go func() {
		_, err := m.Extract(ctx, episodes.ExtractRequest{Force: true})
		extracted <- err
	}()
	cancel()
	if err := <-extracted; !errors.Is(err, context.Canceled) {
		t.Errorf("Extract while another process writes: %v", err)
	}
	for name, call := range map[string]func() error{
		"Extract": func() error { _, err := m.Extract(ctx, episodes.ExtractRequest{}); return err },
		"Search":  func() error { _, err := m.Search(ctx, episodes.SearchRequest{Text: "lock"}); return err },
		"Record": func() error {
			_, err := m.Record(ctx, episodes.RecordRequest{Kind: "lesson", Text: "wait"})
			return err
		},
		"Patterns": func() error { _, err := m.Patterns(ctx, episodes.DefaultPatterns(episodes.Works)); return err },
	} {
		if err := call(); !errors.Is(err, context.Canceled) {
			t.Errorf("%s with a context that is done: %v", name, err)
		}
	}
}

// A question sees what was taken in before it, by this program or another one, and
// says beside the answer that the graph was brought in step.
func TestQuestionsSeeWhatIsThere(t *testing.T) {
	m, dir := library(t)
	var notes []string
	m.Note = func(text string) { notes = append(notes, text) }
	frequency := func() int {
		t.Helper()
		a, err := m.Explain(context.Background(), episodes.ExplainRequest{Ref: "LockTimeout: index is locked"})
		if err != nil || a.Node == nil {
			t.Fatalf("%+v, %v", a, err)
		}
		return a.Node.Node.Frequency
	}
	before := frequency()
	must(t, os.Remove(filepath.Join(dir, ".agents", "memory", "episodes", "episode-2026-01-02-b.json")))
	if after := frequency(); before != 2 || after != 1 {
		t.Errorf("in %d episodes, after one was removed in %d", before, after)
	}
	if len(notes) != 1 || !strings.Contains(notes[0], "1 removed") {
		t.Errorf("noted %q", notes)
	}
}

// Calls from several goroutines take turns.
func TestConcurrentUse(t *testing.T) {
	m, _ := library(t)
	ctx := context.Background()
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			_, err := m.Extract(ctx, episodes.ExtractRequest{Force: true})
			a, explainErr := m.Explain(ctx, episodes.ExplainRequest{Ref: "LockTimeout"})
			if err := errors.Join(err, explainErr); err != nil || a.Empty() {
				t.Errorf("%+v, %v", a, err)
			}
		})
	}
	wg.Wait()
}
