package mcpserver

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"episodes/agents/agent"
	"episodes/episode"
	"episodes/internal/ask"
	"episodes/internal/testing/synthetic"
)

// repository is a folder with a memory of some sessions.
func repository(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	must(t, os.Mkdir(filepath.Join(root, ".git"), 0o755))
	loc := location(t, root)
	if _, err := ask.Create(loc); err != nil {
		t.Fatal(err)
	}
	logs, err := filepath.Glob("../../testdata/sessions/2026-0[123]*.md")
	if err != nil || len(logs) < 5 {
		t.Fatal(err, logs)
	}
	for _, log := range logs {
		data, err := os.ReadFile(log)
		must(t, err)
		must(t, os.WriteFile(filepath.Join(root, filepath.Base(log)), data, 0o644))
	}
	if _, err := ask.Extract(t.Context(), ask.Options{Location: loc}, ask.ExtractRequest{Logs: []string{"*.md"}, Cwd: root}); err != nil {
		t.Fatal(err)
	}
	return root
}

// manyEpisodes is a folder with a memory of n episodes, and no graph yet.
func manyEpisodes(t *testing.T, n int) string {
	t.Helper()
	root := t.TempDir()
	must(t, os.Mkdir(filepath.Join(root, ".git"), 0o755))
	loc := location(t, root)
	if _, err := ask.Create(loc); err != nil {
		t.Fatal(err)
	}
	for i := range n {
		ep := synthetic.Memory{Seed: 1}.Episode(i)
		data, err := episode.Marshal(ep)
		must(t, err)
		must(t, os.WriteFile(filepath.Join(loc.Dir, "episodes", ep.ID+".json"), data, 0o644))
	}
	return root
}

func location(t *testing.T, root string) ask.Location {
	t.Helper()
	loc, err := ask.Locate("", "", root)
	must(t, err)
	return loc
}

// options are those of the program, as far as they matter here.
func options(t *testing.T, cwd string) Options {
	return Options{Version: "test", Cwd: cwd, Roots: true,
		Memory: func(cwd string) (ask.Options, error) {
			loc, err := ask.Locate("", "", cwd)
			return ask.Options{Location: loc, LockTimeout: time.Minute}, err
		},
		Explain: func(err error) (message, hint string) {
			if errors.Is(err, ask.ErrNoMemory) {
				hint = "episodes init makes one"
			}
			return err.Error(), hint
		},
		Trouble: func(text string) { t.Error(text) },
	}
}

// connect connects a client to a server in memory. It speaks a protocol before 2026-07-28,
// as agents do that have roots.
func connect(t *testing.T, o Options, client *mcp.Client) *mcp.ClientSession {
	t.Helper()
	return connectAs(t, o, client, "2025-11-25")
}

func connectAs(t *testing.T, o Options, client *mcp.Client, version string) *mcp.ClientSession {
	t.Helper()
	ours, theirs := mcp.NewInMemoryTransports()
	server, err := New(o).Connect(t.Context(), ours, nil)
	must(t, err)
	session, err := client.Connect(t.Context(), theirs, &mcp.ClientSessionOptions{ProtocolVersion: version})
	must(t, err)
	t.Cleanup(func() { _ = session.Close(); _ = server.Wait() })
	return session
}

func newClient(o *mcp.ClientOptions) *mcp.Client {
	return mcp.NewClient(&mcp.Implementation{Name: "Test Client", Version: "1"}, o)
}

func call(t *testing.T, s *mcp.ClientSession, name string, args map[string]any) *mcp.CallToolResult {
	t.Helper()
	r, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: name, Arguments: args})
	if err != nil {
		t.Fatalf("%s %v: %v", name, args, err)
	}
	return r
}

func text(r *mcp.CallToolResult) string {
	t, _ := r.Content[0].(*mcp.TextContent)
	return t.Text
}

