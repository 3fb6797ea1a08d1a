package setup

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"episodes/agents"
	"episodes/agents/agent"
	"episodes/internal/testing/few"
)

// shapes are documents as people and programs leave them.
var shapes = map[string]string{
	"empty":              "",
	"blank":              " \n\n",
	"only a mark":        "\ufeff",
	"object":             "{}",
	"open object":        "{\n}\n",
	"one line":           `{"theme": "dark", "x": [1, 2]}`,
	"minified":           `{"theme":"dark","hooks":{},"mcpServers":{}}`,
	"no final newline":   "{\n  \"theme\": \"dark\"\n}",
	"tabs":               "{\n\t\"theme\": \"dark\",\n\t\"hooks\": {\n\t\t\"Other\": []\n\t}\n}\n",
	"CRLF":               "{\r\n  \"theme\": \"dark\" // why\r\n}\r\n",
	"mark of byte order": "\ufeff{\n  \"theme\": \"dark\"\n}\n",
	"comments": "// head\n{\n  // of theme\n  \"theme\": \"dark\", // behind\n  /* block */ \"x\": 1 // last\n" +
		"  // \"hooks\": {\"Stop\": []}\n}\n// tail\n",
	"comment before the comma": "{\n  \"theme\": 1 /* one */,\n  \"x\": 2 /* two */\n}\n",
	"trailing commas":          "{\n  \"theme\": \"dark\",\n  \"x\": [1, 2,],\n}\n",
	"empty hooks":              "{\n  \"hooks\": {}\n}\n",
	"empty lists": "{\n  \"hooks\": {\"Stop\": [], \"stop\": [ ], \"SessionStart\": [\n    ], \"sessionStart\": []},\n" +
		"  \"mcpServers\": { }\n}\n",
	"hooks of others": "{\n  \"hooks\": {\n    \"Stop\": [\n      {\n        \"hooks\": [{\"type\": \"command\", \"command\": \"say done\"}]\n      }\n    ],\n" +
		"    \"PreToolUse\": [{\"matcher\": \"Bash|PowerShell|Edit|MultiEdit|Write|NotebookEdit\", \"hooks\": [{\"type\": \"command\", \"command\": \"guard\"}]}]\n  }\n}\n",
	"flat hooks of others": "{\n  \"version\": 1,\n  \"hooks\": {\"stop\": [{\"command\": \"say done\"}], \"preToolUse\": [\n    {\"command\": \"guard\", \"matcher\": \"Shell|Write\"},\n  ]}\n}\n",
	"unknown fields":       "{\n  \"$schema\": \"https://example.com/x.json\",\n  \"hooks\": {\"Future\": [{\"when\": {\"a\": 1}}], \"enabled\": true, \"Note\": \"x\"},\n  \"z\": null\n}\n",
	"deep":                 "{\n  \"a\": " + strings.Repeat(`{"b": [`, 40) + strings.Repeat("]}", 40) + "\n}\n",
	"escapes":              "{\n  \"hoo\\u006bs\": {\"St\\u006fp\": [], \"caf\\u00e9\": [\"\\ud83d\\ude00 \\\" \\\\\"]},\n  \"m\\u0063pServers\": {}\n}\n",
	"duplicate keys":       "{\n  \"hooks\": {\"Stop\": []},\n  \"theme\": 1,\n  \"theme\": 2,\n  \"hooks\": {\"Stop\": [], \"Stop\": []}\n}\n",
	"brackets in texts":    "{\n  \"a\": \"" + strings.Repeat("[{", 2000) + "\", // \" [\n  \"b\": \"\\\"[\"\n}\n",
	"odd places":           "{ \"theme\"\n:\n\"dark\"\n, \"x\" : 1 ,\"hooks\"\n:{ \"Stop\":[ ] } }",
}

// places in a repository that hold hooks, servers, and both.
var jsonPlaces = []struct{ agent, path string }{
	{"claude", ".claude/settings.json"}, {"claude", ".mcp.json"}, {"cursor", ".cursor/hooks.json"}, {"codex", ".codex/hooks.json"}, {"gemini", ".gemini/settings.json"},
}

