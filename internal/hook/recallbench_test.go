package hook

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"episodes/internal/ask"
	"episodes/internal/testing/few"
)

const (
	recallBench = "../../../shared/bench/recall/given.jsonl" // not part of the repository
	recallLogs  = "../../../shared/corpus"
)

// query is a question of the benchmark of recall.
type query struct {
	ID, Kind, Text string
	Neg            string
	Facts          []struct {
		Log   string
		Lines [2]int
		Grade int
	}
}

// hit reports whether one of the first evidences is of a fact that answers, as the
// benchmark counts it.
func (q query) hit(told []ask.AdviceEvidence) bool {
	for _, e := range told[:min(3, len(told))] {
		for _, f := range q.Facts {
			if e.Lines != nil && f.Grade == 2 && filepath.Base(e.Log) == f.Log && e.Lines[0] <= f.Lines[1]+3 && f.Lines[0]-3 <= e.Lines[1] {
				return true
			}
		}
	}
	return false
}

// payload is what Claude Code would send where the question comes up.
func (q query) payload(cwd string) (event, text string) {
	p := map[string]any{"session_id": q.ID, "transcript_path": "/nowhere/x.jsonl", "cwd": cwd, "permission_mode": "default", "prompt_id": "p1"}
	switch q.Kind {
	case "error":
		event = "PostToolUseFailure"
		command, output := commandOf(q.Text)
		p["tool_name"], p["tool_input"], p["tool_use_id"] = "Bash", map[string]string{"command": command, "description": "Run the checks"}, "toolu_1"
		p["error"], p["is_interrupt"], p["duration_ms"] = "Exit code 1\n"+output, false, 1200
	case "action":
		event = "PreToolUse"
		p["tool_name"], p["tool_input"] = toolOf(q.Text, cwd)
		p["tool_use_id"] = "toolu_1"
	case "task":
		event = "UserPromptSubmit"
		p["prompt"] = q.Text
	}
	p["hook_event_name"] = event
	data, _ := json.Marshal(p)
	return event, string(data)
}

// commandOf parts a pasted terminal into the last command and what that printed, as an
// agent has them; where it shows no command, one that says nothing.
func commandOf(text string) (command, output string) {
	command = "./run-checks.sh"
	var b strings.Builder
	for line := range strings.Lines(text) {
		_, c, ok := strings.Cut(line, "$ ")
		switch c = strings.TrimSpace(c); {
		case ok && c != "":
			command = c
			b.Reset()
		case !ok:
			b.WriteString(line)
		}
	}
	return command, b.String()
}

// toolOf is the call that an action describes.
func toolOf(text, cwd string) (name string, input map[string]string) {
	first, rest, _ := strings.Cut(text, "\n")
	if file, ok := strings.CutPrefix(first, "write "); ok {
		file, note, _ := strings.Cut(file, "   ")
		return "Write", map[string]string{"file_path": filepath.Join(cwd, file), "content": strings.TrimSpace(note + "\n" + rest)}
	}
	file, ok := strings.CutPrefix(first, "edit ")
	if !ok {
		return "Bash", map[string]string{"command": text}
	}
	file, note, _ := strings.Cut(file, "   ")
	var old, fresh strings.Builder
	for line := range strings.Lines(strings.TrimSpace(note) + "\n" + rest) {
		switch {
		case strings.HasPrefix(line, "-"):
			old.WriteString(line[1:])
		case strings.HasPrefix(line, "+"):
			fresh.WriteString(line[1:])
		case strings.TrimSpace(line) != "":
			old.WriteString(strings.TrimPrefix(line, " "))
			fresh.WriteString(strings.TrimPrefix(line, " "))
		}
	}
	return "Edit", map[string]string{"file_path": filepath.Join(cwd, file), "old_string": old.String(), "new_string": fresh.String()}
}