// calls are calls of each tool, also of those that are not listed, with what its text holds.
var calls = []struct {
	tool string
	args map[string]any
	want string
}{
	{"ask", map[string]any{"texts": []string{"advisory lock released too late", "migration waits for the lock"}}, "(log, 2026-0"},
	{"ask", map[string]any{"error": "acquire advisory lock 7141: canceling statement due to lock timeout", "since": "2026-01-01", "file": "db/lock.go"}, "7141"},
	{"ask", map[string]any{"texts": []string{"lock timeout"}, "kind": "decision"}, "lock"},
	{"ask", map[string]any{"texts": []string{"quantum flux capacitor overflow"}}, "ask once more"},
	{"advise", map[string]any{"text": "acquire advisory lock 7141: canceling statement due to lock timeout", "kind": "error"}, "session-02-lock-timeout.md:"},
	{"advise", map[string]any{"text": "quantum flux capacitor overflow"}, "nothing to say"},
	{"search", map[string]any{"text": "lock timeout", "limit": 3}, "lock"},
	{"search", map[string]any{"text": "zzyzx"}, "nothing fits"},
	{"show", map[string]any{"ref": "2026-01-12-session-02-lock-timeout"}, "Decisions:"},
	{"show", map[string]any{"ref": "2026-01-12#d001"}, "d001"},
	{"path", map[string]any{"from": "lock timeout", "to": "success"}, ""},
	{"path", map[string]any{"from": "zzyzx", "to": "success"}, "zzyzx"},
	{"whatif", map[string]any{"decision": "retry with backoff"}, ""},
	{"patterns", map[string]any{}, "pattern"},
	{"patterns", map[string]any{"bad": true, "limit": 2}, "pattern"},
	{"record", map[string]any{"kind": "lesson", "text": "the index needs a lock file of its own"}, "recorded episode-stated-"},
}

// Every tool answers with a text and nothing beside it; that there is nothing is an answer too.
func TestTools(t *testing.T) {
	root := repository(t)
	for _, version := range mcp.SupportedProtocolVersions() {
		t.Run(version, func(t *testing.T) { testTools(t, connectAs(t, options(t, root), newClient(nil), version)) })
	}
}

func testTools(t *testing.T, s *mcp.ClientSession) {
	for _, c := range calls {
		r := call(t, s, c.tool, c.args)
		if r.IsError || text(r) == "" || !strings.Contains(text(r), c.want) {
			t.Errorf("%s %v: %v %q", c.tool, c.args, r.IsError, text(r))
		}
		whole, err := json.Marshal(r)
		must(t, err)
		alone, _ := json.Marshal(text(r))
		if most := 4 * 180; r.StructuredContent != nil || len(whole) > len(alone)+150 || c.tool == "advise" && len(text(r)) > most {
			t.Errorf("%s %v: %d bytes of text in an answer of %d", c.tool, c.args, len(alone), len(whole))
		}
	}
}

// What cannot be answered is an error of the tool that says what to do, and the server lives on.
func TestErrors(t *testing.T) {
	s := connect(t, options(t, repository(t)), newClient(nil))
	for _, c := range []struct {
		tool string
		args map[string]any
		want string
	}{
		{"ask", map[string]any{}, "nothing is asked"},
		{"ask", map[string]any{"choice": "x", "error": "y"}, "are one of them"},
		{"ask", map[string]any{"texts": []string{"x"}, "kind": "riddle"}, "error decision lesson"},
		{"show", map[string]any{"ref": "no-such-session"}, "ask finds passages"},
		{"show", map[string]any{"ref": "2026-01-12-session-02-lock-timeout#d999"}, "lists its records"},
		{"show", map[string]any{"ref": "../../etc/passwd"}, "not an episode's id"},
		{"advise", map[string]any{"text": "x", "kind": "riddle"}, "error, action, task, choice"},
		{"advise", map[string]any{"text": " \n"}, "nothing is asked"},
		{"search", map[string]any{"text": "x", "since": "yesteryear"}, "yesteryear"},
		{"search", map[string]any{"text": "x", "limit": 0}, "limit"},
		{"path", map[string]any{"from": " ", "to": "x"}, "from and to"},
		{"patterns", map[string]any{"colour": "red"}, "colour"},
		{"record", map[string]any{"kind": "outcome", "text": "splendid", "of": "2026-01-12-session-02-lock-timeout"}, "must be success"},
		{"record", map[string]any{"kind": "lesson", "text": " "}, "between 1 and"},
		{"record", map[string]any{"kind": "lesson", "text": "x", "agent": "somebody else"}, "agent"},
	} {
		if r := call(t, s, c.tool, c.args); !r.IsError || !strings.Contains(text(r), c.want) {
			t.Errorf("%s %v: %v %q", c.tool, c.args, r.IsError, text(r))
		}
	}
	if _, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: "shell"}); err == nil {
		t.Error("a tool that there is not was called")
	}
	if r := call(t, s, "search", map[string]any{"text": "lock timeout"}); r.IsError {
		t.Error(text(r))
	}
}