func environment(t *testing.T) Environment {
	t.Helper()
	home := t.TempDir()
	return Environment{Home: home, Getenv: func(string) string { return "" }, Self: "/opt/episodes",
		LookPath: func(name string) (string, error) {
			if name == "episodes" {
				return "/usr/bin/episodes", nil
			}
			return "", errors.New("not found")
		}}
}

func runs(t *testing.T, e Environment, r Request) *Answer {
	t.Helper()
	a, err := Run(e, r)
	if err == nil {
		err = a.Err()
	}
	must(t, err)
	return a
}

func request(agent string, do Action, root string) Request {
	yes := true
	return Request{Agents: []string{agent}, Scope: Project, Server: &yes, Action: do, Root: root}
}

func write(t *testing.T, path, text string, mode fs.FileMode) {
	t.Helper()
	must(t, os.MkdirAll(filepath.Dir(path), 0o755))
	must(t, os.WriteFile(path, []byte(text), mode))
}

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	must(t, err)
	return string(data)
}

// tree is all that is in a folder.
func tree(t *testing.T, root string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || path == root {
			return err
		}
		name, _ := filepath.Rel(root, path)
		if info, err := d.Info(); err == nil && d.Type().IsRegular() {
			out[name] = info.Mode().String() + " " + read(t, path)
		} else {
			out[name] = d.Type().String()
		}
		return nil
	})
	must(t, err)
	return out
}

func same(t *testing.T, what string, got, want map[string]string) {
	t.Helper()
	for name, text := range want {
		if got[name] != text {
			t.Errorf("%s: %s:\n got %q\nwant %q", what, name, got[name], text)
		}
	}
	for name := range got {
		if _, ok := want[name]; !ok {
			t.Errorf("%s: %s is there", what, name)
		}
	}
}

// Whatever a file looks like: it is wired, a second time changes nothing, it is found to be
// wired, and taken out again it is as it was. FuzzJSON does so with the text of each shape.
func TestShapes(t *testing.T) {
	for i, name := range slices.Sorted(maps.Keys(shapes)) {
		text := shapes[name]
		for j, place := range jsonPlaces {
			if (i+j)%len(jsonPlaces) != 0 && !few.Heavy() {
				continue // each shape in one place
			}
			t.Run(name+"/"+place.path, func(t *testing.T) { roundTrip(t, place.agent, place.path, text, 0o640) })
		}
	}
}

func roundTrip(t *testing.T, agent, path, text string, mode fs.FileMode) {
	e, root := environment(t), t.TempDir()
	file := filepath.Join(root, path)
	write(t, file, text, mode)
	before := tree(t, root)

	r := request(agent, Wire, root)
	r.DryRun = true
	if a := runs(t, e, r); a.Agents[0].Files[0].Diff+a.Agents[0].Files[len(a.Agents[0].Files)-1].Diff == "" {
		t.Errorf("nothing would be written: %+v", a)
	}
	same(t, "a dry run", tree(t, root), before)

	if a := runs(t, e, request(agent, Check, root)); a.Agents[0].State != Not {
		t.Errorf("before: %s", a.Agents[0].State)
	}
	if a := runs(t, e, request(agent, Wire, root)); a.Agents[0].State != Wired {
		t.Errorf("wired: %s %v", a.Agents[0].State, a.Agents[0].Notes)
	}
	wired := tree(t, root)
	if wired[path+backupSuffix] != before[path] {
		t.Errorf("the copy is %q", wired[path+backupSuffix])
	}
	if !strings.HasPrefix(wired[path], before[path][:10]) {
		t.Errorf("mode: %q", wired[path][:10])
	}
	if !subsequence(text, read(t, file)) && len(strings.TrimSpace(strings.TrimPrefix(text, "\ufeff"))) > 0 {
		t.Errorf("more than added:\n%s", read(t, file))
	}
	past := time.Now().Add(-time.Hour).Truncate(time.Second)
	must(t, os.Chtimes(file, past, past))
	runs(t, e, request(agent, Wire, root))
	same(t, "again", tree(t, root), wired)
	if info, _ := os.Stat(file); !info.ModTime().Equal(past) {
		t.Error("written again")
	}
	if a := runs(t, e, request(agent, Check, root)); a.Wrong() || a.Agents[0].State != Wired {
		t.Errorf("check: %s", a.Text(0))
	}
	runs(t, e, request(agent, Remove, root))
	same(t, "removed", tree(t, root), before)
}

