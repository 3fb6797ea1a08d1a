package mcpserver

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"episodes/internal/ask"
)

// An agent gets the draft of its own session, and what it answers is held to the lines.
func TestCompleteSession(t *testing.T) {
	root, home := repository(t), t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	path := filepath.Join(home, ".claude", "projects", "p", "session-one.jsonl")
	must(t, os.MkdirAll(filepath.Dir(path), 0o700))
	line := func(kind, rest string) string {
		return fmt.Sprintf(`{"type":%q,"uuid":"u","sessionId":"session-one","cwd":%q,"timestamp":"2026-03-01T09:00:00.000Z",%s}`+"\n", kind, root, rest)
	}
	text := line("user", `"message":{"role":"user","content":"mend the upload"}`) +
		line("assistant", `"message":{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"go test ./upload"}}]}`) +
		line("user", `"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","is_error":true,"content":"Exit code 1\n--- FAIL: TestUpload (0.01s)\nFAIL"}]}`) +
		line("assistant", `"message":{"role":"assistant","content":[{"type":"text","text":"Because parts arrive twice I keep their numbers and drop the second one."}]}`)
	must(t, os.WriteFile(path, []byte(text), 0o600))
	o := options(t, root)
	o.Sources = ask.SourcesRequest{Home: home, Getenv: func(string) string { return "" }}
	s := connect(t, o, newClient(nil))
	call := func(args map[string]any) (string, bool) {
		t.Helper()
		r, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: complete, Arguments: args})
		must(t, err)
		return r.Content[0].(*mcp.TextContent).Text, r.IsError
	}
	for _, session := range []string{"session-one", ""} {
		if said, failed := call(map[string]any{"session": session}); !failed || strings.Contains(said, "THE DRAFT") {
			t.Errorf("a session that ended before this one began: %s", said)
		}
	}
	now := time.Now().Add(time.Second) // file systems may round down
	must(t, os.Chtimes(path, now, now))
	order, failed := call(map[string]any{"session": "session-one"})
	at := regexp.MustCompile(`(?m)^(\d+): .*keep their numbers`).FindStringSubmatch(order)
	if failed || at == nil || !strings.Contains(order, "THE DRAFT") {
		t.Fatalf("the order: %s", order)
	}
	answer := fmt.Sprintf("+d9 design unknown %s \"keep their numbers\"\n+d8 design unknown %s \"push to main\"\n", at[1], at[1])
	said, failed := call(map[string]any{"session": "session-one", "answer": answer})
	if failed || !strings.HasPrefix(said, "1 addition taken, 1 line refused") {
		t.Errorf("the answer: %s", said)
	}
	files, err := filepath.Glob(filepath.Join(root, ".agents/memory/private/additions/episode-session-one/*.jsonl"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	data, err := os.ReadFile(files[0])
	if err != nil || !strings.Contains(string(data), "keep their numbers") || strings.Contains(string(data), "push to main") {
		t.Errorf("what was added: %s, %v", data, err)
	}
	if said, failed := call(map[string]any{"session": "another-one"}); !failed || strings.Contains(said, "THE DRAFT") {
		t.Errorf("a session that is not here: %s", said)
	}
	if said, failed := call(map[string]any{"session": "../../session-one"}); !failed {
		t.Errorf("a path: %s", said)
	}
}

// Within a reader there is nothing to call.
func TestServerOff(t *testing.T) {
	o := options(t, repository(t))
	o.Off = true
	s := connect(t, o, newClient(nil))
	if r := s.InitializeResult(); r.Instructions != "" {
		t.Errorf("instructions: %s", r.Instructions)
	}
	if list, err := s.ListTools(t.Context(), nil); err == nil && len(list.Tools) > 0 {
		t.Errorf("%d tools", len(list.Tools))
	}
}
