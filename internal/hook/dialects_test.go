package hook

import (
	"encoding/json"
	"strings"
	"testing"

	"episodes/agents"
	"episodes/agents/agent"
	"episodes/internal/ask"
)

const (
	failedTests = `--- FAIL: TestIndex (0.02s)\n    index_test.go:31: LockTimeout: index is locked\nFAIL`
	asked       = "$ go test ./store\n--- FAIL: TestIndex (0.02s)\n    index_test.go:31: LockTimeout: index is locked\nFAIL"
)

func read(a *agent.Agent, e *agent.Event, data []byte) (*Event, error) {
	p, err := parse(data)
	if err != nil {
		return nil, err
	}
	return p.read(a, e), nil
}

// What each agent sends at each of its events, in the shape that its documents give, what is
// asked about it, and how it is answered.
func TestDialects(t *testing.T) {
	const (
		claude  = `"session_id":"s1","transcript_path":"/t/s1.jsonl","cwd":"/repo","permission_mode":"default","effort":{"level":"high"},"prompt_id":"p9"`
		codex   = `"session_id":"s1","turn_id":"t1","transcript_path":null,"cwd":"/repo","model":"gpt","permission_mode":"default"`
		copilot = `"sessionId":"s1","timestamp":1760000000000,"cwd":"/repo"`
		vscode  = `"session_id":"s1","timestamp":"2026-01-01T00:00:00Z","cwd":"/repo"`
		cursor  = `"conversation_id":"s1","generation_id":"g1","model":"x","cursor_version":"2.9","workspace_roots":["/repo"],"user_email":null`
		gemini  = `"session_id":"s1","transcript_path":"/t/s1.json","cwd":"/repo","timestamp":"2026-01-01T00:00:00Z"`

		nested = `{"hookSpecificOutput":{"hookEventName":"EVENT","additionalContext":"TEXT"}}`
		flat   = `{"additionalContext":"TEXT"}`
		both   = `{"additionalContext":"TEXT","hookSpecificOutput":{"hookEventName":"EVENT","additionalContext":"TEXT"}}`
	)
	for _, c := range []struct {
		name, agent, event, payload string
		moment, question            string // "": nothing is asked; of an edit its file is
		answer                      string // with TEXT and EVENT
	}{
		{"start", "claude", "SessionStart", `{` + claude + `,"hook_event_name":"SessionStart","source":"startup","model":"m"}`, "", "", nested},
		{"sub-agent", "claude", "SubagentStart", `{` + claude + `,"hook_event_name":"SubagentStart","agent_id":"a1","agent_type":"Explore"}`, "", "", nested},
		{"prompt", "claude", "UserPromptSubmit", `{` + claude + `,"hook_event_name":"UserPromptSubmit","prompt":"Mend the lock"}`, "prompt", "Mend the lock", nested},
		{"command", "claude", "PreToolUse", `{` + claude + `,"tool_name":"Bash","tool_input":{"command":"git push --force","description":"d"},"tool_use_id":"u"}`, "command", "git push --force", nested},
		{"edit", "claude", "PreToolUse", `{` + claude + `,"tool_name":"Edit","tool_input":{"file_path":"/repo/a/lock.go","old_string":"x\ny","new_string":"z"}}`, "edit", "a/lock.go", nested},
		{"read", "claude", "PreToolUse", `{` + claude + `,"tool_name":"Read","tool_input":{"file_path":"/repo/a"}}`, "", "", nested},
		{"plan", "claude", "PreToolUse", `{` + claude + `,"tool_name":"TodoWrite","tool_input":{"todos":[]}}`, "", "", nested},
		{"failure", "claude", "PostToolUseFailure", `{` + claude + `,"tool_name":"Bash","tool_input":{"command":"go test ./store"},"error":"Exit code 1\n` + failedTests + `","is_interrupt":false}`, "failure", asked, nested},
		{"interrupt", "claude", "PostToolUseFailure", `{` + claude + `,"tool_name":"Bash","tool_input":{"command":"go test ./store"},"error":"Exit code 1\n` + failedTests + `","is_interrupt":true}`, "", "", nested},
		{"refused", "claude", "PostToolUseFailure", `{` + claude + `,"tool_name":"Bash","tool_input":{"command":"rm x"},"error":"The user doesn't want to proceed with this tool use."}`, "", "", nested},
		{"no match", "claude", "PostToolUseFailure", `{` + claude + `,"tool_name":"Bash","tool_input":{"command":"grep -rn TODO src"},"error":"Exit code 1"}`, "", "", nested},
		{"an edit failed", "claude", "PostToolUseFailure", `{` + claude + `,"tool_name":"Edit","tool_input":{"file_path":"a"},"error":"String to replace not found in file."}`, "", "", nested},
		{"success that speaks of errors", "claude", "PostToolUse", `{` + claude + `,"tool_name":"Bash","tool_input":{"command":"make docs"},"tool_response":{"stdout":"error: 3 links are old\nFAIL to fetch one","stderr":""}}`, "", "", nested},
		{"hidden by a pipe", "claude", "PostToolUse", `{` + claude + `,"tool_name":"Bash","tool_input":{"command":"go test ./store | tail -5"},"tool_response":{"stdout":"` + failedTests + `","stderr":""}}`, "failure", strings.Replace(asked, "store\n", "store | tail -5\n", 1), nested},

		{"a new file", "claude", "PreToolUse", `{` + claude + `,"tool_name":"Write","tool_input":{"file_path":"/elsewhere/lock.go","content":"z"}}`, "edit", "/elsewhere/lock.go", nested},
		{"a check", "claude", "PreToolUse", `{` + claude + `,"tool_name":"Bash","tool_input":{"command":"go test ./store"}}`, "command", "go test ./store", nested},

		{"sub-agent", "codex", "SubagentStart", `{` + codex + `,"hook_event_name":"SubagentStart","agent_id":"a1","agent_type":"worker"}`, "", "", nested},
		{"patch", "codex", "PreToolUse", `{` + codex + `,"tool_name":"apply_patch","tool_input":{"command":"*** Begin Patch\n*** Update File: a.go\n-x\n+y\n*** End Patch"}}`, "edit", "a.go", nested},
		{"failure", "codex", "PostToolUse", `{` + codex + `,"tool_name":"Bash","tool_input":{"command":"go test ./store"},"tool_response":"Exit code: 1\nWall time: 2.1 seconds\nOutput:\n` + failedTests + `"}`, "failure", asked, nested},
		{"failure without a code", "codex", "PostToolUse", `{` + codex + `,"tool_name":"Bash","tool_input":{"command":"go test ./store"},"tool_response":"` + failedTests + `"}`, "failure", asked, nested},
		{"failure in JSON", "codex", "PostToolUse", `{` + codex + `,"tool_name":"shell","tool_input":{"command":["bash","-lc","go test ./store"]},"tool_response":"{\"output\":\"--- FAIL: TestIndex (0.02s)\\n    index_test.go:31: LockTimeout: index is locked\\nFAIL\",\"metadata\":{\"exit_code\":1}}"}`, "failure", asked, nested},
		{"rejected", "codex", "PostToolUse", `{` + codex + `,"tool_name":"Bash","tool_input":{"command":"make"},"tool_response":"exec command rejected by user"}`, "", "", nested},

		{"failure", "copilot", "postToolUseFailure", `{` + copilot + `,"toolName":"bash","toolArgs":{"command":"go test ./store"},"error":"` + failedTests + `\n<exited with exit code 1>"}`, "failure", asked, flat},
		{"arguments as text", "copilot", "postToolUseFailure", `{` + copilot + `,"toolName":"bash","toolArgs":"{\"command\":\"go test ./store\"}","error":"` + failedTests + `"}`, "failure", asked, flat},
		{"failure told as a success", "copilot", "postToolUse", `{` + copilot + `,"toolName":"bash","toolArgs":{"command":"go test ./store"},"toolResult":{"resultType":"success","textResultForLlm":"` + failedTests + `\n<exited with exit code 1>"}}`, "failure", asked, flat},
		{"the other spelling", "copilot", "PostToolUseFailure", `{` + vscode + `,"hook_event_name":"PostToolUseFailure","tool_name":"Bash","tool_input":{"command":"go test ./store"},"error":"` + failedTests + `"}`, "failure", asked, both},
		{"denied", "copilot", "postToolUse", `{` + copilot + `,"toolName":"bash","toolArgs":{"command":"make"},"toolResult":{"resultType":"denied","textResultForLlm":"error: no"}}`, "", "", flat},

		{"command", "cursor", "beforeShellExecution", `{` + cursor + `,"command":"git push --force","cwd":"/repo"}`, "command", "git push --force", `{"agent_message":"TEXT"}`},
		{"failure", "cursor", "postToolUseFailure", `{` + cursor + `,"tool_name":"Shell","tool_input":{"command":"go test ./store"},"error_message":"` + failedTests + `","failure_type":"error","is_interrupt":false}`, "failure", asked, `{"additional_context":"TEXT"}`},
		{"failure in what came back", "cursor", "postToolUse", `{` + cursor + `,"tool_name":"Shell","tool_input":{"command":"go test ./store"},"tool_output":"{\"exitCode\":1,\"stdout\":\"--- FAIL: TestIndex (0.02s)\\n    index_test.go:31: LockTimeout: index is locked\\nFAIL\"}"}`, "failure", asked, `{"additional_context":"TEXT"}`},

		{"failure", "gemini", "AfterTool", `{` + gemini + `,"tool_name":"run_shell_command","tool_input":{"command":"go test ./store"},"tool_response":{"llmContent":"Command: go test ./store\nDirectory: (root)\nOutput: ` + failedTests + `\nError: (none)\nExit Code: 1\nSignal: (none)\nBackground PIDs: (none)","returnDisplay":"x"}}`, "failure", asked, nested},
		{"parts", "gemini", "AfterTool", `{` + gemini + `,"tool_name":"run_shell_command","tool_input":{"command":"go test ./store"},"tool_response":{"llmContent":[{"text":"` + failedTests + `"}]}}`, "failure", asked, nested},
	} {
		t.Run(c.agent+"/"+c.event+"/"+c.name, func(t *testing.T) {
			hooks := agents.Named(c.agent).Hooks
			e, ok := hooks.Event(c.event)
			if !ok {
				t.Fatal("there is no such event")
			}
			if !json.Valid([]byte(c.payload)) {
				t.Fatalf("the test is wrong: %s", c.payload)
			}
			v, err := read(agents.Named(c.agent), e, []byte(c.payload))
			must(t, err)
			if v.Session != "s1" || v.Cwd != "/repo" {
				t.Errorf("session %q in %q", v.Session, v.Cwd)
			}
			r, ok := v.question("/repo")
			want := ask.AdviseRequest{Moment: c.moment, Text: c.question}
			if c.moment == "edit" {
				want.Text, want.File = "", c.question
			}
			if ok != (c.moment != "") || ok && r != want {
				t.Errorf("asked %v: %+v\nwant %+v", ok, r, want)
			}
			out, err := json.Marshal(e.Answer(c.event, "<b>\n\"x\""))
			text, _ := json.Marshal("<b>\n\"x\"")
			said := strings.NewReplacer("EVENT", c.event, `"TEXT"`, string(text)).Replace(c.answer)
			if err != nil || string(out) != said {
				t.Errorf("answered %s\nwant %s", out, said)
			}
		})
	}
}