// subsequence reports whether b has all bytes of a, in their order.
func subsequence(a, b string) bool {
	for i := 0; i < len(b) && a != ""; i++ {
		if a[0] == b[i] {
			a = a[1:]
		}
	}
	return a == ""
}

func TestReadOnlyFileKeepsItsMode(t *testing.T) {
	roundTrip(t, "claude", ".claude/settings.json", "{\"a\": 1}\n", 0o444)
}

// besidesFolders is what is in a home folder but the agents' own folders, which may have
// been there, empty.
func besidesFolders(t *testing.T, home string) map[string]string {
	left := tree(t, home)
	for _, a := range agents.Which(agents.HasSettings) {
		for name := range left {
			own, _ := filepath.Rel(home, a.Settings.Home(agent.Environment{Home: home, Getenv: func(string) string { return "" }}))
			if name == own || strings.HasPrefix(own, name+string(filepath.Separator)) {
				delete(left, name)
			}
		}
	}
	return left
}

// What the user writes between wiring and removing stays as it was written.
func TestEditsInBetween(t *testing.T) {
	const path = ".claude/settings.json"
	for name, c := range map[string]struct{ text, old, new, want string }{
		"a member before":       {"{\n  \"a\": 1\n}\n", "\"a\": 1", "\"b\": 2, \"a\": 1", "{\n  \"b\": 2, \"a\": 1\n}\n"},
		"a member behind":       {"{\n  \"a\": 1\n}\n", "  }\n}\n", "  },\n  \"z\": 9\n}\n", "{\n  \"a\": 1,\n  \"z\": 9\n}\n"},
		"a comment behind":      {"{\n  \"a\": 1\n}\n", "  }\n}\n", "  } // mine\n}\n", "{\n  \"a\": 1 // mine\n}\n"},
		"a trailing comma":      {"{\n  \"a\": 1\n}\n", "  }\n}\n", "  },\n}\n", "{\n  \"a\": 1,\n}\n"},
		"behind an only member": {"{}\n", "  }}\n", "  }, \"z\": 9}\n", "{ \"z\": 9}\n"},
		"a hook of their own": {"{\n  \"a\": 1\n}\n", "\"Stop\": [\n      ", "\"Stop\": [\n      {\"hooks\": []},\n      ",
			"{\n  \"a\": 1,\n  \"hooks\": {\n    \"Stop\": [\n      {\"hooks\": []}\n    ]\n  }\n}\n"},
		"the file is emptied of others": {"{\n  \"a\": 1\n}\n", "\"a\": 1,\n  ", "", "{\n}\n"},
		"a comment above ours":          {"{\n  \"a\": 1\n}\n", "  \"hooks\"", "  // memory\n  \"hooks\"", "{\n  \"a\": 1\n  // memory\n}\n"},
	} {
		t.Run(name, func(t *testing.T) {
			e, root := environment(t), t.TempDir()
			file := filepath.Join(root, path)
			write(t, file, c.text, 0o644)
			r := Request{Agents: []string{"claude"}, Scope: Project, Action: Wire, Root: root}
			runs(t, e, r)
			wired := read(t, file)
			if !strings.Contains(wired, c.old) {
				t.Fatalf("%q is not in\n%s", c.old, wired)
			}
			write(t, file, strings.Replace(wired, c.old, c.new, 1), 0o644)
			r.Action = Remove
			runs(t, e, r)
			if got := read(t, file); got != c.want {
				t.Errorf("got %q\nwant %q", got, c.want)
			}
			if _, err := os.Stat(file + backupSuffix); err == nil {
				t.Error("the copy is left")
			}
		})
	}
}

