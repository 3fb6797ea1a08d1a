package loop

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"episodes/agents"
	"episodes/reflexion"
)

func n(x int) *int { return &x }

// samples are outputs in the forms that agents document, of invented work in /src/shop.
var samples = []struct {
	name, agent, text string
	want              Acted
}{
	{"claude", "claude", `{"type":"system","subtype":"init","session_id":"s","tools":["Bash"],"model":"m"}
{"type":"assistant","message":{"id":"m1","role":"assistant","content":[{"type":"text","text":"I look first."},{"type":"tool_use","id":"t1","name":"Read","input":{"file_path":"/src/shop/cart.go"}}],"usage":{"input_tokens":3,"cache_creation_input_tokens":100,"cache_read_input_tokens":0,"output_tokens":5}}}
{"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"package cart"}]}}
{"type":"assistant","message":{"id":"m2","role":"assistant","content":[{"type":"tool_use","id":"t2","name":"Edit","input":{"file_path":"/src/shop/cart.go","old_string":"a","new_string":"b"}}],"usage":{"input_tokens":3,"output_tokens":5}}}
{"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t2","content":"ok"}]}}
{"type":"assistant","message":{"id":"m3","role":"assistant","content":[{"type":"tool_use","id":"t3","name":"Write","input":{"file_path":"/src/shop/cart_test.go","content":"x"}}]}}
{"type":"assistant","message":{"id":"m4","role":"assistant","content":[{"type":"tool_use","id":"t4","name":"Bash","input":{"command":"cd /src/shop && go test ./..."}}]}}
{"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t4","is_error":true,"content":"exit 1"}]}}
{"type":"assistant","message":{"id":"m5","role":"assistant","content":[{"type":"tool_use","id":"t5","name":"Edit","input":{"file_path":"/home/me/notes"}}]}}
{"type":"result","subtype":"success","is_error":false,"duration_ms":9000,"num_turns":6,"result":"I added the prices.","total_cost_usd":0.1234,"usage":{"input_tokens":10,"cache_creation_input_tokens":200,"cache_read_input_tokens":3000,"output_tokens":77},"permission_denials":[]}
`, Acted{Output: reflexion.ActorOutput{Rationale: "I added the prices.", Actions: []reflexion.Action{
		{Type: "code_modification", Description: "changed cart.go", FilePath: "cart.go"},
		{Type: "file_creation", Description: "wrote cart_test.go", FilePath: "cart_test.go"},
		{Type: "test_execution", Description: "ran go test, which failed", Command: "go test ./..."},
		{Type: "code_modification", Description: "changed a file elsewhere"}}},
		Usage: reflexion.Usage{InputTokens: n(3210), CachedTokens: n(3000), OutputTokens: n(77), CostUSD: new(0.1234), ToolCalls: n(5)}}},
	{"claude was ended", "claude", `{"type":"assistant","message":{"id":"m1","content":[{"type":"text","text":"I look."}],"usage":{"input_tokens":10,"output_tokens":2}}}
{"type":"assistant","message":{"id":"m1","content":[{"type":"tool_use","id":"t1","name":"Grep","input":{"pattern":"x"}}],"usage":{"input_tokens":10,"output_tokens":5}}}
{"type":"assistant","message":{"id":"m2","content":[{"type":"text","te`,
		Acted{Output: reflexion.ActorOutput{Rationale: "I look."}, Usage: reflexion.Usage{InputTokens: n(10), CachedTokens: n(0), OutputTokens: n(5), ToolCalls: n(1)}}},
	{"claude as one object", "claude", `{
  "type": "result", "subtype": "error_max_turns", "is_error": true, "total_cost_usd": 1.5, "usage": {"input_tokens": 1, "output_tokens": 2}
}`, Acted{failed: "error_max_turns", Usage: reflexion.Usage{InputTokens: n(1), CachedTokens: n(0), OutputTokens: n(2), CostUSD: new(1.5), ToolCalls: n(0)}}},
	{"qwen as a list", "qwen", `[{"type":"system","subtype":"session_start"},{"type":"assistant","message":{"id":"1","content":[{"type":"tool_use","id":"a","name":"edit","input":{"file_path":"cart.js"}}]}},{"type":"result","subtype":"success","is_error":false,"result":"done","usage":{"input_tokens":5,"output_tokens":6}}]`,
		Acted{Output: reflexion.ActorOutput{Rationale: "done", Actions: []reflexion.Action{{Type: "code_modification", Description: "changed cart.js", FilePath: "cart.js"}}},
			Usage: reflexion.Usage{InputTokens: n(5), CachedTokens: n(0), OutputTokens: n(6), ToolCalls: n(1)}}},
	{"codex", "codex", `{"type":"thread.started","thread_id":"t"}
{"type":"turn.started"}
{"type":"item.completed","item":{"id":"item_0","type":"reasoning","text":"hm"}}
{"type":"item.started","item":{"id":"item_1","type":"command_execution","command":"bash -lc 'pytest -q'","aggregated_output":"","exit_code":null,"status":"in_progress"}}
{"type":"item.completed","item":{"id":"item_1","type":"command_execution","command":"bash -lc 'pytest -q'","aggregated_output":"1 failed","exit_code":1,"status":"failed"}}
{"type":"item.completed","item":{"id":"item_2","type":"file_change","changes":[{"path":"/src/shop/cart.py","kind":"update"},{"path":"/src/shop/old.py","kind":"delete"},{"path":"new.py","kind":"add"}],"status":"completed"}}
{"type":"item.completed","item":{"id":"item_3","type":"mcp_tool_call","server":"episodes","tool":"advise","status":"completed"}}
{"type":"item.completed","item":{"id":"item_4","type":"agent_message","text":"The sum is right now."}}
{"type":"turn.completed","usage":{"input_tokens":24763,"cached_input_tokens":24448,"output_tokens":122}}
`, Acted{Output: reflexion.ActorOutput{Rationale: "The sum is right now.", Actions: []reflexion.Action{
		{Type: "test_execution", Description: "ran pytest, which failed", Command: "pytest -q"},
		{Type: "code_modification", Description: "changed cart.py", FilePath: "cart.py"},
		{Type: "file_deletion", Description: "deleted old.py", FilePath: "old.py"},
		{Type: "file_creation", Description: "wrote new.py", FilePath: "new.py"},
		{Type: "api_call", Description: "called mcp episodes advise"}}},
		Usage: reflexion.Usage{InputTokens: n(24763), CachedTokens: n(24448), OutputTokens: n(122), ToolCalls: n(3)}}},
	{"codex fails", "codex", `{"type":"error","message":"stream error: reconnecting 1/5"}
{"type":"turn.failed","error":{"message":"usage limit reached"}}`, Acted{failed: "usage limit reached"}},
	{"gemini", "gemini", `{"type":"init","timestamp":"2026-01-01T00:00:00Z","session_id":"s","model":"m"}
{"type":"message","role":"user","content":"make it pass"}
{"type":"message","role":"assistant","content":"I will ","delta":true}
{"type":"tool_use","tool_name":"replace","tool_id":"r1","parameters":{"file_path":"/src/shop/cart.ts","old_string":"a"}}
{"type":"tool_result","tool_id":"r1","status":"error","output":"no match","error":{"type":"x","message":"no match"}}
{"type":"tool_use","tool_name":"run_shell_command","tool_id":"r2","parameters":{"command":"npm run build"}}
{"type":"tool_result","tool_id":"r2","status":"success","output":"ok"}
{"type":"message","role":"assistant","content":"It ","delta":true}
{"type":"message","role":"assistant","content":"builds.","delta":true}
{"type":"result","status":"success","stats":{"total_tokens":1200,"input_tokens":1000,"output_tokens":150,"cached":400,"input":600,"duration_ms":5000,"tool_calls":2}}
`, Acted{Output: reflexion.ActorOutput{Rationale: "It builds.", Actions: []reflexion.Action{
		{Type: "code_modification", Description: "changed cart.ts, which failed", FilePath: "cart.ts"},
		{Type: "command_execution", Description: "ran npm run", Command: "npm run build"}}},
		Usage: reflexion.Usage{InputTokens: n(1000), CachedTokens: n(400), OutputTokens: n(150), ToolCalls: n(2)}}},
	{"gemini as one object", "gemini", `{"session_id":"s","response":"Done.","stats":{"models":{"pro":{"tokens":{"prompt":100,"candidates":20,"total":130,"cached":60,"thoughts":10,"tool":0}},"flash":{"tokens":{"prompt":5,"candidates":1,"cached":0,"thoughts":0,"tool":0}}},"tools":{"totalCalls":3}}}`,
		Acted{Output: reflexion.ActorOutput{Rationale: "Done."}, Usage: reflexion.Usage{InputTokens: n(105), CachedTokens: n(60), OutputTokens: n(31), ToolCalls: n(0)}}},
	{"gemini fails", "gemini", `{"response":"","error":{"type":"ApiError","message":"quota","code":429}}`, Acted{failed: "ApiError: quota"}},
	{"opencode", "opencode", `{"type":"step_start","timestamp":1,"sessionID":"s","part":{"type":"step-start"}}
{"type":"tool_use","sessionID":"s","part":{"type":"tool","callID":"c1","tool":"edit","state":{"status":"completed","input":{"filePath":"/src/shop/lib/cart.rb"},"output":"ok"}}}
{"type":"tool_use","sessionID":"s","part":{"type":"tool","callID":"c2","tool":"bash","state":{"status":"error","input":{"command":"rspec"},"error":"exit 1"}}}
{"type":"step_finish","sessionID":"s","part":{"type":"step-finish","reason":"tool-calls","cost":0.01,"tokens":{"input":100,"output":10,"reasoning":5,"cache":{"read":1000,"write":50}}}}
{"type":"text","sessionID":"s","part":{"type":"text","text":"Mended."}}
{"type":"step_finish","sessionID":"s","part":{"type":"step-finish","reason":"stop","cost":0.02,"tokens":{"input":1,"output":2,"reasoning":0,"cache":{"read":0,"write":0}}}}
`, Acted{Output: reflexion.ActorOutput{Rationale: "Mended.", Actions: []reflexion.Action{
		{Type: "code_modification", Description: "changed lib/cart.rb", FilePath: "lib/cart.rb"},
		{Type: "test_execution", Description: "ran rspec, which failed", Command: "rspec"}}},
		Usage: reflexion.Usage{InputTokens: n(1151), CachedTokens: n(1000), OutputTokens: n(17), CostUSD: new(0.03), ToolCalls: n(2)}}},
	{"opencode fails", "opencode", `{"type":"error","sessionID":"s","error":{"name":"ProviderAuthError","data":{"message":"no key"}}}`, Acted{failed: "ProviderAuthError: no key"}},
	{"cursor", "cursor", `{"type":"system","subtype":"init","model":"m","session_id":"s"}
{"type":"tool_call","subtype":"started","call_id":"c1","tool_call":{"writeToolCall":{"args":{"path":"cart.ts","fileText":"x"}}}}
{"type":"tool_call","subtype":"completed","call_id":"c1","tool_call":{"writeToolCall":{"args":{"path":"cart.ts","fileText":"x"},"result":{"success":{"linesCreated":1}}}}}
{"type":"tool_call","subtype":"started","call_id":"c2","tool_call":{"shellToolCall":{"args":{"command":"npm test"}}}}
{"type":"tool_call","subtype":"completed","call_id":"c2","tool_call":{"shellToolCall":{"args":{"command":"npm test"},"result":{"failure":{"exitCode":1}}}}}
{"type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":"Done."}]}}
{"type":"result","subtype":"success","is_error":false,"duration_ms":1234,"result":"Done.","usage":{"inputTokens":10,"outputTokens":3,"cacheReadTokens":20,"cacheWriteTokens":0}}
`, Acted{Output: reflexion.ActorOutput{Rationale: "Done.", Actions: []reflexion.Action{
		{Type: "file_creation", Description: "wrote cart.ts", FilePath: "cart.ts"},
		{Type: "test_execution", Description: "ran npm test, which failed", Command: "npm test"}}},
		Usage: reflexion.Usage{InputTokens: n(30), CachedTokens: n(20), OutputTokens: n(3), ToolCalls: n(2)}}},
	{"aider", "aider", `Aider v0.86.0
Model: m with diff edit format

The sum left out the last price.

Tokens: 12k sent, 1.5k cache write, 4k cache hit, 133 received. Cost: $0.04 message, $0.04 session.
Applied edit to cart.py
Now the test.

Tokens: 1,024 sent, 7 received. Cost: $0.01 message, $0.05 session.
`, Acted{Output: reflexion.ActorOutput{Rationale: "Now the test.", Actions: []reflexion.Action{{Type: "code_modification", Description: "changed cart.py", FilePath: "cart.py"}}},
		Usage: reflexion.Usage{InputTokens: n(13024), CachedTokens: n(4000), OutputTokens: n(140), CostUSD: new(0.05), ToolCalls: n(1)}}},
	{"copilot", "copilot", "I changed the sum.\n", Acted{Output: reflexion.ActorOutput{Rationale: "I changed the sum."}}},
}

