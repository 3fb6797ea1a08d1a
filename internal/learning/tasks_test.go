package learning

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"episodes/episode"
	"episodes/internal/ask"
	"episodes/reflexion/history"
)

// state keeps a statement about a task, which must succeed.
func state(t testing.TB, f *Folder, kind, of, text string) *TaskAnswer {
	t.Helper()
	got, err := f.StateOfTask(context.Background(), TaskRequest{Kind: kind, Of: of, Text: text, By: "me"})
	if err != nil {
		t.Fatalf("%s of %q: %v", kind, of, err)
	}
	return got
}

// A task is a private episode, with what was stated as records, and with facts that search and
// corrections work on. What a person corrected stays when more is stated.
func TestTaskIsEpisode(t *testing.T) {
	f, ctx := newFolder(t), t.Context()
	if got := state(t, f, "task", "", `{"description":"mend the cache","completion_criteria":"tests pass","tags":["cache"]}`); got.Task.ID != "task-001" {
		t.Errorf("%+v", got)
	}
	state(t, f, "attempt", "task-001", "guess what is stale")
	state(t, f, "action", "task-001", `{"type":"bash","tool":"go","iteration":1,"error":"undefined: stale","params":{"cmd":"go test"},"output":"FAIL"}`)
	state(t, f, "milestone", "task-001", "it compiles")
	state(t, f, "outcome", "task-001", `{"status":"failure","reason":"still red","suggestions_for_next_time":["read the interface first"]}`)

	file := filepath.Join(f.Location.Dir, "private", "episodes", "episode-task-001.json")
	data, err := os.ReadFile(file)
	must(t, err)
	answer, err := ValidateFiles("", []string{file})
	if err != nil || len(answer.Problems) > 0 {
		t.Errorf("%+v, %v", answer, err)
	}
	ep, err := episode.Parse(data)
	must(t, err)
	if len(ep.Decisions) != 1 || ep.Decisions[0].Outcome != episode.Failure || len(ep.Events) != 2 || ep.Lessons[0] != "read the interface first" || ep.Outcome != episode.Unknown {
		t.Errorf("%s", data)
	}

	m, err := ask.Open(f.Options)
	must(t, err)
	if _, err := m.Correct(ctx, ask.CorrectRequest{Ref: "task-001#d001", Outcome: "success"}); err != nil {
		t.Error(err)
	}
	m.Close()
	second := state(t, f, "attempt", "task-001", "read first")
	if !strings.Contains(second.Attempt.PlanText, "read the interface first") {
		t.Errorf("%+v", second.Attempt)
	}
	m, err = ask.Open(f.Options)
	must(t, err)
	if ep, err = m.Load("task-001"); err != nil || ep.Decisions[0].Outcome != episode.Success || ep.Provenance.By["d001"] != "person" || len(ep.Decisions) != 2 {
		t.Errorf("%v\n%+v", err, ep)
	}
	m.Close()
	h, err := f.History("task-001")
	if err != nil || len(h.Attempts) != 2 || h.Attempts[0].Outcome != history.Failure || h.Replays[0].Actions[0].Output != "FAIL" {
		t.Errorf("%+v, %v", h, err)
	}
	for _, id := range []string{"task-002", "task-1", "../task-001", ""} {
		if _, err := f.History(id); !errors.Is(err, history.ErrNone) {
			t.Errorf("history of %q: %v", id, err)
		}
	}
}