// What an older version wrote is replaced, and what is not ours is left alone.
func TestOlderLines(t *testing.T) {
	const old = `{
  "hooks": {
    "PreCompact": [
      {"hooks": [{"type": "command", "command": "command -v episodes >/dev/null 2>&1 || exit 0; exec episodes hook claude PreCompact"}]}
    ],
    "Stop": [
      {"hooks": [{"type": "command", "command": "episodes", "args": ["hook", "claude", "Stop"]}]},
      {"hooks": [
        {"type": "command", "command": "say done"},
        {"type": "command", "command": "command -v episodes >/dev/null 2>&1 || exit 0; exec episodes hook claude Stop", "timeout": 9}
      ]}
    ],
    "SessionEnd": [
      {"hooks": [{"type": "command", "command": "episodes", "args": ["extract", "--quiet"], "timeout": 20}]},
      {"hooks": [{"type": "command", "command": "mine; episodes hook claude SessionEnd"}]}
    ]
  }
}
`
	e, root := environment(t), t.TempDir()
	file := filepath.Join(root, ".claude/settings.json")
	write(t, file, old, 0o644)
	r := Request{Agents: []string{"claude"}, Scope: Project, Action: Check, Root: root}
	if a := runs(t, e, r); a.Agents[0].State != Older || !a.Wrong() {
		t.Errorf("state %q", a.Agents[0].State)
	}
	r.Action = Wire
	runs(t, e, r)
	got := read(t, file)
	for text, want := range map[string]int{"PreCompact": 0, `"args": ["hook"`: 0, "say done": 1, `"timeout": 9`: 1, "extract": 1, "mine; episodes": 1,
		"exec episodes hook claude Stop\"": 1, "exec episodes hook claude SessionEnd\"": 1} {
		if n := strings.Count(got, text); n != want {
			t.Errorf("%q stands %d times, want %d, in\n%s", text, n, want, got)
		}
	}
	r.Action = Remove
	runs(t, e, r)
	got = read(t, file)
	for _, text := range []string{"say done", "extract", "mine; episodes hook claude SessionEnd"} {
		if !strings.Contains(got, text) {
			t.Errorf("%q is gone:\n%s", text, got)
		}
	}
	if strings.Contains(got, "exec episodes") {
		t.Errorf("left:\n%s", got)
	}
}

var tomlShapes = map[string]string{
	"empty":            "",
	"no final newline": "model = \"x\"",
	"CRLF":             "model = \"x\"\r\n\r\n[a]\r\nb = 1\r\n",
	"comments": "# head\nmodel = \"x\" # why\n\n[mcp_servers.files] # files\ncommand = \"files\"\nargs = [\n  \"a\", # first\n]\n" +
		"# tail",
	"dotted":                "mcp_servers.files.command = \"files\"\n",
	"mark of byte order":    "\ufeffa = 1\n",
	"strings of many lines": "a = '''\n# episodes: end\n[mcp_servers.episodes]\n'''\nn = nan\nd = 2020-01-01T00:00:00Z\n",
}

func TestTOMLShapes(t *testing.T) {
	for name, text := range tomlShapes {
		t.Run(name, func(t *testing.T) { roundTrip(t, "codex", ".codex/config.toml", text, 0o600) })
	}
}

// Nothing can be added to servers in an inline table from outside: what is there stays, and the user is told.
func TestTOMLInline(t *testing.T) {
	e, root := environment(t), t.TempDir()
	write(t, filepath.Join(root, ".codex/config.toml"), "a = 1\nmcp_servers = { files = { command = \"files\" } } # why\n[x]\ny = 1\n", 0o600)
	before := tree(t, root)
	a, err := Run(e, request("codex", Wire, root))
	must(t, err)
	if err = a.Err(); err == nil || !strings.Contains(err.Error(), "do it by hand") {
		t.Errorf("%v", err)
	}
	same(t, "refused", tree(t, root), before)
	if a := runs(t, e, request("codex", Check, root)); a.Agents[0].State != Not {
		t.Errorf("%s", a.Text(0))
	}
}

var textShapes = map[string]string{"empty": "", "text": "# Agents\n\nBe kind.\n", "no final newline": "# Agents", "CRLF": "# Agents\r\n\r\nBe kind.\r\n", "lone CR": "a\r"}

