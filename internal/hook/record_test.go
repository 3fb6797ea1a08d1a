package hook

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"episodes/internal/ask"
	"episodes/ledger"
)

// boom is a payload of the failure in a transcript.
const boom = `{"session_id":%q,"cwd":%q,"tool_name":"Bash","tool_input":{"command":"go test ./upload"},"error":"Exit code 1\n--- FAIL: TestParts (0.01s)\n    upload.go:7: got 3 parts, want 4\nFAIL"}`

// account is what came of what was told.
func (w *world) account() *ask.LedgerAnswer {
	w.t.Helper()
	m, err := ask.Open(ask.Options{Location: w.location()})
	must(w.t, err)
	defer m.Close()
	a, err := m.Ledger(context.Background(), ask.LedgerRequest{})
	must(w.t, err)
	return a
}

// settings are the user's own, for one test.
func settings(t *testing.T, text string) {
	t.Helper()
	dir, err := os.UserConfigDir()
	must(t, err)
	path := filepath.Join(dir, "episodes", "config.toml")
	must(t, os.WriteFile(path, []byte(text), 0o600))
	t.Cleanup(func() { _ = os.Remove(path) })
}

// The run in the background finds out what was done with what was told. A fact that is never
// followed goes silent: in hooks, not where somebody asks.
func TestNeverFollowedGoesSilent(t *testing.T) {
	var others []string // so that the words of the failure are rare
	for i := range 60 {
		others = append(others, fmt.Sprintf("# Session: chart %d\n\n## Work\n\n- `make chart%d` failed: `ColourError: no shade %d in the palette`\n- Fix: add the shade.\n", i, i, i))
	}
	w := newWorld(t, others...)
	home, first := w.home("TestParts")
	w.stop(first)
	w.work(home)
	end := func(id, text string) {
		path := filepath.Join(filepath.Dir(first), id+".jsonl")
		w.put(path, text)
		w.stop(path)
		w.work(home)
	}
	for i := range 5 {
		id := fmt.Sprint("n-", i)
		if out := w.run("claude", "PostToolUseFailure", fmt.Sprintf(boom, id, w.root)); !strings.Contains(out, "upload.go") {
			t.Fatalf("after %d tellings that nobody followed it is told %q; log: %s", i, out, w.log())
		}
		other := strings.NewReplacer("/r/upload.go", "/r/other.go", "i <= n", "j").Replace(transcript(id, w.root, "TestParts"))
		end(id, other[:strings.LastIndex(strings.TrimSuffix(other, "\n"), "\n")+1])                                     // and the check is not seen to pass
		if err := os.Remove(filepath.Join(w.root, ".agents/memory/private/episodes/episode-"+id+".json")); err != nil { // it would make the failure one of everyday
			t.Fatal(err)
		}
		w.extract()
	}
	if a := w.account(); a.Given != 5 || a.Followed != (ledger.Rate{Of: 5}) || !a.Facts[0].Silent {
		t.Errorf("%s", a.Text(0))
	}
	if out := w.run("claude", "PostToolUseFailure", fmt.Sprintf(boom, "n-6", w.root)); out != "" {
		t.Errorf("given again without effect: %s", out)
	}
	m, err := ask.Open(ask.Options{Location: w.location()})
	must(t, err)
	defer m.Close()
	asked, err := m.Advise(context.Background(), ask.AdviseRequest{Kind: "error", Text: "--- FAIL: TestParts (0.01s)\n    upload.go:7: got 3 parts, want 4\nFAIL"})
	if err != nil || !strings.Contains(asked.Said, "upload.go") {
		t.Errorf("who asks is told %+v, %v", asked, err)
	}
	if log := w.log(); log != "" {
		t.Errorf("the log says %s", log)
	}
}

func TestFollowedIsSeen(t *testing.T) {
	w := newWorld(t, "")
	home, first := w.home("TestParts")
	w.stop(first)
	w.work(home)
	w.run("claude", "PostToolUseFailure", fmt.Sprintf(boom, "s-2", w.root))
	path := filepath.Join(filepath.Dir(first), "s-2.jsonl")
	w.put(path, transcript("s-2", w.root, "TestParts"))
	w.stop(path)
	w.work(home)
	if a := w.account(); a.Given != 1 || a.Followed != (ledger.Rate{Count: 1, Of: 1}) || a.Back != (ledger.Rate{Of: 1}) || a.Control != (ledger.Rate{}) {
		t.Errorf("%s\n%+v", a.Text(0), a.LedgerFigures)
	}
}

// A share of the facts is held back, the same ones as long as a session lasts, and recorded
// once. Settings that cannot be read hold nothing back, and silence nothing.
func TestHeldBack(t *testing.T) {
	w := newWorld(t, lockLog)
	settings(t, "holdout = 0.5\n")
	const sessions = 60
	given := 0
	for i := range sessions {
		if w.failure(fmt.Sprint(i)) != "" {
			given++
		}
		if again := w.failure(fmt.Sprint(i)); again != "" {
			t.Errorf("told at the second call: %s", again)
		}
	}
	a := w.account()
	if a.Given != given || a.Held != sessions-given || a.Held < sessions/4 || a.Given < sessions/4 || len(w.told) != sessions {
		t.Errorf("told %d; the ledger says %d, held back %d", given, a.Given, a.Held)
	}
	for _, bad := range []string{"holdout = 2", "holdout = nan", "holdout = ["} {
		settings(t, bad)
		if w.failure(bad) == "" || !strings.Contains(w.log(), "config.toml") {
			t.Errorf("%s: not told; log: %s", bad, w.log())
		}
	}
}

// What is recorded is a place and hashes: no text, no id of a session, no path.
func TestRecordHasNoText(t *testing.T) {
	w := newWorld(t, lockLog)
	w.failure("a-session-of-mine")
	_ = filepath.WalkDir(filepath.Join(w.state, "ledger"), func(path string, _ os.DirEntry, err error) error {
		data, _ := os.ReadFile(path)
		for _, text := range []string{"mine", "LockTimeout", "watcher", "go test", w.root} {
			if strings.Contains(string(data), text) {
				t.Errorf("%s has %q: %s", path, text, data)
			}
		}
		return err
	})
	if a := w.account(); a.Given != 1 || a.Kinds[0].Kind != "error" {
		t.Errorf("%+v", a)
	}
}