func TestNoMemory(t *testing.T) {
	s := connect(t, options(t, t.TempDir()), newClient(nil))
	if r := call(t, s, "advise", map[string]any{"text": "x"}); !r.IsError || !strings.Contains(text(r), "episodes init") {
		t.Errorf("%v %q", r.IsError, text(r))
	}
	if list, err := s.ListResources(t.Context(), nil); err != nil || len(list.Resources) != 0 {
		t.Errorf("%v, %v", list, err)
	}
}

// All that a client is told of the tools costs a model little, and says which one writes.
func TestSchemasAreSmall(t *testing.T) {
	s := connect(t, options(t, t.TempDir()), newClient(nil))
	list, err := s.ListTools(t.Context(), nil)
	must(t, err)
	data, err := json.Marshal(list)
	must(t, err)
	if tokens := len(data) / 4; tokens >= 1200 {
		t.Errorf("the tools take %d tokens", tokens)
	}
	first := s.InitializeResult().Instructions
	if tokens := len(first) / 4; tokens >= 300 {
		t.Errorf("the first words take %d tokens", tokens)
	}
	told := 0                         // bytes of names and descriptions
	for _, tool := range list.Tools { // a client may show names alone
		if !strings.Contains(first, tool.Name+": ") && !strings.Contains(first, "`"+tool.Name+"`") {
			t.Errorf("the first words do not say what %s is for", tool.Name)
		}
		told += len(tool.Name) + len(tool.Description)
		schema, _ := tool.InputSchema.(map[string]any)
		properties, _ := schema["properties"].(map[string]any)
		for name, p := range properties {
			about, _ := p.(map[string]any)["description"].(string)
			told += len(name) + len(about)
		}
	}
	if told/4 > 600 {
		t.Errorf("names and descriptions take %d tokens", told/4)
	}
	args := map[string]reflect.Type{"ask": reflect.TypeFor[askArgs](), "brief": reflect.TypeFor[ask.BriefRequest](), "show": reflect.TypeFor[ask.EpisodeRequest](), "path": reflect.TypeFor[ask.PathRequest](),
		"whatif": reflect.TypeFor[whatIfArgs](), "patterns": reflect.TypeFor[patternsArgs](),
		"record": reflect.TypeFor[ask.StateRequest](), complete: reflect.TypeFor[ask.CompleteRequest]()}
	if len(list.Tools) != len(args) {
		t.Errorf("%d tools", len(list.Tools))
	}
	var reads []string
	for _, tool := range list.Tools {
		if tool.Annotations.ReadOnlyHint {
			reads = append(reads, tool.Name)
		}
		if tool.Annotations.ReadOnlyHint == slices.Contains([]string{"record", complete}, tool.Name) {
			t.Errorf("%s: read-only is %v", tool.Name, tool.Annotations.ReadOnlyHint)
		}
		schema, _ := tool.InputSchema.(map[string]any)
		properties, _ := schema["properties"].(map[string]any)
		for name := range properties {
			if _, there := args[tool.Name].FieldByNameFunc(func(field string) bool { return strings.EqualFold(field, name) }); !there {
				t.Errorf("%s describes %s, which no request has", tool.Name, name)
			}
		}
	}
	if named := slices.Sorted(slices.Values(agent.ReadOnlyTools)); !slices.Equal(named, slices.Sorted(slices.Values(reads))) {
		t.Errorf("setup names %v as read-only, which are %v", named, reads)
	}
}

// What is recorded is in the next answer, marked as the agent's and signed by the client.
func TestRecord(t *testing.T) {
	s := connect(t, options(t, repository(t)), newClient(nil))
	r := call(t, s, "record", map[string]any{"kind": "decision", "text": "shard the manifest by tenant", "over": []string{"one manifest per bucket"}, "question": "manifest grows without bound"})
	ref, _, _ := strings.Cut(strings.TrimPrefix(text(r), "recorded "), ": ")
	if r.IsError || !strings.HasSuffix(ref, "#d001") {
		t.Fatalf("%q", text(r))
	}
	if r := call(t, s, "record", map[string]any{"kind": "outcome", "text": "failure", "of": ref}); r.IsError {
		t.Fatal(text(r))
	}
	if got := text(call(t, s, "show", map[string]any{"ref": strings.TrimSuffix(ref, "#d001")})); !strings.Contains(got, "failure (agent Test-Client)") {
		t.Errorf("%q", got)
	}
	got := text(call(t, s, "advise", map[string]any{"text": "manifest grows without bound: shard the manifest by tenant?", "kind": "choice"}))
	if !strings.Contains(got, "shard the manifest by tenant") || !strings.Contains(got, "(agent, ") {
		t.Errorf("%q", got)
	}
}

// must ends a test at an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
