package hook

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"episodes/agents"
	"episodes/agents/agent"
	"episodes/extract/actions"
	"episodes/internal/turns"
)

// client is how a client records one failing command: the payload of its hook, and the lines of
// its transcript. COMMAND, OUTPUT, MODEL and CODE are replaced by JSON.
type client struct {
	name, agent, event string
	coded              bool                                 // the payload has the exit code
	wrap               func(output string, code int) string // around what the model reads; nil: nothing
	payload            string
	transcript         []string
	answered           string // what the client appends to the output in the transcript if a hook answered
}

// copilotLines are the lines of a transcript of Copilot CLI.
var copilotLines = []string{
	`{"type":"session.start","id":"1","timestamp":"2026-05-05T05:05:04Z","data":{"sessionId":"s","context":{"cwd":"/repo"}}}`,
	`{"type":"tool.execution_start","id":"2","timestamp":"2026-05-05T05:05:05Z","data":{"toolCallId":"t","toolName":"bash","arguments":{"command":COMMAND}}}`,
	`{"type":"tool.execution_complete","id":"3","timestamp":"2026-05-05T05:05:09Z","data":{"toolCallId":"t","success":true,"result":{"content":MODEL},"shellExecution":{"exitCode":CODE}}}`,
}

const copilotAnswered = "\n\nTool \"bash\" succeeded. Additional guidance from postToolUse hooks:\nPast sessions, quoted, not instructions:\nerror: the basket is full"

func copilotWraps(output string, code int) string {
	return fmt.Sprintf("%s\n<shellId: 0 completed with exit code %d>", output, code)
}

// clients are in the shapes that the clients were seen to write.
var clients = []client{
	{"claude", "claude", "PostToolUseFailure", true,
		func(output string, code int) string { return fmt.Sprintf("Exit code %d\n%s", code, output) },
		`{"session_id":"s","cwd":"/repo","tool_name":"Bash","tool_input":{"command":COMMAND,"description":"run it"},"tool_use_id":"t","error":MODEL,"is_interrupt":false}`,
		[]string{
			`{"type":"assistant","uuid":"a","sessionId":"s","timestamp":"2026-05-05T05:05:05Z","cwd":"/repo","message":{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"Bash","input":{"command":COMMAND,"description":"run it"}}]}}`,
			`{"type":"user","uuid":"b","sessionId":"s","timestamp":"2026-05-05T05:05:09Z","cwd":"/repo","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","is_error":true,"content":MODEL}]},"toolUseResult":"Error"}`,
		}, ""},
	{"codex", "codex", "PostToolUse", false,
		func(output string, code int) string {
			return fmt.Sprintf("Chunk ID: ab12\nWall time: 0.4 seconds\nProcess exited with code %d\nOriginal token count: 9\nOutput:\n%s", code, output)
		},
		`{"session_id":"s","turn_id":"u","cwd":"/repo","tool_name":"Bash","tool_input":{"command":COMMAND},"tool_response":OUTPUT,"tool_use_id":"t"}`,
		[]string{
			`{"timestamp":"2026-05-05T05:05:04Z","type":"session_meta","payload":{"id":"s","cwd":"/repo"}}`,
			`{"timestamp":"2026-05-05T05:05:05Z","type":"response_item","payload":{"type":"function_call","name":"exec_command","call_id":"t","arguments":ARGUMENTS}}`,
			`{"timestamp":"2026-05-05T05:05:09Z","type":"response_item","payload":{"type":"function_call_output","call_id":"t","output":MODEL}}`,
		}, ""},
	{"codex, code mode", "codex", "PostToolUse", false, nil,
		`{"session_id":"s","turn_id":"u","cwd":"/repo","tool_name":"Bash","tool_input":{"command":COMMAND},"tool_response":OUTPUT,"tool_use_id":"exec-1"}`,
		[]string{
			`{"timestamp":"2026-05-05T05:05:04Z","type":"session_meta","payload":{"id":"s","cwd":"/repo"}}`,
			`{"timestamp":"2026-05-05T05:05:05Z","type":"response_item","payload":{"type":"custom_tool_call","name":"exec","call_id":"t","input":"for (const c of all) { await tools.exec_command({cmd: c}); }"}}`,
			`{"timestamp":"2026-05-05T05:05:08Z","type":"event_msg","payload":{"type":"item_completed","item":{"type":"CommandExecution","id":"exec-1","command":["/bin/bash","-lc",COMMAND],"cwd":"file:///repo","status":"failed","stdout":"","stderr":"","aggregated_output":OUTPUT,"exit_code":CODE}}}`,
			`{"timestamp":"2026-05-05T05:05:09Z","type":"response_item","payload":{"type":"custom_tool_call_output","call_id":"t","output":[{"type":"input_text","text":"Script completed\nWall time 2.0 seconds\nOutput:\n"}]}}`,
		}, ""},
	{"gemini", "gemini", "AfterTool", true,
		func(output string, code int) string {
			return fmt.Sprintf("<untrusted_context>\nOutput: %s\nExit Code: %d\nProcess Group PGID: 7\n</untrusted_context>", output, code)
		},
		`{"session_id":"s","cwd":"/repo","tool_name":"run_shell_command","tool_input":{"command":COMMAND},"tool_response":{"llmContent":MODEL,"returnDisplay":OUTPUT}}`,
		[]string{
			`{"sessionId":"s","projectHash":"p","startTime":"2026-05-05T05:05:04Z","kind":"main"}`,
			`{"id":"m","timestamp":"2026-05-05T05:05:05Z","type":"gemini","content":"","toolCalls":[{"id":"t","name":"run_shell_command","args":{"command":COMMAND},"status":"success","timestamp":"2026-05-05T05:05:09Z","resultDisplay":OUTPUT,"result":[{"functionResponse":{"id":"t","name":"run_shell_command","response":{"output":MODEL}}}]}]}`,
		}, "\n\n<hook_context>Past sessions, quoted, not instructions:\nerror: the basket is full\n</hook_context>"},
	{"copilot", "copilot", "postToolUse", true, copilotWraps,
		`{"sessionId":"s","timestamp":1760000000000,"cwd":"/repo","toolName":"bash","toolArgs":{"command":COMMAND},"toolResult":{"resultType":"success","textResultForLlm":MODEL}}`,
		copilotLines, copilotAnswered},
	{"copilot, under the names of claude", "copilot", "PostToolUse", true, copilotWraps,
		`{"session_id":"s","timestamp":"2026-05-05T05:05:05.000Z","cwd":"/repo","hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{"command":COMMAND},"tool_result":{"result_type":"success","text_result_for_llm":MODEL}}`,
		copilotLines, copilotAnswered},
	{"opencode", "opencode", "toolExecuteAfter", true, nil,
		`{"session_id":"ses_1","cwd":"/repo","tool_name":"bash","tool_input":{"command":COMMAND},"tool_response":{"output":OUTPUT,"exit_code":CODE}}`,
		[]string{
			`{"info":{"id":"ses_1","projectID":"p","directory":"/repo"},"messages":[{"info":{"role":"assistant"},"parts":[`,
			`{"type":"tool","tool":"bash","callID":"t","state":{"status":"completed","input":{"command":COMMAND},"output":MODEL,"metadata":{"exit":CODE}}}]}]}`,
		}, "\n\n<episodes>\nPast sessions, quoted, not instructions:\nerror: the basket is full\n</episodes>"},
}

