package capture

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"episodes/internal/fsstore"
	"episodes/internal/memory"
	"episodes/internal/sources"
	"episodes/internal/testing/few"
)

// claudeFile is a transcript in which one test fails; agent is "" for the session's own.
func claudeFile(session, agent, test string) string {
	of := fmt.Sprintf(`"sessionId":%q,"timestamp":"2026-02-03T04:05:06Z"`, session)
	if agent != "" {
		of += fmt.Sprintf(`,"isSidechain":true,"agentId":%q`, agent)
	}
	return fmt.Sprintf(`{"type":"user","uuid":"1",%s,"message":{"role":"user","content":"Mend it, please"}}
{"type":"assistant","uuid":"2",%[1]s,"message":{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"Bash","input":{"command":"go test"}}]}}
{"type":"user","uuid":"3",%[1]s,"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","is_error":true,"content":"Exit code 1\n--- FAIL: %s (0.01s)\n    x_test.go:9: want 1, got 2"}]},"toolUseResult":"Error"}
`, of, test)
}

// A session is one episode however its files were named before, alone and together, and
// whether the index survives: after a run over all of them it is what one run makes.
func TestPartsWhateverWasReadBefore(t *testing.T) {
	few.Checks(t, 30)
	files := map[string]string{
		"logs/s.jsonl":                              claudeFile("s", "", "TestSession"),
		"logs/s/subagents/agent-a.jsonl":            claudeFile("s", "a", "TestA"),
		"logs/s/subagents/agent-b.jsonl":            claudeFile("s", "b", "TestB"),
		"logs/s/subagents/agent-acompact-1.jsonl":   claudeFile("s", "acompact-1", "TestNone"),
		"logs/agent-c.jsonl":                        claudeFile("s", "c", "TestC"),
		"logs/agent-lost.jsonl":                     claudeFile("gone", "lost", "TestLost"),
		"logs/more/of/s/subagents/agent-copy.jsonl": claudeFile("s", "copy", "TestCopy"),
	}
	names := slices.Sorted(maps.Keys(files))
	base := t.TempDir()
	put := func(root string) {
		for name, text := range files {
			write(t, filepath.Join(root, name), text)
		}
	}
	whole := filepath.Join(base, "whole")
	put(whole)
	if _, err := Run(context.Background(), options(whole, "logs")); err != nil {
		t.Fatal(err)
	}
	want := episodeFiles(t, whole)
	if got := slices.Sorted(maps.Keys(want)); !slices.Equal(got, []string{"episode-gone-agent-lost.json", "episode-s.json"}) {
		t.Fatalf("%q", got)
	}
	for _, test := range []string{"TestSession", "TestA", "TestB", "TestC", "TestCopy"} {
		if !strings.Contains(want["episode-s.json"], test) {
			t.Errorf("no %s", test)
		}
	}
	if strings.Contains(want["episode-s.json"], "TestNone") {
		t.Error("a run that makes a summary was read")
	}
	trial := 0
	rapid.Check(t, func(t *rapid.T) {
		trial++
		root := filepath.Join(base, fmt.Sprint(trial))
		put(root)
		for range rapid.IntRange(0, 2).Draw(t, "runs") {
			args := rapid.SliceOfNDistinct(rapid.SampledFrom(append(names, "logs/s", "logs/*.jsonl")), 1, 4, rapid.ID).Draw(t, "args")
			if rep, err := Run(context.Background(), options(root, args...)); err != nil || rep.Count(Failed) > 0 {
				t.Fatalf("%+v, %v", rep, err)
			}
			if rapid.Bool().Draw(t, "index lost") {
				os.Remove(filepath.Join(root, "memory", "causality", "index"))
			}
		}
		for i := range 2 {
			rep, err := Run(context.Background(), options(root, "logs"))
			if err != nil || rep.Count(Failed) > 0 || i > 0 && rep.Count(Unchanged) != len(want) {
				t.Fatalf("%+v, %v", rep, err)
			}
		}
		if diff := cmp.Diff(want, episodeFiles(t, root)); diff != "" {
			t.Fatal(diff)
		}
	})
}

