package sources

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"episodes/agents/agent"
)

// The folders in which agents keep notes of their own, of this repository and of others.
func TestMemories(t *testing.T) {
	home := t.TempDir()
	root := filepath.Join(home, "src", "my.app")
	other := filepath.Join(home, "src", "my-app") // has the same name among Claude Code's folders
	for _, dir := range []string{filepath.Join(root, ".git"), filepath.Join(root, "vendor/x/.git"), other} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	e := agent.Environment{Home: home, Getenv: func(string) string { return "" }}
	write := func(text string, below ...string) {
		t.Helper()
		path := filepath.Join(append([]string{home}, below...)...)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	project := strings.NewReplacer("/", "-", ".", "-", "_", "-", `\`, "-", ":", "-").Replace(root)
	write(root+"\n", ".gemini", "tmp", "my-app", ".project_root")
	write(other+"\n", ".gemini", "tmp", "my-app-2", ".project_root")
	dirs := func() (out []string) {
		for _, m := range Memories(e, NewHere(root)) {
			below, err := filepath.Rel(home, m.Dir)
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, m.Agent+" "+filepath.ToSlash(below))
		}
		return out
	}
	claude := "claude .claude/projects/" + project + "/memory"
	rest := []string{"claude .config/claude/projects/" + project + "/memory", "codex .codex/memories", "gemini .gemini/tmp/my-app/memory"}
	with := append([]string{claude}, rest...)
	if d := cmp.Diff(with, dirs()); d != "" {
		t.Errorf("without sessions (-want +got):\n%s", d)
	}
	for i := range 120 {
		write(`{"cwd":"`+filepath.ToSlash(other)+`"}`+"\n", ".claude", "projects", project, fmt.Sprintf("a%d.jsonl", i))
	}
	if d := cmp.Diff(rest, dirs()); d != "" {
		t.Errorf("a session of another folder (-want +got):\n%s", d)
	}
	write(`{"cwd":"`+filepath.ToSlash(root)+`"}`+"\n", ".claude", "projects", project, "b.jsonl")
	if d := cmp.Diff(with, dirs()); d != "" {
		t.Errorf("sessions of both (-want +got):\n%s", d)
	}
}

// The path of a repository is any bytes.
func TestMemoriesOfAnyPath(t *testing.T) {
	e := agent.Environment{Home: t.TempDir(), Getenv: func(string) string { return "" }}
	root := filepath.Join(e.Home, "caf\xe9")
	for _, m := range Memories(e, NewHere(root)) {
		if text := "applies_to: cwd=" + root + "; reuse_rule=safe"; m.Keep != nil && m.Keep(text) != text {
			t.Errorf("%q", m.Keep(text))
		}
	}
}

// Codex keeps one file for all repositories: only the groups of this one count, in their lines.
func TestMemoryOfThisRepository(t *testing.T) {
	home := t.TempDir()
	root := filepath.Join(home, "my app")
	for _, dir := range []string{".git", "vendor/x/.git"} {
		if err := os.MkdirAll(filepath.Join(root, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	var keep func(string) string
	for _, m := range Memories(agent.Environment{Home: home, Getenv: func(string) string { return "" }}, NewHere(root)) {
		if m.File != "" {
			keep = m.Keep
		}
	}
	for applies, want := range map[string]bool{
		"cwd=" + root + "; reuse_rule=safe":                true,
		"cwd=/elsewhere and cwd=" + root + "/cmd, checked": true,
		"cwd=`" + root + "`":                               true,
		"cwd=~/my app; reuse_rule=safe":                    true,
		"cwd=" + root + "s; reuse_rule=safe":               false,
		"cwd=/mnt" + root:                                  false,
		"cwd=" + root + "/vendor/x; reuse_rule=safe":       false, // another repository
	} {
		group := "# Task Group: pumps\nscope: x\napplies_to: " + applies + "\n\n- the gauge sticks"
		other := "# Task Group: pipes\napplies_to: cwd=/elsewhere\n- the pipe leaks"
		of, none := group, "\n\n\n\n"
		if !want {
			of = none
		}
		if d := cmp.Diff("\n"+of+"\n\n\n\n"+of, keep("preface\n"+group+"\n"+other+"\n"+group)); d != "" {
			t.Errorf("%s (-want +got):\n%s", applies, d)
		}
	}
}