// The answer, the actions, the tokens and the cost are read from what each agent prints.
func TestReadAnswer(t *testing.T) {
	for _, tt := range samples {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(&tt.want, readAnswer(agents.ActorNamed(tt.agent).Actor, "/src/shop", []byte(tt.text)),
				cmp.AllowUnexported(Acted{}), cmpopts.EquateEmpty(), cmpopts.EquateApprox(0, 1e-9)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// Of very many actions the first and the last are kept; texts are cleaned and cut.
func TestReadAnswerIsBounded(t *testing.T) {
	var b strings.Builder
	for range 500 {
		b.WriteString(`{"type":"assistant","message":{"id":"m","content":[{"type":"tool_use","name":"Bash","input":{"command":"make"}}]}}` + "\n")
	}
	b.WriteString(`{"type":"result","is_error":true,"subtype":"error","result":"` + strings.Repeat("x", 5000) + `\u001b[31mred"}`)
	a := readAnswer(agents.ActorNamed("claude").Actor, "/", []byte(b.String()))
	if len(a.Output.Actions) != maxActions || *a.Usage.ToolCalls != 500 || len(a.Output.Rationale) > maxRationale+10 || len(a.failed) > maxDescription+10 || strings.Contains(a.Output.Rationale, "\x1b") {
		t.Errorf("%d actions, %d bytes of text, %q", len(a.Output.Actions), len(a.Output.Rationale), a.failed)
	}
}

// Whatever an agent prints, nothing is negative, and what is taken over is bounded.
func FuzzReadAnswer(f *testing.F) {
	for _, tt := range samples {
		f.Add([]byte(tt.text))
	}
	f.Add([]byte(`{"type":"result","usage":{"input_tokens":-5,"output_tokens":1e300},"total_cost_usd":-1}`))
	f.Add([]byte(`[{"type":1},null,{"part":[],"item":"x","message":{"content":{}}}]`))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, name := range agents.Actors() {
			a := readAnswer(agents.ActorNamed(name).Actor, "/work", data)
			for _, x := range []*int{a.Usage.InputTokens, a.Usage.CachedTokens, a.Usage.OutputTokens, a.Usage.ToolCalls} {
				if x != nil && *x < 0 {
					t.Fatalf("%s: %+v", name, a.Usage)
				}
			}
			if a.Usage.CostUSD != nil && !(*a.Usage.CostUSD >= 0) || len(a.Output.Actions) > maxActions {
				t.Fatalf("%s: %+v", name, a)
			}
			for _, x := range a.Output.Actions {
				if strings.HasPrefix(x.FilePath, "/") || strings.ContainsAny(x.Description, "\x1b\x00") {
					t.Fatalf("%s: %+v", name, x)
				}
			}
		}
	})
}