// At its end a sub-agent's own transcript counts, where it is named.
func TestEndOfASubAgent(t *testing.T) {
	e, _ := agents.Named("claude").Hooks.Event("SubagentStop")
	v, err := read(agents.Named("claude"), e, []byte(`{"session_id":"s","transcript_path":"/t/a.jsonl","agent_transcript_path":"/t/a/subagents/agent-b.jsonl"}`))
	if err != nil || v.Moment != agent.End || v.Transcript != "/t/a/subagents/agent-b.jsonl" {
		t.Errorf("%+v, %v", v, err)
	}
}

// What an agent sends in the fields that it names is read, at every moment of every agent.
func TestEveryDialect(t *testing.T) {
	const command = "go test ./store"
	for _, a := range agents.Which(agents.HasHooks) {
		for _, e := range a.Hooks.Events {
			f, payload := a.Hooks.Fields, map[string]any{}
			set := func(names string, value any) {
				if name, _, _ := strings.Cut(names, " "); name != "" {
					payload[name] = value
				}
			}
			tool, _, _ := strings.Cut(e.Tools, "|")
			if tool == "" {
				tool = "bash"
			}
			set(f.Session, "s1")
			set(f.Cwd, "/repo")
			set(f.Prompt, "Mend the lock")
			set(f.Transcript, "/t/s1.jsonl")
			set(f.Tool, tool)
			runs := command
			if e.Moment == agent.Before {
				runs = "git push --force"
			}
			set(f.Input, map[string]string{"command": runs})
			output := strings.TrimPrefix(asked, "$ "+command+"\n")
			set(f.Response, map[string]any{"output": output, "exit_code": 1})
			if e.Moment == agent.Failed {
				set(f.Failure, output)
			}
			data, err := json.Marshal(payload)
			must(t, err)
			v, err := read(a, &e, data)
			if err != nil || v.Session != "s1" || v.Cwd != "/repo" || v.Transcript != "/t/s1.jsonl" {
				t.Errorf("%s %s: %+v, %v", a.Name, e.Name, v, err)
				continue
			}
			want := map[agent.Moment]ask.AdviseRequest{agent.Prompt: {Moment: "prompt", Text: "Mend the lock"}, agent.Before: {Moment: "command", Text: "git push --force"},
				agent.After: {Moment: "failure", Text: asked}, agent.Failed: {Moment: "failure", Text: asked}}[e.Moment]
			if got, _ := v.question("/repo"); got != want {
				t.Errorf("%s %s: asked %+v, want %+v", a.Name, e.Name, got, want)
			}
		}
	}
}
