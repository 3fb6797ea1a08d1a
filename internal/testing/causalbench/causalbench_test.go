package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"episodes/episode"
)

// session writes an episode of a small world: a choice that matters, an event that
// follows from it, and one that means nothing.
func session(t *testing.T, dir string, r *rand.Rand, i int) {
	t.Helper()
	day := func(m int) string { return fmt.Sprintf("2026-03-%02dT10:%02d:00Z", 1+i%28, m) }
	option, task := []string{"eager runner", "lazy runner"}[r.IntN(2)], []string{"Fix flaky test", "Add command line flag"}[r.IntN(2)]
	warm := option == "eager runner" && r.Float64() < .9
	p := .3
	if warm {
		p = .85
	}
	e := &episode.Episode{ID: fmt.Sprintf("episode-2026-03-01-session-%04d", i), Session: fmt.Sprintf("2026-03-01-session-%04d", i), Timestamp: day(0), OutcomeSource: episode.Measured,
		Task:      fmt.Sprintf("%s (#%d)", task, 100+i),
		Decisions: []episode.Decision{{ID: "d001", Timestamp: day(1), Type: episode.Design, Context: fmt.Sprintf("Choosing cache layer for PR #%d", i), Options: []string{"eager runner", "lazy runner"}, Chosen: option, Outcome: episode.Success}}}
	if warm {
		e.Events = append(e.Events, episode.Event{ID: "e001", Timestamp: day(2), Type: episode.Test, Content: fmt.Sprintf("Step %d: warmed token cache after %ds", i%7, 10+i)})
	}
	if r.Float64() < .5 {
		e.Events = append(e.Events, episode.Event{ID: "e002", Timestamp: day(3), Type: episode.Milestone, Content: "reordered changelog entry"})
	}
	e.Outcome = episode.Failure
	if r.Float64() < p {
		e.Outcome = episode.Success
	}
	data, err := episode.Marshal(e)
	check(t, err)
	check(t, os.WriteFile(filepath.Join(dir, e.ID+".json"), data, 0o600))
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

var asks = []question{
	{ID: "w1", Kind: "whatif", Decision: "Choosing cache layer", Option: "Eager runner.", Task: "Fix flaky test"},
	{ID: "w2", Kind: "whatif", Decision: "Choosing cache layer at 0abc1234d", Option: "queued bridge"},
	{ID: "p1", Kind: "policy", Decision: "Choosing cache layer", Options: []string{"lazy runner", "eager runner"}},
	{ID: "h1", Kind: "path", From: "Choosing cache layer => eager runner", To: "outcome: success"},
	{ID: "h2", Kind: "path", From: "reordered changelog entry", To: "outcome: success"},
}

func ask(t *testing.T, dir string) (out answers) {
	t.Helper()
	file, to := filepath.Join(t.TempDir(), "queries.json"), filepath.Join(t.TempDir(), "answers.json")
	data, err := json.Marshal(map[string]any{"world": "small", "queries": asks})
	check(t, err)
	check(t, os.WriteFile(file, data, 0o600))
	check(t, run([]string{"bench", "--episodes", dir, "--queries", file, "--out", to}, nil, nil))
	raw, err := os.ReadFile(to)
	check(t, err)
	check(t, json.Unmarshal(raw, &out))
	return out
}

func TestBench(t *testing.T) {
	dir, r := t.TempDir(), rand.New(rand.NewPCG(1, 2))
	for i := range 200 {
		session(t, dir, r, i)
	}
	a := ask(t, dir)
	if w := a.WhatIf[0]; w.P == nil || *w.P < .6 || *w.Low > *w.P || *w.High < *w.P {
		t.Errorf("%+v", w)
	}
	if !a.WhatIf[1].Abstain || a.WhatIf[1].P != nil {
		t.Errorf("an option nobody tried: %+v", a.WhatIf[1])
	}
	if o := a.Policy[0].Option; o == nil || *o != "eager runner" {
		t.Errorf("advice %v", o)
	}
	if p := a.Paths[0]; len(p.Path) != 3 || !strings.HasSuffix(p.Path[0], "=> eager runner") || !strings.Contains(p.Path[1], "warmed token cache") || p.Path[2] != "outcome: success" || p.Text == "" {
		t.Errorf("path %v", p)
	}
	if p := a.Paths[1]; p.Path != nil || p.P != 0 {
		t.Errorf("what means nothing leads somewhere: %v", p)
	}
	asserted := 0
	for _, p := range a.Patterns {
		if p.Asserted && p.Kind == "pattern" != (p.Option == "eager runner") {
			t.Errorf("%+v", p)
		}
		if p.Asserted {
			asserted++
		}
	}
	if asserted == 0 || len(a.Nodes) != 4 {
		t.Errorf("%d asserted, %d nodes, want some and 4", asserted, len(a.Nodes))
	}
}