// What lies where sub-agents lie is read only if it is in the repository, or where the
// session lies.
func TestPartsThatLeadOut(t *testing.T) {
	root, out := t.TempDir(), t.TempDir()
	write(t, filepath.Join(root, "s.jsonl"), claudeFile("s", "", "TestSession"))
	write(t, filepath.Join(out, "subagents", "agent-a.jsonl"), claudeFile("s", "a", "TestOutside"))
	if err := os.Symlink(out, filepath.Join(root, "s")); err != nil {
		t.Fatal(err)
	}
	for _, arg := range []string{"s.jsonl", "s*.jsonl", "."} {
		rep, err := Run(context.Background(), options(root, arg))
		if err != nil {
			t.Fatal(err)
		}
		if failed := arg != "."; (rep.Count(Failed) == 1) != failed { // links to folders are not followed in a folder
			t.Errorf("%s: %+v", arg, rep)
		}
		if got := episodeFiles(t, root); len(got) != 1 || strings.Contains(got["episode-s.json"], "TestOutside") {
			t.Errorf("%s: %q", arg, got)
		}
	}
}

// A pattern that matches a link to a session elsewhere reads nothing of that session.
func TestPartsOfASessionElsewhere(t *testing.T) {
	root, out := t.TempDir(), t.TempDir()
	write(t, filepath.Join(root, "memory", "x"), "")
	write(t, filepath.Join(out, "s.jsonl"), claudeFile("s", "", "TestSession"))
	write(t, filepath.Join(out, "s", "subagents", "agent-a.jsonl"), claudeFile("s", "a", "TestOutside"))
	if err := os.Symlink(filepath.Join(out, "s.jsonl"), filepath.Join(root, "s.jsonl")); err != nil {
		t.Fatal(err)
	}
	rep, err := Run(context.Background(), options(root, "*.jsonl"))
	if err != nil || rep.Count(Failed) != 1 || len(rep.Episodes) != 1 || len(episodeFiles(t, root)) > 0 {
		t.Errorf("%+v, %v", rep, err)
	}
	rep, err = Run(context.Background(), options(root, "s.jsonl")) // named, it may lie anywhere
	if got := episodeFiles(t, root); err != nil || rep.Count(Failed) > 0 || len(got) != 1 || !strings.Contains(got["episode-s.json"], "TestOutside") {
		t.Errorf("%+v, %v, %q", rep, err, got)
	}
}

// The episode of a sub-agent goes also where a kill left it beside that of its session.
func TestPartsAfterAKill(t *testing.T) {
	root := t.TempDir()
	agent := filepath.Join("s", "subagents", "agent-a.jsonl")
	write(t, filepath.Join(root, "s.jsonl"), claudeFile("s", "", "TestSession"))
	write(t, filepath.Join(root, agent), claudeFile("s", "a", "TestA"))
	run := func(args ...string) *Report {
		t.Helper()
		rep, err := Run(context.Background(), options(root, args...))
		if err != nil || rep.Count(Failed) > 0 {
			t.Fatalf("%+v, %v", rep, err)
		}
		return rep
	}
	run(agent)
	index := filepath.Join(root, "memory", "causality", "index")
	before, err := os.ReadFile(index)
	if err != nil {
		t.Fatal(err)
	}
	alone := filepath.Join(root, "memory", "episodes", "episode-s-agent-a.json")
	data, err := os.ReadFile(alone)
	if err != nil {
		t.Fatal(err)
	}
	run("s.jsonl")
	write(t, alone, string(data)) // as it was when the session's episode was written
	write(t, index, string(before))
	if rep := run("s.jsonl"); len(rep.Joined) != 1 || rep.Joined[0] != (Rename{From: "episode-s-agent-a", To: "episode-s"}) {
		t.Errorf("%+v", rep)
	}
	if got := episodeFiles(t, root); len(got) != 1 {
		t.Errorf("%q", slices.Collect(maps.Keys(got)))
	}
}

// A private session does not take what was shared of a sub-agent out of git.
func TestPartsOfAPrivateSession(t *testing.T) {
	root := t.TempDir()
	write(t, filepath.Join(root, "s.jsonl"), claudeFile("s", "", "TestSession"))
	write(t, filepath.Join(root, "agent-a.jsonl"), claudeFile("s", "a", "TestA"))
	if _, err := Run(context.Background(), options(root, "agent-a.jsonl")); err != nil {
		t.Fatal(err)
	}
	o := options(root)
	o.Private = true
	info, err := os.Stat(filepath.Join(root, "s.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	o.Transcripts = []sources.Session{{Agent: "claude", Path: filepath.Join(root, "s.jsonl"), Stat: fsstore.StatOf(info)}}
	rep, err := Run(context.Background(), o)
	if err != nil || len(rep.Joined) > 0 {
		t.Errorf("%+v, %v", rep, err)
	}
	m, err := memory.Open(o.Location)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	if !m.IsPrivate("episode-s") || m.IsPrivate("episode-s-agent-a") {
		t.Error("something is in the wrong part")
	}
}
