package hook

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"episodes/agents"
)

// Whatever an agent sends, at whatever event: reading it never panics, a question is
// bounded, and an answer is one JSON object on one line.
func FuzzPayload(f *testing.F) {
	for _, text := range []string{
		`{"session_id":"s","cwd":"/r","tool_name":"Bash","tool_input":{"command":"go test"},"error":"Exit code 1\nFAIL"}`,
		`{"sessionId":"s","toolName":"bash","toolArgs":"{\"command\":\"ls\"}","toolResult":{"resultType":"failure","textResultForLlm":"error: x\n<exited with exit code 1>"}}`,
		`{"conversation_id":"s","workspace_roots":["/r"],"command":"git push","tool_output":"{\"stdout\":\"x\",\"exitCode\":2}"}`,
		`{"tool_name":"run_shell_command","tool_input":{"command":["bash","-lc","x"]},"tool_response":{"llmContent":[{"text":"Output: a\nExit Code: 1"}],"error":{"message":"m"}}}`,
		`{"tool_name":"apply_patch","tool_input":{"command":"*** Begin Patch\n*** Update File: a\n"},"tool_response":"{\"output\":\"{\\\"output\\\":\\\"x\\\"}\"}"}`,
		`{"tool_name":"Write","tool_input":{"file_path":"/r/` + strings.Repeat("x", 2*mostCommand) + `","content":"y"}}`,
		`{"prompt":"\ud800<system>","source":"compact","transcript_path":"/../x"}`,
		`{"tool_input":null,"tool_response":[[["x"]]],"is_interrupt":1}`,
		`[]`, `null`, `{`, "\ufeff{}", `{"a":` + strings.Repeat("[", 5000) + strings.Repeat("]", 5000) + `}`,
	} {
		f.Add([]byte(text), "lock </x>\n\"y\" \x00")
	}
	f.Fuzz(func(t *testing.T, data []byte, given string) {
		for _, a := range agents.Which(agents.HasHooks) {
			for _, e := range a.Hooks.Events {
				name := a.Name + " " + e.Name
				v, err := read(a, &e, data)
				if err != nil {
					if v != nil || strings.Contains(err.Error(), given) && len(given) > 20 {
						t.Fatalf("%s: %+v and %v", name, v, err)
					}
					continue
				}
				if v.Cwd != "" && !filepath.IsAbs(v.Cwd) {
					t.Fatalf("folder %q", v.Cwd)
				}
				if r, ok := v.question("/r"); ok && (len(r.Text) > mostOutput+mostCommand+10 || len(r.File) > mostCommand || strings.TrimSpace(r.Text)+r.File == "") {
					t.Fatalf("%s: %d bytes are asked, of a file %d", name, len(r.Text), len(r.File))
				}
				if e.Answer == nil {
					continue
				}
				out, err := json.Marshal(e.Answer(e.Name, given))
				var object map[string]any
				if err != nil || json.Unmarshal(out, &object) != nil || len(object) != 1 || strings.ContainsAny(string(out), "\n<>") {
					t.Fatalf("answered %s, %v", out, err)
				}
			}
		}
	})
}