// No file of a memory has the secrets that an agent stated, and the records of a task stay small.
func TestTasksAreKeptSmallAndRedacted(t *testing.T) {
	f := newFolder(t)
	token := "ghp_" + (rand.Text() + rand.Text())[:36] // a form of key
	quote := func(v any) string {
		data, err := json.Marshal(v)
		must(t, err)
		return string(data)
	}
	state(t, f, "task", "", quote(map[string]any{"description": "use " + token, "completion_criteria": token, "tags": []string{token}}))
	for range 3 {
		state(t, f, "attempt", "task-001", quote(map[string]any{"approach": token, "steps": []string{token}}))
		for range 8 {
			state(t, f, "action", "task-001", quote(map[string]any{"type": "bash", "output": token + strings.Repeat(" out", 1000), "error": token, "params": map[string]any{"cmd": token}}))
		}
		state(t, f, "outcome", "task-001", quote(map[string]any{"status": "failure", "reason": token, "suggestions_for_next_time": []string{token}}))
	}
	err := filepath.WalkDir(f.Location.Dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if strings.Contains(string(data), token) {
			t.Errorf("%s has the secret", path)
		}
		if strings.HasSuffix(path, "episode-task-001.json") && len(data) > 3*maxRecords/2 {
			t.Errorf("%s has %d bytes", path, len(data))
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
	h, err := f.History("task-001")
	if err != nil || h.Replays[0].Actions[0].Output != "" || h.Replays[2].Actions[7].Output == "" {
		t.Errorf("%v: the oldest outputs go first", err)
	}
}

// Tasks in the files of another tool become episodes of the same names, with all that was
// kept of them.
func TestImportTasks(t *testing.T) {
	f, dir := newFolder(t), t.TempDir()
	put := func(name, data string) {
		t.Helper()
		path := filepath.Join(dir, "tasks/task-002", name)
		must(t, errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(data), 0o644)))
	}
	put("metadata.json", `{"id":"task-002","description":"mend the till","created":"2026-01-02T10:00:00Z","updated":"2026-01-02T10:00:00Z","status":"running","current_attempt":2,"total_attempts":2,"tags":[],"related_tasks":["task-001"]}`)
	put("reflections.jsonl", `{"timestamp":"2026-01-02T10:00:00Z","attempt_id":1,"observation":"o","analysis":"a","learning":"count first","action_items":[],"triggered_by":"failure","reflection_type":"error-analysis"}`+"\n")
	put("attempts/001/attempt.json", `{"id":1,"task_id":"task-002","started":"2026-01-02T10:00:00Z","plan":{"approach":"guess","steps":[]},"execution":{"iterations":1,"actions_performed":1}}`)
	put("attempts/001/plan.md", "the plan")
	put("attempts/001/actions.jsonl", `{"timestamp":"2026-01-02T10:00:00Z","iteration":1,"type":"bash","tool":"go","success":false,"output":"FAIL"}`+"\n")
	put("attempts/001/milestones.jsonl", `{"timestamp":"2026-01-02T10:00:00Z","event":"it compiles"}`+"\n")
	put("attempts/001/outcome.json", `{"status":"failure","reason":"red","what_worked":[],"what_didnt_work":[],"suggestions_for_next_time":[],"ended":"2026-01-02T11:00:00Z"}`)
	put("attempts/002/attempt.json", `{"id":2,"task_id":"task-002","started":"2026-01-02T12:00:00Z","plan":{"approach":"","steps":[]},"execution":{"iterations":0,"actions_performed":0}}`)
	if got, err := f.Import(t.Context(), dir); err != nil || got.Tasks != 1 || len(got.LeftOut) > 0 {
		t.Fatalf("%+v, %v", got, err)
	}
	h, err := f.History("task-002")
	must(t, err)
	a := h.Replays[0]
	if h.Task.CurrentAttempt != 2 || len(h.Task.Related) != 0 || len(h.Reflections) != 1 || a.PlanText != "the plan" || a.Actions[0].Output != "FAIL" || a.Milestones[0].Event != "it compiles" || a.Outcome.Reason != "red" {
		t.Errorf("%+v, %+v", h, a)
	}
	if got := state(t, f, "outcome", "task-002", "success"); got.Task.Status != history.Completed {
		t.Errorf("it goes on: %+v", got)
	}
}

// What is exported has the folders and names of the sources, and is read again by import.
func TestExportLayout(t *testing.T) {
	f, ctx := newFolder(t), t.Context()
	for _, id := range []string{"ralph-cart", "ralph-till"} {
		for range 2 {
			if _, err := f.Reflect(ctx, ReflectRequest{Loop: id, Task: "mend the " + id, Evaluation: given(failed)}); err != nil {
				t.Fatal(err)
			}
		}
	}
	state(t, f, "task", "", "mend the cache")
	state(t, f, "attempt", "task-001", "guess")
	state(t, f, "action", "task-001", `{"type":"edit","tool":"vi","iteration":2,"quality":0.5}`)
	state(t, f, "outcome", "task-001", "failure")
	dir := filepath.Join(t.TempDir(), "out")
	if _, err := f.Export(dir); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"reflections/ralph-cart/001.json", "reflections/ralph-till/002.json", "index/by-status.json", "index/by-agent.json", "reflexion-memory/INDEX.md",
		"tasks/task-001/metadata.json", "tasks/task-001/trajectory.json", "tasks/task-001/reflections.jsonl", "tasks/task-001/summary.json", "tasks/task-001/attempts/001/attempt.json",
		"tasks/task-001/attempts/001/plan.md", "tasks/task-001/attempts/001/actions.jsonl", "tasks/task-001/attempts/001/outcome.json", "tasks/task-001/attempts/001/results/iter-002/quality.json"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
	found, err := filepath.Glob(filepath.Join(dir, "reflexion-memory/episodic/*.json"))
	if err != nil || len(found) != 2 {
		t.Fatalf("%q, %v", found, err)
	}
	var m remembered
	data, err := os.ReadFile(found[0])
	if err := errors.Join(err, json.Unmarshal(data, &m)); err != nil || m.ID == "" || m.Content.Summary == "" || m.Relevance < 0 || m.Relevance > 1 {
		t.Errorf("%s, %v", data, err)
	}

	other := newFolder(t)
	got, err := other.Import(ctx, dir)
	if err != nil || got.Records != 4 || got.Tasks != 1 {
		t.Errorf("%+v, %v", got, err)
	}
	want, err1 := f.History("task-001")
	have, err2 := other.History("task-001")
	if diff := cmp.Diff(want, have); diff != "" || err1 != nil || err2 != nil {
		t.Errorf("%v, %v, %s", err1, err2, diff)
	}
}
