package turns

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Calls of any agent are told alike, whatever the agent calls the tool and its arguments.
func TestCallOf(t *testing.T) {
	const patch = "*** Begin Patch\n*** Update File: a.go\n+x\n*** Add File: b.go\n+y\n*** End Patch"
	quoted, _ := json.Marshal(patch)
	for _, c := range []struct {
		name, args string
		want       ToolCall
	}{
		{"Bash", `{"command":"go test ./..."}`, ToolCall{Tool: Shell, Command: "go test ./..."}},
		{"exec_command", `"{\"cmd\":\"make\",\"workdir\":\"/src\"}"`, ToolCall{Tool: Shell, Command: "make", Dir: "/src"}},
		{"shell", `{"command":["bash","-lc","ls -l | wc"]}`, ToolCall{Tool: Shell, Command: "ls -l | wc"}},
		{"shell", `{"command":["git","status"]}`, ToolCall{Tool: Shell, Command: "git status"}},
		{"run_terminal_cmd", `{"command":"/bin/bash -lc 'make lint'"}`, ToolCall{Tool: Shell, Command: "make lint"}},
		{"bash_command", `{"keystrokes":"pwd\n","duration":1}`, ToolCall{Tool: Shell, Command: "pwd"}},
		{"StrReplace", `{"path":"a.ts","old_string":"x","new_string":"y"}`, ToolCall{Tool: Edit, Files: []string{"a.ts"}, Old: "x", New: "y"}},
		{"edit", `{"filePath":"a.ts","oldString":"x","newString":"y"}`, ToolCall{Tool: Edit, Files: []string{"a.ts"}, Old: "x", New: "y"}},
		{"MultiEdit", `{"file_path":"a","edits":[{"old_string":"1","new_string":"2"},{"old_string":"3","new_string":"4"}]}`, ToolCall{Tool: Edit, Files: []string{"a"}, Old: "1\n3\n", New: "2\n4\n"}},
		{"str_replace_editor", `{"command":"view","path":"a"}`, ToolCall{Tool: Read, Files: []string{"a"}}},
		{"str_replace_editor", `{"command":"create","path":"a","file_text":"t"}`, ToolCall{Tool: Write, Files: []string{"a"}, New: "t"}},
		{"apply_patch", string(quoted), ToolCall{Tool: Edit, Files: []string{"a.go", "b.go"}, New: patch}},
		{"write_to_file", `{"path":"a","content":"t"}`, ToolCall{Tool: Write, Files: []string{"a"}, New: "t"}},
		{"AskQuestion", `{"questions":[{"prompt":"one?"},{"question":"two?"}]}`, ToolCall{Tool: Ask, Text: "one?\ntwo?"}},
		{"Task", `{"prompt":"look"}`, ToolCall{Tool: Delegate, Text: "look"}},
		{"mcp__tracker__search", `{"query":"flaky"}`, ToolCall{Text: "flaky"}},
		{"edit", `{"path":7,"new_string":["a"]}`, ToolCall{Tool: Edit}},
		{"edit", `7`, ToolCall{Tool: Edit}},
	} {
		c.want.ID, c.want.Name = "id", c.name
		if d := cmp.Diff(&c.want, CallOf("id", c.name, json.RawMessage(c.args))); d != "" {
			t.Errorf("%s %s (-want +got):\n%s", c.name, c.args, d)
		}
	}
}
