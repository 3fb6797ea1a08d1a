package setup

import (
	"path/filepath"
	"strings"
	"testing"
)

// What an earlier version wrote or asked for is named where it is found, with what to do; what is of this version is not.
func TestEarlier(t *testing.T) {
	const local, plugin = ".claude/settings.local.json", "/plugins/cache/market/episodes/0.0.9/skills/episodes/SKILL.md"
	codex := func(tools ...string) string {
		text := "[mcp_servers.episodes]\ncommand = \"episodes\"\nargs = [\"mcp\"]\n"
		for _, tool := range tools {
			text += "\n[mcp_servers.episodes.tools." + tool + "]\napproval_mode = \"approve\"\n"
		}
		return text
	}
	for name, c := range map[string]struct{ home, root, text, want string }{
		"tools by name":       {home: ".claude/settings.json", text: `{"permissions": {"allow": ["mcp__episodes__show", "mcp__episodes__advise"]}}`, want: `"mcp__episodes__advise", as earlier versions asked for: allow "mcp__episodes__ask" too`},
		"with that of today":  {home: ".claude/settings.json", text: `{"permissions": {"allow": ["mcp__episodes__search", "mcp__episodes__ask"]}}`},
		"all tools":           {home: ".claude/settings.json", text: `{"permissions": {"allow": ["mcp__episodes"]}}`},
		"commands":            {root: local, text: `{"permissions": {"allow": ["Bash(episodes search:*)"]}}`, want: `allow "Bash(episodes ask" too`},
		"commands of today":   {root: local, text: `{"permissions": {"allow": ["Bash(episodes search:*)", "Bash(episodes ask:*)"]}}`},
		"approved by Codex":   {home: ".codex/config.toml", text: codex("show", "search"), want: `allow "episodes.tools.ask" too`},
		"and today's":         {home: ".codex/config.toml", text: codex("search", "ask")},
		"a plugin of Claude":  {home: ".claude" + plugin, text: "# Ask\n\nepisodes advise\n", want: "of an earlier version: remove the plugin and install it again"},
		"a plugin of Codex":   {home: ".codex" + plugin, text: "# Ask\n\nepisodes advise\n", want: "of an earlier version: remove the plugin and install it again"},
		"a plugin of today":   {home: ".codex" + plugin, text: skill},
		"a copy of the skill": {root: ".claude/skills/episodes/SKILL.md", text: "# Ask\n", want: "or copy the skill again"},
		"the section":         {root: "AGENTS.md", text: section.begin + "\nepisodes advise\n" + section.end + "\n", want: "agents-md: written by an earlier version"},
		"a section of today":  {root: "AGENTS.md", text: section.whole("\n") + "\n"},
		"no section":          {root: "AGENTS.md", text: "Ask by episodes advise.\n"},
	} {
		e, root := environment(t), t.TempDir()
		at := filepath.Join(e.Home, c.home)
		if c.home == "" {
			at = filepath.Join(root, c.root)
		}
		write(t, at, c.text, 0o600)
		a := runs(t, e, Request{Action: Check, Root: root})
		var all []string
		for _, o := range a.Outdated() {
			all = append(all, o[0])
		}
		if got := strings.Join(all, "\n"); c.want == "" && got != "" || !strings.Contains(got, c.want) || !strings.Contains(strings.Join(strings.Fields(a.Text(0)), " "), strings.TrimPrefix(c.want, "agents-md: ")) {
			t.Errorf("%s: %q\n%s", name, got, a.Text(0))
		}
		if strings.HasPrefix(c.want, "agents-md") && (!a.Wrong() || a.Outdated()[0][1] != "episodes setup agents-md") {
			t.Errorf("%s: to be mended by %q", name, a.Outdated())
		}
		if c.home == ".claude/settings.json" { // what the user allows stays
			runs(t, e, Request{Agents: []string{"claude"}, Action: Wire})
			runs(t, e, Request{Agents: []string{"claude"}, Action: Remove})
			if got := read(t, at); got != c.text {
				t.Errorf("%s: left %s", name, got)
			}
		}
	}
}