// Codex writes to its file too: which hooks are trusted, servers, what is trusted. It puts tables
// before the last comment, and drops comments. What is taken out is ours all the same, and no more.
func TestCodexWritesToo(t *testing.T) {
	const block = "[mcp_servers.episodes]\ncommand = \"episodes\"\nargs = [\"mcp\"]\n"
	for name, c := range map[string]struct{ before, more, want string }{
		"trusted":       {"model = \"x\" # mine\n", "\n[hooks.state]\n\nSTATE", "model = \"x\" # mine\n"},
		"trusted, bare": {"model = \"x\"", "\nSTATE", "model = \"x\""},
		"of others too": {"model = \"x\"\n", "\n[hooks.state]\n\nSTATE\n[hooks.state.\"/o/hooks.json:stop:0:0\"]\ntrusted_hash = \"sha256:o\"\n",
			"model = \"x\"\n\n[hooks.state]\n\n[hooks.state.\"/o/hooks.json:stop:0:0\"]\ntrusted_hash = \"sha256:o\"\n"},
		"a project is trusted": {"model = \"x\"\n", "\nSTATE\n[projects.\"/repo\"]\ntrust_level = \"trusted\"\n", "model = \"x\"\n\n[projects.\"/repo\"]\ntrust_level = \"trusted\"\n"},
		"a tool is allowed":    {"model = \"x\"\n", "\n[mcp_servers.episodes.tools.advise]\napproval_mode = \"approve\"\n", "model = \"x\"\n"},
		"no file before":       {"", "\nSTATE", ""},
	} {
		for _, drop := range []string{"", "begin", "end", "both"} {
			t.Run(name+" "+drop, func(t *testing.T) {
				e := environment(t)
				file, hooks := filepath.Join(e.Home, ".codex/config.toml"), filepath.Join(e.Home, ".codex/hooks.json")
				if c.before != "" {
					write(t, file, c.before, 0o600)
				}
				r := Request{Agents: []string{"codex"}, Action: Wire}
				runs(t, e, r)
				var state strings.Builder
				for _, event := range []string{"session_start", "user_prompt_submit", "pre_tool_use", "post_tool_use", "subagent_stop", "stop", "session_end"} {
					state.WriteString("[hooks.state.\"" + hooks + ":" + event + ":0:0\"]\ntrusted_hash = \"sha256:1\"\n\n")
				}
				more := strings.ReplaceAll(c.more, "STATE", strings.TrimSuffix(state.String(), "\n"))
				b := tomlBlock(program)
				text := strings.Replace(read(t, file), b.end, strings.TrimPrefix(more, "\n")+b.end, 1)
				if drop == "begin" || drop == "both" {
					text = strings.Replace(text, b.begin+"\n", "", 1)
				}
				if drop == "end" || drop == "both" {
					text = strings.TrimSuffix(strings.Replace(text, b.end, "", 1), "\n")
				}
				if !strings.Contains(text, block) {
					t.Fatalf("the test is wrong: %s", text)
				}
				write(t, file, text, 0o600)
				runs(t, e, r) // changes nothing
				if got := read(t, file); got != text {
					t.Errorf("wired again: %s", got)
				}
				r.Action = Remove
				runs(t, e, r)
				if got, _ := os.ReadFile(file); string(got) != c.want {
					t.Errorf("left\n%q\nwant\n%q", got, c.want)
				}
			})
		}
	}
}

func TestAgentsMD(t *testing.T) {
	for name, text := range textShapes {
		t.Run(name, func(t *testing.T) { roundTrip(t, AgentsMD, "AGENTS.md", text, 0o644) })
	}
	e, root := environment(t), t.TempDir()
	file := filepath.Join(root, "AGENTS.md")
	write(t, file, "# A\n\n"+section.begin+"\nolder words\n"+section.end+"\n\n# B\n", 0o644)
	if a := runs(t, e, request(AgentsMD, Check, root)); a.Agents[0].State != Older {
		t.Errorf("state %q", a.Agents[0].State)
	}
	runs(t, e, request(AgentsMD, Wire, root))
	if got := read(t, file); !strings.HasPrefix(got, "# A\n\n"+section.begin+"\n## What") || !strings.HasSuffix(got, section.end+"\n\n# B\n") {
		t.Errorf("%q", got)
	}
}