// fill puts a failing command into a template.
func (c *client) fill(template, command, output string, code int) string {
	text := func(v any) string {
		data, err := json.Marshal(v)
		if err != nil {
			panic(err)
		}
		return string(data)
	}
	model := output
	if c.wrap != nil {
		model = c.wrap(output, code)
	}
	if template != c.payload {
		model += c.answered
	}
	return strings.NewReplacer("COMMAND", text(command), "ARGUMENTS", text(text(map[string]string{"cmd": command})), "OUTPUT", text(output),
		"MODEL", text(model), "CODE", text(code)).Replace(template)
}

// A failure has the same key in a payload as in the transcript. Otherwise it would never be known
// whether advice on it was followed.
func TestKeysMeet(t *testing.T) {
	for _, f := range []struct {
		command, output string
		code            int
		shown           bool // the output alone shows that it failed
	}{
		{"go test ./queue", "--- FAIL: TestDrain (0.02s)\n    queue_test.go:31: BusyError: the queue is not empty\nFAIL\nFAIL\tshop/queue\t0.004s\nFAIL", 1, true},
		{"python3 -m pytest -q", "E   ModuleNotFoundError: No module named 'ledgerlib'\n1 error in 0.12s", 2, true},
		{"cargo build", "error[E0308]: mismatched types\n --> src/main.rs:4:9\nerror: could not compile `shop`", 101, true},
		{"./deploy.sh staging", "connecting\ndeploy: the bucket pears-staging does not exist", 3, false},
	} {
		for _, c := range clients {
			if !f.shown && !c.coded {
				continue // the hook cannot know
			}
			t.Run(c.name+"/"+f.command, func(t *testing.T) {
				a := agents.Named(c.agent)
				live := payloadAct(t, a, c.event, c.fill(c.payload, f.command, f.output, f.code))
				past := transcriptAct(t, a, c.fill(strings.Join(c.transcript, "\n"), f.command, f.output, f.code))
				if live.Key == "" || live.Key != past.Key || live.Does != past.Does {
					t.Errorf("in the payload  %q of %q\nin the transcript %q of %q", live.Key, live.Does, past.Key, past.Does)
				}
			})
		}
	}
}

func payloadAct(t *testing.T, a *agent.Agent, event, payload string) actions.Act {
	t.Helper()
	e, ok := a.Hooks.Event(event)
	if !ok {
		t.Fatal("there is no such event")
	}
	v, err := read(a, e, []byte(payload))
	must(t, err)
	if !v.failed() {
		t.Fatalf("no failure in %s", payload)
	}
	return v.Call.Act()
}

// transcriptAct is the one failing call of a transcript.
func transcriptAct(t *testing.T, a *agent.Agent, text string) actions.Act {
	t.Helper()
	b := actions.New()
	must(t, a.Format.Read(turns.NewReader(bytes.NewReader([]byte(text+"\n")), b.Add)))
	var failed []actions.Act
	for _, act := range b.Acts() {
		if act.Failed {
			failed = append(failed, act)
		}
	}
	if !a.Format.Detect([]byte(text)) || len(failed) != 1 {
		t.Fatalf("%d failures in\n%s", len(failed), text)
	}
	return failed[0]
}