// What comes through the hooks, with the payload around a question, is as good as what
// advise says: for errors and actions as many hits, for tasks two thirds of them, and not
// more answers where nothing is known.
func TestRecallThroughHooks(t *testing.T) {
	if !few.Heavy() {
		t.Skip("takes long: make test-heavy")
	}
	f, err := os.Open(recallBench)
	if err != nil {
		t.Skip("no benchmark here")
	}
	defer f.Close()
	loc := benchMemory(t)
	type figures struct{ positives, negatives, hits, answered, wrong, tokens int }
	byKind := map[string]*[2]figures{}
	for s := bufio.NewScanner(f); s.Scan(); {
		var q query
		if err := json.Unmarshal(s.Bytes(), &q); err != nil {
			t.Fatal(err)
		}
		if q.Kind == "choice" { // they have no event
			continue
		}
		if byKind[q.Kind] == nil {
			byKind[q.Kind] = &[2]figures{}
		}
		asked, text := advised(t, loc, q)
		event, payload := q.payload(loc.Root)
		var told []ask.AdviceEvidence
		out := Run(context.Background(), Options{Agent: "claude", Event: event, Stdin: strings.NewReader(payload), Getenv: os.Getenv, Cwd: loc.Root, Root: loc.Root, Memory: loc.Dir,
			Record: func(t Delivery) { told = t.Facts }})
		var answer struct {
			HookSpecificOutput struct{ AdditionalContext string }
		}
		if out != nil {
			if err := json.Unmarshal(out, &answer); err != nil {
				t.Fatal(err)
			}
		}
		for i, got := range []struct {
			told []ask.AdviceEvidence
			text string
		}{{asked, text}, {told, answer.HookSpecificOutput.AdditionalContext}} {
			n := &byKind[q.Kind][i]
			if len(got.text) > budget {
				t.Errorf("%s: %d bytes are told", q.ID, len(got.text))
			}
			if q.Neg != "" {
				n.negatives++
			} else {
				n.positives++
			}
			switch {
			case len(got.told) == 0:
				continue
			case q.Neg != "":
				n.wrong++
			case q.hit(got.told):
				n.hits++
				fallthrough
			default:
				n.answered++
			}
			n.tokens += len(got.text) / 4
		}
	}
	for _, kind := range []string{"error", "action", "task"} {
		a, h := byKind[kind][0], byKind[kind][1]
		for name, n := range map[string]figures{"advise": a, "hook": h} {
			t.Logf("%-6s %-6s hit@3 %d and answered %d of %d, of negatives answered %d of %d, %d tokens on average", kind, name, n.hits, n.answered, n.positives, n.wrong, n.negatives, n.tokens/max(1, n.answered+n.wrong))
		}
		floor := a.hits
		switch kind {
		case "error":
			floor = int(math.Ceil(errorFloor * float64(a.hits)))
		case "task":
			floor = (2*a.hits + 2) / 3
		}
		if h.hits < floor || h.wrong > a.wrong+1 {
			t.Errorf("%s: %d hits through the hooks, of advise %d; negatives answered %d and %d", kind, h.hits, a.hits, h.wrong, a.wrong)
		}
	}
}

// errorFloor is the share of the errors that advise answers among the first three places which
// hooks must answer, too: they know less of the output.
const errorFloor = 0.9

// advised is what advise says when it is asked the question itself, and the places that its
// text names: what its data have beyond that had no room, as in a hook.
func advised(t *testing.T, loc ask.Location, q query) ([]ask.AdviceEvidence, string) {
	m, err := ask.Open(ask.Options{Location: loc})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	a, err := m.Advise(context.Background(), ask.AdviseRequest{Kind: q.Kind, Text: q.Text})
	if err != nil {
		t.Fatal(err)
	}
	var out []ask.AdviceEvidence
	for _, item := range a.Advice {
		for _, e := range item.Evidence {
			if e.Lines == nil || strings.Contains(a.Said, fmt.Sprintf(":%d", e.Lines[0])) {
				out = append(out, e)
			}
		}
	}
	return out, a.Said
}

// benchMemory is a memory of the logs that the benchmark asks about, or of those in the
// folder that EPISODES_BENCH_LOGS names.
func benchMemory(t *testing.T) ask.Location {
	logs, err := filepath.Abs(recallLogs)
	if err != nil {
		t.Fatal(err)
	}
	loc := ask.Location{Root: t.TempDir(), Bare: true}
	loc.Dir = filepath.Join(loc.Root, "memory")
	r := ask.ExtractRequest{Cwd: logs, Create: true, Logs: []string{"session-logs-md", "other-md", "session-logs-json"}}
	if other := os.Getenv("EPISODES_BENCH_LOGS"); other != "" {
		r.Logs = []string{other}
	}
	if _, err := ask.Extract(context.Background(), ask.Options{Location: loc}, r); err != nil {
		t.Fatal(err)
	}
	m, err := ask.Open(ask.Options{Location: loc})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	if err := m.Prepare(context.Background()); err != nil {
		t.Fatal(err)
	}
	return loc
}