// What cannot be understood is refused, with its place, and nothing is written.
func TestRefused(t *testing.T) {
	for name, c := range map[string]struct{ agent, path, text, want string }{
		"cut off":         {"claude", ".claude/settings.json", "{\n  \"a\": [1,\n", ".claude/settings.json:3:1: "},
		"a bare word":     {"claude", ".claude/settings.json", "{\n  a: 1\n}", ".claude/settings.json:2:3: "},
		"a list":          {"claude", ".claude/settings.json", " [1]", ".claude/settings.json:1:2: is no JSON object"},
		"hooks is a list": {"claude", ".claude/settings.json", "{\n  \"hooks\": []\n}", ".claude/settings.json:2:12: hooks is not an object"},
		"an event is no list": {"claude", ".claude/settings.json", `{"hooks": {"Stop": {"hooks": []}}}`,
			"settings.json:1:20: hooks.Stop is not a list"},
		"a million values":         {"claude", ".mcp.json", `{"a": [` + strings.Repeat("1,", 1<<20) + "1]}", "has too many values"},
		"nested without end":       {"claude", ".mcp.json", `{"a": ` + strings.Repeat("[", 1<<20), "nested too deep"},
		"an older encoding":        {"claude", ".mcp.json", "\xff\xfe{\x00}\x00", ".mcp.json:1:1: "},
		"TOML":                     {"codex", ".codex/config.toml", "a = 1\nb = = 2\n", "config.toml:2:5: "},
		"a section without an end": {AgentsMD, "AGENTS.md", section.begin + "\nmine\n", "AGENTS.md:1:"},
		"a section without an end, and a whole one": {AgentsMD, "AGENTS.md", "# A\n\n" + section.begin + "\nmine\n\n" + string(section.add(nil)), "AGENTS.md:3:"},
		"TOML, a key twice":                         {"codex", ".codex/config.toml", "a = 1\na = 2\n", "config.toml:2:1: "},
	} {
		t.Run(name, func(t *testing.T) {
			e, root := environment(t), t.TempDir()
			write(t, filepath.Join(root, c.path), c.text, 0o644)
			before := tree(t, root)
			for _, do := range []Action{Wire, Remove, Check} {
				a, err := Run(e, request(c.agent, do, root))
				must(t, err)
				if err = a.Err(); err == nil || !strings.Contains(filepath.ToSlash(err.Error()), c.want) {
					t.Errorf("%s: error %v, want %q", do, err, c.want)
				}
			}
			same(t, "refused", tree(t, root), before)
		})
	}
}

// What stands under our name and is not as setup writes it is not ours to change: another server makes
// the agent partly wired; ours with arguments or fields of the user's own is wired, and stays.
func TestServerOfAnother(t *testing.T) {
	for _, c := range []struct {
		agent, path, text string
		state             State
	}{
		{"claude", ".mcp.json", `{"mcpServers": {"episodes": {"command": "tv"}}}`, Partly},
		{"claude", ".mcp.json", `{"mcpServers": {"episodes": {"command": "episodes", "args": ["mcp", "--root", "/r"]}}}`, Wired},
		{"claude", ".mcp.json", `{"mcpServers": {"episodes": {"type": "stdio", "command": "episodes", "args": ["mcp"], "env": {}}}}`, Wired},
		{"codex", ".codex/config.toml", "[mcp_servers.episodes]\ncommand = \"episodes\"\nargs = [\"mcp\"]\nenv = {}\n", Wired},
	} {
		e, root := environment(t), t.TempDir()
		file := filepath.Join(root, c.path)
		write(t, file, c.text, 0o644)
		if a := runs(t, e, request(c.agent, Wire, root)); a.Agents[0].State != c.state || read(t, file) != c.text {
			t.Errorf("%s: %s", c.text, a.Text(0))
		}
		if runs(t, e, request(c.agent, Remove, root)); read(t, file) != c.text {
			t.Errorf("%s: removed", c.text)
		}
	}
}

func TestChangedMeanwhile(t *testing.T) {
	root := t.TempDir()
	path := filepath.Join(root, "a.json")
	write(t, path, "{}", 0o644)
	f, err := openFile(root, "a.json")
	must(t, err)
	write(t, path, `{"theirs": 1}`, 0o644)
	if err := f.write([]byte(`{"ours": 1}`), true); err == nil || !strings.Contains(err.Error(), "changed meanwhile") {
		t.Errorf("error %v", err)
	}
	if got := read(t, path); got != `{"theirs": 1}` || len(tree(t, root)) != 1 {
		t.Errorf("%q", got)
	}
}

