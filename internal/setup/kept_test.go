package setup

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What an agent keeps about trust and plugins is shown, and nothing of it is wrong.
func TestTrustAndPlugins(t *testing.T) {
	type file struct{ path, text string }
	const (
		notYet = ", not trusted yet: "
		twice  = "each call starts twice, and is answered once"
	)
	hash := func(e Environment, hooks int) string {
		var b strings.Builder
		for _, event := range []string{"session_start", "user_prompt_submit", "pre_tool_use", "post_tool_use", "subagent_start", "subagent_stop", "stop", "session_end"}[:hooks] {
			b.WriteString("[hooks.state." + marshal(filepath.Join(e.Home, ".codex/hooks.json")+":"+event+":0:0") + "]\ntrusted_hash = \"sha256:1\"\n")
		}
		return b.String()
	}
	for name, c := range map[string]struct {
		agent string
		scope Scope
		wire  bool
		add   func(e Environment, root string) file // to what is there
		want  string                                // in the text of --check; "!" before what is not in it
	}{
		"codex, half of them reviewed": {"codex", User, true, func(e Environment, _ string) file { return file{".codex/config.toml", hash(e, 3)} }, notYet + "run /hooks"},
		"codex, reviewed":              {"codex", User, true, func(e Environment, _ string) file { return file{".codex/config.toml", hash(e, 8)} }, "!" + notYet},
		"codex, the plugin": {"codex", User, false, func(Environment, string) file {
			return file{".codex/config.toml", "[plugins.\"episodes@x\"]\nenabled = true\n"}
		}, "wired by a plugin"},
		"codex, a plugin that is off": {"codex", User, false, func(Environment, string) file {
			return file{".codex/config.toml", "[plugins.\"episodes@x\"]\nenabled = false\n"}
		}, "not wired"},
		"claude, the plugin": {"claude", User, false, func(Environment, string) file {
			return file{".claude/settings.json", `{"enabledPlugins": {"episodes@x": true}}`}
		}, "wired by a plugin"},
		"claude, the plugin and setup": {"claude", User, true, func(Environment, string) file {
			return file{".claude/settings.json", `{"enabledPlugins": {"episodes@x": true}}`}
		}, "a plugin has the hooks too: " + twice},
		"claude, a folder not trusted": {"claude", Project, true, nil, notYet + "start claude in the repository"},
		"claude, a folder that is": {"claude", Project, true, func(_ Environment, root string) file {
			return file{".claude.json", `{"projects": {` + marshal(root) + `: {"hasTrustDialogAccepted": true}}}`}
		}, "!" + notYet},
		"copilot, a folder not trusted": {"copilot", Project, true, func(Environment, string) file {
			return file{".copilot/config.json", "// kept\n{\"trusted_folders\": [\"/else\"]}"}
		}, notYet},
		"copilot, a folder above that is": {"copilot", Project, true, func(_ Environment, root string) file {
			return file{".copilot/config.json", "// kept\n{\"trustedFolders\": [" + marshal(filepath.Dir(root)) + "]}"}
		}, "!" + notYet},
		"gemini, nothing known": {"gemini", Project, true, nil, "!" + notYet},
		"gemini, a folder not trusted": {"gemini", Project, true, func(_ Environment, root string) file {
			return file{".gemini/trustedFolders.json", `{` + marshal(root) + `: "DO_NOT_TRUST"}`}
		}, notYet},
	} {
		t.Run(name, func(t *testing.T) {
			e, root := environment(t), t.TempDir()
			r := Request{Agents: []string{c.agent}, Scope: c.scope, Action: Wire, Root: root}
			var f file
			if c.add != nil {
				f = c.add(e, root)
				f.path = filepath.Join(e.Home, f.path)
			}
			if strings.HasSuffix(f.path, "settings.json") {
				write(t, f.path, f.text, 0o600)
			}
			if c.wire {
				runs(t, e, r)
			}
			if f.path != "" && !strings.HasSuffix(f.path, "settings.json") {
				old, _ := os.ReadFile(f.path)
				if !strings.HasSuffix(f.path, ".toml") {
					old = nil
				}
				write(t, f.path, string(old)+f.text, 0o600)
			}
			r.Action = Check
			a := runs(t, e, r)
			want, not := strings.CutPrefix(c.want, "!")
			if text := a.Text(0); strings.Contains(text, want) == not {
				t.Errorf("want %q in\n%s", c.want, text)
			}
			if c.want != "not wired" && a.Wrong() {
				t.Errorf("something is wrong:\n%s", a.Text(0))
			}
		})
	}
}

// An agent that runs the hooks of another one has its own too, and it is said.
func TestSharedHooks(t *testing.T) {
	e, root := environment(t), t.TempDir()
	runs(t, e, Request{Agents: []string{"claude", "copilot"}, Scope: Project, Action: Wire, Root: root})
	a := runs(t, e, Request{Agents: []string{"copilot"}, Scope: Project, Action: Check, Root: root})
	if a.Agents[0].State != Wired || !strings.Contains(a.Text(0), "runs the hooks of Claude Code here too") {
		t.Errorf("%s", a.Text(0))
	}
	runs(t, e, Request{Agents: []string{"copilot"}, Scope: Project, Action: Remove, Root: root})
	a = runs(t, e, Request{Agents: []string{"copilot"}, Scope: Project, Action: Check, Root: root})
	if text := a.Text(0); a.Agents[0].State != Not || !strings.Contains(text, "Copilot CLI runs the hooks of Claude Code here\n") {
		t.Errorf("%s", text)
	}
}
