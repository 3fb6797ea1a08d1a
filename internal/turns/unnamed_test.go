package turns

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A tool that no table names is an edit where its arguments say so; what may be one and is not
// understood is marked.
func TestUnnamed(t *testing.T) {
	const patch = "*** Begin Patch\n*** Update File: a.go\n+x\n*** End Patch"
	quoted, _ := json.Marshal(map[string]string{"body": patch})
	for _, c := range []struct {
		name, args string
		want       ToolCall
	}{
		{"mcp__files__put_text", `{"path":"a.go","content":"x"}`, ToolCall{Tool: Edit, Files: []string{"a.go"}, New: "x"}},
		{"mcp__serena__replace_symbol_body", `{"relative_path":"a.go","body":"func f() {}"}`, ToolCall{Tool: Edit, Files: []string{"a.go"}, New: "func f() {}"}},
		{"SmartChange", `{"file":"a.go","oldText":"x","newText":"y"}`, ToolCall{Tool: Edit, Files: []string{"a.go"}, Old: "x", New: "y"}},
		{"magic", string(quoted), ToolCall{Tool: Edit, Files: []string{"a.go"}, New: patch}},
		{"fs.write_file", `"{\"path\":\"a\",\"content\":\"x\"}"`, ToolCall{Tool: Edit, Files: []string{"a"}, New: "x"}},
		// known from other agents
		{"str_replace_editor", `{"command":"create","path":"a","file_text":"t"}`, ToolCall{Tool: Write, Files: []string{"a"}, New: "t"}},
		// not understood
		{"rewrite_lines", `{"path":"a.go","spec":{"from":1}}`, ToolCall{Dropped: true}},
		{"magic", `{"path":"a.go","stuff":"one\ntwo"}`, ToolCall{Dropped: true}},
		// no edits
		{"mcp__tracker__add_comment", `{"path":"a.go","body":"why?\nso"}`, ToolCall{}},
		{"mcp__files__read_text", `{"path":"a.go","text":"x"}`, ToolCall{}},
		{"mcp__search__move", `{"path":"a.go","to":"b.go"}`, ToolCall{}},
		{"mcp__tracker__create_issue", `{"title":"a","body":"b\nc"}`, ToolCall{}},
		{"read_file", `{"path":"a.go","content":"x"}`, ToolCall{Tool: Read, Files: []string{"a.go"}}},
		{"TodoWrite", `{"path":"a.go","content":"x"}`, ToolCall{Tool: Plan}},
		{"magic", `7`, ToolCall{}},
	} {
		got := CallOf("id", c.name, json.RawMessage(c.args))
		c.want.ID, c.want.Name, got.Text = "id", c.name, ""
		if d := cmp.Diff(&c.want, got); d != "" {
			t.Errorf("%s %s (-want +got):\n%s", c.name, c.args, d)
		}
	}
}

// What was dropped is said once for each tool.
func TestDroppedIsRemarked(t *testing.T) {
	r := NewReader(bytes.NewReader(nil), func(Turn) error { return nil })
	for range 2 {
		r.Put(Turn{Role: Call, Call: CallOf("", "rewrite_lines", json.RawMessage(`{"path":"a.go","spec":{}}`))})
	}
	got := r.Remarks()
	if len(got) != 1 || got[0].Code != "unknown-tool" || got[0].Message != `2 calls of the unknown tool "rewrite_lines", which may change files, were not understood` {
		t.Errorf("%+v", got)
	}
}
