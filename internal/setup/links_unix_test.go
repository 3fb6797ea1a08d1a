//go:build unix

package setup

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func link(t *testing.T, to, at string) {
	t.Helper()
	must(t, os.MkdirAll(filepath.Dir(at), 0o755))
	must(t, os.Symlink(to, at))
}

// A clone may hold links to anywhere. Nothing is written through one that leads out of it.
func TestLinksOfAClone(t *testing.T) {
	outside := t.TempDir()
	write(t, filepath.Join(outside, "settings.json"), "{}", 0o644)
	for name, prepare := range map[string]func(root string){
		"file out": func(root string) {
			link(t, filepath.Join(outside, "settings.json"), filepath.Join(root, ".claude/settings.json"))
		},
		"folder out":      func(root string) { link(t, outside, filepath.Join(root, ".claude")) },
		"up and out":      func(root string) { link(t, "../../..", filepath.Join(root, ".claude")) },
		"into git's":      func(root string) { link(t, "../.git/config", filepath.Join(root, ".claude/settings.json")) },
		"a module's git":  func(root string) { link(t, "../module/.git/config", filepath.Join(root, ".claude/settings.json")) },
		"git's folder":    func(root string) { link(t, ".git", filepath.Join(root, ".claude")) },
		"nowhere":         func(root string) { link(t, "nothing", filepath.Join(root, ".claude/settings.json")) },
		"folder, nowhere": func(root string) { link(t, "nothing", filepath.Join(root, ".claude")) },
		"a circle":        func(root string) { link(t, ".claude", filepath.Join(root, ".claude")) },
	} {
		t.Run(name, func(t *testing.T) {
			e, root := environment(t), t.TempDir()
			write(t, filepath.Join(root, ".git/config"), "[core]\n", 0o644)
			write(t, filepath.Join(root, "module/.git/config"), "[core]\n", 0o644)
			prepare(root)
			before, there := tree(t, root), tree(t, outside)
			for _, do := range []Action{Wire, Remove, Check} {
				a, err := Run(e, request("claude", do, root))
				must(t, err)
				if wrong := (*LinkError)(nil); !errors.As(a.Err(), &wrong) {
					t.Errorf("%s: error %v", do, a.Err())
				}
			}
			same(t, "root", tree(t, root), before)
			same(t, "outside", tree(t, outside), there)
		})
	}
}

// A link to another place in the repository is followed, and stays; in a home folder links lead to where
// the user keeps settings.
func TestLinksThatStay(t *testing.T) {
	e, root, kept := environment(t), t.TempDir(), t.TempDir()
	for _, c := range []struct {
		at, file, to string
		scope        Scope
	}{
		{filepath.Join(root, ".claude/settings.json"), filepath.Join(root, "shared/settings.json"), "../shared/settings.json", Project},
		{filepath.Join(e.Home, ".claude/settings.json"), filepath.Join(kept, "settings.json"), filepath.Join(kept, "settings.json"), User},
	} {
		write(t, c.file, "{}\n", 0o600)
		link(t, c.to, c.at)
		r := Request{Agents: []string{"claude"}, Scope: c.scope, Action: Wire, Root: root}
		runs(t, e, r)
		if info, err := os.Lstat(c.at); err != nil || info.Mode()&os.ModeSymlink == 0 || !strings.Contains(read(t, c.file), "hook") {
			t.Errorf("%s: %v, %q", c.at, info, read(t, c.file))
		}
		r.Action = Remove
		if runs(t, e, r); read(t, c.file) != "{}\n" {
			t.Errorf("%s: %q", c.at, read(t, c.file))
		}
	}
}

// A copy of a file is no way out of a clone either, nor something else in its place.
func TestCopyThatIsALink(t *testing.T) {
	outside := t.TempDir()
	write(t, filepath.Join(outside, "x"), "theirs", 0o644)
	e, root := environment(t), t.TempDir()
	write(t, filepath.Join(root, ".claude/settings.json"), "{}", 0o644)
	link(t, filepath.Join(outside, "x"), filepath.Join(root, ".claude/settings.json"+backupSuffix))
	runs(t, e, request("claude", Wire, root))
	if got := read(t, filepath.Join(outside, "x")); got != "theirs" {
		t.Errorf("%q", got)
	}
}

func TestWhatIsNoFile(t *testing.T) {
	e, root := environment(t), t.TempDir()
	must(t, os.MkdirAll(filepath.Join(root, ".claude/settings.json"), 0o755))
	a, err := Run(e, request("claude", Wire, root))
	if err != nil || a.Err() == nil {
		t.Errorf("%v, %v", a, err)
	}
	if _, err := os.Stat(filepath.Join(root, ".mcp.json")); err == nil {
		t.Error("wired by half")
	}
}

// What a clone has under our name may run anything of its own: it is not taken for ours.
func TestProgramsOfAClone(t *testing.T) {
	e, root := environment(t), t.TempDir()
	write(t, filepath.Join(root, ".mcp.json"), `{"mcpServers": {"episodes": {"command": "./bin/episodes", "args": ["mcp"]}}}`, 0o644)
	write(t, filepath.Join(root, ".codex/config.toml"), "[mcp_servers.episodes]\ncommand = \"./bin/episodes\"\nargs = [\"mcp\"]\n", 0o644)
	write(t, filepath.Join(root, ".claude/settings.json"), `{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "./bin/episodes", "args": ["hook", "claude", "Stop"]}]}]}}`, 0o644)
	for _, agent := range []string{"claude", "codex"} {
		a := runs(t, e, request(agent, Wire, root))
		if notes := strings.Join(a.Agents[0].Notes, "\n"); a.Agents[0].State != Partly || !strings.Contains(notes, "a server named episodes") {
			t.Errorf("%s: %s %s", agent, a.Agents[0].State, notes)
		}
	}
	if got := read(t, filepath.Join(root, ".claude/settings.json")); strings.Contains(got, "bin/episodes") {
		t.Errorf("%s", got)
	}
}
