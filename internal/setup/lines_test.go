package setup

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"episodes/agents"
	"episodes/agents/agent"
)

// ofAgent is a file of an agent's that is about its settings.
func ofAgent(agent, name string) string {
	return filepath.Join("..", "..", "agents", agent, "testdata", "settings", name)
}

// Agents ask their users again when one of these lines changes, and know what is theirs by
// it. The names of events stand in settings that users wrote: one that goes missing is a hook
// that is silent for ever. A line or a name may be added to the file; none may change.
// With -update the file of a new agent is written, never that of another one.
func TestFrozenLines(t *testing.T) {
	for _, a := range agents.Which(agents.HasSettings) {
		var b strings.Builder
		for _, scope := range []Scope{User, Project} {
			for _, e := range a.Hooks.Wired() {
				fmt.Fprintf(&b, "%s %s\n", scope, marshal(entry(a, e, scope, program)))
			}
			if scope == User {
				fmt.Fprintf(&b, "%s %s %s\n", scope, a.Name, marshal(serverOf(a, program)))
			}
		}
		var names []string
		for _, e := range a.Hooks.Events {
			names = append(names, strings.TrimSpace(e.Name+" "+e.Also))
		}
		slices.Sort(names)
		fmt.Fprintf(&b, "events %s\n", strings.Join(names, " "))
		path := ofAgent(a.Name, "lines.txt")
		if _, err := os.Stat(path); *update && errors.Is(err, fs.ErrNotExist) {
			write(t, path, b.String(), 0o644)
		}
		want, err := os.ReadFile(path)
		must(t, err)
		if got := b.String(); got != string(want) {
			t.Errorf("the lines of %s are\n%s", a.Name, got)
		}
	}
}

// What is written is read again as ours, for that agent and event, wherever the program is.
func TestLinesAreKnown(t *testing.T) {
	for _, exe := range []string{"episodes", "/home/a b/episodes", "/home/o'neil/episodes", `C:\tools\memory-of-agents.exe`, "episodes_v2.10.0"} {
		for _, a := range agents.Which(agents.HasSettings) {
			for _, e := range a.Hooks.Wired() {
				for _, scope := range []Scope{User, Project} {
					var g struct {
						handler
						Hooks []handler
					}
					must(t, json.Unmarshal([]byte(marshal(entry(a, e, scope, exe))), &g))
					h := append(g.Hooks, g.handler)[0]
					want := call{a.Name, e.Name, scope, ""}
					if scope == User {
						want.exe = exe
					}
					if c, ok := h.read("memory-of-agents"); !ok || c != want {
						t.Errorf("%+v is read as %+v, want %+v", h, c, want)
					}
				}
			}
		}
	}
	for _, line := range []string{"", "episodes", "episodes hook claude", "mine; episodes hook claude Stop", "episodes hook claude Stop; mine", "notepisodes hook claude Stop",
		"episodes-notes hook claude Stop", "memory-of-agents hook claude Stop", " hook claude Stop",
		"sh -c 'episodes hook claude Stop'", "episodes extract --quiet"} {
		if c, ok := (handler{Command: line}).read(""); ok {
			t.Errorf("%q is taken for ours: %+v", line, c)
		}
	}
}

// In a repository a line does nothing, and succeeds, where the program is missing; where it is
// there it gets the arguments and the input.
func TestGuardedLines(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no shell here")
	}
	var h struct{ Hooks []handler }
	must(t, json.Unmarshal([]byte(marshal(entry(agentOf("claude"), agentOf("claude").Hooks.Wired()[0], Project, ""))), &h))
	run := func(path string) string {
		cmd := exec.Command(sh, "-c", h.Hooks[0].Command)
		cmd.Env, cmd.Stdin = []string{"PATH=" + path}, strings.NewReader("payload")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Errorf("with PATH %q: %v", path, err)
		}
		return string(out)
	}
	bin := t.TempDir()
	if got := run(bin); got != "" {
		t.Errorf("%q", got)
	}
	write(t, filepath.Join(bin, program), "#!"+sh+"\necho \"$@\"\nread -r line\necho \"$line\"\n", 0o755)
	if got, want := run(bin), "hook claude SessionStart\npayload\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// What is written is valid for each agent. The matchers are patterns.
func TestSchemas(t *testing.T) {
	for _, a := range agents.Which(agents.HasSettings) {
		for _, scope := range []Scope{User, Project} {
			e, root := environment(t), t.TempDir()
			r := request(a.Name, Wire, root)
			r.Scope = scope
			for _, f := range runs(t, e, r).Agents[0].Files {
				if a.Settings.Script != nil {
					continue // see TestScript
				}
				if strings.HasSuffix(f.Path, ".toml") {
					checkTOML(t, f.Path)
					continue
				}
				if slices.Contains(f.Parts, agent.HooksPart) {
					valid(t, ofAgent(a.Name, "schema.json"), f.Path)
				}
				if slices.Contains(f.Parts, agent.ServerPart) {
					valid(t, "testdata/mcp.json", f.Path)
				}
			}
		}
		for _, e := range a.Hooks.Wired() {
			if _, err := regexp.Compile(e.Tools); err != nil {
				t.Errorf("%s %s: %v", a.Name, e.Name, err)
			}
		}
	}
}

func valid(t *testing.T, schema, path string) {
	t.Helper()
	s, err := jsonschema.NewCompiler().Compile(schema)
	must(t, err)
	v, err := jsonschema.UnmarshalJSON(strings.NewReader(read(t, path)))
	if err == nil {
		err = s.Validate(v)
	}
	if err != nil {
		t.Errorf("%s: %v", path, err)
	}
}

func checkTOML(t *testing.T, path string) {
	t.Helper()
	all, err := readTOML([]byte(read(t, path)))
	must(t, err)
	if got := fmt.Sprint(all); got != "map[mcp_servers:map[episodes:map[args:[mcp] command:episodes]]]" {
		t.Error(got)
	}
}
