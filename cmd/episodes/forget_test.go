//go:build unix

package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// holding lists the files of the memory and of the user's state, settings and cache that have a word.
func (u person) holding(word string) (out []string) {
	u.Helper()
	for _, top := range []string{filepath.Join(u.repo, ".agents", "memory"), filepath.Join(u.home, "state"), filepath.Join(u.home, "config"), filepath.Join(u.home, "cache")} {
		must0(u.T, filepath.WalkDir(top, func(file string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			data, err := os.ReadFile(file)
			if bytes.Contains(bytes.ToLower(data), []byte(word)) {
				out = append(out, strings.TrimPrefix(file, u.home))
			}
			return err
		}))
	}
	return out
}

// What only a forgotten session held is in no file any more: not in the memory, nor in the user's
// state, settings or cache. The transcript and the log themselves stay.
func TestForgottenWordsAreNowhere(t *testing.T) {
	const marker = "quillwort"
	u := newPerson(t)
	u.put("repo/.agents/sessions/2026-02-01-pump.md", "# Session: pump\n\n- `make pump` failed: `PumpStalled: the valve is closed`\n- Fix: open the valve first.\n")
	u.put("repo/.agents/sessions/2026-02-02-well.md", "# Session: well\n\n## Problem\n\n- The quillwort of the well is dry.\n\n## Decisions\n\n"+
		"- Decision: water the quillwort by hand instead of the pump, because the pump is slow\n")
	row := func(kind, content string) string {
		return fmt.Sprintf(`{"type":%q,"uuid":"u1","sessionId":"s-9","timestamp":"2026-03-01T09:00:00.000Z","cwd":%q,"message":{"role":%q,"content":%s}}`+"\n", kind, u.repo, kind, content)
	}
	call := func(id, command, result string) string {
		return row("assistant", fmt.Sprintf(`[{"type":"tool_use","id":%q,"name":"Bash","input":{"command":%q}}]`, id, command)) +
			row("user", fmt.Sprintf(`[{"type":"tool_result","tool_use_id":%q,"is_error":%v,"content":%q}]`, id, strings.HasPrefix(result, "Exit"), result))
	}
	transcript := u.put(".claude/projects/p/s-9.jsonl", row("user", `"Grow the quillwort in the well of the garden."`)+
		call("t1", "make quillwort", "Exit code 1\nQuillwortError: the quillwort of the well needs light")+
		row("assistant", `[{"type":"text","text":"The well is too deep for the quillwort, so the lamp has to be on first."}]`)+
		call("t2", "LAMP=1 make quillwort", "ok: the quillwort grows"))
	reader := u.put("reader.sh", "cat > /dev/null; echo '+x1 error 5 \"The quillwort of the well is dry\"'\n")
	holding := func() []string { return u.holding(marker) }
	ask := func() {
		t.Helper()
		for _, args := range [][]string{{"list"}, {"search", "quillwort lamp"}, {"patterns"}, {"graph", "stats"}} {
			u.run("", args...)
		}
	}
	u.run("", "init")
	u.run("", "extract", "--reader", "sh "+reader)
	if out := u.run("", "extract", "--from", "claude"); !strings.Contains(out, "1 written") {
		t.Fatal(out)
	}
	ask()
	if out := u.run("", "search", "well too deep for the quillwort"); !strings.Contains(out, "lamp has to be on") {
		t.Errorf("the search finds %q", out)
	}
	failure := fmt.Sprintf(`{"session_id":"s-10","cwd":%q,"tool_name":"Bash","tool_input":{"command":"make quillwort"},`+
		`"error":"Exit code 1\nQuillwortError: the quillwort of the well needs light"}`, u.repo)
	if out := u.run(failure, "hook", "claude", "PostToolUseFailure"); !strings.Contains(out, "LAMP=1") {
		t.Errorf("the hook says %q", out)
	}
	u.run(fmt.Sprintf(`{"session_id":"s-9","cwd":%q,"transcript_path":%q}`, u.repo, transcript), "hook", "claude", "Stop")
	u.idle()
	before := strings.Join(holding(), "\n")
	for _, part := range []string{"/private/said/", "/private/episodes/", "/memory/episodes/", "/memory/additions/", "/causality/", "/cache/"} {
		if !strings.Contains(before, part) {
			t.Errorf("%s has nothing to forget; the words are in\n%s", part, before)
		}
	}
	killed := u.put("repo/.agents/memory/private/said/.tmp-KILLED", "the quillwort of a writer that was killed")
	u.run("", "forget", "s-9", "2026-02-02-well")
	if _, err := os.Stat(killed); err == nil {
		t.Error("what a killed writer left is there")
	}
	if left := holding(); len(left) > 0 {
		t.Errorf("forgotten words are in\n%s", strings.Join(left, "\n"))
	}
	ask()
	u.run("", "extract")
	if left := holding(); len(left) > 0 {
		t.Errorf("after other commands forgotten words are in\n%s", strings.Join(left, "\n"))
	}
	if out := u.run("", "search", "pump valve"); !strings.Contains(out, "valve") {
		t.Errorf("the search finds %q", out)
	}
}

// The questions that readers and agents gave to a session go with it, also those about former states of
// its log.
func TestForgottenQuestionsAreNowhere(t *testing.T) {
	const marker = "saltcellar"
	u := newPerson(t)
	const log = "# Session: well\n\n## Problem\n\n- The pump of the well stalls: the valve is closed.\n"
	path := u.put("repo/.agents/sessions/2026-02-02-well.md", log)
	u.put("repo/.agents/sessions/2026-02-01-roof.md", "# Session: roof\n\n- Lesson: nail the tiles of the roof twice.\n")
	u.run("", "init")
	answer := func(question string) string { return `echo '? error 5 "` + question + `"'` }
	for i, question := range []string{"the former saltcellar drips", "how do I calm a saltcellar that shakes"} {
		must0(t, os.WriteFile(path, []byte(log+strings.Repeat("\nNothing else.\n", i)), 0o600))
		u.run("", "extract", "--reader", answer(question), path)
	}
	u.run("", "record", "decision", "open the valve first", "--of", "2026-02-02-well", "--asked", "what about the brass saltcellar")
	u.run("", "extract")
	if shown := u.run("", "show", "2026-02-02-well"); strings.Count(shown, marker) < 2 {
		t.Errorf("the questions are not shown:\n%s", shown)
	}
	before := strings.Join(u.holding(marker), "\n")
	for _, part := range []string{"/memory/additions/", "/cache/"} {
		if !strings.Contains(before, part) {
			t.Errorf("%s has nothing to forget; the words are in\n%s", part, before)
		}
	}
	u.run("", "forget", "2026-02-02-well")
	u.run("", "search", "saltcellar")
	if left := u.holding(marker); len(left) > 0 {
		t.Errorf("forgotten questions are in\n%s", strings.Join(left, "\n"))
	}
}
