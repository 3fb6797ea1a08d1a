package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"episodes/internal/testing/golden"
)

// program builds the program that is measured.
func program(t *testing.T) string {
	bin := filepath.Join(t.TempDir(), "episodes.exe")
	if out, err := exec.Command("go", "build", "-o", bin, "../cmd/episodes").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return bin
}

func TestAHistory(t *testing.T) {
	bin := program(t)
	for name, args := range map[string][]string{"replay": {"replay", "testdata/history"}, "dry": {"dry", "testdata/history"},
		"json": {"dry", "testdata/history", "--json"}} {
		var out strings.Builder
		if err := run(append(args, "--bin", bin), &out); err != nil {
			t.Fatal(err)
		}
		if name != "json" {
			golden.Is(t, filepath.Join("testdata", name+".golden"), out.String())
			continue
		}
		var all tasks
		if err := json.Unmarshal([]byte(out.String()), &all); err != nil || len(all) != 1 || all[0].Said != 2 || len(all[0].Told) != 1 {
			t.Errorf("%v, %+v", err, all)
		}
	}
}

// Events of transcripts of Claude Code and Codex, and of a log.
func TestEvents(t *testing.T) {
	var out strings.Builder
	for _, path := range []string{"testdata/history/sessions/tickets.jsonl", "testdata/command.jsonl", "../agents/claude/testdata/plan.jsonl",
		"../agents/codex/testdata/codemode.jsonl", "../testdata/sessions/2026-01-12-session-02-lock-timeout.md"} {
		s := read(filepath.FromSlash(path))
		fmt.Fprintf(&out, "%s of %s on %s, %s\n", s.name, s.began.UTC().Format("2006-01-02"), s.branch, s.folders)
		for _, e := range s.events {
			payload, err := json.Marshal(e.payload)
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintln(&out, e.Line, e.Hook, e.Tool, string(payload[:min(200, len(payload))]))
		}
	}
	golden.Is(t, "testdata/events.golden", out.String())
}

func TestInTime(t *testing.T) {
	for _, c := range []struct {
		at, deadline, line int
		hook               string
		want               bool
	}{
		{5, 8, 7, "PostToolUse", true}, {5, 8, 8, "PostToolUse", false}, {5, 8, 8, "PreToolUse", true}, {8, 8, 8, "PostToolUseFailure", true},
		{5, 8, 9, "PreToolUse", false}, {5, 0, 99, "PostToolUse", true},
	} {
		m := matter{At: c.at, Deadline: c.deadline}
		if got := m.inTime(&told{event: event{Line: c.line, Hook: c.hook}}); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

func TestWorkingFoldersAreReplaced(t *testing.T) {
	s := &session{folders: []string{`/home/kim/src/ferry`}}
	for text, want := range map[string]string{
		`"/home/kim/src/ferry"`: `"/x/home/kim/src/ferry"`, `cd /home/kim/src/ferry/a.go`: `cd /x/home/kim/src/ferry/a.go`,
		`/home/kim/src/ferry:/home/kim/src/ferry`: `/x/home/kim/src/ferry:/x/home/kim/src/ferry`, `a\n/home/kim/src/ferry.`: `a\n/x/home/kim/src/ferry.`,
		`/home/kim/src/ferry-2`: `/home/kim/src/ferry-2`, `/home/kim/src/ferry.git`: `/home/kim/src/ferry.git`, `/y/home/kim/src/ferry`: `/y/home/kim/src/ferry`,
	} {
		if got := string(s.here([]byte(text), "/x/home/kim/src/ferry")); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

func TestTroubleIsReported(t *testing.T) {
	dir := t.TempDir()
	for _, args := range [][]string{{}, {"replay"}, {"replay", "a", "b"}, {"dry"}, {"replay", dir}, {"dry", dir}, {"replay", "testdata/history", "--bin", dir + "/none"}} {
		if err := run(args, os.Stdout); err == nil {
			t.Errorf("%q: no error", args)
		}
	}
}