// Settings that call a program which is gone are told, and mended where it is elsewhere now, also under
// another name: it knows the lines of an older version, and its own.
func TestProgramThatIsGone(t *testing.T) {
	for _, agent := range Agents() {
		e := environment(t)
		e.Self = "/old place/episodes-0.1"
		e.LookPath = func(name string) (string, error) {
			if name == e.Self {
				return name, nil
			}
			return "", errors.New("not found")
		}
		r := Request{Agents: []string{agent}, Action: Wire}
		if a := runs(t, e, r); a.Agents[0].State != Wired || !strings.Contains(a.Text(0), "has to stay there") {
			t.Errorf("%s: %s", agent, a.Text(0))
		}
		e.Self = "/new/remember" // moved
		r.Action = Check
		if a := runs(t, e, r); a.Agents[0].State != Lost || !a.Wrong() || !strings.Contains(a.Text(0), `"/old place/episodes-0.1" is not found`) {
			t.Errorf("%s: %s", agent, a.Text(0))
		}
		r.Action = Wire
		if a := runs(t, e, r); a.Agents[0].State != Wired {
			t.Errorf("%s: %s", agent, a.Text(0))
		}
		once := tree(t, e.Home)
		runs(t, e, r)
		same(t, agent+" wired again", tree(t, e.Home), once)
		for path, text := range once {
			if strings.Contains(text, "old place") {
				t.Errorf("%s still calls it: %s", path, text)
			}
		}
		r.Action = Remove
		runs(t, e, r)
		if left := besidesFolders(t, e.Home); len(left) > 0 {
			t.Errorf("%s: left: %v", agent, left)
		}
	}
	// In a repository the line is the same for all, so that only this user is told.
	e, root := environment(t), t.TempDir()
	runs(t, e, request("claude", Wire, root))
	wired := tree(t, root)
	e.LookPath = func(string) (string, error) { return "", errors.New("not found") }
	if a := runs(t, e, request("claude", Check, root)); a.Agents[0].State != Lost {
		t.Errorf("%s", a.Text(0))
	}
	runs(t, e, request("claude", Wire, root))
	same(t, "wired without the program", tree(t, root), wired)
}

// No path of this machine goes into a repository.
func TestNoPathOfThisMachine(t *testing.T) {
	e, root := environment(t), t.TempDir()
	e.Self = "/home/someone/bin/episodes"
	e.LookPath = func(string) (string, error) { return "", errors.New("not found") }
	for _, agent := range Agents() {
		runs(t, e, request(agent, Wire, root))
	}
	for path, text := range tree(t, root) {
		if strings.Contains(text, "/home") || strings.Contains(text, e.Home) {
			t.Errorf("%s: %s", path, text)
		}
	}
}

// The lines that allow the tools that only read are offered with the server.
func TestReadOnlyToolsMayBeAllowed(t *testing.T) {
	for name, want := range map[string]string{"claude": `"mcp__episodes__ask", "mcp__episodes__show"`, "copilot": `--allow-tool 'episodes(ask)'`} {
		e, no := environment(t), false
		r := Request{Agents: []string{name}, Action: Wire, Server: &no}
		if a := runs(t, e, r); strings.Contains(a.Text(0), want) {
			t.Errorf("%s: offered without the server:\n%s", name, a.Text(0))
		}
		r.Server = nil
		if a := runs(t, e, r); !strings.Contains(a.Text(0), want) || strings.Contains(a.Text(0), "record") {
			t.Errorf("%s:\n%s", name, a.Text(0))
		}
	}
}

// Who only has the server has chosen so.
func TestServerOnly(t *testing.T) {
	e, root := environment(t), t.TempDir()
	write(t, filepath.Join(root, ".mcp.json"), `{"mcpServers": {"episodes": {"command": "episodes", "args": ["mcp"]}}}`, 0o644)
	write(t, filepath.Join(root, ".claude/settings.json"), "{}", 0o644)
	all := Request{Action: Check, Root: root}
	if a := runs(t, e, all); a.Wrong() || !strings.Contains(a.Text(0), "MCP server only (project settings)") {
		t.Errorf("%s", a.Text(0))
	}
	all.Agents = []string{"claude"}
	if a := runs(t, e, all); !a.Wrong() {
		t.Errorf("asked by name: %s", a.Text(0))
	}
}
