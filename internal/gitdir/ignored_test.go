package gitdir

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// What is ignored is what git itself says.
func TestIgnored(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	for _, c := range []struct{ root, agents, exclude string }{
		{},
		{root: ".agents/\n"},
		{root: "# all\n\n.agents\n"},
		{root: "/.agents/memory/\n"},
		{root: "memory\n"},
		{root: "*.json\n"},
		{root: "*.md\nnode_modules/\n"},
		{root: ".agents\n!.agents\n"},
		{root: ".agents/*\n!.agents/memory\n"},
		{root: "agents/\n"},
		{root: "**/episodes/**\n"},
		{root: "episode-a.json/\n"},
		{agents: "memory/\n"},
		{agents: "/memory/episodes\n"},
		{root: ".agents/memory/\n", agents: "!memory/\n"},
		{exclude: ".agents/\n"},
		{exclude: ".agents/\n", root: "!.agents/\n"},
	} {
		dir, err := filepath.EvalSymlinks(t.TempDir())
		must(t, err)
		git := func(args ...string) ([]byte, error) {
			cmd := exec.Command("git", append([]string{"-C", dir, "-c", "core.excludesFile="}, args...)...)
			return cmd.Output()
		}
		if _, err := git("init", "-q"); err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(dir, ".gitignore"), c.root)
		write(t, filepath.Join(dir, ".agents", ".gitignore"), c.agents)
		write(t, filepath.Join(dir, ".git", "info", "exclude"), c.exclude)
		file := filepath.Join(dir, ".agents", "memory", "episodes", "episode-a.json")
		out, err := git("check-ignore", "-v", file)
		want := err == nil && !strings.Contains(string(out), ":!")
		if got := Ignored(file); (got != "") != want {
			t.Errorf("%+v: %q, but git says %q", c, got, out)
		}
	}
}
